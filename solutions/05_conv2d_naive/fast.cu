// Lab 05, faster: blocks inside the image test no tap.
//
// Most blocks have no ghost cell under any of their taps; asked once a block, the question costs nothing.
// Where no test stands between the taps, the compiler can send off the loads of several before it adds up the
// first. Blocks at the edge keep the loop with the tests. The padded kernel never had one; it steps from row
// to row with a pointer, which leaves less to compute for each of the eight taps that are unrolled. (3 x 3 has
// no eight taps in a row and takes longer.)
#include "conv2d_naive.h"

#include <vector>

#include "lab/lab.h"

// A warp is 32 threads of one row: their loads stand side by side and travel in whole 32-byte sectors.
constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;

/// Blocks enough to cover `width` x `height` outputs.
static dim3 grid_for(int width, int height) {
    return dim3(ceil_div(width, BLOCK_WIDTH), ceil_div(height, BLOCK_HEIGHT));
}

__global__ void conv2d_naive_kernel(float* out, const float* in, const float* filter, int width, int height,
                                    int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;  // the last blocks overhang the image

    float sum = 0.0f;
    const int taps = 2 * radius + 1, left = x - radius, top = y - radius;  // the pixel under the first tap
    const int begin_x = blockIdx.x * blockDim.x, end_x = begin_x + blockDim.x;
    const int begin_y = blockIdx.y * blockDim.y, end_y = begin_y + blockDim.y;
    const bool inner =
        begin_x >= radius && end_x + radius <= width && begin_y >= radius && end_y + radius <= height;
    if (inner) {
        for (int i = 0; i < taps; i++) {
            for (int j = 0; j < taps; j++) {
                sum += filter[i * taps + j] * in[(top + i) * width + left + j];
            }
        }
    } else {
        for (int i = 0; i < taps; i++) {
            if (top + i < 0 || top + i >= height) continue;
            for (int j = 0; j < taps; j++) {
                // Both coordinates need their own test: a position left of row y is a pixel of row y - 1.
                if (left + j < 0 || left + j >= width) continue;
                sum += filter[i * taps + j] * in[(top + i) * width + left + j];
            }
        }
    }
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
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    const int padded_width = width + 2 * radius, taps = 2 * radius + 1;
    float sum = 0.0f;
    const float* pixels = padded + y * padded_width + x;  // those under a row of the filter
    for (int i = 0; i < taps; i++) {
#pragma unroll 8
        for (int j = 0; j < taps; j++) {
            sum += filter[i * taps + j] * pixels[j];
        }
        pixels += padded_width;
    }
    out[y * width + x] = sum;
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
    const int value = blockIdx.x * blockDim.x + threadIdx.x;  // = x * channels + channel
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (value >= width * channels || y >= height) return;

    // Counted in values, not pixels: all channels of a pixel lie inside the row or none does.
    const int taps = 2 * radius + 1, row_values = width * channels;
    const int left = value - radius * channels, top = y - radius;  // the value under the first tap
    float sum = 0.0f;
    const int begin = blockIdx.x * blockDim.x, end = begin + blockDim.x;
    const int begin_y = blockIdx.y * blockDim.y, end_y = begin_y + blockDim.y;
    const bool inner = begin >= radius * channels && end + radius * channels <= row_values &&
                       begin_y >= radius && end_y + radius <= height;
    if (inner) {
        for (int i = 0; i < taps; i++) {
            const float* in_row = row_of(in, in_pitch, top + i);
            for (int j = 0; j < taps; j++) {
                const int at = left + j * channels;
                sum += filter[i * taps + j] * in_row[at];
            }
        }
    } else {
        for (int i = 0; i < taps; i++) {
            if (top + i < 0 || top + i >= height) continue;
            const float* in_row = row_of(in, in_pitch, top + i);
            for (int j = 0; j < taps; j++) {
                const int at = left + j * channels;
                if (at < 0 || at >= row_values) continue;
                sum += filter[i * taps + j] * in_row[at];
            }
        }
    }
    row_of(out, out_pitch, y)[value] = sum;
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
