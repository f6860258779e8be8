// Lab 08, faster: fewer tests, and loads that do not wait for one another.
//
// A loop without a test in it can be unrolled, and then asks for several cells before it stores the first.
// So thread (0, 0) goes through the halo in pieces that hold nothing but halo, and blocks without a tile
// that have all their taps inside the image test none. The sums follow pointers that move on by a row: with
// a width that it knows, nvcc then writes out four rows of the filter in a turn instead of eight.
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
    const size_t tile_width = BLOCK_WIDTH + filter_width - 1;
    const size_t tile_height = BLOCK_HEIGHT + filter_height - 1;
    return tile_width * tile_height * sizeof(float);
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

/// Loads one cell of the tile.
__device__ __forceinline__ void load_cell(const halo_tile& tile, const image_view& in, int column, int row) {
    const int x = tile.left + column, y = tile.top + row;
    // As unsigned numbers the negative ones are large: one comparison tests both ends.
    const bool inside = unsigned(x) < unsigned(in.width) && unsigned(y) < unsigned(in.height);
    tile.cells[row * tile.width + column] = inside ? in.pixels[y * in.width + x] : 0.0f;
}

static __device__ void load_by_one_thread(const halo_tile& tile, const image_view& in) {
    load_cell(tile, in, tile.halo_x + threadIdx.x, tile.halo_y + threadIdx.y);
    if (threadIdx.x != 0 || threadIdx.y != 0) return;
    for (int k = 0; k < 2 * tile.halo_y; k++) {
        const int row = k < tile.halo_y ? k : k + BLOCK_HEIGHT;  // above the outputs, then below
        for (int column = 0; column < tile.width; column++)
            load_cell(tile, in, column, row);
    }
    for (int k = 0; k < 2 * tile.halo_x; k++) {
        const int column = k < tile.halo_x ? k : k + BLOCK_WIDTH;  // left of them, then right
        // Down the columns: nvcc knows their length and unrolls all of it.
        for (int row = 0; row < BLOCK_HEIGHT; row++)
            load_cell(tile, in, column, tile.halo_y + row);
    }
}

static __device__ void load_by_edge_threads(const halo_tile& tile, const image_view& in) {
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
            // A cell of each corner: these four loads wait for memory together.
            load_cell(tile, in, j, i);
            load_cell(tile, in, right + j, i);
            load_cell(tile, in, j, below + i);
            load_cell(tile, in, right + j, below + i);
        }
    }
}

static __device__ void load_swept(const halo_tile& tile, const image_view& in) {
    for (int row = threadIdx.y; row < tile.height; row += BLOCK_HEIGHT) {
        for (int column = threadIdx.x; column < tile.width; column += BLOCK_WIDTH)
            load_cell(tile, in, column, row);
    }
}

static __device__ void load_rows(const halo_tile& tile, const image_view& in) {
    const int first = threadIdx.y * BLOCK_WIDTH + threadIdx.x;
    for (int cell = first; cell < tile.width * tile.height; cell += BLOCK_WIDTH * BLOCK_HEIGHT)
        load_cell(tile, in, cell % tile.width, cell / tile.width);
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
    __syncthreads();  // the sums below read what other threads have stored above
    if (x >= width || y >= height) return;

    float sum = 0.0f;
    const float* cells = &tile.cells[threadIdx.y * tile.width + threadIdx.x];  // under the first row of taps
    const float* taps = c_filter;
    for (int i = 0; i < filter_height; i++) {
#pragma unroll
        for (int j = 0; j < filter_width; j++)
            sum += taps[j] * cells[j];  // no test: ghost cells are in the tile
        cells += tile.width;
        taps += filter_width;
    }
    out[y * width + x] = sum;
}

/// No tile: lab 06, with a filter that need not be square.
__global__ void conv2d_untiled_kernel(float* out, const float* in, int width, int height, int filter_width,
                                      int filter_height) {
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x;
    const int y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= height) return;

    const int halo_x = filter_width / 2, halo_y = filter_height / 2;
    const int left = x - halo_x, top = y - halo_y;  // the pixel under the first tap
    // Most blocks have all their taps inside the image and no use for tests. One answer for the whole block,
    // so no warp is divided.
    const int block_x = blockIdx.x * BLOCK_WIDTH, block_y = blockIdx.y * BLOCK_HEIGHT;
    const bool inner = block_x >= halo_x && block_x + BLOCK_WIDTH + halo_x <= width && block_y >= halo_y &&
                       block_y + BLOCK_HEIGHT + halo_y <= height;
    float sum = 0.0f;
    if (inner) {
        for (int i = 0; i < filter_height; i++) {
            for (int j = 0; j < filter_width; j++)
                sum += c_filter[i * filter_width + j] * in[(top + i) * width + left + j];
        }
    } else {
        for (int i = 0; i < filter_height; i++) {
            if (top + i < 0 || top + i >= height) continue;
            for (int j = 0; j < filter_width; j++) {
                if (left + j < 0 || left + j >= width) continue;
                sum += c_filter[i * filter_width + j] * in[(top + i) * width + left + j];
            }
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
        kernel = conv2d_untiled_kernel;
        bytes = 0;
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
