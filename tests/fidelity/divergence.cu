// Patterns of divergence: halves of a warp, partial warps, guards, loops of different length.
#include "pattern.h"

__global__ void first_half(float* out, const float* in) {
    if (threadIdx.x < 16) out[threadIdx.x] = in[threadIdx.x];
}
__global__ void odd_lanes(float* out, const float* in) {
    if (threadIdx.x % 2 == 1) out[threadIdx.x] = in[threadIdx.x];
}
/// Each half reads and writes in statements of its own.
__global__ void two_branches(float* out, const float* in) {
    if (threadIdx.x < 16) {
        out[threadIdx.x] = in[threadIdx.x] + 1;
    } else {
        out[2 * threadIdx.x] = in[3 * threadIdx.x] * 2;
    }
}
__global__ void early_return(float* out, const float* in, int count) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= count) return;
    out[x] = in[x];
}
__global__ void ghost_cells(float* out, const float* in, int count) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const float left = x > 0 ? in[x - 1] : 0.0f;
    const float right = x + 1 < count ? in[x + 1] : 0.0f;
    out[x] = left + right;
}
/// A lane goes round lane % 4 times.
__global__ void loop_by_lane(float* out, const float* in) {
    float sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < threadIdx.x % 4; k++)
        sum += in[32 * k + threadIdx.x];
    out[threadIdx.x] = sum;
}
__global__ void grid_stride(float* out, const float* in, int count) {
#pragma unroll 1
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < count; x += gridDim.x * blockDim.x)
        out[x] = in[x];
}
/// Left to the compiler, which takes four turns at once and the odd ones before.
__global__ void sum_row(float* out, const float* in, int count) {
    float sum = 0;
#pragma unroll 4
    for (int x = threadIdx.x; x < count; x += 32)
        sum += in[x];
    out[threadIdx.x] = sum;
}
/// The same with the odd turns first as written.
__global__ void sum_row_odd_first(float* out, const float* in, int count) {
    float sum = 0;
    int x = threadIdx.x;
#pragma unroll 1
    for (int odd = (count - x + 31) / 32 % 4; odd > 0; odd--, x += 32)
        sum += in[x];
#pragma unroll 1
    for (; x < count; x += 128)
        sum += in[x] + in[x + 32] + in[x + 64] + in[x + 96];
    out[threadIdx.x] = sum;
}
__global__ void skip_row(float* out, const float* in, int height) {
    for (int i = -1; i <= 1; i++) {
        const int y = int(threadIdx.y) + i;
        if (y < 0 || y >= height) continue;
        out[(i + 1) * 64 + threadIdx.y * 16 + threadIdx.x] = in[y * 16 + threadIdx.x];
    }
}

const std::vector<pattern> DIVERGENT_PATTERNS = {
    {"first_half", [] { first_half<<<1, 32>>>(d_out, d_in); }},
    {"odd_lanes", [] { odd_lanes<<<1, 32>>>(d_out, d_in); }},
    {"two_branches", [] { two_branches<<<1, 32>>>(d_out, d_in); }},
    {"early_return", [] { early_return<<<4, 64>>>(d_out, d_in, 203); }},
    {"partial_warp_20", [] { early_return<<<2, 20>>>(d_out, d_in, 1000); }},
    {"partial_warp_48", [] { early_return<<<3, 48>>>(d_out, d_in, 1000); }},
    {"ghost_cells", [] { ghost_cells<<<2, 64>>>(d_out, d_in, 128); }},
    {"loop_by_lane", [] { loop_by_lane<<<1, 32>>>(d_out, d_in); }},
    {"grid_stride", [] { grid_stride<<<2, 64>>>(d_out, d_in, 1000); }},
    {"sum_row", [] { sum_row<<<1, 32>>>(d_out, d_in, 300); }},
    {"sum_row_odd_first", [] { sum_row_odd_first<<<1, 32>>>(d_out, d_in, 300); }},
    {"skip_row", [] { skip_row<<<1, dim3(16, 4)>>>(d_out, d_in, 4); }},
};
