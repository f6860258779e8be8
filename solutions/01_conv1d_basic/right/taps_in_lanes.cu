// Right: a warp loads 32 taps side by side and hands them around by a tile's shuffles.
#include "conv1d_basic.h"

#include <cooperative_groups.h>

#include "lab/lab.h"

namespace cg = cooperative_groups;

__global__ void convolve(float* out, const float* in, const float* taps, int n, int count) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x), first = x - count / 2;
    float sum = 0;
    for (int k = 0; k < count; k += 32) {
        const int mine = k + int(warp.thread_rank());
        const float loaded = mine < count ? taps[mine] : 0.0f;
        for (int j = 0; j < min(32, count - k); j++) {
            const float tap = warp.shfl(loaded, j);
            const int at = first + k + j;
            if (0 <= at && at < n) sum += tap * in[at];
        }
    }
    if (x < n) out[x] = sum;
}

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    device_buffer<float> d_in(in), d_taps(filter), d_out(out.size());
    const int n = int(in.size());
    timed_launch([&] {
        convolve<<<ceil_div(n, 128), 128>>>(d_out.data(), d_in.data(), d_taps.data(), n, int(filter.size()));
    });
    d_out.copy_to(out);
}
