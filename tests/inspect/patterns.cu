// Textbook access patterns of one warp: what a request costs in sectors, wavefronts and addresses.
#include "expect_counts.h"

__global__ void stride_1(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x];
}
__global__ void offset_1(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x + 1];
}
__global__ void stride_2(float* out, const float* in) {
    out[threadIdx.x] = in[2 * threadIdx.x];
}
__global__ void column(float* out, const float* in) {
    out[threadIdx.x] = in[256 * threadIdx.x];
}
__global__ void reversed(float* out, const float* in) {
    out[threadIdx.x] = in[31 - threadIdx.x];
}
__global__ void broadcast(float* out, const float* in) {
    out[threadIdx.x] = in[5];
}
__global__ void copy_float4(float4* out, const float4* in) {
    out[threadIdx.x] = in[threadIdx.x];
}
__global__ void copy_float3(float3* out, const float3* in) {
    float3 value = in[threadIdx.x];
    value.x += 1;
    out[threadIdx.x] = value;
}
__global__ void copy_bytes(unsigned char* out, const unsigned char* in) {
    out[threadIdx.x] = in[threadIdx.x];
}
__global__ void copy_cached(float* out, const float* in) {
    out[threadIdx.x] = __ldg(&in[threadIdx.x]);
}
template <int PITCH>
__global__ void transpose(float* out, const float* in) {
    __shared__ float s_tile[32][PITCH];
    for (int row = 0; row < 32; row++)
        s_tile[row][threadIdx.x] = in[row * 32 + threadIdx.x];
    __syncthreads();
    for (int row = 0; row < 32; row++)
        out[row * 32 + threadIdx.x] = s_tile[threadIdx.x][row];
}
__global__ void shared_float2(float* out) {
    __shared__ float2 s_pairs[32];
    s_pairs[threadIdx.x] = make_float2(1, 2);
    __syncthreads();
    const float2 value = s_pairs[threadIdx.x ^ 1];
    out[threadIdx.x] = value.x + value.y;
}
__global__ void shared_float4(float* out) {
    __shared__ float4 s_quads[32];
    s_quads[threadIdx.x] = make_float4(1, 2, 3, 4);
    __syncthreads();
    const float4 value = s_quads[threadIdx.x ^ 1];
    out[threadIdx.x] = value.x + value.y + value.z + value.w;
}
/// Lanes 2k and 2k + 1 want the same: a load of it is served for half warps, not for quarters.
__global__ void shared_float4_pairs(float* out) {
    __shared__ float4 s_quads[32];
    s_quads[threadIdx.x] = make_float4(1, 2, 3, 4);
    __syncthreads();
    const float4 value = s_quads[threadIdx.x / 2];
    out[threadIdx.x] = value.x + value.y + value.z + value.w;
}
__global__ void shared_stride_2(float* out) {
    __shared__ float s_words[64];
    s_words[threadIdx.x] = 1;
    s_words[threadIdx.x + 32] = 2;
    __syncthreads();
    out[threadIdx.x] = s_words[2 * threadIdx.x];
}
// One instruction, with other conflicts at every turn.
__global__ void shared_strides(float* out) {
    __shared__ float s_words[32][33];
    for (int row = 0; row < 32; row++)
        s_words[row][threadIdx.x] = s_words[row][32] = 1;
    __syncthreads();
    float sum = 0;
    for (int step = 0; step <= 64; step++)
        sum += s_words[0][threadIdx.x * (step / 2) + step % 2];
    out[threadIdx.x] = sum;
}
// The adaptive-tiling paper's fig. 3: 16x16 blocks conflict unless the filter is 33 wide.
template <int WIDTH>
__global__ void row_reuse(float* out) {
    __shared__ float s_tile[16 + WIDTH - 1][16 + WIDTH - 1];
    for (int y = threadIdx.y; y < 16 + WIDTH - 1; y += 16) {
        for (int x = threadIdx.x; x < 16 + WIDTH - 1; x += 16)
            s_tile[y][x] = 1;
    }
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < WIDTH; i++) {
        for (int j = 0; j < WIDTH; j++)
            sum += s_tile[threadIdx.y + i][threadIdx.x + j];
    }
    out[threadIdx.y * 16 + threadIdx.x] = sum;
}
__constant__ float c_taps[64];
__device__ float d_sums[32];
__global__ void constants(float* out, int step) {
    out[threadIdx.x] = c_taps[threadIdx.x * step];
}
__global__ void device_variable() {
    d_sums[threadIdx.x] += 1;
}
__global__ void atomics(int* out) {
    atomicAdd(&out[threadIdx.x % 4], 1);
}

template <class code>
void expect_pattern(const char* name, const code& run, uint64_t load_sectors, uint64_t load_requests = 1) {
    const report seen = inspected(run);
    expect_traffic(name, "loads", seen.total().global.loads, 32 * load_requests, load_requests, load_sectors);
    expect(seen.findings.empty(), std::string(name) + ": no findings, got" + describe(seen));
}

template <class code>
void expect_shared(const char* name, const code& run, uint64_t requests, uint64_t store_cost,
                   uint64_t load_cost) {
    const inspect::memory_traffic seen = inspected(run).total().shared;
    expect_traffic(name, "shared loads", seen.loads, 32 * requests, requests, load_cost);
    expect(seen.stores.wavefronts == store_cost, std::string(name) + ": shared stores to cost " +
                                                     std::to_string(store_cost) + ", got " +
                                                     std::to_string(seen.stores.wavefronts));
}

void patterns() {
    auto* out = reinterpret_cast<float4*>(d_out);
    expect_pattern(
        "stride_1", [] { stride_1<<<1, 32>>>(d_out, d_in); }, 4);
    expect_pattern(
        "offset_1", [] { offset_1<<<1, 32>>>(d_out, d_in); }, 5);
    expect_pattern(
        "stride_2", [] { stride_2<<<1, 32>>>(d_out, d_in); }, 8);
    expect_pattern(
        "column", [] { column<<<1, 32>>>(d_out, d_in); }, 32);
    expect_pattern(
        "reversed", [] { reversed<<<1, 32>>>(d_out, d_in); }, 4);
    expect_pattern(
        "broadcast", [] { broadcast<<<1, 32>>>(d_out, d_in); }, 1);
    expect_pattern(
        "copy_float4", [=] { copy_float4<<<1, 32>>>(out, reinterpret_cast<float4*>(d_in)); }, 16);
    // Three accesses of 4 bytes; the counters of an H200 say 36 sectors, too.
    expect_pattern(
        "copy_float3",
        [] { copy_float3<<<1, 32>>>(reinterpret_cast<float3*>(d_out), reinterpret_cast<float3*>(d_in)); }, 36,
        3);
    expect_pattern(
        "copy_bytes",
        [] {
            copy_bytes<<<1, 32>>>(reinterpret_cast<unsigned char*>(d_out),
                                  reinterpret_cast<unsigned char*>(d_in));
        },
        1);
    expect_pattern(
        "copy_cached", [] { copy_cached<<<1, 32>>>(d_out, d_in); }, 4);

    expect_shared(
        "transpose without padding", [] { transpose<32><<<1, 32>>>(d_out, d_in); }, 32, 32, 1024);
    expect_shared(
        "transpose with padding", [] { transpose<33><<<1, 32>>>(d_out, d_in); }, 32, 32, 32);
    expect_shared(
        "shared_float2", [] { shared_float2<<<1, 32>>>(d_out); }, 1, 2, 2);
    expect_shared(
        "shared_float4", [] { shared_float4<<<1, 32>>>(d_out); }, 1, 4, 4);
    expect_shared(
        "shared_float4_pairs", [] { shared_float4_pairs<<<1, 32>>>(d_out); }, 1, 4, 2);
    expect_shared(
        "shared_stride_2", [] { shared_stride_2<<<1, 32>>>(d_out); }, 1, 2, 2);
    // A stride of n words costs the greatest common divisor of n and 32.
    expect_shared(
        "shared_strides", [] { shared_strides<<<1, 32>>>(d_out); }, 65, 64, 2 * (1 + 16 * 5) + 32);

    const auto constant = [](int step) {
        return inspected([=] { constants<<<1, 32>>>(d_out, step); }).total().constant;
    };
    expect_traffic("constants", "one address", constant(0), 32, 1, 1);
    expect_traffic("constants", "32 addresses", constant(1), 32, 1, 32);

    const report variable = inspected([] { device_variable<<<1, 32>>>(); });
    expect_traffic("device_variable", "loads", variable.of("d_sums").loads, 32, 1, 4);
    expect_traffic("device_variable", "stores", variable.of("d_sums").stores, 32, 1, 4);
    const report atomic = inspected([] { atomics<<<2, 32>>>(reinterpret_cast<int*>(d_out)); });
    expect_traffic("atomics", "atomics", atomic.total().global.atomics, 64, 2, 16);  // 8 lanes to a word
}

template <int WIDTH>
void conflicts_by_filter_width() {
    if constexpr (WIDTH <= 41) {
        const traffic loads =
            inspected([] { row_reuse<WIDTH><<<1, dim3(16, 16)>>>(d_out); }).total().shared.loads;
        const uint64_t requests = WIDTH * WIDTH * 8;
        const uint64_t ways = WIDTH == 1 || WIDTH == 33 ? 1 : 2;
        expect_traffic("row_reuse", ("width " + std::to_string(WIDTH)).c_str(), loads, requests * 32,
                       requests, requests * ways);
        conflicts_by_filter_width<WIDTH + 2>();
    }
}

int main() {
    return check_counts({patterns, conflicts_by_filter_width<1>});
}
