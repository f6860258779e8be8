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
    // TODO 05.1 (about 1 line) Return as many blocks as cover the outputs; the last ones may overhang.
    return dim3(1, 1);  // one block for any image: replace this line
}

__global__ void conv2d_naive_kernel(float* out, const float* in, const float* filter, int width, int height,
                                    int radius) {
    // TODO 05.2 (about 3 lines) Find the pixel of this thread; threads outside the image have none.
    const int x = 0, y = 0;  // every thread takes this pixel: replace this line

    float sum = 0.0f;
    // TODO 05.3 (about 7 lines) Add up the taps that fall inside the image; ghost cells are 0 and are not
    // loaded.
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
    // TODO 05.4 (about 8 lines) Fill the padded image; border_index() names the pixel a ghost cell repeats
    // (-1: none).
    return padded;
}

__global__ void conv2d_padded_kernel(float* out, const float* padded, const float* filter, int width,
                                     int height, int radius) {
    // TODO 05.5 (about 11 lines) Write the kernel: it tests no tap, the ghost cells are in the padded image.
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
    // TODO 05.6 (about 1 line) Step y * pitch bytes (not elements) from the start of the image.
    return image;  // always row 0: replace this line
}

// Neighbouring threads take neighbouring values, not pixels: their loads then stand side by side.
__global__ void conv2d_pitched_kernel(float* out, size_t out_pitch, const float* in, size_t in_pitch,
                                      const float* filter, int width, int height, int channels, int radius) {
    // TODO 05.7 (about 14 lines) Write the kernel, one thread per value; a pixel is `channels` values wide.
}

void conv2d_pitched(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                    int height, int channels, int radius) {
    pitched_image<float> d_in(in, width * channels, height), d_out(width * channels, height);
    device_buffer<float> d_filter(filter);
    // TODO 05.8 (about 6 lines) Launch conv2d_pitched_kernel: one thread for each of the width * channels
    // values of a row.
    d_out.copy_to(out);
}
