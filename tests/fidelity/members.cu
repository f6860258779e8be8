// Patterns of structs and vectors: members used one by one, which nvcc may join, and aggregates by value.
#include "pattern.h"

struct pair {
    float x, y;
};
struct alignas(16) quad {
    float x, y, z, w;
};
struct alignas(16) three {
    float x, y, z;
};
struct with_padding {
    char small;
    double large;
};
struct two_quads {
    float4 first, second;
};
struct two_pairs {
    float2 first, second;
};

// ---- reads

__global__ void read_two_members(float* out, const float2* in) {
    const float x = in[threadIdx.x].x;
    const float y = in[threadIdx.x].y;
    out[threadIdx.x] = x + y;
}
template <class type>
__global__ void read_all(float* out, const type* in) {
    const type& v = in[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
template <class type>
__global__ void read_xy(float* out, const type* in) {
    out[threadIdx.x] = in[threadIdx.x].x + in[threadIdx.x].y;
}
__global__ void read_yz(float* out, const float4* in) {
    out[threadIdx.x] = in[threadIdx.x].y + in[threadIdx.x].z;
}
__global__ void read_zw(float* out, const float4* in) {
    out[threadIdx.x] = in[threadIdx.x].z + in[threadIdx.x].w;
}
__global__ void read_xz(float* out, const float4* in) {
    out[threadIdx.x] = in[threadIdx.x].x + in[threadIdx.x].z;
}
template <class type>
__global__ void read_xyz(float* out, const type* in) {
    out[threadIdx.x] = in[threadIdx.x].x + in[threadIdx.x].y + in[threadIdx.x].z;
}
__global__ void read_yzw(float* out, const float4* in) {
    out[threadIdx.x] = in[threadIdx.x].y + in[threadIdx.x].z + in[threadIdx.x].w;
}
__global__ void read_by_pointer(float* out, const float4* in) {
    const float4* p = &in[threadIdx.x];
    out[threadIdx.x] = p->w + p->z + p->y + p->x;
}
__global__ void read_by_cast(float* out, const float* in) {
    out[threadIdx.x] = reinterpret_cast<const float4*>(in)[threadIdx.x].x +
                       reinterpret_cast<const float4*>(in)[threadIdx.x].y;
}
__device__ float dot(const float4& a, const float4& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
__global__ void read_two_arrays(float* out, const float4* a, const float4* b) {
    out[threadIdx.x] = dot(a[threadIdx.x], b[threadIdx.x]);
}
__global__ void read_neighbours_of_float2(float* out, const float2* in) {
    out[threadIdx.x] =
        in[2 * threadIdx.x].x + in[2 * threadIdx.x].y + in[2 * threadIdx.x + 1].x + in[2 * threadIdx.x + 1].y;
}
/// Of a float*, whose alignment nobody knows.
__global__ void read_four_words(float* out, const float* in) {
    const int x = 4 * threadIdx.x;
    out[threadIdx.x] = in[x] + in[x + 1] + in[x + 2] + in[x + 3];
}
__global__ void read_store_read(float* out, const float4* in) {
    out[threadIdx.x] = in[threadIdx.x].x;
    out[threadIdx.x + 32] = in[threadIdx.x].y;
}
__global__ void read_store_read_restrict(float* __restrict__ out, const float4* __restrict__ in) {
    out[threadIdx.x] = in[threadIdx.x].x;
    out[threadIdx.x + 32] = in[threadIdx.x].y;
}
__global__ void read_barrier_read(float* out, const float4* in) {
    const float x = in[threadIdx.x].x;
    __syncthreads();
    out[threadIdx.x] = x + in[threadIdx.x].y;
}
__global__ void read_in_branches(float* out, const float4* in) {
    float sum = in[threadIdx.x].x;
    if (threadIdx.x < 16) sum += in[threadIdx.x].y;
    out[threadIdx.x] = sum;
}
__global__ void read_in_loop(float* out, const float4* in, int count) {
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 1
    for (int i = 0; i < count; i++) {
        sum.x += in[32 * i + threadIdx.x].x;
        sum.y += in[32 * i + threadIdx.x].y;
        sum.z += in[32 * i + threadIdx.x].z;
        sum.w += in[32 * i + threadIdx.x].w;
    }
    out[threadIdx.x] = sum.x * sum.y * sum.z * sum.w;
}

// ---- stores

template <class type>
__global__ void write_all(type* out, int value) {
    out[threadIdx.x].x = value;
    out[threadIdx.x].y = value + 1;
    out[threadIdx.x].z = value + 2;
    out[threadIdx.x].w = value + 3;
}
__global__ void write_zw(float4* out, float value) {
    out[threadIdx.x].z = value;
    out[threadIdx.x].w = value * 2;
}
__global__ void write_xyz(float4* out, float value) {
    out[threadIdx.x].x = value;
    out[threadIdx.x].y = value * 2;
    out[threadIdx.x].z = value * 3;
}
__global__ void write_yzw(float4* out, float value) {
    out[threadIdx.x].y = value;
    out[threadIdx.x].z = value * 2;
    out[threadIdx.x].w = value * 3;
}
__global__ void write_xzw(float4* out, float value) {
    out[threadIdx.x].x = value;
    out[threadIdx.x].z = value * 2;
    out[threadIdx.x].w = value * 3;
}
__global__ void write_loaded(float4* out, const float* in) {
    out[threadIdx.x].x = in[threadIdx.x];
    out[threadIdx.x].y = in[threadIdx.x + 32];
    out[threadIdx.x].z = in[threadIdx.x + 64];
    out[threadIdx.x].w = in[threadIdx.x + 96];
}
__global__ void write_loaded_restrict(float4* __restrict__ out, const float* __restrict__ in) {
    out[threadIdx.x].x = in[threadIdx.x];
    out[threadIdx.x].y = in[threadIdx.x + 32];
    out[threadIdx.x].z = in[threadIdx.x + 64];
    out[threadIdx.x].w = in[threadIdx.x + 96];
}
template <class to, class from>
__global__ void copy_members(to* out, const from* in) {
    out[threadIdx.x].x = in[threadIdx.x].x;
    out[threadIdx.x].y = in[threadIdx.x].y;
    out[threadIdx.x].z = in[threadIdx.x].z;
    out[threadIdx.x].w = in[threadIdx.x].w;
}
__global__ void change_members(float4* out) {
    float4& v = out[threadIdx.x];
    v.x += 1;
    v.y += 2;
    v.z += 3;
    v.w += 4;
}
__global__ void write_braces(float4* out, const float* in) {
    out[threadIdx.x] = {in[threadIdx.x], in[threadIdx.x + 32], 1, 2};
}

// ---- shared memory

__global__ void shared_members(float4* out, const float4* in) {
    __shared__ float4 s_quads[32];
    const float x = in[threadIdx.x].x;
    s_quads[threadIdx.x].x = x;
    s_quads[threadIdx.x].y = x * 2;
    s_quads[threadIdx.x].z = x * 3;
    s_quads[threadIdx.x].w = x * 4;
    __syncthreads();
    const float4& v = s_quads[31 - threadIdx.x];
    out[threadIdx.x].x = v.x + v.y + v.z + v.w;
}

// ---- by value

template <class type>
__device__ __noinline__ type same(type value) {
    return value;
}
template <class type>
__global__ void copy_by_call(type* out, const type* in) {
    out[threadIdx.x] = same(in[threadIdx.x]);
}
template <class type>
__global__ void copy_value(type* out, const type* in) {
    out[threadIdx.x] = in[threadIdx.x];
}

const std::vector<pattern> MEMBER_PATTERNS = {
    {"two_members", [] { read_two_members<<<1, 32>>>(d_out, in_as<float2>()); }},
    {"members_float4", [] { read_all<<<1, 32>>>(d_out, in_as<float4>()); }},
    {"members_quad", [] { read_all<<<1, 32>>>(d_out, in_as<quad>()); }},
    {"members_uchar4", [] { read_all<<<1, 32>>>(d_out, in_as<uchar4>()); }},
    {"members_short4", [] { read_all<<<1, 32>>>(d_out, in_as<short4>()); }},
    {"members_double2", [] { read_xy<<<1, 32>>>(d_out, in_as<double2>()); }},
    {"members_pair", [] { read_xy<<<1, 32>>>(d_out, in_as<pair>()); }},
    {"members_float3", [] { read_xyz<<<1, 32>>>(d_out, in_as<float3>()); }},
    {"members_three", [] { read_xyz<<<1, 32>>>(d_out, in_as<three>()); }},
    {"members_xy", [] { read_xy<<<1, 32>>>(d_out, in_as<float4>()); }},
    {"members_yz", [] { read_yz<<<1, 32>>>(d_out, in_as<float4>()); }},
    {"members_zw", [] { read_zw<<<1, 32>>>(d_out, in_as<float4>()); }},
    {"members_xz", [] { read_xz<<<1, 32>>>(d_out, in_as<float4>()); }},
    {"members_xyz", [] { read_xyz<<<1, 32>>>(d_out, in_as<float4>()); }},
    {"members_yzw", [] { read_yzw<<<1, 32>>>(d_out, in_as<float4>()); }},
    {"members_by_pointer", [] { read_by_pointer<<<1, 32>>>(d_out, in_as<float4>()); }},
    {"members_by_cast", [] { read_by_cast<<<1, 32>>>(d_out, d_in); }},
    {"members_two_arrays", [] { read_two_arrays<<<1, 32>>>(d_out, in_as<float4>(), in_as<float4>() + 64); }},
    {"members_of_neighbours", [] { read_neighbours_of_float2<<<1, 32>>>(d_out, in_as<float2>()); }},
    {"four_words", [] { read_four_words<<<1, 32>>>(d_out, d_in); }},
    {"members_store_between", [] { read_store_read<<<1, 32>>>(d_out, in_as<float4>()); }},
    {"members_store_between_restrict", [] { read_store_read_restrict<<<1, 32>>>(d_out, in_as<float4>()); }},
    {"members_barrier_between", [] { read_barrier_read<<<1, 32>>>(d_out, in_as<float4>()); }},
    {"members_in_branches", [] { read_in_branches<<<1, 32>>>(d_out, in_as<float4>()); }},
    {"members_in_loop", [] { read_in_loop<<<1, 32>>>(d_out, in_as<float4>(), 5); }},

    {"write_float4", [] { write_all<<<1, 32>>>(out_as<float4>(), 1); }},
    {"write_uchar4", [] { write_all<<<1, 32>>>(out_as<uchar4>(), 1); }},
    {"write_zw", [] { write_zw<<<1, 32>>>(out_as<float4>(), 1); }},
    {"write_xyz", [] { write_xyz<<<1, 32>>>(out_as<float4>(), 1); }},
    {"write_yzw", [] { write_yzw<<<1, 32>>>(out_as<float4>(), 1); }},
    {"write_xzw", [] { write_xzw<<<1, 32>>>(out_as<float4>(), 1); }},
    {"write_loaded", [] { write_loaded<<<1, 32>>>(out_as<float4>(), d_in); }},
    {"write_loaded_restrict", [] { write_loaded_restrict<<<1, 32>>>(out_as<float4>(), d_in); }},
    {"copy_members", [] { copy_members<<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"copy_members_of_types", [] { copy_members<<<1, 32>>>(out_as<float4>(), in_as<quad>()); }},
    {"change_members", [] { change_members<<<1, 32>>>(out_as<float4>()); }},
    {"write_braces", [] { write_braces<<<1, 32>>>(out_as<float4>(), d_in); }},

    {"shared_members", [] { shared_members<<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},

    {"call_float2", [] { copy_by_call<<<1, 32>>>(out_as<float2>(), in_as<float2>()); }},
    {"call_float3", [] { copy_by_call<<<1, 32>>>(out_as<float3>(), in_as<float3>()); }},
    {"call_float4", [] { copy_by_call<<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"call_two_pairs", [] { copy_by_call<<<1, 32>>>(out_as<two_pairs>(), in_as<two_pairs>()); }},
    {"value_pair", [] { copy_value<<<1, 32>>>(out_as<pair>(), in_as<pair>()); }},
    {"value_three", [] { copy_value<<<1, 32>>>(out_as<three>(), in_as<three>()); }},
    {"value_short3", [] { copy_value<<<1, 32>>>(out_as<short3>(), in_as<short3>()); }},
    {"value_two_quads", [] { copy_value<<<1, 32>>>(out_as<two_quads>(), in_as<two_quads>()); }},
    {"value_two_pairs", [] { copy_value<<<1, 32>>>(out_as<two_pairs>(), in_as<two_pairs>()); }},
    {"value_with_padding", [] { copy_value<<<1, 32>>>(out_as<with_padding>(), in_as<with_padding>()); }},
};
