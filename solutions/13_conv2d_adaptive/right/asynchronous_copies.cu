// Right: part one loads by asynchronous copies; bounds instead of tests say which output rows a row serves.
#include "conv2d_adaptive.h"

#include <cuda_pipeline.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fast/schedules.h"
#include "lab/lab.h"

constexpr int WARP_ROW = 32, WARPS = 8, MAX_FACTOR = 8;
alignas(8) __constant__ float c_filter[16384];

template <int N>
__global__ void conv2d_tiling_kernel(float* out, const float* in, int width, int height, int filter_width,
                                     int filter_height) {
    extern __shared__ float s_tile[];
    const int columns = WARP_ROW * N + filter_width - 1, rows = WARPS + filter_height - 1;
    const int x = blockIdx.x * WARP_ROW * N + threadIdx.x,
              y = blockIdx.y * WARPS + threadIdx.y;  // first output

    for (int i = 0; i + int(threadIdx.y) < rows; i += WARPS) {
        const int row = y + i - filter_height / 2;
        float* cell = s_tile + (threadIdx.y + i) * columns + threadIdx.x;
        for (int j = 0; j + int(threadIdx.x) < columns; j += WARP_ROW, cell += WARP_ROW) {
            const int column = x + j - filter_width / 2;
            if (column < 0 || column >= width || row < 0 || row >= height)
                *cell = 0.0f;
            else
                __pipeline_memcpy_async(cell, in + row * width + column, sizeof(float));
        }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();  // the whole tile has arrived

    float sum[N] = {};
    const float* tap = c_filter;
    const float* cell = s_tile + threadIdx.y * columns + threadIdx.x;
    for (int i = 0; i < filter_height; i++, cell += columns) {
        for (int j = 0; j < filter_width; j++, tap++) {
            const float weight = *tap;
#pragma unroll
            for (int n = 0; n < N; n++)
                sum[n] = fmaf(weight, cell[j + n * WARP_ROW], sum[n]);
        }
    }
    if (y >= height) return;
#pragma unroll
    for (int n = 0; n < N; n++)
        if (x + n * WARP_ROW < width) out[y * width + x + n * WARP_ROW] = sum[n];
}

using tiling_kernel = decltype(&conv2d_tiling_kernel<1>);

static tiling_kernel kernel_for(int factor) {
    return factor == 8   ? conv2d_tiling_kernel<8>
           : factor == 4 ? conv2d_tiling_kernel<4>
           : factor == 2 ? conv2d_tiling_kernel<2>
                         : conv2d_tiling_kernel<1>;
}

static int attribute(cudaDeviceAttr which) {
    int device, value;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

static size_t tile_bytes(int factor, int filter_width, int filter_height) {
    return sizeof(float) * (WARP_ROW * factor + filter_width - 1) * (WARPS + filter_height - 1);
}

static int choose_factor(int filter_width, int filter_height, size_t shared_bytes, int registers) {
    int factor = MAX_FACTOR;
    for (; factor > 0; factor >>= 1) {
        if (tile_bytes(factor, filter_width, filter_height) > shared_bytes) continue;
        cudaFuncAttributes compiled;
        CUDA_CHECK(cudaFuncGetAttributes(&compiled, kernel_for(factor)));
        const int of_a_thread = compiled.numRegs != 0 ? compiled.numRegs : 24 + 2 * factor;
        if (WARP_ROW * WARPS * of_a_thread <= registers) break;
    }
    return factor;
}

void adaptive_factors(std::span<int> factors, int max_filter, int shared_bytes, int registers) {
    auto to = factors.begin();
    for (int height = 1; height <= max_filter; height += 2)
        for (int width = 1; width <= max_filter; width += 2)
            *to++ = choose_factor(width, height, shared_bytes, registers);
}

void conv2d_adaptive_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                            int width, int height, int filter_width, int filter_height) {
    set_filter(c_filter, filter);
    const int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const int factor =
        choose_factor(filter_width, filter_height, most, attribute(cudaDevAttrMaxRegistersPerBlock));
    if (factor == 0)
        throw std::invalid_argument(
            "shared memory: " + std::to_string(tile_bytes(1, filter_width, filter_height)) +
            " bytes wanted, " + std::to_string(most) + " there");
    const size_t bytes = tile_bytes(factor, filter_width, filter_height);
    const tiling_kernel kernel = kernel_for(factor);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));

    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(WARP_ROW, WARPS), grid(ceil_div(width, WARP_ROW * factor), ceil_div(height, WARPS));
    timed_launch([&] {
        kernel<<<grid, block, bytes>>>(d_out.data(), d_in.data(), width, height, filter_width, filter_height);
    });
    d_out.copy_to(out);
}

struct row_adder {
    __device__ static const float2* filter_pairs() { return reinterpret_cast<const float2*>(c_filter); }

    template <int filter_width, int filter_rows, int shift, int ROWS, int COLUMNS, int PIXELS>
    __device__ static void add_row(float (&sum)[ROWS][COLUMNS], const float (&row)[PIXELS], int r,
                                   const float2* pairs) {
        constexpr int PAIRS = (filter_width + 1) / 2;
        // Output row t wants filter row r - t, which is 0 .. filter_rows - 1.
        const int first = r < filter_rows ? 0 : r - filter_rows + 1, last = r < ROWS ? r : ROWS - 1;
#pragma unroll
        for (int t = first; t <= last; t++) {
            const float2* taps = pairs + (r - t) * PAIRS;
#pragma unroll
            for (int j = 0; j < filter_width; j++) {
                const float tap = j & 1 ? taps[j >> 1].y : taps[j >> 1].x;
#pragma unroll
                for (int q = 0; q < COLUMNS; q++)
                    sum[t][q] = fmaf(tap, row[shift + j + q], sum[t][q]);
            }
        }
    }
};

static std::optional<plan> choose_plan(picture image, int filter_width, int filter_height) {
    const size_t most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const auto candidates = all_schedules<row_adder>();
    const auto found = std::find_if(candidates.begin(), candidates.end(), [&](const candidate& each) {
        return each.cut.serves(filter_width, filter_height) && each.shared_bytes(filter_height) <= most;
    });
    if (found == candidates.end()) return std::nullopt;
    return found->plan_for(image, filter_height);
}

void conv2d_adaptive(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int filter_width, int filter_height) {
    pitched_image<float> d_in(in, width, height), d_out(width, height);
    const picture image{d_in.data(), d_out.data(),          width,
                        height,      d_in.pitch_elements(), d_out.pitch_elements()};
    const std::optional<plan> chosen = choose_plan(image, filter_width, filter_height);
    if (!chosen) {
        conv2d_adaptive_tiling(out, in, filter, width, height, filter_width, filter_height);
        return;
    }
    std::vector<float> pairs;
    for (size_t k = 0; k < filter.size(); k++) {
        pairs.push_back(filter[k]);
        if (k % filter_width == size_t(filter_width) - 1) pairs.push_back(0.0f);  // widths are odd
    }
    set_filter(c_filter, pairs);
    timed_launch([&] {
        chosen->kernel<<<chosen->grid, chosen->block, chosen->shared_bytes>>>(image, chosen->map,
                                                                              filter_height);
    });
    d_out.copy_to(out);
}
