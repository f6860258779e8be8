// Lab 05 - 2D convolution, one thread per pixel.
//
// Idea  Every output pixel is a sum of its own, so give each one a thread. What is left to decide
//       is what happens at the edge: test every tap, or pad the image and test nothing.
// Do    TODO 05.1 to 05.8. The contract is conv2d_naive.h; leave it as it is.
// Run   make lab05      (stuck: make hint05)
#include "conv2d_naive.h"

#include <vector>

#include "lab/lab.h"

// A warp is 32 threads of one row: their loads stand side by side and travel in whole 32-byte sectors.
constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;

/// Blocks enough to cover `width` x `height` outputs.
static dim3 grid_for(int width, int height) {
    // begin 05.1 Return as many blocks as cover the outputs; the last ones may overhang.
    // skeleton: return dim3(1, 1);  // one block for any image: replace this line
    return dim3(ceil_div(width, BLOCK_WIDTH), ceil_div(height, BLOCK_HEIGHT));
    // end 05.1
}

__global__ void conv2d_naive_kernel(float* out, const float* in, const float* filter, int width, int height,
                                    int radius) {
    // begin 05.2 Find the pixel of this thread; threads outside the image have none.
    // skeleton: const int x = 0, y = 0;  // every thread takes this pixel: replace this line
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;  // the last blocks overhang the image
    // end 05.2

    float sum = 0.0f;
    // begin 05.3 Add up the taps that fall inside the image; ghost cells are 0 and are not loaded.
    for (int i = -radius; i <= radius; i++) {
        if (y + i < 0 || y + i >= height) continue;
        for (int j = -radius; j <= radius; j++) {
            // Both coordinates need their own test: a position left of row y is a pixel of row y - 1.
            if (x + j < 0 || x + j >= width) continue;
            sum += filter[(i + radius) * (2 * radius + 1) + j + radius] * in[(y + i) * width + x + j];
        }
    }
    // end 05.3
    out[y * width + x] = sum;
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
    // begin 05.4 Fill the padded image; border_index() names the pixel a ghost cell repeats (-1: none).
    for (int y = 0; y < padded_height; y++) {
        for (int x = 0; x < padded_width; x++) {
            const int from_y = border_index(y - radius, height, mode);
            const int from_x = border_index(x - radius, width, mode);
            if (from_y < 0 || from_x < 0) continue;
            padded[size_t(y) * padded_width + x] = in[size_t(from_y) * width + from_x];
        }
    }
    // end 05.4
    return padded;
}

__global__ void conv2d_padded_kernel(float* out, const float* padded, const float* filter, int width,
                                     int height, int radius) {
    // begin 05.5 Write the kernel: it tests no tap, the ghost cells are in the padded image.
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    const int padded_width = width + 2 * radius, taps = 2 * radius + 1;
    float sum = 0.0f;
    for (int i = 0; i < taps; i++) {
        for (int j = 0; j < taps; j++) {
            sum += filter[i * taps + j] * padded[(y + i) * padded_width + x + j];
        }
    }
    out[y * width + x] = sum;
    // end 05.5
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
    // begin 05.6 Step y * pitch bytes (not elements) from the start of the image.
    // skeleton: return image;  // always row 0: replace this line
    return (T*)((char*)image + y * pitch);
    // end 05.6
}

// Neighbouring threads take neighbouring values, not pixels: their loads then stand side by side.
__global__ void conv2d_pitched_kernel(float* out, size_t out_pitch, const float* in, size_t in_pitch,
                                      const float* filter, int width, int height, int channels, int radius) {
    // begin 05.7 Write the kernel, one thread per value; a pixel is `channels` values wide.
    const int value = blockIdx.x * blockDim.x + threadIdx.x;  // = x * channels + channel
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (value >= width * channels || y >= height) return;

    const int x = value / channels;
    float sum = 0.0f;
    for (int i = -radius; i <= radius; i++) {
        if (y + i < 0 || y + i >= height) continue;
        const float* in_row = row_of(in, in_pitch, y + i);
        for (int j = -radius; j <= radius; j++) {
            if (x + j < 0 || x + j >= width) continue;
            sum += filter[(i + radius) * (2 * radius + 1) + j + radius] * in_row[value + j * channels];
        }
    }
    row_of(out, out_pitch, y)[value] = sum;
    // end 05.7
}

void conv2d_pitched(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                    int height, int channels, int radius) {
    pitched_image<float> d_in(in, width * channels, height), d_out(width * channels, height);
    device_buffer<float> d_filter(filter);
    // begin 05.8 Launch conv2d_pitched_kernel: one thread for each of the width * channels values of a row.
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        conv2d_pitched_kernel<<<grid_for(width * channels, height), block>>>(
            d_out.data(), d_out.pitch(), d_in.data(), d_in.pitch(), d_filter.data(), width, height, channels,
            radius);
    });
    // end 05.8
    d_out.copy_to(out);
}
