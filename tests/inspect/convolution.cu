// The closed forms of convolution, guarded and tiled, at sizes that do not divide.
#include <algorithm>

#include "expect_counts.h"

__constant__ float c_taps[64];

constexpr int R = 2, M = 2 * R + 1, TILE = 16;

__global__ void guarded(float* out, const float* in, const float* taps, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int i = -R; i <= R; i++) {
        for (int j = -R; j <= R; j++) {
            if (y + i < 0 || y + i >= height || x + j < 0 || x + j >= width) continue;
            sum += in[(y + i) * width + x + j] * taps[(i + R) * M + j + R];
        }
    }
    out[y * width + x] = sum;
}
__global__ void tiled(float* out, const float* in, int width, int height) {
    __shared__ float s_tile[TILE + 2 * R][TILE + 2 * R];
    const int left = blockIdx.x * TILE - R, top = blockIdx.y * TILE - R;
    for (int ty = threadIdx.y; ty < TILE + 2 * R; ty += TILE) {
        for (int tx = threadIdx.x; tx < TILE + 2 * R; tx += TILE) {
            const int x = left + tx, y = top + ty;
            s_tile[ty][tx] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0.f;
        }
    }
    __syncthreads();
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < M; j++)
            sum += s_tile[threadIdx.y + i][threadIdx.x + j] * c_taps[i * M + j];
    }
    out[y * width + x] = sum;
}

/// Taps that fall inside, over n outputs.
uint64_t valid_taps(uint64_t n) {
    uint64_t sum = 0;
    for (int j = -R; j <= R; j++)
        sum += n - std::min<uint64_t>(n, std::abs(j));
    return sum;
}
/// Elements that the clipped tiles of a row load.
uint64_t tile_loads(int n) {
    uint64_t sum = 0;
    for (int begin = 0; begin < n; begin += TILE)
        sum += std::min(n, begin + TILE + R) - std::max(0, begin - R);
    return sum;
}

void convolution(int width, int height) {
    const dim3 block(TILE, TILE), grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    const std::string name = "convolution of " + std::to_string(width) + "x" + std::to_string(height);
    const uint64_t taps = valid_taps(width) * valid_taps(height), pixels = uint64_t(width) * height;

    std::vector<float> image(pixels), filter(M * M);
    simt::label_host_range(image.data(), pixels * sizeof(float), "in");
    simt::label_host_range(filter.data(), M * M * sizeof(float), "filter");
    float *in = device<float>(pixels), *weights = device<float>(M * M);
    const report seen = inspected([&] {
        cudaMemcpy(in, image.data(), pixels * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemcpy(weights, filter.data(), M * M * sizeof(float), cudaMemcpyHostToDevice);
        guarded<<<grid, block>>>(d_out, in, weights, width, height);
    });
    expect(seen.of("in").loads.lanes == taps, name + ": loads of in");
    expect(seen.of("filter").loads.lanes == taps, name + ": loads of filter");
    expect(seen.total().global.stores.lanes == pixels, name + ": stores");
    expect(seen.clean(), name + ": no findings, got" + describe(seen));

    const inspect::counts shared = total([&] { tiled<<<grid, block>>>(d_out, in, width, height); });
    expect(shared.global.loads.lanes == tile_loads(width) * tile_loads(height),
           name + ": loads of the tiled kernel");
    expect(shared.shared.loads.lanes == pixels * M * M, name + ": shared loads");
    expect(shared.constant.lanes == pixels * M * M, name + ": constant loads");
    expect(shared.constant.wavefronts == shared.constant.requests, name + ": one constant address a request");
    simt::forget_host_ranges();
    cudaFree(in);
    cudaFree(weights);
}

int main() {
    return check_counts({
        [] { convolution(1, 1); },
        [] { convolution(7, 3); },
        [] { convolution(97, 61); },
        [] { convolution(128, 64); },
    });
}
