// Right: the factor is computed from the room there is, not tried; raw memory, a stream, recursive adders.
#include "conv2d_adaptive.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fast/schedules.h"
#include "lab/lab.h"

constexpr int COLUMNS = 32, ROWS_OF_THREADS = 8, MAX_TAPS = 16384, MOST = 8;
alignas(float2) __constant__ float c_filter[MAX_TAPS];

struct request {
    float* out;
    const float* in;
    int2 image, filter;
};

template <int FACTOR>
__global__ void __launch_bounds__(COLUMNS* ROWS_OF_THREADS) tiling_kernel(const __grid_constant__ request a) {
    extern __shared__ float s_tile[];
    const int2 tile = make_int2(COLUMNS * FACTOR - 1 + a.filter.x, ROWS_OF_THREADS - 1 + a.filter.y);
    const int2 first = make_int2(blockIdx.x * COLUMNS * FACTOR, blockIdx.y * ROWS_OF_THREADS);
    // Rows that lie outside are cleared, of the others only the ends.
    for (int row = threadIdx.y; row < tile.y; row += ROWS_OF_THREADS) {
        const int y = first.y - a.filter.y / 2 + row;
        float* const cells = s_tile + row * tile.x;
        if (y < 0 || y >= a.image.y) {
            for (int k = threadIdx.x; k < tile.x; k += COLUMNS)
                cells[k] = 0.0f;
            continue;
        }
        const float* const pixels = a.in + size_t(y) * a.image.x;
        const int left = first.x - a.filter.x / 2;
        for (int k = threadIdx.x; k < tile.x; k += COLUMNS)
            cells[k] = unsigned(left + k) < unsigned(a.image.x) ? pixels[left + k] : 0.0f;
    }
    __syncthreads();  // sums read the cells of other threads

    const int y = first.y + threadIdx.y;
    if (y >= a.image.y) return;
    float sums[FACTOR] = {};
    for (int k = 0, i = 0; i < a.filter.y; i++) {
        const float* cell = s_tile + (threadIdx.y + i) * tile.x + threadIdx.x;
        for (int j = 0; j < a.filter.x; j++, k++, cell++) {
            const float tap = c_filter[k];
#pragma unroll
            for (int n = 0; n < FACTOR; n++)
                sums[n] += cell[n * COLUMNS] * tap;
        }
    }
    float* out = a.out + size_t(y) * a.image.x;
#pragma unroll
    for (int n = 0, x = first.x + threadIdx.x; n < FACTOR; n++, x += COLUMNS)
        if (x < a.image.x) out[x] = sums[n];
}

/// The kernel for 2 to the power `log`.
static auto* kernel_of(int log) {
    void (*const kernels[])(request) = {tiling_kernel<1>, tiling_kernel<2>, tiling_kernel<4>,
                                        tiling_kernel<8>};
    return kernels[log];
}

static int factor_for(int filter_width, int filter_height, int shared_bytes, int registers) {
    const int row_floats = shared_bytes / 4 / (ROWS_OF_THREADS + filter_height - 1);
    const int room = row_floats - (filter_width - 1);  // for outputs, in a row of the tile
    if (room < COLUMNS) return 0;
    int factor = int(std::bit_floor(unsigned(std::min(MOST, room / COLUMNS))));
    for (; factor; factor /= 2) {
        cudaFuncAttributes known = {};
        CUDA_CHECK(cudaFuncGetAttributes(&known, kernel_of(std::countr_zero(unsigned(factor)))));
        const int needed = known.numRegs > 0 ? known.numRegs : 24 + 2 * factor;
        if (needed <= registers / (COLUMNS * ROWS_OF_THREADS)) break;
    }
    return factor;
}

void adaptive_factors(std::span<int> factors, int max_filter, int shared_bytes, int registers) {
    const int side = max_filter / 2 + 1;
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
            factors[i * side + j] = factor_for(2 * j + 1, 2 * i + 1, shared_bytes, registers);
}

/// What a call takes from the device, and gives back whatever happens.
struct belongings {
    void *in = nullptr, *out = nullptr;
    size_t in_pitch = 0, out_pitch = 0;
    cudaStream_t stream = nullptr;
    int shared_bytes = 0, registers = 0;

    belongings() {
        int device = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
        CUDA_CHECK(cudaDeviceGetAttribute(&registers, cudaDevAttrMaxRegistersPerBlock, device));
        CUDA_CHECK(cudaStreamCreate(&stream));
    }
    ~belongings() {
        cudaFree(in);
        cudaFree(out);
        cudaStreamDestroy(stream);
    }
    belongings(const belongings&) = delete;
};

static void send_taps(const float* taps, size_t count, cudaStream_t stream) {
    if (count > MAX_TAPS)
        throw std::invalid_argument(std::to_string(count) + " taps; there is room for " +
                                    std::to_string(MAX_TAPS));
    CUDA_CHECK(
        cudaMemcpyToSymbolAsync(c_filter, taps, count * sizeof(float), 0, cudaMemcpyHostToDevice, stream));
}

void conv2d_adaptive_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                            int width, int height, int filter_width, int filter_height) {
    belongings own;
    send_taps(filter.data(), filter.size(), own.stream);
    const int factor = factor_for(filter_width, filter_height, own.shared_bytes, own.registers);
    const size_t bytes = sizeof(float) * (std::max(factor, 1) * COLUMNS + filter_width - 1) *
                         (ROWS_OF_THREADS + filter_height - 1);
    if (factor == 0)
        throw std::invalid_argument(std::to_string(bytes) + " bytes of shared memory; a block has " +
                                    std::to_string(own.shared_bytes));
    const auto kernel = kernel_of(std::countr_zero(unsigned(factor)));
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
    CUDA_CHECK(cudaMalloc(&own.in, in.size_bytes()));
    CUDA_CHECK(cudaMalloc(&own.out, out.size_bytes()));
    CUDA_CHECK(cudaMemcpyAsync(own.in, in.data(), in.size_bytes(), cudaMemcpyHostToDevice, own.stream));
    const request a{static_cast<float*>(own.out),
                    static_cast<float*>(own.in),
                    {width, height},
                    {filter_width, filter_height}};
    const dim3 grid(ceil_div(width, COLUMNS * factor), ceil_div(height, ROWS_OF_THREADS));
    timed_launch([&] { kernel<<<grid, dim3(COLUMNS, ROWS_OF_THREADS), bytes, own.stream>>>(a); });
    CUDA_CHECK(cudaMemcpyAsync(out.data(), own.out, out.size_bytes(), cudaMemcpyDeviceToHost, own.stream));
    CUDA_CHECK(cudaStreamSynchronize(own.stream));
}

struct row_adder {
    __device__ static const float2* filter_pairs() { return reinterpret_cast<const float2*>(c_filter); }

    template <int WIDTH, int J, int SHIFT, int N, int PIXELS>
    __device__ __forceinline__ static void add_from(float (&sum)[N], const float (&row)[PIXELS],
                                                    const float2* pairs) {
        if constexpr (J < WIDTH) {
            const float2 taps = *pairs;
#pragma unroll
            for (int q = 0; q < N; q++) {
                sum[q] += taps.x * row[SHIFT + J + q];
                if constexpr (J + 1 < WIDTH) sum[q] += taps.y * row[SHIFT + J + 1 + q];
            }
            add_from<WIDTH, J + 2, SHIFT>(sum, row, pairs + 1);
        }
    }

    template <int filter_width, int filter_rows, int shift, int ROWS, int N, int PIXELS>
    __device__ static void add_row(float (&sum)[ROWS][N], const float (&row)[PIXELS], int r,
                                   const float2* pairs) {
#pragma unroll
        for (int t = 0; t < ROWS; t++) {
            const unsigned i = r - t;  // far too large if negative
            if (i < unsigned(filter_rows))
                add_from<filter_width, 0, shift>(sum[t], row, pairs + i * ((filter_width + 1) / 2));
        }
    }
};

static std::optional<plan> plan_for(picture image, int filter_width, int filter_height, size_t room) {
    std::optional<plan> none;
    const std::vector<candidate> all = all_schedules<row_adder>();
    size_t k = 0;
    while (k < all.size() &&
           !(all[k].cut.serves(filter_width, filter_height) && all[k].shared_bytes(filter_height) <= room))
        k++;
    return k < all.size() ? all[k].plan_for(image, filter_height) : none;
}

void conv2d_adaptive(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int filter_width, int filter_height) {
    {
        belongings own;
        const size_t row = width * sizeof(float);
        CUDA_CHECK(cudaMallocPitch(&own.in, &own.in_pitch, row, height));
        CUDA_CHECK(cudaMallocPitch(&own.out, &own.out_pitch, row, height));
        const picture image{
            static_cast<float*>(own.in),       static_cast<float*>(own.out),      width, height,
            int(own.in_pitch / sizeof(float)), int(own.out_pitch / sizeof(float))};
        if (const auto chosen = plan_for(image, filter_width, filter_height, own.shared_bytes)) {
            CUDA_CHECK(cudaMemcpy2DAsync(own.in, own.in_pitch, in.data(), row, row, height,
                                         cudaMemcpyHostToDevice, own.stream));
            std::vector<float2> pairs;
            for (size_t k = 0; k < filter.size(); k += 2) {
                const bool last = k % filter_width == size_t(filter_width) - 1;  // its pair is half empty
                pairs.push_back(make_float2(filter[k], last ? 0.0f : filter[k + 1]));
                if (last) k--;  // an odd width: the next pair begins with the next tap
            }
            send_taps(&pairs[0].x, 2 * pairs.size(), own.stream);
            timed_launch([&] {
                chosen->kernel<<<chosen->grid, chosen->block, chosen->shared_bytes, own.stream>>>(
                    image, chosen->map, filter_height);
            });
            CUDA_CHECK(cudaMemcpy2DAsync(out.data(), row, own.out, own.out_pitch, row, height,
                                         cudaMemcpyDeviceToHost, own.stream));
            CUDA_CHECK(cudaStreamSynchronize(own.stream));
            return;
        }
    }
    conv2d_adaptive_tiling(out, in, filter, width, height, filter_width, filter_height);
}
