// Right: a thread walks down eight rows; up to 5 x 5 taps it keeps the pixels under its filter in registers.
#include "conv2d_naive.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "lab/lab.h"

constexpr int COLUMNS = 32, STEPS = 8;

template <class T>
__device__ T* row_of(T* image, size_t pitch, int y) {
    using byte = std::conditional_t<std::is_const_v<T>, const unsigned char, unsigned char>;
    return reinterpret_cast<T*>(reinterpret_cast<byte*>(image) + pitch * y);
}

/// Pixels below a filter of which only the size differs from kernel to kernel: R >= 0 is the radius itself.
template <int R>
struct window {
    static constexpr int SIDE = 2 * R + 1;
    float pixels[SIDE][SIDE];

    template <class reader>
    __device__ void next_row(const reader& read, int y) {
#pragma unroll
        for (int i = 0; i < SIDE; i++) {
#pragma unroll
            for (int j = 0; j < SIDE; j++) {
                pixels[i][j] = i + 1 < SIDE ? pixels[(i + 1) % SIDE][j] : read(j - R, y);
            }
        }
    }
    __device__ float sum(const float* filter) const {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k < SIDE * SIDE; k++)
            sum += pixels[k / SIDE][k % SIDE] * filter[k];
        return sum;
    }
};

/// read(j, y) is the pixel j columns from the thread's own, in row y; store(y, sum) keeps a result.
template <int R, class reader, class writer>
__device__ void walk(const float* filter, int radius, int begin, int end, const reader& read,
                     const writer& store) {
    if constexpr (R >= 0) {
        window<R> under{};
        for (int y = begin - R; y < begin + R; y++)
            under.next_row(read, y);
        for (int y = begin; y < end; y++) {
            under.next_row(read, y + R);
            store(y, under.sum(filter));
        }
    } else {
        for (int y = begin; y < end; y++) {
            const float* tap = filter;
            float sum = 0.0f;
            for (int i = -radius; i <= radius; i++) {
                for (int j = -radius; j <= radius; j++)
                    sum += read(j, y + i) * *tap++;
            }
            store(y, sum);
        }
    }
}

template <int R, bool PADDED>
__global__ void conv2d_walk_kernel(float* out, size_t out_pitch, const float* in, size_t in_pitch,
                                   const float* filter, int width, int height, int channels, int radius) {
    const int value = blockIdx.x * COLUMNS + threadIdx.x, x = value / channels;
    if (x >= width) return;
    const int begin = blockIdx.y * STEPS, end = min(begin + STEPS, height);
    const auto read = [=](int j, int y) {
        if (!PADDED && (x + j < 0 || x + j >= width || y < 0 || y >= height)) return 0.0f;
        return row_of(in, in_pitch, y)[value + j * channels];
    };
    walk<R>(filter, radius, begin, end, read,
            [=](int y, float sum) { row_of(out, out_pitch, y)[value] = sum; });
}

template <bool PADDED = false>
static void walk_all(float* out, size_t out_pitch, const float* in, size_t in_pitch, const float* filter,
                     int width, int height, int channels, int radius) {
    constexpr decltype(&conv2d_walk_kernel<0, PADDED>) kernels[] = {
        conv2d_walk_kernel<0, PADDED>, conv2d_walk_kernel<1, PADDED>, conv2d_walk_kernel<2, PADDED>,
        conv2d_walk_kernel<-1, PADDED>};
    const dim3 grid(ceil_div(width * channels, COLUMNS), ceil_div(height, STEPS));
    timed_launch([&] {
        kernels[std::min(radius, 3)]<<<grid, COLUMNS>>>(out, out_pitch, in, in_pitch, filter, width, height,
                                                        channels, radius);
    });
}

void conv2d_naive(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int radius) {
    device_buffer<float> d_in(in), d_filter(filter), d_out(out.size());
    walk_all(d_out.data(), width * 4u, d_in.data(), width * 4u, d_filter.data(), width, height, 1, radius);
    d_out.copy_to(out);
}

void conv2d_padded(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int radius, border mode) {
    std::vector<float> padded;
    for (int y = -radius; y < height + radius; y++) {
        const int from_y = border_index(y, height, mode);
        for (int x = -radius; x < width + radius; x++) {
            const int from_x = border_index(x, width, mode);
            padded.push_back(from_y == -1 || from_x == -1 ? 0.0f : in[from_y * width + from_x]);
        }
    }
    const int row = width + 2 * radius;
    device_buffer<float> d_padded(padded), d_filter(filter), d_out(out.size());
    walk_all<true>(d_out.data(), width * 4u, d_padded.data() + radius * (row + 1), row * 4u, d_filter.data(),
                   width, height, 1, radius);
    d_out.copy_to(out);
}

void conv2d_pitched(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                    int height, int channels, int radius) {
    pitched_image<float> d_in(in, width * channels, height), d_out(width * channels, height);
    device_buffer<float> d_filter(filter);
    walk_all(d_out.data(), d_out.pitch(), d_in.data(), d_in.pitch(), d_filter.data(), width, height, channels,
             radius);
    d_out.copy_to(out);
}
