// Lab 08 - 2D convolution from shared memory, loaded in four ways.
//
// Idea  A block is a tile of outputs. It needs more pixels than it has threads, the halo, so some load
//       several. Which ones, and in which order, changes no value and no number of loads; only time.
// Do    TODO 08.1 to 08.9. The contract is conv2d_shared.h; leave it as it is.
// Run   make lab08      (stuck: make hint08)
#include "conv2d_shared.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

// A warp is one row of the block: it loads and reads 32 neighbours, which lie in 32 different banks.
constexpr int BLOCK_WIDTH = 32;
// 256 threads. Higher blocks load less halo for each output, but fewer of them fit on a multiprocessor.
constexpr int BLOCK_HEIGHT = 8;

constexpr size_t MAX_SHARED = 48 * 1024;                // bytes of a block; more has to be asked for
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

/// Bytes of shared memory that a block needs.
static size_t tile_bytes(int filter_width, int filter_height) {
    // begin 08.1 Return the bytes of a block's tile: its outputs and a halo on all four sides.
    // skeleton: return 0;  // no tile: replace this line
    const size_t tile_width = BLOCK_WIDTH + filter_width - 1;
    const size_t tile_height = BLOCK_HEIGHT + filter_height - 1;
    return tile_width * tile_height * sizeof(float);
    // end 08.1
}

struct image_view {
    const float* pixels;
    int width, height;
};

/// The part of the image that a block keeps in shared memory: cell (column, row) of the tile is the pixel
/// (left + column, top + row), a ghost cell if the image has none there.
struct halo_tile {
    float* cells;  // shared memory, rows of `width`
    int width, height;
    int left, top;
    int halo_x, halo_y;  // how far the tile reaches beyond the outputs of the block, on each side
};

/// Loads one cell of the tile. Inlined, so that every call has requests of its own.
__device__ __forceinline__ void load_cell(const halo_tile& tile, const image_view& in, int column, int row) {
    const int x = tile.left + column, y = tile.top + row;
    const bool inside = x >= 0 && x < in.width && y >= 0 && y < in.height;
    tile.cells[row * tile.width + column] = inside ? in.pixels[y * in.width + x] : 0.0f;
}

static __device__ void load_by_one_thread(const halo_tile& tile, const image_view& in) {
    // begin 08.2 Load this thread's own pixel; thread (0, 0) then loads all cells of the halo.
    load_cell(tile, in, tile.halo_x + threadIdx.x, tile.halo_y + threadIdx.y);
    if (threadIdx.x != 0 || threadIdx.y != 0) return;
    const int right = tile.halo_x + BLOCK_WIDTH, below = tile.halo_y + BLOCK_HEIGHT;  // of the outputs
    for (int row = 0; row < tile.height; row++) {
        for (int column = 0; column < tile.width; column++) {
            const bool own = column >= tile.halo_x && column < right && row >= tile.halo_y && row < below;
            if (!own) load_cell(tile, in, column, row);
        }
    }
    // end 08.2
}

static __device__ void load_by_edge_threads(const halo_tile& tile, const image_view& in) {
    // begin 08.3 Load this thread's own pixel; threads at an edge of the block load the cells of the halo
    // beside theirs, thread (0, 0) the four corners.
    const int column = tile.halo_x + threadIdx.x, row = tile.halo_y + threadIdx.y;
    load_cell(tile, in, column, row);
    const int right = tile.halo_x + BLOCK_WIDTH, below = tile.halo_y + BLOCK_HEIGHT;  // of the outputs
    if (threadIdx.x == 0) {
        for (int k = 0; k < tile.halo_x; k++)
            load_cell(tile, in, k, row);
    }
    if (threadIdx.x == BLOCK_WIDTH - 1) {
        for (int k = 0; k < tile.halo_x; k++)
            load_cell(tile, in, right + k, row);
    }
    if (threadIdx.y == 0) {
        for (int k = 0; k < tile.halo_y; k++)
            load_cell(tile, in, column, k);
    }
    if (threadIdx.y == BLOCK_HEIGHT - 1) {
        for (int k = 0; k < tile.halo_y; k++)
            load_cell(tile, in, column, below + k);
    }
    if (threadIdx.x != 0 || threadIdx.y != 0) return;
    for (int i = 0; i < tile.halo_y; i++) {
        for (int j = 0; j < tile.halo_x; j++) {
            // A cell of each corner.
            load_cell(tile, in, j, i);
            load_cell(tile, in, right + j, i);
            load_cell(tile, in, j, below + i);
            load_cell(tile, in, right + j, below + i);
        }
    }
    // end 08.3
}

static __device__ void load_swept(const halo_tile& tile, const image_view& in) {
    // begin 08.4 Move the block over the tile, in steps of its own width and height.
    for (int row = threadIdx.y; row < tile.height; row += BLOCK_HEIGHT) {
        for (int column = threadIdx.x; column < tile.width; column += BLOCK_WIDTH)
            load_cell(tile, in, column, row);
    }
    // end 08.4
}

static __device__ void load_rows(const halo_tile& tile, const image_view& in) {
    // begin 08.5 Number the threads of the block in one line and let them take the cells in memory order.
    const int first = threadIdx.y * BLOCK_WIDTH + threadIdx.x;
    for (int cell = first; cell < tile.width * tile.height; cell += BLOCK_WIDTH * BLOCK_HEIGHT)
        load_cell(tile, in, cell % tile.width, cell / tile.width);
    // end 08.5
}

/// FILTER_WIDTH > 0 is the filter's width, known to the compiler; 0 leaves it to `run_time_width`.
template <loading HOW, int FILTER_WIDTH>
__global__ void conv2d_shared_kernel(float* out, const float* in, int width, int height, int run_time_width,
                                     int filter_height) {
    extern __shared__ float s_tile[];
    const int filter_width = FILTER_WIDTH > 0 ? FILTER_WIDTH : run_time_width;
    const int left = blockIdx.x * BLOCK_WIDTH, top = blockIdx.y * BLOCK_HEIGHT;  // first output of the block
    const int halo_x = filter_width / 2, halo_y = filter_height / 2;
    const halo_tile tile{
        s_tile, BLOCK_WIDTH + 2 * halo_x, BLOCK_HEIGHT + 2 * halo_y, left - halo_x, top - halo_y, halo_x,
        halo_y};
    const image_view image{in, width, height};
    if constexpr (HOW == loading::one_thread) load_by_one_thread(tile, image);
    if constexpr (HOW == loading::edge_threads) load_by_edge_threads(tile, image);
    if constexpr (HOW == loading::swept) load_swept(tile, image);
    if constexpr (HOW == loading::rows) load_rows(tile, image);

    const int x = left + threadIdx.x, y = top + threadIdx.y;
    // begin 08.6 Wait until the tile is complete; only then may threads without an output leave.
    // skeleton: if (x >= width || y >= height) return;  // is this the moment?
    __syncthreads();  // the sums below read what other threads have stored above
    if (x >= width || y >= height) return;
    // end 08.6

    float sum = 0.0f;
    // begin 08.7 Add up the cells of the tile times the taps they meet; have the loop over a row unrolled.
    for (int i = 0; i < filter_height; i++) {
#pragma unroll
        for (int j = 0; j < filter_width; j++) {
            const float pixel = tile.cells[(threadIdx.y + i) * tile.width + threadIdx.x + j];
            sum += c_filter[i * filter_width + j] * pixel;  // no test: ghost cells are in the tile
        }
    }
    // end 08.7
    out[y * width + x] = sum;
}

/// No tile: lab 06, with a filter that need not be square.
__global__ void conv2d_untiled_kernel(float* out, const float* in, int width, int height, int filter_width,
                                      int filter_height) {
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x;
    const int y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= height) return;

    const int halo_x = filter_width / 2, halo_y = filter_height / 2;
    float sum = 0.0f;
    for (int i = -halo_y; i <= halo_y; i++) {
        for (int j = -halo_x; j <= halo_x; j++) {
            if (y + i < 0 || y + i >= height || x + j < 0 || x + j >= width) continue;
            sum += c_filter[(i + halo_y) * filter_width + j + halo_x] * in[(y + i) * width + x + j];
        }
    }
    out[y * width + x] = sum;
}

using kernel_function = decltype(&conv2d_untiled_kernel);

/// One call, by the kernel `wanted`, or where its tile fits no block by the one without a tile.
static void convolve(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int filter_width, int filter_height, kernel_function wanted) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());

    kernel_function kernel = wanted;
    size_t bytes = wanted == conv2d_untiled_kernel ? 0 : tile_bytes(filter_width, filter_height);
    if (bytes > MAX_SHARED) {
        // begin 08.8 Choose conv2d_untiled_kernel and no shared memory: no block can have so much.
        kernel = conv2d_untiled_kernel;
        bytes = 0;
        // end 08.8
    }
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(ceil_div(width, BLOCK_WIDTH), ceil_div(height, BLOCK_HEIGHT));
    timed_launch([&] {
        kernel<<<grid, block, bytes>>>(d_out.data(), d_in.data(), width, height, filter_width, filter_height);
    });
    d_out.copy_to(out);
}

static kernel_function kernel_for(loading how) {
    switch (how) {
        case loading::one_thread:
            return conv2d_shared_kernel<loading::one_thread, 0>;
        case loading::edge_threads:
            return conv2d_shared_kernel<loading::edge_threads, 0>;
        case loading::swept:
            return conv2d_shared_kernel<loading::swept, 0>;
        case loading::rows:
            return conv2d_shared_kernel<loading::rows, 0>;
        case loading::no_tile:
            return conv2d_untiled_kernel;
    }
    throw std::invalid_argument("loading " + std::to_string(int(how)) + ": there are 0 to 4");
}

static kernel_function kernel_for(int filter_width) {
    // begin 08.9 Return the kernel compiled for this width, for 3, 5, 7, 9 and 11.
    switch (filter_width) {
        case 3:
            return conv2d_shared_kernel<loading::swept, 3>;
        case 5:
            return conv2d_shared_kernel<loading::swept, 5>;
        case 7:
            return conv2d_shared_kernel<loading::swept, 7>;
        case 9:
            return conv2d_shared_kernel<loading::swept, 9>;
        case 11:
            return conv2d_shared_kernel<loading::swept, 11>;
    }
    // end 08.9
    return conv2d_shared_kernel<loading::swept, 0>;
}

void conv2d_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, loading how) {
    convolve(out, in, filter, width, height, filter_width, filter_height, kernel_for(how));
}

void conv2d_shared_unrolled(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                            int width, int height, int filter_width, int filter_height) {
    convolve(out, in, filter, width, height, filter_width, filter_height, kernel_for(filter_width));
}
