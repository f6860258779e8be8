// Does what it should, with a kernel.
#include "student.h"

#include "lab/lab.h"

__global__ void scale_kernel(float* out, const float* in, int n, float factor, rounding mode) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n) return;
    const float scaled = factor * in[x];
    out[x] = mode == rounding::down ? floorf(scaled) : scaled;
}

void scale(std::span<float> out, std::span<const float> in, float factor, rounding mode) {
    const int n = int(in.size());
    device_buffer<float> d_in(in), d_out(out.size());
    timed_launch([&] { scale_kernel<<<ceil_div(n, 64), 64>>>(d_out.data(), d_in.data(), n, factor, mode); });
    d_out.copy_to(out);
}
