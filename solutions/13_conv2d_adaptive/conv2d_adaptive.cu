// Lab 13 - adaptive tiling: the device and the filter decide how much a thread does.
//
// Idea  A thread with N outputs reads every tap once for all of them, and its block fewer halo cells. But its
//       tile grows with N and with the filter: so take the largest N that fits, anew for every filter.
// Do    TODO 13.1 to 13.8. The contract is conv2d_adaptive.h; leave it as it is.
// Run   make lab13      (stuck: make hint13)
#include "conv2d_adaptive.h"

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fast/schedules.h"
#include "lab/lab.h"

// Known to the compiler: the columns of a thread's outputs are then constants added to one address, where a
// block size known at run time costs a register for each output. A warp is one row of 32 threads, so its
// reads of the tile lie in 32 banks, whatever the filter. Eight rows leave room in shared memory for a larger
// factor.
constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;

constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory that a program has
alignas(float2) __constant__ float c_filter[MAX_TAPS];

/// What a block may have.
struct block_limits {
    int shared_bytes, registers;
};

static block_limits limits_of_device() {
    int device = 0;
    block_limits limits = {};
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&limits.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&limits.registers, cudaDevAttrMaxRegistersPerBlock, device));
    return limits;
}

template <int FACTOR>
__global__ void conv2d_adaptive_kernel(float* out, const float* in, int width, int height, int filter_width,
                                       int filter_height) {
    extern __shared__ float s_tile[];
    const int tile_width = BLOCK_WIDTH * FACTOR + filter_width - 1;
    const int tile_height = BLOCK_HEIGHT + filter_height - 1;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int first_x = blockIdx.x * BLOCK_WIDTH * FACTOR;  // the block's first output
    const int first_y = blockIdx.y * BLOCK_HEIGHT;

    // begin 13.2 Load the tile of FACTOR blocks side by side and its halo, ghost cells as 0, and wait for it.
    // skeleton: (void)s_tile, (void)tile_width, (void)tile_height;  // unused so far: take this line out
    for (int row = ty; row < tile_height; row += BLOCK_HEIGHT) {
        for (int column = tx; column < tile_width; column += BLOCK_WIDTH) {
            const int x = first_x - filter_width / 2 + column;
            const int y = first_y - filter_height / 2 + row;
            const bool inside = x >= 0 && x < width && y >= 0 && y < height;
            s_tile[row * tile_width + column] = inside ? in[y * width + x] : 0.0f;
        }
    }
    __syncthreads();  // the sums below read what other threads have stored
    // end 13.2

    float sum[FACTOR] = {};  // registers: every index is known when the loops over n are unrolled
    // begin 13.3 Add up FACTOR sums at once, 32 columns apart: read a tap once and use it for all of them.
    const float* pixels = &s_tile[ty * tile_width + tx];  // under the first row of taps
    const float* taps = c_filter;
    for (int i = 0; i < filter_height; i++) {
        for (int j = 0; j < filter_width; j++) {
            const float tap = taps[j];
#pragma unroll
            for (int n = 0; n < FACTOR; n++)
                sum[n] += tap * pixels[j + n * BLOCK_WIDTH];
        }
        pixels += tile_width;
        taps += filter_width;
    }
    // end 13.3

    const int y = first_y + ty;
#pragma unroll
    for (int n = 0; n < FACTOR; n++) {
        const int x = first_x + n * BLOCK_WIDTH + tx;
        if (x < width && y < height) out[y * width + x] = sum[n];
    }
}

using kernel_function = void (*)(float*, const float*, int, int, int, int);

/// The kernel for a factor that is known at run time only.
static kernel_function kernel_for(int factor) {
    // begin 13.4 Return the instance of the kernel for this factor: 1, 2, 4 or 8.
    // skeleton: return conv2d_adaptive_kernel<1>;  // whatever the factor is: replace this line
    switch (factor) {
        case 8:
            return conv2d_adaptive_kernel<8>;
        case 4:
            return conv2d_adaptive_kernel<4>;
        case 2:
            return conv2d_adaptive_kernel<2>;
        default:
            return conv2d_adaptive_kernel<1>;
    }
    // end 13.4
}

/// Registers that a thread of this kernel takes; by the contract's model where no GPU compiler has counted.
static int registers_per_thread(int factor) {
    cudaFuncAttributes attributes;
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel_for(factor)));
    return attributes.numRegs > 0 ? attributes.numRegs : 24 + 2 * factor;
}

/// Bytes of shared memory that the tile of a block and its halo take.
static int tile_bytes(int factor, int filter_width, int filter_height) {
    // begin 13.1 Return the bytes of the tile: FACTOR blocks side by side and the halo that the filter adds.
    // skeleton: return 0;  // no tile: replace this line
    const int tile_width = BLOCK_WIDTH * factor + filter_width - 1;
    const int tile_height = BLOCK_HEIGHT + filter_height - 1;
    return tile_width * tile_height * int(sizeof(float));
    // end 13.1
}

/// The largest factor that fits, 0 if none does.
static int choose_factor(int filter_width, int filter_height, block_limits limits) {
    // begin 13.5 Try the factors from the largest on: shared memory and registers must both suffice.
    // skeleton: (void)registers_per_thread;  // unused so far: take this line out
    // skeleton: return 1;  // whatever fits: replace this line
    for (const int factor : {8, 4, 2, 1}) {
        const int registers = BLOCK_WIDTH * BLOCK_HEIGHT * registers_per_thread(factor);
        if (registers > limits.registers) continue;
        if (tile_bytes(factor, filter_width, filter_height) <= limits.shared_bytes) return factor;
    }
    return 0;
    // end 13.5
}

void adaptive_factors(std::span<int> factors, int max_filter, int shared_bytes, int registers) {
    size_t next = 0;
    for (int filter_height = 1; filter_height <= max_filter; filter_height += 2) {
        for (int filter_width = 1; filter_width <= max_filter; filter_width += 2)
            factors[next++] = choose_factor(filter_width, filter_height, {shared_bytes, registers});
    }
}

void conv2d_adaptive_tiling(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                            int width, int height, int filter_width, int filter_height) {
    set_filter(c_filter, filter);
    const block_limits limits = limits_of_device();
    const int factor = choose_factor(filter_width, filter_height, limits);
    const int bytes = tile_bytes(factor, filter_width, filter_height);
    const kernel_function kernel = kernel_for(factor);
    // begin 13.6 Refuse a filter no factor serves, naming bytes and limit; else give the kernel its bytes.
    if (factor == 0) {
        throw std::invalid_argument("a tile for one output per thread takes " +
                                    std::to_string(tile_bytes(1, filter_width, filter_height)) +
                                    " bytes of shared memory: a block has at most " +
                                    std::to_string(limits.shared_bytes));
    }
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    // end 13.6

    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(ceil_div(width, BLOCK_WIDTH * factor), ceil_div(height, BLOCK_HEIGHT));
    timed_launch([&] {
        kernel<<<grid, block, bytes>>>(d_out.data(), d_in.data(), width, height, filter_width, filter_height);
    });
    d_out.copy_to(out);
}

// Part two: the fast version. Its kernels are given, in fast/: tile.h and direct.h, cut for each filter by
// schedules.h.

/// What those kernels take as their template argument `adder`.
struct row_adder {
    /// The taps in constant memory, two by two: a row of the filter begins with a pair, and where its width
    /// is odd its last pair is half empty. Two taps arrive with one load.
    __device__ static const float2* filter_pairs() { return reinterpret_cast<const float2*>(c_filter); }

    /// Adds what `row` contributes to a thread's sums. The row lies under `filter_rows` rows of the filter
    /// that begin at `pairs`, and `r` rows below the first of them that the thread's first output wants:
    /// output row t wants it times filter row r - t, if there is one. The pixel under tap j of output column
    /// q is row[shift + j + q].
    template <int filter_width, int filter_rows, int shift, int ROWS, int COLUMNS, int PIXELS>
    __device__ static void add_row(float (&sum)[ROWS][COLUMNS], const float (&row)[PIXELS], int r,
                                   const float2* pairs) {
        constexpr int PAIRS = (filter_width + 1) / 2;  // of a row of the filter
        // begin 13.7 Add the row to the sums of all output rows it lies under; one tap serves all columns.
        // skeleton: (void)sum, (void)row, (void)r, (void)pairs, (void)PAIRS;  // unused so far: take this line out
#pragma unroll
        for (int t = 0; t < ROWS; t++) {
            const int i = r - t;  // the row of the filter
            if (i < 0 || i >= filter_rows) continue;
#pragma unroll
            for (int j = 0; j < filter_width; j++) {
                const float2 pair = pairs[i * PAIRS + j / 2];
                const float tap = j % 2 == 0 ? pair.x : pair.y;
#pragma unroll
                for (int q = 0; q < COLUMNS; q++)
                    sum[t][q] += tap * row[shift + j + q];
            }
        }
        // end 13.7
    }
};

/// What to launch for this filter; nothing if no schedule serves it or the device has too little memory.
static std::optional<plan> choose_plan(picture image, int filter_width, int filter_height,
                                       block_limits limits) {
    // begin 13.8 Return the plan of the first candidate that serves the filter and fits the device.
    // skeleton: (void)image, (void)filter_width, (void)filter_height, (void)limits;  // unused so far: take this line out
    for (const candidate& next : all_schedules<row_adder>()) {
        if (!next.cut.serves(filter_width, filter_height)) continue;
        if (next.shared_bytes(filter_height) > size_t(limits.shared_bytes)) continue;
        return next.plan_for(image, filter_height);
    }
    // end 13.8
    return std::nullopt;
}

void conv2d_adaptive(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int filter_width, int filter_height) {
    pitched_image<float> d_in(in, width, height), d_out(width, height);
    const picture image{d_in.data(), d_out.data(),          width,
                        height,      d_in.pitch_elements(), d_out.pitch_elements()};
    const std::optional<plan> chosen = choose_plan(image, filter_width, filter_height, limits_of_device());
    if (!chosen) {
        conv2d_adaptive_tiling(out, in, filter, width, height, filter_width, filter_height);
        return;
    }
    std::vector<float> pairs;
    for (int i = 0; i < filter_height; i++) {
        pairs.insert(pairs.end(), &filter[i * filter_width], &filter[i * filter_width] + filter_width);
        pairs.resize(ceil_div(int(pairs.size()), 2) * 2);
    }
    set_filter(c_filter, pairs);
    const plan launch = *chosen;
    timed_launch([&] {
        launch.kernel<<<launch.grid, launch.block, launch.shared_bytes>>>(image, launch.map, filter_height);
    });
    d_out.copy_to(out);
}
