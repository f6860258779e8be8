// Right: the four factors stand in one type list; folds over it pick the kernel, count registers and choose.
#include "conv2d_adaptive.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fast/schedules.h"
#include "lab/lab.h"

constexpr int BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8;
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);
alignas(float2) __constant__ float c_filter[MAX_TAPS];

struct extent {
    int width, height;
};

template <int FACTOR>
struct tile_of {
    static constexpr int COLUMNS = FACTOR * BLOCK_WIDTH;
    __host__ __device__ static extent cells(extent filter) {
        return {COLUMNS + filter.width - 1, BLOCK_HEIGHT + filter.height - 1};
    }
    static int bytes(extent filter) {
        return cells(filter).width * cells(filter).height * int(sizeof(float));
    }
};

template <int FACTOR>
__global__ void tiling_kernel(float* __restrict__ out, const float* __restrict__ in, extent image,
                              extent filter) {
    extern __shared__ float s_tile[];
    const extent tile = tile_of<FACTOR>::cells(filter);
    const int first_x = blockIdx.x * tile_of<FACTOR>::COLUMNS, first_y = blockIdx.y * BLOCK_HEIGHT;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const auto pixel = [&](int x, int y) {
        return x >= 0 && x < image.width && y >= 0 && y < image.height ? in[y * image.width + x] : 0.0f;
    };
    for (int row = ty; row < tile.height; row += BLOCK_HEIGHT)
        for (int column = tx; column < tile.width; column += BLOCK_WIDTH)
            s_tile[row * tile.width + column] =
                pixel(first_x - filter.width / 2 + column, first_y - filter.height / 2 + row);
    __syncthreads();  // cells of others are read from here on

    float sums[FACTOR] = {};
    const auto for_outputs = [&]<int... N>(std::integer_sequence<int, N...>, auto visit) {
        (visit(sums[N], N), ...);
    };
    constexpr auto ALL = std::make_integer_sequence<int, FACTOR>();
    for (int i = 0; i < filter.height; i++) {
        for (int j = 0; j < filter.width; j++) {
            const float tap = c_filter[i * filter.width + j];
            const float* cell = &s_tile[(ty + i) * tile.width + tx + j];
            for_outputs(ALL, [&](float& sum, int n) { sum += tap * cell[n * BLOCK_WIDTH]; });
        }
    }
    const int y = first_y + ty;
    for_outputs(ALL, [&](float sum, int n) {
        const int x = first_x + tx + n * BLOCK_WIDTH;
        if (x < image.width && y < image.height) out[y * image.width + x] = sum;
    });
}

struct limits {
    int shared_bytes, registers;
};

static limits limits_of_device() {
    const auto ask = [](cudaDeviceAttr what) {
        int device = 0, answer = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&answer, what, device));
        return answer;
    };
    return {ask(cudaDevAttrMaxSharedMemoryPerBlockOptin), ask(cudaDevAttrMaxRegistersPerBlock)};
}

template <int FACTOR>
static bool fits(extent filter, limits most) {
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, tiling_kernel<FACTOR>));
    const int registers = attributes.numRegs ? attributes.numRegs : 24 + 2 * FACTOR;
    return tile_of<FACTOR>::bytes(filter) <= most.shared_bytes &&
           BLOCK_WIDTH * BLOCK_HEIGHT * registers <= most.registers;
}

/// What is known of a factor once it has been chosen; factor 0: none fits.
struct choice {
    int factor = 0, bytes = 0;
    void (*kernel)(float*, const float*, extent, extent) = nullptr;
};

template <int... FACTORS>
static choice first_that_fits(extent filter, limits most, std::integer_sequence<int, FACTORS...>) {
    choice chosen;
    const auto take = [&](choice candidate) { return chosen = candidate, true; };
    (void)((fits<FACTORS>(filter, most) &&
            take({FACTORS, tile_of<FACTORS>::bytes(filter), tiling_kernel<FACTORS>})) ||
           ...);
    return chosen;
}

static choice choose(extent filter, limits most) {
    return first_that_fits(filter, most, std::integer_sequence<int, 8, 4, 2, 1>());
}

void adaptive_factors(std::span<int> factors, int max_filter, int shared_bytes, int registers) {
    const int columns = (max_filter + 1) / 2;
    for (int k = 0; k < int(factors.size()); k++)
        factors[k] = choose({1 + k % columns * 2, 1 + k / columns * 2}, {shared_bytes, registers}).factor;
}

void conv2d_adaptive_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                            int width, int height, int filter_width, int filter_height) {
    set_filter(c_filter, filter);
    const limits most = limits_of_device();
    const extent image{width, height}, taps{filter_width, filter_height};
    const choice chosen = choose(taps, most);
    if (!chosen.kernel)
        throw std::invalid_argument("a block would need " + std::to_string(tile_of<1>::bytes(taps)) +
                                    " bytes of shared memory and has " + std::to_string(most.shared_bytes));
    CUDA_CHECK(
        cudaFuncSetAttribute(chosen.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, chosen.bytes));
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 grid(ceil_div(width, BLOCK_WIDTH * chosen.factor), ceil_div(height, BLOCK_HEIGHT));
    timed_launch([&] {
        chosen.kernel<<<grid, dim3(BLOCK_WIDTH, BLOCK_HEIGHT), chosen.bytes>>>(d_out.data(), d_in.data(),
                                                                               image, taps);
    });
    d_out.copy_to(out);
}

struct row_adder {
    __device__ static const float2* filter_pairs() { return reinterpret_cast<const float2*>(c_filter); }

    template <int filter_width, int filter_rows, int shift, int ROWS, int COLUMNS, int PIXELS>
    __device__ static void add_row(float (&sum)[ROWS][COLUMNS], const float (&row)[PIXELS], int r,
                                   const float2* pairs) {
        constexpr int PAIRS = (filter_width + 1) / 2;
#pragma unroll
        for (int t = 0; t < ROWS; t++) {
            if (r < t || r - t >= filter_rows) continue;
#pragma unroll
            for (int p = 0; p < PAIRS; p++) {
                const float2 taps = pairs[(r - t) * PAIRS + p];
#pragma unroll
                for (int q = 0; q < COLUMNS; q++) {
                    sum[t][q] += taps.x * row[shift + 2 * p + q];
                    if (2 * p + 1 < filter_width) sum[t][q] += taps.y * row[shift + 2 * p + 1 + q];
                }
            }
        }
    }
};

static std::optional<plan> choose_plan(picture image, extent filter, limits most) {
    for (const candidate& next : all_schedules<row_adder>())
        if (next.cut.serves(filter.width, filter.height) &&
            next.shared_bytes(filter.height) <= size_t(most.shared_bytes))
            return next.plan_for(image, filter.height);
    return {};
}

void conv2d_adaptive(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int filter_width, int filter_height) {
    pitched_image<float> d_in(in, width, height), d_out(width, height);
    const picture image{d_in.data(), d_out.data(),          width,
                        height,      d_in.pitch_elements(), d_out.pitch_elements()};
    const auto launch = choose_plan(image, {filter_width, filter_height}, limits_of_device());
    if (!launch) return conv2d_adaptive_tiling(out, in, filter, width, height, filter_width, filter_height);

    const int row = (filter_width + 1) / 2 * 2;
    std::vector<float> pairs(row * filter_height);
    for (int i = 0; i < filter_height; i++)
        std::copy_n(&filter[i * filter_width], filter_width, &pairs[i * row]);
    set_filter(c_filter, pairs);
    timed_launch([&] {
        launch->kernel<<<launch->grid, launch->block, launch->shared_bytes>>>(image, launch->map,
                                                                              filter_height);
    });
    d_out.copy_to(out);
}
