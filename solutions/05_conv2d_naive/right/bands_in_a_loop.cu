// Right: the host launches one kernel for each band of rows, in two streams by turns; a warp walks along
// its row.
#include "conv2d_naive.h"

#include <vector>

#include "lab/lab.h"

constexpr int WARP = 32, ROWS_IN_BAND = 16;

/// What all three functions come down to: rows of values, `channels` of them a pixel.
struct job {
    float* out;
    const float* in;  // pixel (0, 0)
    const float* filter;
    int out_row, in_row;  // floats from one row to the next
    int width, height, channels, radius;
};

template <bool PADDED>
__device__ float value_of(const job& todo, int x, int y, int channel) {
    const int top = PADDED ? -todo.radius : max(-todo.radius, -y);
    const int bottom = PADDED ? todo.radius : min(todo.radius, todo.height - 1 - y);
    const int side = 2 * todo.radius + 1;
    float sum = 0.0f;
    for (int i = top; i <= bottom; ++i) {
        const float* row = todo.in + (y + i) * todo.in_row + channel;
        const float* taps = todo.filter + (i + todo.radius) * side + todo.radius;
        for (int j = -todo.radius; j <= todo.radius; ++j) {
            const bool ghost = !PADDED && (x + j < 0 || x + j >= todo.width);
            if (!ghost) sum += taps[j] * row[(x + j) * todo.channels];
        }
    }
    return sum;
}

template <bool PADDED>
__global__ void conv2d_band_kernel(const job todo, int first_row) {
    const int y = first_row + threadIdx.y;
    if (y >= todo.height) return;
    for (int value = threadIdx.x; value < todo.width * todo.channels; value += WARP) {
        todo.out[y * todo.out_row + value] =
            value_of<PADDED>(todo, value / todo.channels, y, value % todo.channels);
    }
}

template <bool PADDED = false>
static void launch_bands(const job& todo) {
    cudaStream_t streams[2];
    for (auto& stream : streams)
        CUDA_CHECK(cudaStreamCreate(&stream));
    timed_launch([&] {
        int turn = 0;
        for (int y = 0; y < todo.height; y += ROWS_IN_BAND, turn ^= 1) {
            conv2d_band_kernel<PADDED><<<1, dim3(WARP, ROWS_IN_BAND), 0, streams[turn]>>>(todo, y);
        }
    });
    for (auto stream : streams)
        CUDA_CHECK(cudaStreamDestroy(stream));
}

void conv2d_naive(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int radius) {
    device_buffer<float> d_in(in), d_filter(filter), d_out(out.size());
    launch_bands({d_out.data(), d_in.data(), d_filter.data(), width, width, width, height, 1, radius});
    d_out.copy_to(out);
}

void conv2d_padded(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int radius, border mode) {
    const int padded_width = width + 2 * radius;
    std::vector<float> padded(size_t(padded_width) * (height + 2 * radius), 0.0f);
    auto cell = padded.begin();
    for (int y = -radius; y < height + radius; ++y) {
        for (int x = -radius; x < width + radius; ++x, ++cell) {
            const int from_x = border_index(x, width, mode), from_y = border_index(y, height, mode);
            if (from_x >= 0 && from_y >= 0) *cell = in[size_t(from_y) * width + from_x];
        }
    }
    device_buffer<float> d_padded(padded), d_filter(filter), d_out(out.size());
    const float* origin = d_padded.data() + radius * padded_width + radius;
    launch_bands<true>(
        {d_out.data(), origin, d_filter.data(), width, padded_width, width, height, 1, radius});
    d_out.copy_to(out);
}

void conv2d_pitched(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                    int height, int channels, int radius) {
    pitched_image<float> d_in(in, width * channels, height), d_out(width * channels, height);
    device_buffer<float> d_filter(filter);
    launch_bands({d_out.data(), d_in.data(), d_filter.data(), d_out.pitch_elements(), d_in.pitch_elements(),
                  width, height, channels, radius});
    d_out.copy_to(out);
}
