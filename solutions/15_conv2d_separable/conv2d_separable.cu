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
    // begin 15.1 Add up the pixels of row y that lie under the taps of the row.
    for (int j = 0; j < filter_width; j++) {
        const int from_x = x + j - filter_width / 2;
        if (from_x >= 0 && from_x < width) sum += c_taps[j] * in[y * width + from_x];
    }
    // end 15.1
    row_sums[y * width + x] = sum;
}

/// out[y][x] = the sum of the row sums above and below (x, y) times the taps of the column.
__global__ void sum_columns_kernel(float* out, const float* row_sums, int width, int height, int filter_width,
                                   int filter_height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    // begin 15.2 Add up the row sums of column x that lie under the taps of the column.
    // skeleton: (void)filter_width, (void)filter_height;  // unused so far: take this line out
    for (int i = 0; i < filter_height; i++) {
        const int from_y = y + i - filter_height / 2;
        if (from_y >= 0 && from_y < height) sum += c_taps[filter_width + i] * row_sums[from_y * width + x];
    }
    // end 15.2
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
        // begin 15.3 Launch the two kernels, the second with what the first has stored.
        // skeleton: (void)filter_width, (void)filter_height, (void)block, (void)grid;  // unused so far: take this line out
        sum_rows_kernel<<<grid, block>>>(d_row_sums.data(), d_in.data(), width, height, filter_width);
        sum_columns_kernel<<<grid, block>>>(d_out.data(), d_row_sums.data(), width, height, filter_width,
                                            filter_height);
        // end 15.3
    });
    d_out.copy_to(out);
}

// ---- In one kernel, for filters of one term or of several.

/// Bytes of a block: its tile of pixels and, as high but without the halo beside it, that of the sums along its rows.
/// Throws std::invalid_argument if no block has them.
static size_t shared_bytes(int filter_width, int filter_height) {
    // begin 15.4 Return the bytes of both tiles; throw, naming them and the limit, beyond MAX_SHARED.
    // skeleton: return MAX_SHARED;  // always as much as there is: replace this line
    const size_t tile_height = size_t(BLOCK_HEIGHT) + filter_height - 1;
    const size_t tile_width = size_t(BLOCK_WIDTH) + filter_width - 1;
    const size_t bytes = (tile_width + BLOCK_WIDTH) * tile_height * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("a tile and its row sums take " + std::to_string(bytes) +
                                    " bytes of shared memory: a block has at most " +
                                    std::to_string(MAX_SHARED));
    return bytes;
    // end 15.4
}

__global__ void conv2d_separable_kernel(float* out, const float* in, int width, int height, int filter_width,
                                        int filter_height, int terms) {
    extern __shared__ float s_tile[];
    const int tile_width = BLOCK_WIDTH + filter_width - 1;
    const int tile_height = BLOCK_HEIGHT + filter_height - 1;
    float* const s_row_sums = &s_tile[tile_width * tile_height];  // tile_height rows of BLOCK_WIDTH sums
    const int tx = threadIdx.x, ty = threadIdx.y;

    // begin 15.5 Load the tile with its halo, ghost cells as 0, and wait for it.
    const int left = int(blockIdx.x) * BLOCK_WIDTH - filter_width / 2;  // at the tile's (0, 0)
    const int top = int(blockIdx.y) * BLOCK_HEIGHT - filter_height / 2;
    for (int row = ty; row < tile_height; row += BLOCK_HEIGHT) {
        for (int column = tx; column < tile_width; column += BLOCK_WIDTH) {
            const int from_x = left + column, from_y = top + row;
            const bool inside = from_x >= 0 && from_x < width && from_y >= 0 && from_y < height;
            s_tile[row * tile_width + column] = inside ? in[from_y * width + from_x] : 0.0f;
        }
    }
    __syncthreads();  // the row sums read what other threads have loaded
    // end 15.5

    float sum = 0.0f;
    const float* taps = c_taps;  // of the term: its row, then its column
    for (int term = 0; term < terms; term++) {
        // begin 15.6 Store the row sums of the whole height of the tile, and wait for them.
        // skeleton: (void)s_row_sums;  // unused so far: take this line out
        for (int row = ty; row < tile_height; row += BLOCK_HEIGHT) {
            const float* pixels = &s_tile[row * tile_width + tx];
            float row_sum = 0.0f;
            for (int j = 0; j < filter_width; j++)
                row_sum += taps[j] * pixels[j];
            s_row_sums[row * BLOCK_WIDTH + tx] = row_sum;
        }
        __syncthreads();  // the sums below read what other threads have stored
        // end 15.6

        // begin 15.7 Add the row sums under the taps of the column; let the next term store when all have read.
        const float* row_sums = &s_row_sums[ty * BLOCK_WIDTH + tx];
        for (int i = 0; i < filter_height; i++)
            sum += taps[filter_width + i] * row_sums[i * BLOCK_WIDTH];
        __syncthreads();  // the next term stores where other threads read
        // end 15.7
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
    // begin 15.8 Add up the weights from the smallest on; with all terms kept nothing is left out.
    for (size_t k = terms.size(); k-- > 0;)
        bounds[k] = bounds[k + 1] + terms[k].weight;
    // end 15.8
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
    // begin 15.9 Find how many are needed; throw, naming them and the most that pay, if these are fewer.
    // skeleton: (void)bounds, (void)max_bound, (void)filter_width, (void)filter_height;  // unused so far: take this line out
    // skeleton: return 1;  // whatever the bound is: replace this line
    int needed = 1;
    while (bounds[needed] > max_bound)
        needed++;
    const int most = std::max(1, filter_width * filter_height / (filter_width + filter_height));
    if (needed > most)
        throw std::invalid_argument("the filter takes " + std::to_string(needed) +
                                    " columns times rows for this bound: at most " + std::to_string(most) +
                                    " of them pay");
    return needed;
    // end 15.9
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
