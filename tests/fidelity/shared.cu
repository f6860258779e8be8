// Patterns of shared memory: banks, broadcasts, wide accesses, tiles with and without padding.
#include "pattern.h"

constexpr int WORDS = 33 * 32;

/// Every thread of a warp reads one word of a filled tile.
template <int STRIDE>
__global__ void load_strided(float* out) {
    __shared__ float s_words[WORDS];
    for (int row = 0; row < 33; row++)
        s_words[row * 32 + threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s_words[threadIdx.x * STRIDE];
}
template <int STRIDE>
__global__ void store_strided(float* out) {
    __shared__ float s_words[WORDS];
    s_words[threadIdx.x * STRIDE] = 1;
    __syncthreads();
    out[threadIdx.x] = s_words[threadIdx.x * STRIDE];
}
__global__ void load_reversed(float* out, const float* in) {
    __shared__ float s_words[32];
    s_words[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s_words[31 - threadIdx.x];
}
/// Word of each lane, from a table that the compiler cannot know.
__global__ void load_from_table(float* out, const int* words) {
    __shared__ float s_words[WORDS];
    for (int row = 0; row < 33; row++)
        s_words[row * 32 + threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s_words[words[threadIdx.x]];
}

/// `size` elements filled in order, then read at `lane / SHARING` times STRIDE.
template <class type, int STRIDE, int SHARING>
__global__ void load_elements(type* out, const type* in) {
    __shared__ type s_values[32 * STRIDE];
    for (int row = 0; row < STRIDE; row++)
        s_values[row * 32 + threadIdx.x] = in[row * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s_values[threadIdx.x / SHARING * STRIDE];
}
template <class type>
__global__ void load_neighbours_of_pairs(type* out, const type* in) {
    __shared__ type s_values[32];
    s_values[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s_values[threadIdx.x ^ 1];
}
__global__ void store_float4_strided(float4* out, const float4* in) {
    __shared__ float4 s_quads[96];
    s_quads[threadIdx.x * 3] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s_quads[threadIdx.x * 3];
}
__global__ void load_half_warp(float* out, const float* in) {
    __shared__ float s_words[64];
    s_words[threadIdx.x] = in[threadIdx.x];
    s_words[threadIdx.x + 32] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = s_words[2 * threadIdx.x];
}
__global__ void load_float4_quarter(float4* out, const float4* in) {
    __shared__ float4 s_quads[32];
    s_quads[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = s_quads[threadIdx.x];
}

// ---- tiles

template <int PITCH>
__global__ void transpose(float* out, const float* in) {
    __shared__ float s_tile[32][PITCH];
    for (int row = threadIdx.y; row < 32; row += blockDim.y)
        s_tile[row][threadIdx.x] = in[row * 32 + threadIdx.x];
    __syncthreads();
    for (int row = threadIdx.y; row < 32; row += blockDim.y)
        out[row * 32 + threadIdx.x] = s_tile[threadIdx.x][row];
}
__global__ void transpose_swizzled(float* out, const float* in) {
    __shared__ float s_tile[32][32];
    for (int row = threadIdx.y; row < 32; row += blockDim.y)
        s_tile[row][threadIdx.x ^ row] = in[row * 32 + threadIdx.x];
    __syncthreads();
    for (int row = threadIdx.y; row < 32; row += blockDim.y)
        out[row * 32 + threadIdx.x] = s_tile[threadIdx.x][threadIdx.x ^ row];
}
/// One warp: its 32 reads of a column may be merged, four rows at a time.
__global__ void transpose_by_a_warp(float* out, const float* in) {
    __shared__ __align__(16) float s_tile[32][32];
    for (int row = 0; row < 32; row++)
        s_tile[row][threadIdx.x] = in[row * 32 + threadIdx.x];
    __syncthreads();
    for (int row = 0; row < 32; row++)
        out[row * 32 + threadIdx.x] = s_tile[threadIdx.x][row];
}
/// The same, merged by hand.
__global__ void transpose_by_float4(float* out, const float* in) {
    __shared__ __align__(16) float s_tile[32][32];
    for (int row = 0; row < 32; row++)
        s_tile[row][threadIdx.x] = in[row * 32 + threadIdx.x];
    __syncthreads();
    for (int row = 0; row < 32; row += 4) {
        const float4 four = *reinterpret_cast<const float4*>(&s_tile[threadIdx.x][row]);
        out[row * 32 + threadIdx.x] = four.x;
        out[row * 32 + 32 + threadIdx.x] = four.y;
        out[row * 32 + 64 + threadIdx.x] = four.z;
        out[row * 32 + 96 + threadIdx.x] = four.w;
    }
}
/// A row of a convolution's tile of 16x16 blocks: two rows of the tile meet in a warp's request.
template <int FILTER>
__global__ void row_reuse(float* out) {
    constexpr int PITCH = 16 + FILTER - 1, THREADS = 256;
    constexpr int TURNS = (16 * PITCH + THREADS - 1) / THREADS;
    __shared__ float s_tile[TURNS * THREADS];
    for (int turn = 0; turn < TURNS; turn++)
        s_tile[turn * THREADS + threadIdx.y * 16 + threadIdx.x] = 1;
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int j = 0; j < FILTER; j++)
        sum += s_tile[threadIdx.y * PITCH + threadIdx.x + j];
    out[threadIdx.y * 16 + threadIdx.x] = sum;
}
__global__ void dynamic_tile(float* out, const float* in) {
    extern __shared__ float s_dynamic[];
    s_dynamic[threadIdx.y * blockDim.x + threadIdx.x] = in[threadIdx.y * blockDim.x + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * blockDim.x + threadIdx.x] = s_dynamic[threadIdx.x * blockDim.y + threadIdx.y];
}

static const int* words_of(int (*word)(int)) {
    int words[32];
    for (int lane = 0; lane < 32; lane++)
        words[lane] = word(lane);
    int* d_words = out_as<int>() + (1 << 17);  // behind what patterns write
    cudaMemcpy(d_words, words, sizeof words, cudaMemcpyHostToDevice);
    return d_words;
}

const std::vector<pattern> SHARED_PATTERNS = {
    {"shared_load_stride_1", [] { load_strided<1><<<1, 32>>>(d_out); }},
    {"shared_load_stride_2", [] { load_strided<2><<<1, 32>>>(d_out); }},
    {"shared_load_stride_3", [] { load_strided<3><<<1, 32>>>(d_out); }},
    {"shared_load_stride_8", [] { load_strided<8><<<1, 32>>>(d_out); }},
    {"shared_load_stride_32", [] { load_strided<32><<<1, 32>>>(d_out); }},
    {"shared_load_stride_33", [] { load_strided<33><<<1, 32>>>(d_out); }},
    {"shared_store_stride_2", [] { store_strided<2><<<1, 32>>>(d_out); }},
    {"shared_store_stride_32", [] { store_strided<32><<<1, 32>>>(d_out); }},
    {"shared_reversed", [] { load_reversed<<<1, 32>>>(d_out, d_in); }},
    {"shared_broadcast", [] { load_from_table<<<1, 32>>>(d_out, words_of([](int) { return 7; })); }},
    {"shared_two_words_two_banks",
     [] { load_from_table<<<1, 32>>>(d_out, words_of([](int lane) { return lane % 2; })); }},
    {"shared_two_words_one_bank",
     [] { load_from_table<<<1, 32>>>(d_out, words_of([](int lane) { return lane % 2 * 32; })); }},
    {"shared_one_odd_lane",
     [] { load_from_table<<<1, 32>>>(d_out, words_of([](int lane) { return lane == 31 ? 32 : 0; })); }},
    {"shared_three_in_one_bank",
     [] { load_from_table<<<1, 32>>>(d_out, words_of([](int lane) { return lane % 3 * 64 + lane / 3; })); }},
    {"shared_permuted",
     [] { load_from_table<<<1, 32>>>(d_out, words_of([](int lane) { return lane * 7 % 32; })); }},

    {"shared_bytes", [] { load_elements<char, 1, 1><<<1, 32>>>(out_as<char>(), in_as<char>()); }},
    {"shared_bytes_stride_4", [] { load_elements<char, 4, 1><<<1, 32>>>(out_as<char>(), in_as<char>()); }},
    {"shared_shorts_stride_4",
     [] { load_elements<short, 4, 1><<<1, 32>>>(out_as<short>(), in_as<short>()); }},
    {"shared_doubles", [] { load_elements<double, 1, 1><<<1, 32>>>(out_as<double>(), in_as<double>()); }},
    {"shared_doubles_stride_2",
     [] { load_elements<double, 2, 1><<<1, 32>>>(out_as<double>(), in_as<double>()); }},
    {"shared_float2_permuted",
     [] { load_neighbours_of_pairs<float2><<<1, 32>>>(out_as<float2>(), in_as<float2>()); }},
    {"shared_float2_pairs",
     [] { load_elements<float2, 1, 2><<<1, 32>>>(out_as<float2>(), in_as<float2>()); }},
    {"shared_float2_broadcast",
     [] { load_elements<float2, 1, 32><<<1, 32>>>(out_as<float2>(), in_as<float2>()); }},
    {"shared_float3", [] { load_elements<float3, 1, 1><<<1, 32>>>(out_as<float3>(), in_as<float3>()); }},
    {"shared_float4", [] { load_elements<float4, 1, 1><<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"shared_float4_permuted",
     [] { load_neighbours_of_pairs<float4><<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"shared_float4_stride_2",
     [] { load_elements<float4, 2, 1><<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"shared_float4_pairs",
     [] { load_elements<float4, 1, 2><<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"shared_float4_eights",
     [] { load_elements<float4, 1, 8><<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"shared_float4_broadcast",
     [] { load_elements<float4, 1, 32><<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"shared_float4_store_stride_3",
     [] { store_float4_strided<<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"shared_half_warp", [] { load_half_warp<<<1, 32>>>(d_out, d_in); }},
    {"shared_float4_quarter_warp", [] { load_float4_quarter<<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},

    {"transpose", [] { transpose<32><<<1, dim3(32, 8)>>>(d_out, d_in); }},
    {"transpose_padded", [] { transpose<33><<<1, dim3(32, 8)>>>(d_out, d_in); }},
    {"transpose_swizzled", [] { transpose_swizzled<<<1, dim3(32, 8)>>>(d_out, d_in); }},
    {"transpose_by_a_warp", [] { transpose_by_a_warp<<<1, 32>>>(d_out, d_in); }},
    {"transpose_by_float4", [] { transpose_by_float4<<<1, 32>>>(d_out, d_in); }},
    {"row_reuse_1", [] { row_reuse<1><<<1, dim3(16, 16)>>>(d_out); }},
    {"row_reuse_9", [] { row_reuse<9><<<1, dim3(16, 16)>>>(d_out); }},
    {"row_reuse_31", [] { row_reuse<31><<<1, dim3(16, 16)>>>(d_out); }},
    {"row_reuse_33", [] { row_reuse<33><<<1, dim3(16, 16)>>>(d_out); }},
    {"dynamic_tile", [] { dynamic_tile<<<1, dim3(16, 16), 1024>>>(d_out, d_in); }},
};
