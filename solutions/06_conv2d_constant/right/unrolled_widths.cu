// Right: a template with the radius as a constant for 3 x 3 to 7 x 7, a loop over one index for the rest,
// fmaf.
#include "conv2d_constant.h"

#include "lab/lab.h"

// A warp is 32 threads of one row: their loads stand side by side and travel in whole 32-byte sectors.
constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;

constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory that a program has
__constant__ float c_filter[MAX_TAPS];

/// Blocks enough to cover `width` x `height` outputs.
static dim3 grid_for(int width, int height) {
    return dim3(ceil_div(width, BLOCK_WIDTH), ceil_div(height, BLOCK_HEIGHT));
}

/// One output pixel: FIXED >= 0 is the radius as the compiler knows it, -1 leaves it to `radius`.
template <int FIXED>
__device__ float weighted_sum(const float* in, int x, int y, int width, int height, int radius) {
    const int r = FIXED >= 0 ? FIXED : radius, taps = 2 * r + 1;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < taps * taps; k++) {
        const int column = x + k % taps - r, row = y + k / taps - r;
        if (column >= 0 && column < width && row >= 0 && row < height)
            sum = fmaf(c_filter[k], __ldg(in + row * width + column), sum);
    }
    return sum;
}

template <int FIXED>
__global__ void conv2d_constant_kernel(float* out, const float* in, int width, int height, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = weighted_sum<FIXED>(in, x, y, width, height, radius);
}

void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const auto launch = [&](auto kernel) {
        timed_launch([&] {
            kernel<<<grid_for(width, height), block>>>(d_out.data(), d_in.data(), width, height, radius);
        });
    };
    if (radius == 1)
        launch(conv2d_constant_kernel<1>);
    else if (radius == 2)
        launch(conv2d_constant_kernel<2>);
    else if (radius == 3)
        launch(conv2d_constant_kernel<3>);
    else
        launch(conv2d_constant_kernel<-1>);
    d_out.copy_to(out);
}
