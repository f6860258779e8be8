// Patterns of the other ways to memory: textures, constants, atomics, asynchronous copies, local arrays.
#include <cuda_pipeline.h>

#include "pattern.h"

// ---- textures

/// A 64x64 image of one element type.
template <class type>
static cudaTextureObject_t image_texture() {
    static const cudaTextureObject_t texture = [] {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<type>();
        cudaArray_t array = nullptr;
        cudaMallocArray(&array, &format, 64, 64);
        const std::vector<unsigned char> texels(64 * 64 * sizeof(type));
        cudaMemcpy2DToArray(array, 0, 0, texels.data(), 64 * sizeof(type), 64 * sizeof(type), 64,
                            cudaMemcpyHostToDevice);
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc description = {};
        description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder;
        description.filterMode = cudaFilterModePoint;
        description.readMode = cudaReadModeElementType;
        cudaTextureObject_t made = 0;
        cudaCreateTextureObject(&made, &resource, &description, nullptr);
        return made;
    }();
    return texture;
}

template <class type>
__global__ void fetch_rows(type* out, cudaTextureObject_t image, float left) {
    const int x = threadIdx.x, y = threadIdx.y;
    out[y * blockDim.x + x] = tex2D<type>(image, left + x + 0.5f, y + 0.5f);
}
__global__ void fetch_columns(float* out, cudaTextureObject_t image) {
    const int x = threadIdx.x, y = threadIdx.y;
    out[y * blockDim.x + x] = tex2D<float>(image, y + 0.5f, x + 0.5f);
}
__global__ void fetch_one(float* out, cudaTextureObject_t image) {
    out[threadIdx.x] = tex2D<float>(image, 3.5f, 5.5f);
}
__global__ void fetch_half(float* out, cudaTextureObject_t image) {
    if (threadIdx.x < 16) out[threadIdx.x] = tex2D<float>(image, threadIdx.x + 0.5f, 0.5f);
}
__global__ void fetch_neighbours(float* out, cudaTextureObject_t image) {
    const int x = threadIdx.x, y = threadIdx.y;
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            sum += tex2D<float>(image, x + j - 0.5f, y + i - 0.5f);
    }
    out[y * blockDim.x + x] = sum;
}

// ---- constants

__constant__ float c_taps[64];

__global__ void read_constants(float* out, int step) {
    out[threadIdx.x] = c_taps[threadIdx.x * step];
}
__global__ void read_constants_by_warp(float* out) {
    out[threadIdx.x] = c_taps[threadIdx.x / 32];
}
__global__ void read_two_constants(float* out) {
    out[threadIdx.x] = c_taps[threadIdx.x % 2 * 33];
}

// ---- atomics

__global__ void add_spread(int* out) {
    atomicAdd(&out[threadIdx.x], int(threadIdx.x));
}
__global__ void add_strided(int* out) {
    atomicAdd(&out[threadIdx.x * 8], int(threadIdx.x));
}
__global__ void add_to_four(int* out) {
    atomicAdd(&out[threadIdx.x % 4], int(threadIdx.x));
}
__global__ void add_in_pairs(int* out) {
    atomicAdd(&out[threadIdx.x / 2], int(threadIdx.x));
}
__global__ void add_to_two_sectors(int* out) {
    atomicAdd(&out[threadIdx.x % 2 * 8], int(threadIdx.x));
}
__global__ void exchange(int* out, int* seats) {
    out[threadIdx.x] = atomicExch(&seats[threadIdx.x], int(threadIdx.x));
}
__global__ void add_shared(int* out) {
    __shared__ int s_sums[32];
    s_sums[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s_sums[threadIdx.x ^ 1], int(threadIdx.x));
    __syncthreads();
    out[threadIdx.x] = s_sums[threadIdx.x];
}

// ---- asynchronous copies

template <class type>
__global__ void copy_asynchronously(type* out, const type* in, int offset) {
    __shared__ type s_values[64];
    __pipeline_memcpy_async(&s_values[threadIdx.x], &in[threadIdx.x + offset], sizeof(type));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s_values[threadIdx.x ^ 32];
}

// ---- a thread's own array, which is local memory and counts for neither of the others

__global__ void local_array(float* out, const float* in, int first) {
    float values[64];
#pragma unroll 1
    for (int k = 0; k < 64; k++)
        values[(first + k) % 64] = in[32 * k + threadIdx.x];
    out[threadIdx.x] = values[threadIdx.x];
}

const std::vector<pattern> OTHER_PATTERNS = {
    {"texture_row", [] { fetch_rows<float><<<1, 32>>>(d_out, image_texture<float>(), 0); }},
    {"texture_rows_32x8", [] { fetch_rows<float><<<1, dim3(32, 8)>>>(d_out, image_texture<float>(), 0); }},
    {"texture_rows_16x16", [] { fetch_rows<float><<<1, dim3(16, 16)>>>(d_out, image_texture<float>(), 0); }},
    {"texture_rows_8x8", [] { fetch_rows<float><<<1, dim3(8, 8)>>>(d_out, image_texture<float>(), 0); }},
    {"texture_across_the_border", [] { fetch_rows<float><<<1, 32>>>(d_out, image_texture<float>(), -16); }},
    {"texture_of_bytes",
     [] {
         fetch_rows<unsigned char><<<1, 32>>>(out_as<unsigned char>(), image_texture<unsigned char>(), 0);
     }},
    {"texture_of_float4",
     [] { fetch_rows<float4><<<1, 32>>>(out_as<float4>(), image_texture<float4>(), 0); }},
    {"texture_column", [] { fetch_columns<<<1, 32>>>(d_out, image_texture<float>()); }},
    {"texture_columns_16x16", [] { fetch_columns<<<1, dim3(16, 16)>>>(d_out, image_texture<float>()); }},
    {"texture_one_texel", [] { fetch_one<<<1, 32>>>(d_out, image_texture<float>()); }},
    {"texture_half_warp", [] { fetch_half<<<1, 32>>>(d_out, image_texture<float>()); }},
    {"texture_partial_warp", [] { fetch_rows<float><<<1, 40>>>(d_out, image_texture<float>(), 0); }},
    {"texture_neighbours", [] { fetch_neighbours<<<1, dim3(32, 4)>>>(d_out, image_texture<float>()); }},

    {"constant_one", [] { read_constants<<<1, 32>>>(d_out, 0); }},
    {"constant_by_warp", [] { read_constants_by_warp<<<1, 128>>>(d_out); }},
    {"constant_two", [] { read_two_constants<<<1, 32>>>(d_out); }},
    {"constant_32", [] { read_constants<<<1, 32>>>(d_out, 2); }},

    {"atomic_spread", [] { add_spread<<<1, 32>>>(out_as<int>()); }},
    {"atomic_stride_8", [] { add_strided<<<1, 32>>>(out_as<int>()); }},
    {"atomic_four_words", [] { add_to_four<<<1, 32>>>(out_as<int>()); }},
    {"atomic_pairs", [] { add_in_pairs<<<1, 32>>>(out_as<int>()); }},
    {"atomic_two_sectors", [] { add_to_two_sectors<<<1, 32>>>(out_as<int>()); }},
    {"atomic_exchange", [] { exchange<<<1, 32>>>(out_as<int>(), out_as<int>() + 64); }},
    {"atomic_shared", [] { add_shared<<<1, 32>>>(out_as<int>()); }},

    {"async_4_bytes", [] { copy_asynchronously<float><<<1, 64>>>(d_out, d_in, 0); }},
    {"async_4_bytes_offset", [] { copy_asynchronously<float><<<1, 64>>>(d_out, d_in, 3); }},
    {"async_8_bytes", [] { copy_asynchronously<float2><<<1, 64>>>(out_as<float2>(), in_as<float2>(), 0); }},
    {"async_16_bytes", [] { copy_asynchronously<float4><<<1, 64>>>(out_as<float4>(), in_as<float4>(), 0); }},

    {"local_array", [] { local_array<<<1, 32>>>(d_out, d_in, 5); }},
};
