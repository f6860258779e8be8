// Right: a warp loads a row of pixels with its halo into two registers a lane; neighbours come by shuffles.
#include "conv2d_constant.h"

#include "lab/lab.h"

constexpr int WARP = 32, WARPS = 4;
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);
__constant__ float c_filter[MAX_TAPS];

/// 64 neighbouring pixels of a row, two a lane.
struct strip {
    float first, second;

    /// The pixel `k` places to the right of this lane's first one, for k below 32.
    __device__ float shifted(int k, int lane) const {
        const int from = lane + k;
        const float low = __shfl_sync(0xffffffff, first, from & (WARP - 1));
        const float high = __shfl_sync(0xffffffff, second, from & (WARP - 1));
        return from < WARP ? low : high;
    }
};

__device__ float pixel(const float* in, int x, int y, int width) {
    return x >= 0 && x < width ? in[y * width + x] : 0.0f;
}

__global__ void conv2d_constant_kernel(float* out, const float* in, int width, int height, int radius) {
    const int lane = threadIdx.x, x = blockIdx.x * WARP + lane;
    const int y = blockIdx.y * WARPS + threadIdx.y;
    if (y >= height) return;  // a whole warp: a shuffle needs all its lanes

    const int side = 2 * radius + 1;
    float sum = 0.0f;
    for (int i = max(0, radius - y); i < min(side, height + radius - y); i++) {
        const int row = y + i - radius;
        strip pixels{0.0f, pixel(in, x - radius, row, width)};
        for (int start = 0; start < side; start += WARP) {
            pixels = {pixels.second, pixel(in, x - radius + start + WARP, row, width)};
            for (int k = 0; k < min(WARP, side - start); k++) {
                sum += pixels.shifted(k, lane) * c_filter[i * side + start + k];
            }
        }
    }
    if (x < width) out[y * width + x] = sum;
}

void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(WARP, WARPS), grid(ceil_div(width, WARP), ceil_div(height, WARPS));
    timed_launch(
        [&] { conv2d_constant_kernel<<<grid, block>>>(d_out.data(), d_in.data(), width, height, radius); });
    d_out.copy_to(out);
}
