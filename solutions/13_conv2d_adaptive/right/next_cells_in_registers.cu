// Right: the cells of the next tap are read before this one uses its own; a macro lists the factors once.
#include "conv2d_adaptive.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fast/schedules.h"
#include "lab/lab.h"

#define FOR_EACH_FACTOR(X) X(8) X(4) X(2) X(1)

constexpr int TX = 32, TY = 8, THREADS = TX * TY;
alignas(16) __constant__ float c_filter[64 * 1024 / 4];

/// One cell for each output of a thread.
template <int N>
struct cells {
    float value[N];
    __device__ static cells read(const float* from) {
        cells c;
#pragma unroll
        for (int n = 0; n < N; n++)
            c.value[n] = from[n * TX];
        return c;
    }
    __device__ void add(float tap, const cells& other) {
#pragma unroll
        for (int n = 0; n < N; n++)
            value[n] += tap * other.value[n];
    }
};

template <int N>
__device__ void load_tile(float* tile, const float* in, int width, int height, int filter_width,
                          int filter_height) {
    const int columns = TX * N + filter_width - 1, rows = TY + filter_height - 1;
    for (int k = threadIdx.y; k < rows; k += TY) {
        for (int j = threadIdx.x; j < columns; j += TX) {
            const int x = int(blockIdx.x) * TX * N + j - filter_width / 2;
            const int y = int(blockIdx.y) * TY + k - filter_height / 2;
            const bool ghost = min(x, y) < 0 || x > width - 1 || y > height - 1;
            tile[k * columns + j] = ghost ? 0.0f : in[y * width + x];
        }
    }
    __syncthreads();  // everybody has stored his cells
}

template <int N>
__global__ void conv2d_tiling_kernel(float* out, const float* in, int width, int height, int filter_width,
                                     int filter_height) {
    extern __shared__ float s_tile[];
    load_tile<N>(s_tile, in, width, height, filter_width, filter_height);

    const int columns = TX * N + filter_width - 1;
    cells<N> sums = {};
    for (int i = 0; i < filter_height; i++) {
        const float* from = &s_tile[(threadIdx.y + i) * columns + threadIdx.x];
        const float* taps = &c_filter[i * filter_width];
        cells<N> now = cells<N>::read(from);
        for (int j = 1; j < filter_width; j++) {
            const cells<N> next = cells<N>::read(from + j);
            sums.add(taps[j - 1], now);
            now = next;
        }
        sums.add(taps[filter_width - 1], now);
    }
    const int x = blockIdx.x * TX * N + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;
#pragma unroll
    for (int n = 0; n < N; n++)
        if (x + n * TX < width && y < height) out[y * width + x + n * TX] = sums.value[n];
}

struct block_has {
    int shared_bytes, registers;
};

static int bytes_for(int factor, int filter_width, int filter_height) {
    return int(sizeof(float)) * (TX * factor + filter_width - 1) * (TY + filter_height - 1);
}

template <class function>
static int registers_of(function kernel, int factor) {
    cudaFuncAttributes attributes;
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    return attributes.numRegs > 0 ? attributes.numRegs : 24 + 2 * factor;
}

static int largest_factor(int filter_width, int filter_height, block_has most) {
#define RETURN_IF_IT_FITS(N)                                                  \
    if (bytes_for(N, filter_width, filter_height) <= most.shared_bytes &&     \
        THREADS * registers_of(conv2d_tiling_kernel<N>, N) <= most.registers) \
        return N;
    FOR_EACH_FACTOR(RETURN_IF_IT_FITS)
    return 0;
}

static block_has this_device() {
    int device = 0;
    block_has most{};
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&most.registers, cudaDevAttrMaxRegistersPerBlock, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&most.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    return most;
}

void adaptive_factors(std::span<int> factors, int max_filter, int shared_bytes, int registers) {
    int filter_width = 1, filter_height = 1;
    for (int& factor : factors) {
        factor = largest_factor(filter_width, filter_height, {shared_bytes, registers});
        filter_width += 2;
        if (filter_width > max_filter) filter_width = 1, filter_height += 2;
    }
}

void conv2d_adaptive_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                            int width, int height, int filter_width, int filter_height) {
    set_filter(c_filter, filter);
    const block_has most = this_device();
    const int factor = largest_factor(filter_width, filter_height, most);
    const int bytes = bytes_for(factor, filter_width, filter_height);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(TX, TY);
    switch (factor) {
#define LAUNCH(N)                                                                                          \
    case N:                                                                                                \
        CUDA_CHECK(cudaFuncSetAttribute(conv2d_tiling_kernel<N>,                                           \
                                        cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));              \
        timed_launch([&] {                                                                                 \
            conv2d_tiling_kernel<N><<<dim3(ceil_div(width, TX* N), ceil_div(height, TY)), block, bytes>>>( \
                d_out.data(), d_in.data(), width, height, filter_width, filter_height);                    \
        });                                                                                                \
        break;
        FOR_EACH_FACTOR(LAUNCH)
        default:
            throw std::invalid_argument("even one output a thread takes " +
                                        std::to_string(bytes_for(1, filter_width, filter_height)) +
                                        " bytes of " + std::to_string(most.shared_bytes));
    }
    d_out.copy_to(out);
}

struct row_adder {
    __device__ static const float2* filter_pairs() { return reinterpret_cast<const float2*>(c_filter); }

    /// From the last output row to the first, and for each the taps from right to left.
    template <int filter_width, int filter_rows, int shift, int ROWS, int COLUMNS, int PIXELS>
    __device__ static void add_row(float (&sum)[ROWS][COLUMNS], const float (&row)[PIXELS], int r,
                                   const float2* pairs) {
        constexpr int PAIRS = (filter_width + 1) / 2;
#pragma unroll
        for (int t = ROWS - 1; t >= 0; t--) {
            if (t > r || t <= r - filter_rows) continue;
            const float2* last = pairs + (r - t) * PAIRS + PAIRS - 1;
#pragma unroll
            for (int j = filter_width - 1; j >= 0; j--) {
                const float2 pair = last[j / 2 - PAIRS + 1];
#pragma unroll
                for (int q = 0; q < COLUMNS; q++)
                    sum[t][q] += row[shift + j + q] * (j % 2 ? pair.y : pair.x);
            }
        }
    }
};

void conv2d_adaptive(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int filter_width, int filter_height) {
    for (const candidate& next : all_schedules<row_adder>()) {
        if (!next.cut.serves(filter_width, filter_height)) continue;
        if (next.shared_bytes(filter_height) > size_t(this_device().shared_bytes)) continue;
        pitched_image<float> d_in(in, width, height), d_out(width, height);
        const picture image{d_in.data(), d_out.data(),          width,
                            height,      d_in.pitch_elements(), d_out.pitch_elements()};
        const plan launch = next.plan_for(image, filter_height);
        std::vector<float> pairs(size_t(filter_width + 1) * filter_height);
        for (size_t k = 0; k < filter.size(); k++)
            pairs[k + k / filter_width] = filter[k];  // a gap behind every row
        set_filter(c_filter, pairs);
        timed_launch([&] {
            launch.kernel<<<launch.grid, launch.block, launch.shared_bytes>>>(image, launch.map,
                                                                              filter_height);
        });
        return d_out.copy_to(out);
    }
    conv2d_adaptive_tiling(out, in, filter, width, height, filter_width, filter_height);
}
