// Right: a fixed grid of 4 x 4 blocks, every thread strides over the image until it is covered.
#include "conv2d_naive.h"

#include <vector>

#include "lab/lab.h"

// A warp is 32 threads of one row: their loads stand side by side and travel in whole 32-byte sectors.
constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;

/// Blocks enough to cover `width` x `height` outputs.
static dim3 grid_for(int width, int height) {
    return dim3(min(ceil_div(width, BLOCK_WIDTH), 4), min(ceil_div(height, BLOCK_HEIGHT), 4));
}

__global__ void conv2d_naive_kernel(float* out, const float* in, const float* filter, int width, int height,
                                    int radius) {
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x) {
            float sum = 0.0f;
            for (int i = -radius; i <= radius; i++) {
                if (y + i < 0 || y + i >= height) continue;
                for (int j = -radius; j <= radius; j++) {
                    // Both coordinates need their own test: a position left of row y is a pixel of row y - 1.
                    if (x + j < 0 || x + j >= width) continue;
                    sum += filter[(i + radius) * (2 * radius + 1) + j + radius] * in[(y + i) * width + x + j];
                }
            }
            out[y * width + x] = sum;
        }
    }
}

void conv2d_naive(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int radius) {
    device_buffer<float> d_in(in), d_filter(filter), d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        conv2d_naive_kernel<<<grid_for(width, height), block>>>(d_out.data(), d_in.data(), d_filter.data(),
                                                                width, height, radius);
    });
    d_out.copy_to(out);
}

/// The image with `radius` ghost cells on every side: (width + 2 radius) x (height + 2 radius) pixels.
static std::vector<float> pad_image(std::span<const float> in, int width, int height, int radius,
                                    border mode) {
    const int padded_width = width + 2 * radius, padded_height = height + 2 * radius;
    std::vector<float> padded(size_t(padded_width) * padded_height);
    for (int y = 0; y < padded_height; y++) {
        for (int x = 0; x < padded_width; x++) {
            const int from_y = border_index(y - radius, height, mode);
            const int from_x = border_index(x - radius, width, mode);
            if (from_y < 0 || from_x < 0) continue;
            padded[size_t(y) * padded_width + x] = in[size_t(from_y) * width + from_x];
        }
    }
    return padded;
}

__global__ void conv2d_padded_kernel(float* out, const float* padded, const float* filter, int width,
                                     int height, int radius) {
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x) {
            const int padded_width = width + 2 * radius, taps = 2 * radius + 1;
            float sum = 0.0f;
            for (int i = 0; i < taps; i++) {
                for (int j = 0; j < taps; j++) {
                    sum += filter[i * taps + j] * padded[(y + i) * padded_width + x + j];
                }
            }
            out[y * width + x] = sum;
        }
    }
}

void conv2d_padded(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int radius, border mode) {
    const std::vector<float> padded = pad_image(in, width, height, radius, mode);
    device_buffer<float> d_padded(padded), d_filter(filter), d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        conv2d_padded_kernel<<<grid_for(width, height), block>>>(d_out.data(), d_padded.data(),
                                                                 d_filter.data(), width, height, radius);
    });
    d_out.copy_to(out);
}

/// Row y of an image whose rows start `pitch` bytes apart.
template <class T>
__device__ T* row_of(T* image, size_t pitch, int y) {
    return (T*)((char*)image + y * pitch);
}

// Neighbouring threads take neighbouring values, not pixels: their loads then stand side by side.
__global__ void conv2d_pitched_kernel(float* out, size_t out_pitch, const float* in, size_t in_pitch,
                                      const float* filter, int width, int height, int channels, int radius) {
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        for (int value = blockIdx.x * blockDim.x + threadIdx.x; value < width * channels;
             value += gridDim.x * blockDim.x) {
            const int x = value / channels;
            float sum = 0.0f;
            for (int i = -radius; i <= radius; i++) {
                if (y + i < 0 || y + i >= height) continue;
                const float* in_row = row_of(in, in_pitch, y + i);
                for (int j = -radius; j <= radius; j++) {
                    if (x + j < 0 || x + j >= width) continue;
                    sum +=
                        filter[(i + radius) * (2 * radius + 1) + j + radius] * in_row[value + j * channels];
                }
            }
            row_of(out, out_pitch, y)[value] = sum;
        }
    }
}

void conv2d_pitched(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                    int height, int channels, int radius) {
    pitched_image<float> d_in(in, width * channels, height), d_out(width * channels, height);
    device_buffer<float> d_filter(filter);
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        conv2d_pitched_kernel<<<grid_for(width * channels, height), block>>>(
            d_out.data(), d_out.pitch(), d_in.data(), d_in.pitch(), d_filter.data(), width, height, channels,
            radius);
    });
    d_out.copy_to(out);
}
