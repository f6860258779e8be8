// Lab 15, faster: a warp slides down a strip, and no sum ever leaves its registers.
//
// A thread owns a few columns. Of every row of pixels it makes their row sums, once, and adds these at once to all output
// rows they lie under, which it keeps in registers. Rows come into a ring in shared memory several ahead of their use, so
// that nobody waits for them; a ring belongs to one warp, so there are no barriers either. Both sides of the filter are
// known to the compiler: others are padded with taps of 0, and the largest go to the kernel of the solution.
#include "conv2d_separable.h"

#include <cuda_pipeline.h>

#include <stdexcept>
#include <string>
#include <type_traits>
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
    for (int j = 0; j < filter_width; j++) {
        const int from_x = x + j - filter_width / 2;
        if (from_x >= 0 && from_x < width) sum += c_taps[j] * in[y * width + from_x];
    }
    row_sums[y * width + x] = sum;
}

/// out[y][x] = the sum of the row sums above and below (x, y) times the taps of the column.
__global__ void sum_columns_kernel(float* out, const float* row_sums, int width, int height, int filter_width,
                                   int filter_height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int i = 0; i < filter_height; i++) {
        const int from_y = y + i - filter_height / 2;
        if (from_y >= 0 && from_y < height) sum += c_taps[filter_width + i] * row_sums[from_y * width + x];
    }
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
        sum_rows_kernel<<<grid, block>>>(d_row_sums.data(), d_in.data(), width, height, filter_width);
        sum_columns_kernel<<<grid, block>>>(d_out.data(), d_row_sums.data(), width, height, filter_width,
                                            filter_height);
    });
    d_out.copy_to(out);
}

// ---- In one kernel, for filters of one term or of several.

/// Bytes of a block: its tile of pixels and, as high but without the halo beside it, that of the sums along its rows.
/// Throws std::invalid_argument if no block has them.
static size_t shared_bytes(int filter_width, int filter_height) {
    const size_t tile_height = size_t(BLOCK_HEIGHT) + filter_height - 1;
    const size_t tile_width = size_t(BLOCK_WIDTH) + filter_width - 1;
    const size_t bytes = (tile_width + BLOCK_WIDTH) * tile_height * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("a tile and its row sums take " + std::to_string(bytes) +
                                    " bytes of shared memory: a block has at most " +
                                    std::to_string(MAX_SHARED));
    return bytes;
}

__global__ void conv2d_separable_kernel(float* out, const float* in, int width, int height, int filter_width,
                                        int filter_height, int terms) {
    extern __shared__ float s_tile[];
    const int tile_width = BLOCK_WIDTH + filter_width - 1;
    const int tile_height = BLOCK_HEIGHT + filter_height - 1;
    float* const s_row_sums = &s_tile[tile_width * tile_height];  // tile_height rows of BLOCK_WIDTH sums
    const int tx = threadIdx.x, ty = threadIdx.y;

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

    float sum = 0.0f;
    const float* taps = c_taps;  // of the term: its row, then its column
    for (int term = 0; term < terms; term++) {
        for (int row = ty; row < tile_height; row += BLOCK_HEIGHT) {
            const float* pixels = &s_tile[row * tile_width + tx];
            float row_sum = 0.0f;
            for (int j = 0; j < filter_width; j++)
                row_sum += taps[j] * pixels[j];
            s_row_sums[row * BLOCK_WIDTH + tx] = row_sum;
        }
        __syncthreads();  // the sums below read what other threads have stored

        const float* row_sums = &s_row_sums[ty * BLOCK_WIDTH + tx];
        for (int i = 0; i < filter_height; i++)
            sum += taps[filter_width + i] * row_sums[i * BLOCK_WIDTH];
        __syncthreads();  // the next term stores where other threads read
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

// ---- A filter of one term whose sides are known to the compiler.

constexpr int WARP = 32;
constexpr int WARPS = 4;  // of a block; they share nothing
constexpr int CHUNK = 4;  // floats that are loaded at once
constexpr int AHEAD =
    8;  // rows in a ring: one that is used and those under way, 4 KB of a strip of 128 columns

/// An image in device memory; rows start `pitch` floats apart, on 16 bytes.
struct picture {
    float* out;
    const float* in;
    int width, height, out_pitch, in_pitch;
};

/// Asks for the chunk at column x, a multiple of CHUNK, of row y. Ghost cells are 0.
__device__ __forceinline__ void load_chunk(float* to, const picture& image, int x, int y) {
    const bool is_row = y >= 0 && y < image.height;
    const float* from = &image.in[ptrdiff_t(y) * image.in_pitch + x];
    if (is_row && x >= 0 && x + CHUNK <= image.width) {
        __pipeline_memcpy_async(to, from, sizeof(float4));
        return;
    }
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (is_row && x >= 0 && x < image.width) {  // the image ends in this chunk
        four.x = from[0];
        if (x + 1 < image.width) four.y = from[1];
        if (x + 2 < image.width) four.z = from[2];
    }
    *reinterpret_cast<float4*>(to) = four;
}

/// The filter is SIDE x SIDE taps, a thread has COLUMNS columns of ROWS rows. A warp has 32 * COLUMNS columns.
template <int SIDE, int COLUMNS, int ROWS>
struct strip {
    static constexpr int WIDTH = WARP * COLUMNS;
    static constexpr int HALO =
        (SIDE / 2 + CHUNK - 1) / CHUNK * CHUNK;  // columns beside the strip, whole chunks
    static constexpr int RING_ROW = WIDTH + 2 * HALO;
    static constexpr int STEPS = ROWS + SIDE - 1;  // rows of pixels
    // What a thread reads of a row in the ring: its window, from a column that is a multiple of COLUMNS on.
    static constexpr int SKIPPED = (HALO - SIDE / 2) / COLUMNS * COLUMNS;
    static constexpr int SHIFT = HALO - SIDE / 2 - SKIPPED;
    static constexpr int WINDOW = (SHIFT + COLUMNS + SIDE - 1 + COLUMNS - 1) / COLUMNS * COLUMNS;

    /// All threads of the warp ask for a row of pixels.
    static __device__ __forceinline__ void load_row(float* ring_row, const picture& image, int x, int y) {
#pragma unroll
        for (int k = 0; k < RING_ROW; k += WARP * CHUNK) {
            const int column = k + threadIdx.x * CHUNK;
            if (column < RING_ROW) load_chunk(&ring_row[column], image, x - HALO + column, y);
        }
    }

    /// What this thread needs of a row, in registers.
    static __device__ __forceinline__ void read_window(float (&pixel)[WINDOW], const float* ring_row) {
        using vector = std::conditional_t<COLUMNS == 4, float4, float2>;
        static_assert(sizeof(vector) == COLUMNS * sizeof(float));
        const vector* from = reinterpret_cast<const vector*>(&ring_row[SKIPPED + threadIdx.x * COLUMNS]);
#pragma unroll
        for (int k = 0; k < WINDOW / COLUMNS; k++) {
            const vector read = from[k];
            pixel[k * COLUMNS] = read.x;
            pixel[k * COLUMNS + 1] = read.y;
            if constexpr (COLUMNS == 4) {
                pixel[k * COLUMNS + 2] = read.z;
                pixel[k * COLUMNS + 3] = read.w;
            }
        }
    }

    /// The outputs of this thread in row y, from column x on.
    static __device__ __forceinline__ void store(const float (&sum)[COLUMNS], const picture& image, int x,
                                                 int y) {
        float* first = &image.out[size_t(y) * image.out_pitch + x];
        if (x + COLUMNS <= image.width) {
            if constexpr (COLUMNS == 4)
                *reinterpret_cast<float4*>(first) = make_float4(sum[0], sum[1], sum[2], sum[3]);
            else
                *reinterpret_cast<float2*>(first) = make_float2(sum[0], sum[1]);
            return;
        }
#pragma unroll
        for (int q = 0; q < COLUMNS; q++)
            if (x + q < image.width) first[q] = sum[q];
    }
};

template <int SIDE, int COLUMNS, int ROWS>
__global__ void __launch_bounds__(WARP* WARPS, SIDE < 43 ? 4 : 2) slide_down_kernel(picture image) {
    using strip = ::strip<SIDE, COLUMNS, ROWS>;
    __shared__ alignas(float4) float s_ring[WARPS][AHEAD][strip::RING_ROW];
    float(*ring)[strip::RING_ROW] = s_ring[threadIdx.y];
    const int strip_x = (blockIdx.x * WARPS + threadIdx.y) * strip::WIDTH;
    if (strip_x >= image.width) return;  // the whole warp
    const int x = strip_x + threadIdx.x * COLUMNS;
    const int first_y = blockIdx.y * ROWS;
    const int rows = min(ROWS, image.height - first_y);
    const int steps = rows + SIDE - 1;
    const int top = first_y - SIDE / 2;

#pragma unroll
    for (int step = 0; step < AHEAD - 1; step++) {
        strip::load_row(ring[step], image, strip_x, top + step);
        __pipeline_commit();
    }
    // Output row o is open while steps o to o + SIDE - 1 add to it; its sums are those of slot o % SIDE.
    float sum[SIDE][COLUMNS] = {};
    for (int turn = 0; turn < steps; turn += SIDE) {
#pragma unroll
        for (int slot = 0; slot < SIDE; slot++) {
            const int step = turn + slot;
            if (step >= steps) break;
            __pipeline_wait_prior(AHEAD - 2);
            __syncwarp();  // what other lanes have loaded is there, and all have read the row that is replaced now
            const int next = step + AHEAD - 1;
            if (next < steps) strip::load_row(ring[next % AHEAD], image, strip_x, top + next);
            __pipeline_commit();

            float pixel[strip::WINDOW], row_sum[COLUMNS] = {};
            strip::read_window(pixel, ring[step % AHEAD]);
#pragma unroll
            for (int j = 0; j < SIDE; j++) {
#pragma unroll
                for (int q = 0; q < COLUMNS; q++)
                    row_sum[q] += c_taps[j] * pixel[strip::SHIFT + j + q];
            }
#pragma unroll
            for (int q = 0; q < COLUMNS; q++)
                sum[slot][q] = c_taps[SIDE] * row_sum[q];  // the output row that begins here
#pragma unroll
            for (int i = 1; i < SIDE; i++) {
#pragma unroll
                for (int q = 0; q < COLUMNS; q++)
                    sum[(slot + SIDE - i) % SIDE][q] += c_taps[SIDE + i] * row_sum[q];
            }
            if (step >= SIDE - 1 && x < image.width)  // the one that ends here
                strip::store(sum[(slot + 1) % SIDE], image, x, first_y + step - (SIDE - 1));
        }
    }
}

/// A kernel of the above and what it was compiled for.
struct cut {
    int side, columns, rows;
    void (*kernel)(picture);
};

template <int SIDE, int COLUMNS, int ROWS>
constexpr cut cut_for = {SIDE, COLUMNS, ROWS, slide_down_kernel<SIDE, COLUMNS, ROWS>};

// The halo above and below a strip is read from device memory once more: the larger the filter, the longer its strips. 4
// columns of 64 rows a thread, or 2 of 128, leave 15 warps for each of 132 multiprocessors at 4096 x 4096.
static const cut* cut_of(int filter_width, int filter_height) {
    static const cut cuts[] = {cut_for<3, 4, 64>,   cut_for<5, 4, 64>,   cut_for<7, 2, 128>,
                               cut_for<9, 2, 128>,  cut_for<13, 2, 128>, cut_for<17, 2, 128>,
                               cut_for<27, 2, 128>, cut_for<43, 2, 128>};
    for (const cut& next : cuts)
        if (filter_width <= next.side && filter_height <= next.side) return &next;
    return nullptr;
}

/// These taps in the middle of so many.
static std::vector<float> padded(std::span<const float> taps, int side) {
    std::vector<float> wide(size_t(side), 0.0f);
    std::copy(taps.begin(), taps.end(), wide.begin() + (side - int(taps.size())) / 2);
    return wide;
}

void conv2d_separable(std::span<float> out, std::span<const float> in, std::span<const float> column,
                      std::span<const float> row, int width, int height) {
    const cut* chosen = cut_of(int(row.size()), int(column.size()));
    if (chosen == nullptr) {
        convolve(out, in, row_then_column(column, row), width, height, int(row.size()), int(column.size()),
                 1);
        return;
    }
    set_filter(c_taps, row_then_column(padded(column, chosen->side), padded(row, chosen->side)));
    pitched_image<float> d_in(in, width, height), d_out(width, height);
    const picture image{d_out.data(),           d_in.data(),          width, height,
                        d_out.pitch_elements(), d_in.pitch_elements()};
    const dim3 block(WARP, WARPS);
    const dim3 grid(ceil_div(width, WARP * WARPS * chosen->columns), ceil_div(height, chosen->rows));
    const auto kernel = chosen->kernel;
    timed_launch([&] { kernel<<<grid, block>>>(image); });
    d_out.copy_to(out);
}

// ---- Which filters have few terms.

/// bounds[k] = the singular values left out if k terms are kept, added up.
static std::vector<double> bounds_of(const std::vector<filter_term>& terms) {
    std::vector<double> bounds(terms.size() + 1, 0.0);
    for (size_t k = terms.size(); k-- > 0;)
        bounds[k] = bounds[k + 1] + terms[k].weight;
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
    int needed = 1;
    while (bounds[needed] > max_bound)
        needed++;
    const int most = std::max(1, filter_width * filter_height / (filter_width + filter_height));
    if (needed > most)
        throw std::invalid_argument("the filter takes " + std::to_string(needed) +
                                    " columns times rows for this bound: at most " + std::to_string(most) +
                                    " of them pay");
    return needed;
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
