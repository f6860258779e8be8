// Lab 15 - separable filters: a column times a row, and filters that are sums of a few.
//
// Idea  Where every tap is column[i] * row[j], the rows of pixels can be summed first and these sums along the
//       columns after: M + M multiplications instead of M * M. The image between them is best never stored.
// Do    TODO 15.1 to 15.9. The contract is conv2d_separable.h; leave it as it is.
// Run   make lab15      (stuck: make hint15)
#include "conv2d_separable.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"
#include "svd.h"

constexpr int BLOCK_WIDTH = 32;   // a warp is one row: 32 neighbours, in 32 banks of shared memory
constexpr int BLOCK_HEIGHT = 32;  // rows of the halo are summed as well: a high tile has fewer of them

constexpr size_t MAX_SHARED = 48 * 1024;                // bytes of a block; more has to be asked for
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

// The taps of a row, then those of the column it belongs to; of several terms one after the other.
__constant__ float c_taps[MAX_TAPS];

// ---- In two passes.

/// row_sums[y][x] = the sum of the pixels beside (x, y) times the taps of the row.
__global__ void sum_rows_kernel(float* row_sums, const float* in, int width, int height, int filter_width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    // TODO 15.1 (about 4 lines) Add up the pixels of row y that lie under the taps of the row.
    row_sums[y * width + x] = sum;
}

/// out[y][x] = the sum of the row sums above and below (x, y) times the taps of the column.
__global__ void sum_columns_kernel(float* out, const float* row_sums, int width, int height, int filter_width,
                                   int filter_height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    // TODO 15.2 (about 4 lines) Add up the row sums of column x that lie under the taps of the column.
    (void)filter_width, (void)filter_height;  // unused so far: take this line out
    out[y * width + x] = sum;
}

static std::vector<float> row_then_column(std::span<const float> column, std::span<const float> row) {
    std::vector<float> taps(row.begin(), row.end());
    taps.insert(taps.end(), column.begin(), column.end());
    return taps;
}

static dim3 blocks_for(int width, int height) {
    return dim3(ceil_div(width, BLOCK_WIDTH), ceil_div(height, BLOCK_HEIGHT));
}

void conv2d_two_passes(std::span<float> out, std::span<const float> in, std::span<const float> column,
                       std::span<const float> row, int width, int height) {
    set_filter(c_taps, row_then_column(column, row));
    device_buffer<float> d_in(in), d_row_sums(in.size()), d_out(out.size());
    const int filter_width = int(row.size()), filter_height = int(column.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT), grid = blocks_for(width, height);
    timed_launch([&] {
        // TODO 15.3 (about 3 lines) Launch the two kernels, the second with what the first has stored.
        (void)filter_width, (void)filter_height, (void)block, (void)grid;  // unused so far: take this line out
    });
    d_out.copy_to(out);
}

// ---- In one kernel, for filters of one term or of several.

/// Bytes of a block: its tile of pixels and, as high but without the halo beside it, that of the sums along its rows.
/// Throws std::invalid_argument if no block has them.
static size_t shared_bytes(int filter_width, int filter_height) {
    // TODO 15.4 (about 8 lines) Return the bytes of both tiles; throw, naming them and the limit, beyond
    // MAX_SHARED.
    return MAX_SHARED;  // always as much as there is: replace this line
}

__global__ void conv2d_separable_kernel(float* out, const float* in, int width, int height, int filter_width,
                                        int filter_height, int terms) {
    extern __shared__ float s_tile[];
    const int tile_width = BLOCK_WIDTH + filter_width - 1;
    const int tile_height = BLOCK_HEIGHT + filter_height - 1;
    float* const s_row_sums = &s_tile[tile_width * tile_height];  // tile_height rows of BLOCK_WIDTH sums
    const int tx = threadIdx.x, ty = threadIdx.y;

    // TODO 15.5 (about 10 lines) Load the tile with its halo, ghost cells as 0, and wait for it.

    float sum = 0.0f;
    const float* taps = c_taps;  // of the term: its row, then its column
    for (int term = 0; term < terms; term++) {
        // TODO 15.6 (about 8 lines) Store the row sums of the whole height of the tile, and wait for them.
        (void)s_row_sums;  // unused so far: take this line out

        // TODO 15.7 (about 4 lines) Add the row sums under the taps of the column; let the next term store
        // when all have read.
        taps += filter_width + filter_height;
    }

    const int x = blockIdx.x * BLOCK_WIDTH + tx;
    const int y = blockIdx.y * BLOCK_HEIGHT + ty;
    if (x < width && y < height) out[y * width + x] = sum;
}

/// Convolves with so many terms; `taps` has their rows and columns.
static void convolve(std::span<float> out, std::span<const float> in, std::span<const float> taps, int width,
                     int height, int filter_width, int filter_height, int terms) {
    const size_t bytes = shared_bytes(filter_width, filter_height);
    set_filter(c_taps, taps);
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        conv2d_separable_kernel<<<blocks_for(width, height), block, bytes>>>(
            d_out.data(), d_in.data(), width, height, filter_width, filter_height, terms);
    });
    d_out.copy_to(out);
}

void conv2d_separable(std::span<float> out, std::span<const float> in, std::span<const float> column,
                      std::span<const float> row, int width, int height) {
    convolve(out, in, row_then_column(column, row), width, height, int(row.size()), int(column.size()), 1);
}

// ---- Which filters have few terms.

/// bounds[k] = the singular values left out if k terms are kept, added up.
static std::vector<double> bounds_of(const std::vector<filter_term>& terms) {
    std::vector<double> bounds(terms.size() + 1, 0.0);
    // TODO 15.8 (about 2 lines) Add up the weights from the smallest on; with all terms kept nothing is left
    // out.
    return bounds;
}

void low_rank_bounds(std::span<float> bounds, std::span<const float> filter, int filter_width,
                     int filter_height) {
    const std::vector<double> exact = bounds_of(filter_terms(filter, filter_width, filter_height));
    for (size_t k = 0; k < bounds.size(); k++)
        bounds[k] = float(exact[k]);
}

/// The fewest terms, one at least, whose bound is small enough. Throws std::invalid_argument if these do not pay.
static int terms_needed(const std::vector<double>& bounds, float max_bound, int filter_width,
                        int filter_height) {
    // TODO 15.9 (about 9 lines) Find how many are needed; throw, naming them and the most that pay, if these
    // are fewer.
    (void)bounds, (void)max_bound, (void)filter_width, (void)filter_height;  // unused so far: take this line out
    return 1;  // whatever the bound is: replace this line
}

void conv2d_low_rank(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int filter_width, int filter_height, float max_bound) {
    const std::vector<filter_term> terms = filter_terms(filter, filter_width, filter_height);
    const int needed = terms_needed(bounds_of(terms), max_bound, filter_width, filter_height);
    std::vector<float> taps;
    for (int k = 0; k < needed; k++) {
        for (const double tap : terms[k].row)
            taps.push_back(float(tap));
        for (const double tap : terms[k].column)
            taps.push_back(float(terms[k].weight * tap));
    }
    convolve(out, in, taps, width, height, filter_width, filter_height, needed);
}
