// Right: one kernel template serves all three functions; the image is a class of its own each time.
#include "conv2d_naive.h"

#include <vector>

#include "lab/lab.h"

namespace {

/// Tests every pixel; channels interleaved, rows `pitch` bytes apart.
struct tested_image {
    const float* data;
    size_t pitch;
    int values, height, channels;
    __device__ bool has(int value, int y) const {
        return unsigned(value) < unsigned(values) && unsigned(y) < unsigned(height);
    }
    __device__ float at(int value, int y) const {
        return reinterpret_cast<const float*>(reinterpret_cast<const char*>(data) + pitch * y)[value];
    }
};

/// Has its ghost cells in memory; pixel (0, 0) lies `radius` rows and columns inside.
struct padded_image {
    const float* origin;
    int row;
    static constexpr int channels = 1;
    __device__ bool has(int, int) const { return true; }
    __device__ float at(int x, int y) const { return origin[y * row + x]; }
};

template <int SIDE>  // of the filter; 0: known only when the kernel runs
struct filter_view {
    const float* taps;
    int side;
    __device__ int width() const { return SIDE > 0 ? SIDE : side; }
    __device__ float operator()(int i, int j) const { return taps[i * width() + j]; }
};

template <class image, int SIDE>
__global__ void conv2d_kernel(float* out, size_t out_pitch, image in, filter_view<SIDE> filter, int values,
                              int height) {
    const int value = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (value >= values || y >= height) return;
    const int side = filter.width(), radius = side / 2;
    float sum = 0.0f;
    for (int i = 0; i < side; i++) {
        for (int j = 0; j < side; j++) {
            const int there = value + (j - radius) * in.channels, row = y + i - radius;
            if (in.has(there, row)) sum += filter(i, j) * in.at(there, row);
        }
    }
    reinterpret_cast<float*>(reinterpret_cast<char*>(out) + out_pitch * y)[value] = sum;
}

template <class image>
void run(float* out, size_t out_pitch, const image& in, const float* taps, int values, int height,
         int radius) {
    const dim3 block(64, 4), grid(ceil_div(values, 64), ceil_div(height, 4));
    timed_launch([&] {
        switch (const int side = 2 * radius + 1; side) {
            case 1:
                return conv2d_kernel<<<grid, block>>>(out, out_pitch, in, filter_view<1>{taps, side}, values,
                                                      height);
            case 3:
                return conv2d_kernel<<<grid, block>>>(out, out_pitch, in, filter_view<3>{taps, side}, values,
                                                      height);
            case 5:
                return conv2d_kernel<<<grid, block>>>(out, out_pitch, in, filter_view<5>{taps, side}, values,
                                                      height);
            default:
                return conv2d_kernel<<<grid, block>>>(out, out_pitch, in, filter_view<0>{taps, side}, values,
                                                      height);
        }
    });
}

}  // namespace

void conv2d_naive(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int radius) {
    device_buffer<float> d_in(in), d_filter(filter), d_out(out.size());
    const size_t pitch = width * sizeof(float);
    run(d_out.data(), pitch, tested_image{d_in.data(), pitch, width, height, 1}, d_filter.data(), width,
        height, radius);
    d_out.copy_to(out);
}

void conv2d_padded(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int radius, border mode) {
    const int row = width + 2 * radius, rows = height + 2 * radius;
    std::vector<float> padded;
    for (int k = 0; k < row * rows; k++) {
        const int x = border_index(k % row - radius, width, mode),
                  y = border_index(k / row - radius, height, mode);
        padded.push_back(x < 0 || y < 0 ? 0.0f : in[size_t(y) * width + x]);
    }
    device_buffer<float> d_padded(padded), d_filter(filter), d_out(out.size());
    const padded_image image{d_padded.data() + radius * row + radius, row};
    run(d_out.data(), width * sizeof(float), image, d_filter.data(), width, height, radius);
    d_out.copy_to(out);
}

void conv2d_pitched(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                    int height, int channels, int radius) {
    const int values = width * channels;
    pitched_image<float> d_in(in, values, height), d_out(values, height);
    device_buffer<float> d_filter(filter);
    run(d_out.data(), d_out.pitch(), tested_image{d_in.data(), d_in.pitch(), values, height, channels},
        d_filter.data(), values, height, radius);
    d_out.copy_to(out);
}
