// Members of structs and vectors used one by one: how many accesses nvcc makes of them, read off its machine
// code for sm_90. And bytes between members need no value.
#include "expect_counts.h"

struct pair {
    float x, y;
};
struct alignas(16) quad {
    float x, y, z, w;
    __device__ float sum() const { return x + y + z + w; }
};
struct alignas(8) half_aligned {
    float x, y, z, w;
};
struct alignas(16) three {
    float x, y, z;
};
struct alignas(16) nested {
    pair first, second;
};
struct alignas(16) eight {
    short v[8];
};

/// Its operators use members without a word of the object that they are of.
struct alignas(8) number {
    float re, im;
    __device__ number operator*(number by) const {
        return {re * by.re - im * by.im, re * by.im + im * by.re};
    }
    __device__ number& operator+=(number more) {
        re += more.re;
        im += more.im;
        return *this;
    }
    __device__ float& operator[](int i) { return i == 0 ? re : im; }
};

/// A kernel of one warp, its threads t, from elements of one type to elements of another.
#define KERNEL(name, out, in, ...)              \
    __global__ void name(out* o, const in* a) { \
        const int t = threadIdx.x;              \
        __VA_ARGS__                             \
    }

KERNEL(xy, float, float4, o[t] = a[t].x + a[t].y;)
KERNEL(yz, float, float4, o[t] = a[t].y + a[t].z;)
KERNEL(zw, float, float4, o[t] = a[t].z + a[t].w;)
KERNEL(xz, float, float4, o[t] = a[t].x + a[t].z;)
KERNEL(xyz, float, float4, o[t] = a[t].x + a[t].y + a[t].z;)
KERNEL(yzw, float, float4, o[t] = a[t].y + a[t].z + a[t].w;)
KERNEL(xyw, float, float4, o[t] = a[t].x + a[t].y + a[t].w;)
KERNEL(wzyx, float, float4, o[t] = a[t].w + a[t].z + a[t].y + a[t].x;)
KERNEL(twice, float, float4, o[t] = a[t].x * a[t].x;)
KERNEL(by_reference, float, float4, const float4& v = a[t]; o[t] = v.x + v.y + v.z + v.w;)
KERNEL(by_pointer, float, float4, const float4* p = a + t; o[t] = p->x + (*p).y + p[0].z + p->w;)
KERNEL(by_cast, float, float, o[t] = reinterpret_cast<const float4*>(a)[t].x + ((const float4*)a)[t].y;)
KERNEL(by_method, float, quad, o[t] = a[t].sum();)
KERNEL(product, number, number, o[t] = a[t] * a[t + 32];)
KERNEL(sums, number, number, o[t] += a[t];)
KERNEL(elements, number, number, o[t][0] = 1; o[t][1] = 2;)
KERNEL(neighbours, float, float2, o[t] = a[2 * t].x + a[2 * t].y + a[2 * t + 1].x + a[2 * t + 1].y;)
KERNEL(words, float, float, o[t] = a[4 * t] + a[4 * t + 1] + a[4 * t + 2] + a[4 * t + 3];)
KERNEL(pairs, float, pair, o[t] = a[t].x + a[t].y;)
KERNEL(float3s, float, float3, o[t] = a[t].x + a[t].y + a[t].z;)
KERNEL(threes, float, three, o[t] = a[t].x + a[t].y + a[t].z;)
KERNEL(halves, float, half_aligned, o[t] = a[t].x + a[t].y + a[t].z + a[t].w;)
KERNEL(nests, float, nested, o[t] = a[t].first.x + a[t].first.y + a[t].second.x + a[t].second.y;)
KERNEL(bytes, int, uchar4, o[t] = a[t].x + a[t].y + a[t].z;)
KERNEL(byte_ends, int, uchar4, o[t] = a[t].x + a[t].w;)
KERNEL(doubles, double, double2, o[t] = a[t].x + a[t].y;)
KERNEL(wide_doubles, double, double4, o[t] = a[t].x + a[t].y + a[t].z + a[t].w;)
KERNEL(near_shorts, int, eight, o[t] = a[t].v[0] + a[t].v[2] + a[t].v[4];)
KERNEL(far_shorts, int, eight, o[t] = a[t].v[0] + a[t].v[7];)
KERNEL(volatiles, float, volatile float4, o[t] = a[t].x + a[t].y;)

KERNEL(store_between, float, float4, o[t] = a[t].x; o[t + 32] = a[t].y;)
KERNEL(other_memory_between, float, float4, __shared__ float s_x[64]; s_x[t] = a[t].x; s_x[t + 32] = a[t].y;
       __syncthreads(); o[t] = s_x[63 - t];)
KERNEL(barrier_between, float, float4, const float x = a[t].x; __syncthreads(); o[t] = x + a[t].y;)
KERNEL(warp_between, float, float4, const float x = a[t].x; __syncwarp(); o[t] = x + a[t].y;)
KERNEL(fence_between, float, float4, const float x = a[t].x; __threadfence(); o[t] = x + a[t].y;)
KERNEL(branch_between, float, float4, float x = a[t].x; if (t < 40) x += a[t].y; o[t] = x;)
KERNEL(in_loop, float, float4, float sum = 0; for (int i = 0; i < 3; i++) sum += a[t + i].x * a[t + i].y;
       o[t] = sum;)
KERNEL(two_halves, float, float4, o[t] = t < 16 ? a[t].x + a[t].y : a[t].z + a[t].w;)

KERNEL(write_all, float4, float, const float v = a[t]; o[t].x = v; o[t].y = v; o[t].z = v; o[t].w = v;)
KERNEL(write_backwards, float4, float, const float v = a[t]; o[t].w = v; o[t].z = v; o[t].y = v; o[t].x = v;)
KERNEL(write_xyz, float4, float, const float v = a[t]; o[t].x = v; o[t].y = v; o[t].z = v;)
KERNEL(write_xzw, float4, float, const float v = a[t]; o[t].x = v; o[t].z = v; o[t].w = v;)
KERNEL(write_yzw, float4, float, const float v = a[t]; o[t].y = v; o[t].z = v; o[t].w = v;)
KERNEL(write_bytes, uchar4, float, const int v = a[t]; o[t].x = v; o[t].y = v; o[t].z = v; o[t].w = v;)
KERNEL(write_loaded, float4, float, o[t].x = a[t]; o[t].y = a[t + 32]; o[t].z = a[t + 64];
       o[t].w = a[t + 96];)
KERNEL(copy_alike, float4, float4, o[t].x = a[t].x; o[t].y = a[t].y; o[t].z = a[t].z; o[t].w = a[t].w;)
KERNEL(copy_other, float4, quad, o[t].x = a[t].x; o[t].y = a[t].y; o[t].z = a[t].z; o[t].w = a[t].w;)
KERNEL(change, float4, float, o[t].x += 1; o[t].y *= 2; o[t].z -= 3; o[t].w++;)
KERNEL(exchange, float4, float, const float x = o[t].x; o[t].x = o[t].y; o[t].y = x;)
__global__ void write_restrict(float4* __restrict__ o, const float* __restrict__ a) {
    const int t = threadIdx.x;
    o[t].x = a[t];
    o[t].y = a[t + 32];
    o[t].z = a[t + 64];
    o[t].w = a[t + 96];
}
__global__ void read_restrict(float* o, const float4* __restrict__ a) {
    const int t = threadIdx.x;
    o[t] = a[t].x;
    o[t + 32] = a[t].y;
}
KERNEL(shared_members, float, float4, __shared__ float4 s_quads[32]; const float x = a[t].x; s_quads[t].x = x;
       s_quads[t].y = x; s_quads[t].z = x; s_quads[t].w = x; __syncthreads();
       o[t] = s_quads[31 - t].x + s_quads[31 - t].y + s_quads[31 - t].z + s_quads[31 - t].w;)
__constant__ float4 c_quads[4];
KERNEL(constant_members, float, float, o[t] = c_quads[3].x + c_quads[3].y + c_quads[3].z;)
__device__ float4 d_quads[32];
KERNEL(variable_members, float, float, o[t] = d_quads[t].x + d_quads[t].y;)
/// Own vectors are no memory that counts.
KERNEL(locals, float, float, float4 v = {1, 2, 3, 4}; float2 list[2] = {{a[t], 2}, {3, 4}};
       for (int i = 0; i < t % 2; i++) v.x += list[i].x * v.y; o[t] = v.x + v.z + list[t % 2].y;)

template <class out, class in>
inspect::counts counted(void (*kernel)(out*, in*)) {
    return inspected([=] { kernel<<<1, 32>>>(reinterpret_cast<out*>(d_out), reinterpret_cast<in*>(d_in)); })
        .total();
}

/// Requests of a warp and sectors.
void expect_memory(const std::string& name, const inspect::memory_traffic& seen, uint64_t loads,
                   uint64_t stores) {
    expect(seen.loads.requests == loads && seen.stores.requests == stores,
           name + ": " + std::to_string(loads) + " loads and " + std::to_string(stores) + " stores, got " +
               std::to_string(seen.loads.requests) + " and " + std::to_string(seen.stores.requests));
}
#define EXPECT_REQUESTS(kernel, loads, stores) expect_memory(#kernel, counted(kernel).global, loads, stores)

void reads() {
    EXPECT_REQUESTS(xy, 1, 1);
    EXPECT_REQUESTS(yz, 2, 1);
    EXPECT_REQUESTS(zw, 1, 1);
    EXPECT_REQUESTS(xz, 2, 1);
    EXPECT_REQUESTS(xyz, 1, 1);
    EXPECT_REQUESTS(yzw, 2, 1);
    EXPECT_REQUESTS(xyw, 1, 1);
    EXPECT_REQUESTS(wzyx, 1, 1);
    EXPECT_REQUESTS(twice, 1, 1);
    EXPECT_REQUESTS(by_reference, 1, 1);
    EXPECT_REQUESTS(by_pointer, 1, 1);
    EXPECT_REQUESTS(by_cast, 1, 1);
    EXPECT_REQUESTS(by_method, 1, 1);
    EXPECT_REQUESTS(product, 2, 1);
    EXPECT_REQUESTS(sums, 2, 1);
    EXPECT_REQUESTS(elements, 0, 2);
    EXPECT_REQUESTS(neighbours, 2, 1);
    EXPECT_REQUESTS(words, 4, 1);
    EXPECT_REQUESTS(pairs, 2, 1);
    EXPECT_REQUESTS(float3s, 3, 1);
    EXPECT_REQUESTS(threes, 1, 1);
    EXPECT_REQUESTS(halves, 2, 1);
    EXPECT_REQUESTS(nests, 1, 1);
    EXPECT_REQUESTS(bytes, 1, 1);
    EXPECT_REQUESTS(byte_ends, 1, 1);
    EXPECT_REQUESTS(doubles, 1, 1);
    EXPECT_REQUESTS(wide_doubles, 2, 1);
    EXPECT_REQUESTS(near_shorts, 1, 1);
    EXPECT_REQUESTS(far_shorts, 2, 1);
    EXPECT_REQUESTS(volatiles, 2, 1);
    expect_traffic("xy", "sectors of 8 bytes", counted(xy).global.loads, 32, 1, 16);
    expect_traffic("xz", "sectors of 4 bytes", counted(xz).global.loads, 64, 2, 32);
}

void between() {
    EXPECT_REQUESTS(store_between, 2, 2);
    EXPECT_REQUESTS(other_memory_between, 1, 1);
    EXPECT_REQUESTS(barrier_between, 2, 1);
    EXPECT_REQUESTS(warp_between, 2, 1);
    EXPECT_REQUESTS(fence_between, 2, 1);
    EXPECT_REQUESTS(branch_between, 2, 1);
    EXPECT_REQUESTS(in_loop, 3, 1);
    EXPECT_REQUESTS(two_halves, 2, 1);
    EXPECT_REQUESTS(read_restrict, 1, 2);
}

void stores() {
    EXPECT_REQUESTS(write_all, 1, 1);
    EXPECT_REQUESTS(write_backwards, 1, 1);
    EXPECT_REQUESTS(write_xyz, 1, 2);
    EXPECT_REQUESTS(write_xzw, 1, 2);
    EXPECT_REQUESTS(write_yzw, 1, 3);
    EXPECT_REQUESTS(write_bytes, 1, 1);
    EXPECT_REQUESTS(write_loaded, 4, 4);
    EXPECT_REQUESTS(write_restrict, 4, 1);
    EXPECT_REQUESTS(copy_alike, 1, 1);
    EXPECT_REQUESTS(copy_other, 4, 4);
    EXPECT_REQUESTS(change, 1, 1);
    EXPECT_REQUESTS(exchange, 1, 1);
}

void other_memories() {
    expect_memory("shared members", counted(shared_members).shared, 1, 1);
    expect(counted(constant_members).constant.requests == 1, "one read of three members of a constant");
    EXPECT_REQUESTS(variable_members, 1, 1);
    EXPECT_REQUESTS(locals, 1, 1);
}

// ---- bytes between members

struct padded {
    char small;
    float large;
};
struct outer {
    padded inner;
    short last;
    __device__ void set() {
        inner.small = 1;
        inner.large = 2;
        last = 3;
    }
};
KERNEL(set_members, padded, char, o[t].small = 1; o[t].large = a[t];)
KERNEL(set_by_reference, padded, char, padded& one = o[t]; one.small = 1; one.large = a[t];)
KERNEL(set_by_pointer, padded, char, padded* one = o + t; one->small = 1; one->large = a[t];)
KERNEL(set_by_method, outer, char, o[t].set();)
KERNEL(copy_padded, padded, padded, o[t] = a[t];)
KERNEL(copy_tile, padded, char, __shared__ padded s_tile[32]; s_tile[t].small = a[t]; s_tile[t].large = 1;
       __syncthreads(); o[t] = s_tile[31 - t];)
KERNEL(copy_half_tile, padded, char, __shared__ padded s_tile[32]; s_tile[t].small = a[t]; __syncthreads();
       o[t] = s_tile[31 - t];)
KERNEL(set_half, padded, char, o[t].small = a[t];)

/// Findings of kernels that fill elements, and of a copy of these to the host.
template <class type>
std::string findings_of(void (*fill)(type*, const char*), void (*copy)(type*, const type*) = nullptr) {
    const inspect::report seen = inspected([=] {
        type* elements = device<type>(32, UNINITIALISED_MEMORY);
        type* copies = device<type>(32, UNINITIALISED_MEMORY);
        fill<<<1, 32>>>(elements, reinterpret_cast<const char*>(d_in));
        if (copy) copy<<<1, 32>>>(copies, elements);
        type host[32];
        cudaMemcpy(host, copy ? copies : elements, sizeof host, cudaMemcpyDeviceToHost);
    });
    std::string kinds;
    for (const inspect::finding& one : seen.findings)
        kinds += one.kind + " ";
    return kinds;
}

void padding() {
    const auto expect_findings = [](const char* what, const std::string& seen, const std::string& kinds) {
        expect(seen == kinds, std::string(what) + ": \"" + kinds + "\", got \"" + seen + "\"");
    };
    expect_findings("members", findings_of(set_members), "");
    expect_findings("members by reference", findings_of(set_by_reference), "");
    expect_findings("members by pointer", findings_of(set_by_pointer), "");
    expect_findings("members by a method", findings_of(set_by_method), "");
    expect_findings("a copy", findings_of(set_members, copy_padded), "");
    expect_findings("a tile", findings_of(copy_tile), "");
    expect_findings("half of the members", findings_of(set_half), "never-written ");
    expect_findings("a copy of half", findings_of(set_half, copy_padded), "uninitialised-read ");
    expect_findings("half of a tile", findings_of(copy_half_tile), "uninitialised-read ");
}

int main() {
    return check_counts({reads, between, stores, other_memories, padding});
}
