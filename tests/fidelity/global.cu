// Patterns of global memory: strides, offsets, sizes of elements, rows and columns of images.
#include "pattern.h"

// ---- one warp, 4-byte elements

template <int STRIDE, int OFFSET>
__global__ void read_strided(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x * STRIDE + OFFSET];
}
template <int STRIDE, int OFFSET>
__global__ void write_strided(float* out, const float* in) {
    out[threadIdx.x * STRIDE + OFFSET] = in[threadIdx.x];
}
__global__ void read_reversed(float* out, const float* in) {
    out[threadIdx.x] = in[31 - threadIdx.x];
}
__global__ void read_permuted(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x ^ 21];
}
__global__ void read_bit_reversed(float* out, const float* in) {
    out[threadIdx.x] = in[__brev(threadIdx.x) >> 22];  // 32 elements apart, in no order
}
__global__ void read_broadcast(float* out, const float* in) {
    out[threadIdx.x] = in[5];
}
__global__ void read_pairs(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x / 2];
}
__global__ void read_two_words(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x % 2 * 1000];
}
__global__ void read_two_halves(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x % 16 + threadIdx.x / 16 * 500];
}
__global__ void write_broadcast(float* out) {
    out[threadIdx.x / 32] = 1;
}
__global__ void write_reversed(float* out, const float* in) {
    out[31 - threadIdx.x] = in[threadIdx.x];
}
__global__ void read_cached(float* out, const float* in) {
    out[threadIdx.x] = __ldg(&in[threadIdx.x]);
}
__global__ void write_streaming(float* out, const float* in) {
    __stcs(&out[threadIdx.x], in[threadIdx.x]);
}

// ---- other elements

struct alignas(16) particle {
    float x, y, z, mass;
};
struct record {  // 20 bytes, aligned to 4
    float values[5];
};

template <class type, int STRIDE, int OFFSET>
__global__ void copy(type* out, const type* in) {
    out[threadIdx.x] = in[threadIdx.x * STRIDE + OFFSET];
}
__global__ void copy_float3(float3* out, const float3* in) {
    float3 value = in[threadIdx.x];
    value.x += 1;
    out[threadIdx.x] = value;
}
__global__ void read_member(float* out, const particle* in) {
    out[threadIdx.x] = in[threadIdx.x].z;
}
__global__ void read_record_member(float* out, const record* in) {
    out[threadIdx.x] = in[threadIdx.x].values[2];
}
__global__ void read_pair_at_once(float* out, const float2* in) {
    const float2 pair = in[threadIdx.x];
    out[threadIdx.x] = pair.x + pair.y;
}
__global__ void read_cached_float4(float4* out, const float4* in) {
    out[threadIdx.x] = __ldg(&in[threadIdx.x]);
}
__global__ void read_float4_broadcast(float4* out, const float4* in) {
    out[threadIdx.x] = in[3];
}

// ---- rows and columns of an image, blocks of several shapes

/// Rows `pitch` floats apart.
__global__ void read_rows(float* out, const float* in, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * pitch + x] = in[y * pitch + x];
}
__global__ void read_columns(float* out, const float* in, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * pitch + x] = in[x * pitch + y];
}
__global__ void read_neighbours(float* out, const float* in, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            sum += in[(y + i) * pitch + x + j];
    }
    out[y * pitch + x] = sum;
}

const std::vector<pattern> GLOBAL_PATTERNS = {
    {"read_stride_1", [] { read_strided<1, 0><<<1, 32>>>(d_out, d_in); }},
    {"read_stride_2", [] { read_strided<2, 0><<<1, 32>>>(d_out, d_in); }},
    {"read_stride_3", [] { read_strided<3, 0><<<1, 32>>>(d_out, d_in); }},
    {"read_stride_8", [] { read_strided<8, 0><<<1, 32>>>(d_out, d_in); }},
    {"read_stride_33", [] { read_strided<33, 0><<<1, 32>>>(d_out, d_in); }},
    {"read_stride_256", [] { read_strided<256, 0><<<1, 32>>>(d_out, d_in); }},
    {"read_offset_1", [] { read_strided<1, 1><<<1, 32>>>(d_out, d_in); }},
    {"read_offset_4", [] { read_strided<1, 4><<<1, 32>>>(d_out, d_in); }},
    {"read_offset_8", [] { read_strided<1, 8><<<1, 32>>>(d_out, d_in); }},
    {"read_stride_2_offset_1", [] { read_strided<2, 1><<<1, 32>>>(d_out, d_in); }},
    {"read_reversed", [] { read_reversed<<<1, 32>>>(d_out, d_in); }},
    {"read_permuted", [] { read_permuted<<<1, 32>>>(d_out, d_in); }},
    {"read_bit_reversed", [] { read_bit_reversed<<<1, 32>>>(d_out, d_in); }},
    {"read_broadcast", [] { read_broadcast<<<1, 32>>>(d_out, d_in); }},
    {"read_pairs", [] { read_pairs<<<1, 32>>>(d_out, d_in); }},
    {"read_two_words", [] { read_two_words<<<1, 32>>>(d_out, d_in); }},
    {"read_two_halves", [] { read_two_halves<<<1, 32>>>(d_out, d_in); }},
    {"read_cached", [] { read_cached<<<1, 32>>>(d_out, d_in); }},
    {"write_stride_2", [] { write_strided<2, 0><<<1, 32>>>(d_out, d_in); }},
    {"write_stride_256", [] { write_strided<256, 0><<<1, 32>>>(d_out, d_in); }},
    {"write_offset_1", [] { write_strided<1, 1><<<1, 32>>>(d_out, d_in); }},
    {"write_broadcast", [] { write_broadcast<<<1, 32>>>(d_out); }},
    {"write_reversed", [] { write_reversed<<<1, 32>>>(d_out, d_in); }},
    {"write_streaming", [] { write_streaming<<<1, 32>>>(d_out, d_in); }},

    {"bytes", [] { copy<unsigned char, 1, 0><<<1, 32>>>(out_as<unsigned char>(), in_as<unsigned char>()); }},
    {"bytes_stride_5",
     [] { copy<unsigned char, 5, 1><<<1, 32>>>(out_as<unsigned char>(), in_as<unsigned char>()); }},
    {"shorts", [] { copy<short, 1, 0><<<1, 32>>>(out_as<short>(), in_as<short>()); }},
    {"shorts_offset_3", [] { copy<short, 1, 3><<<1, 32>>>(out_as<short>(), in_as<short>()); }},
    {"doubles", [] { copy<double, 1, 0><<<1, 32>>>(out_as<double>(), in_as<double>()); }},
    {"uchar4", [] { copy<uchar4, 1, 0><<<1, 32>>>(out_as<uchar4>(), in_as<uchar4>()); }},
    {"float2", [] { copy<float2, 1, 0><<<1, 32>>>(out_as<float2>(), in_as<float2>()); }},
    {"float2_stride_2", [] { copy<float2, 2, 1><<<1, 32>>>(out_as<float2>(), in_as<float2>()); }},
    {"float4", [] { copy<float4, 1, 0><<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"float4_offset_1", [] { copy<float4, 1, 1><<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"float4_stride_3", [] { copy<float4, 3, 0><<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"float4_cached", [] { read_cached_float4<<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"float4_broadcast", [] { read_float4_broadcast<<<1, 32>>>(out_as<float4>(), in_as<float4>()); }},
    {"float3", [] { copy_float3<<<1, 32>>>(out_as<float3>(), in_as<float3>()); }},
    {"member_of_16_bytes", [] { read_member<<<1, 32>>>(d_out, in_as<particle>()); }},
    {"member_of_20_bytes", [] { read_record_member<<<1, 32>>>(d_out, in_as<record>()); }},
    {"two_members_at_once", [] { read_pair_at_once<<<1, 32>>>(d_out, in_as<float2>()); }},

    {"rows_32x8", [] { read_rows<<<dim3(2, 2), dim3(32, 8)>>>(d_out, d_in, 64); }},
    {"rows_16x16", [] { read_rows<<<dim3(4, 2), dim3(16, 16)>>>(d_out, d_in, 64); }},
    {"rows_8x8", [] { read_rows<<<dim3(8, 2), dim3(8, 8)>>>(d_out, d_in, 64); }},
    {"rows_of_67", [] { read_rows<<<dim3(2, 2), dim3(32, 8)>>>(d_out, d_in, 67); }},
    {"rows_of_67_16x16", [] { read_rows<<<dim3(4, 2), dim3(16, 16)>>>(d_out, d_in, 67); }},
    {"columns_32x8", [] { read_columns<<<dim3(2, 2), dim3(32, 8)>>>(d_out, d_in, 64); }},
    {"columns_16x16", [] { read_columns<<<dim3(4, 2), dim3(16, 16)>>>(d_out, d_in, 64); }},
    {"neighbours_32x8", [] { read_neighbours<<<dim3(2, 2), dim3(32, 8)>>>(d_out, d_in, 67); }},
    {"neighbours_16x16", [] { read_neighbours<<<dim3(2, 1), dim3(16, 16)>>>(d_out, d_in, 67); }},
};
