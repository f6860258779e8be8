// Structs and vectors by value: every way in which a kernel may fetch one or store one is seen, once.
#include "expect_counts.h"

struct pair {
    float x, y;
};
struct record {
    float values[5];
};
struct alignas(16) quad {
    float values[4];
};
struct nested {
    pair inner;
    float weight;
};
struct two_quads {
    float4 first, second;
};
struct two_pairs {
    float2 first, second;
};
struct alignas(16) three {
    float x, y, z;
};
struct with_padding {
    char small;
    double large;
};
struct with_padded_end {
    double large;
    int small;
};
union word {
    float number;
    unsigned char bytes[4];
};

template <class type>
__device__ __noinline__ type same(type value) {
    return value;
}
template <class type>
__device__ type small(type value) {
    return value;
}
template <class type>
__device__ type down(type value, int depth) {
    return depth == 0 ? value : down(value, depth - 1);
}
template <class type>
struct shape {
    __device__ virtual type pass(type value) const = 0;
};
template <class type>
struct plain_shape : shape<type> {
    __device__ type pass(type value) const override { return value; }
};
template <class type>
struct number {
    type value;
    __device__ __noinline__ number operator+(number other) const { return other.value.x > 0 ? *this : other; }
};

/// Every kernel loads one element a thread and stores one, WAYS times.
constexpr int WAYS = 10;
template <class type>
__global__ void copies(type* out, const type* in, int one) {
    const int t = threadIdx.x;
    out[t] = in[t];
    out[t] = same(in[t]);
    out[t] = small(in[t]);
    out[t] = down(in[t], 2 * one);
    type (*const function)(type) = one ? same<type> : small<type>;
    out[t] = function(in[t]);
    const plain_shape<type> plain;
    const shape<type>& any = plain;
    out[t] = any.pass(in[t]);
    const auto add_nothing = [](type value) { return value; };
    out[t] = add_nothing(in[t]);
    const auto captured = [value = in[t]] { return value; };
    out[t] = captured();
    out[t] = one ? in[t] : same(in[t]);
    const type& element = in[t];
    type local = element;
    type* const place = &out[t];
    *place = same(local);
}
template <class type>
__global__ void fills(type* out) {
    out[threadIdx.x] = {};
    out[threadIdx.x + 32] = type{};
    out[threadIdx.x + 64] = same(type{});
}
template <class type>
__global__ void shared(type* out, const type* in) {
    __shared__ type s_values[32];
    s_values[threadIdx.x] = same(in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = same(s_values[31 - threadIdx.x]);
}
template <class type>
__global__ void dynamic(type* out) {
    extern __shared__ __align__(32) unsigned char s_bytes[];
    type* const s_dynamic = reinterpret_cast<type*>(s_bytes);
    s_dynamic[threadIdx.x] = type{};
    out[threadIdx.x] = same(s_dynamic[threadIdx.x]);
}
template <class type>
__global__ void sums(number<type>* out, const number<type>* in) {
    out[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x + 32];
}
__global__ void inner(nested* out, const nested* in) {
    out[threadIdx.x].inner = same(in[threadIdx.x].inner);
    out[threadIdx.x + 32].inner = {1, 2};
}
__global__ void braces(float4* out, const float* in) {
    out[threadIdx.x] = {in[threadIdx.x], 1, 2, 3};
    out[threadIdx.x + 32] = make_float4(in[threadIdx.x], 1, 2, 3);
}
__global__ void rows_backwards(float* out) {
    __shared__ with_padded_end tile[5][9];
    const int t = threadIdx.x, from = 32 - t;
    tile[from / 8][from % 8] = {1.0, t};
    __syncthreads();
    const with_padded_end own = tile[from / 8][from % 8];
    out[t] = float(own.large) + float(own.small);
}
__constant__ float4 c_quads[2];
__constant__ pair c_pairs[2];
__device__ float4 d_quads[32];
__global__ void variables(float4* out) {
    out[threadIdx.x] = same(c_quads[1]);
    d_quads[threadIdx.x] = same(d_quads[threadIdx.x]);
    out[threadIdx.x].x = same(c_pairs[1]).y;
}

/// `requests`: of one element.
void expect_copies(const char* name, const traffic& seen, uint64_t requests) {
    expect(seen.requests == requests && seen.lanes == 32 * requests,
           std::string(name) + ": " + std::to_string(requests) + " requests of 32 lanes, got " +
               std::to_string(seen.requests) + " of " + std::to_string(seen.lanes));
}

template <class type>
void count_copies(const std::string& name, uint64_t requests) {
    auto* out = reinterpret_cast<type*>(d_out);
    const auto* in = reinterpret_cast<type*>(d_in);
    const auto ways = inspected([=] { copies<<<1, 32>>>(out, in, 1); }).total().global;
    expect_copies((name + " loads").c_str(), ways.loads, WAYS * requests);
    expect_copies((name + " stores").c_str(), ways.stores, WAYS * requests);
    const auto filled = inspected([=] { fills<<<1, 32>>>(out); }).total().global;
    expect_copies((name + " fills").c_str(), filled.stores, 3 * requests);
    const auto tile = inspected([=] { shared<<<1, 32>>>(out, in); }).total();
    expect_copies((name + " to shared").c_str(), tile.shared.stores, requests);
    expect_copies((name + " from shared").c_str(), tile.shared.loads, requests);
    expect_copies((name + " from a tile").c_str(), tile.global.stores, requests);
    const auto dynamic_tile = inspected([=] { dynamic<<<1, 32, 32 * sizeof(type)>>>(out); }).total();
    expect_copies((name + " to dynamic shared").c_str(), dynamic_tile.shared.stores, requests);
    expect_copies((name + " from dynamic shared").c_str(), dynamic_tile.shared.loads, requests);
}

void by_value() {
    count_copies<float2>("float2", 1);
    count_copies<float3>("float3", 3);
    count_copies<float4>("float4", 1);
    count_copies<uchar4>("uchar4", 1);
    count_copies<uchar3>("uchar3", 3);
    count_copies<double2>("double2", 1);
    count_copies<pair>("pair", 2);
    count_copies<record>("record", 5);
    count_copies<quad>("quad", 1);
    count_copies<nested>("nested", 3);
    count_copies<word>("word", 1);
    // As wide as the type's alignment allows, whatever the address is a multiple of.
    count_copies<two_quads>("two_quads", 2);
    count_copies<two_pairs>("two_pairs", 2);
    count_copies<three>("three", 1);
    count_copies<short3>("short3", 3);
    count_copies<with_padding>("with_padding", 2);
    count_copies<double4>("double4", 2);
}

/// nvcc does not copy what lies behind the last member: the int here is 4 bytes of all lanes at once. An H200
/// needs 6 passes for the halves of the warp, and 5 for the int.
void padded_end() {
    const auto tile = inspected([] { rows_backwards<<<1, 32>>>(d_out); }).total().shared;
    expect_copies("loads of a padded end", tile.loads, 2);
    expect(tile.loads.wavefronts == 11, "11 passes, got " + std::to_string(tile.loads.wavefronts));
}

void operators() {
    const auto add = [](auto* out, auto* in) {
        return inspected([=] { sums<<<1, 32>>>(out, in); }).total().global;
    };
    const auto pairs = add(reinterpret_cast<number<pair>*>(d_out), reinterpret_cast<number<pair>*>(d_in));
    // *this is a reference: its members are read where they are needed.
    expect_copies("operator loads", pairs.loads, 2);
    expect_copies("operator stores", pairs.stores, 2);
}

void parts() {
    const auto both =
        inspected([] { inner<<<1, 32>>>(reinterpret_cast<nested*>(d_out), reinterpret_cast<nested*>(d_in)); })
            .total()
            .global;
    expect_copies("inner loads", both.loads, 2);
    expect_copies("inner stores", both.stores, 4);
    const auto stored = inspected([] { braces<<<1, 32>>>(reinterpret_cast<float4*>(d_out), d_in); });
    expect_copies("braces", stored.total().global.stores, 2);
}

void named_variables() {
    const auto seen = inspected([] { variables<<<1, 32>>>(reinterpret_cast<float4*>(d_out)); });
    expect_copies("c_quads", seen.of("c_quads").loads, 1);
    expect_copies("c_pairs", seen.of("c_pairs").loads, 2);
    expect_copies("d_quads", seen.of("d_quads").loads, 1);
    expect_copies("d_quads", seen.of("d_quads").stores, 1);
}

int main() {
    return check_counts({by_value, padded_end, operators, parts, named_variables});
}
