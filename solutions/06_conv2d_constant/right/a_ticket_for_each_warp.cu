// Right: warps draw tickets for strips of 32 pixels; the first lane draws, a shuffle tells the others.
#include "conv2d_constant.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr unsigned ALL_LANES = 0xffff'ffff;
constexpr int MAX_TAPS = 16384;
__constant__ float c_filter[MAX_TAPS];
__device__ unsigned tickets_drawn;

struct parameters {
    float* __restrict__ out;
    const float* __restrict__ in;
    unsigned width, height, radius;
};

__device__ unsigned draw_ticket() {
    unsigned ticket = 0;
    if (threadIdx.x % warpSize == 0) ticket = atomicAdd(&tickets_drawn, 1);
    return __shfl_sync(ALL_LANES, ticket, 0);
}

// Coordinates are unsigned and moved by the radius, so that nothing is ever below 0.
__device__ float pixel_of(const parameters& p, unsigned x, unsigned y) {
    const unsigned side = 2 * p.radius + 1;
    float sum = 0;
    for (unsigned tap = 0; tap < side * side; ++tap) {
        const unsigned row = y + tap / side - p.radius, column = x + tap % side - p.radius;
        if (row < p.height && column < p.width) sum += c_filter[tap] * p.in[row * p.width + column];
    }
    return sum;
}

__global__ void __launch_bounds__(96) conv2d_constant_kernel(const __grid_constant__ parameters p) {
    const unsigned strips_in_row = (p.width + 31) / 32, strips = strips_in_row * p.height;
    for (unsigned strip = draw_ticket(); strip < strips; strip = draw_ticket()) {
        const unsigned x = strip % strips_in_row * 32 + threadIdx.x % 32, y = strip / strips_in_row;
        if (x < p.width) p.out[y * p.width + x] = pixel_of(p, x, y);
        __syncwarp();  // the warp draws together
    }
}

void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius) {
    if (filter.size() > MAX_TAPS)
        throw std::invalid_argument(std::to_string(filter.size()) + " taps are too many; " +
                                    std::to_string(MAX_TAPS) + " are not");
    timed_copy([&] { CUDA_CHECK(cudaMemcpyToSymbol(c_filter, filter.data(), filter.size_bytes())); });

    device_buffer<float> d_in(in), d_out(out.size());
    const parameters p{d_out.data(), d_in.data(), unsigned(width), unsigned(height), unsigned(radius)};
    timed_launch([&] {
        const unsigned none = 0;  // every launch begins with the first ticket
        CUDA_CHECK(cudaMemcpyToSymbol(tickets_drawn, &none, sizeof none));
        conv2d_constant_kernel<<<10, 96>>>(p);
    });
    d_out.copy_to(out);
}
