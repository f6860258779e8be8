// Right: rows of taps are filled up to whole float4s on the host; four taps come in one broadcast.
#include "conv2d_constant.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"

constexpr int MAX_TAPS = 16384;
__constant__ float4 c_taps[MAX_TAPS / 4];  // 127 rows of 32 are the most that is needed

__device__ float pixel(const float* row, int x, int width) {
    return x >= 0 && x < width ? row[x] : 0.0f;
}

__global__ void conv2d_constant_kernel(float* out, const float* in, int width, int height, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    const int side = 2 * radius + 1, quads = (side + 3) / 4;
    float sum = 0.0f;
    for (int i = max(0, radius - y); i < min(side, height - y + radius); i++) {
        const float* row = in + (y + i - radius) * width;
        int from = x - radius;
        for (int quad = 0; quad < quads; quad++, from += 4) {
            const float4 taps = c_taps[i * quads + quad];
            const int left = side - 4 * quad;  // taps of this row; what follows them is filling
            switch (left) {
                default:
                    sum += taps.w * pixel(row, from + 3, width);
                    [[fallthrough]];
                case 3:
                    sum += taps.z * pixel(row, from + 2, width);
                    [[fallthrough]];
                case 2:
                    sum += taps.y * pixel(row, from + 1, width);
                    [[fallthrough]];
                case 1:
                    sum += taps.x * pixel(row, from, width);
            }
        }
    }
    out[y * width + x] = sum;
}

void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius) {
    if (filter.size() > MAX_TAPS)
        throw std::invalid_argument("filter with " + std::to_string(filter.size()) + " taps, " +
                                    std::to_string(MAX_TAPS) + " at most");
    const int side = 2 * radius + 1, quads = (side + 3) / 4;
    std::vector<float4> rows(size_t(side) * quads, float4{});
    float* taps = &rows[0].x;
    for (int k = 0; k < side * side; k++)
        taps[k / side * quads * 4 + k % side] = filter[k];
    timed_copy([&] { CUDA_CHECK(cudaMemcpyToSymbol(c_taps, rows.data(), rows.size() * sizeof(float4))); });

    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 grid(ceil_div(width, 256), height);  // a row of blocks for each row of pixels
    timed_launch(
        [&] { conv2d_constant_kernel<<<grid, 256>>>(d_out.data(), d_in.data(), width, height, radius); });
    d_out.copy_to(out);
}
