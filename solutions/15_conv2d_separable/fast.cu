// Lab 15, faster: a block marches down a strip, and nearly every row sum is made once.
//
// Of a strip of columns the next rows of pixels are always on their way into shared memory while those before them are summed:
// first along their rows, into a ring of row sums, then down the columns of the ring. A thread makes several neighbouring sums
// at once, so that it reads a pixel or a row sum once for all of them. Both sides of the filter are known to the compiler:
// others are padded with taps of 0, and the largest go to the kernel of the solution.
#include "conv2d_separable.h"

#include <cuda_pipeline.h>

#include <algorithm>
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
constexpr int CHUNK = 4;             // floats that are loaded at once
constexpr int STRIP = WARP * CHUNK;  // columns of a block
constexpr int ROW_SUMS = 8;          // side by side, which a thread makes at once
constexpr int ROWS = 8;              // of the outputs that it makes at once, in two columns

/// An image in device memory; rows start `pitch` floats apart, on 16 bytes; upwards, if it is upside down.
struct picture {
    float* out;
    const float* in;
    int width, height, out_pitch, in_pitch;

    __device__ picture upside_down() const {
        const ptrdiff_t last = height - 1;
        return {out + last * out_pitch, in + last * in_pitch, width, height, -out_pitch, -in_pitch};
    }
};

__host__ __device__ constexpr int round_up(int count, int multiple) {
    return (count + multiple - 1) / multiple * multiple;
}

/// A block's work for a filter of side x side taps. Between two barriers it sums `step` rows of pixels; of so many steps pixels
/// are in shared memory or under way.
template <int side, int step, int stages>
struct march {
    static constexpr int SIDE = side, STEP = step, STAGES = stages;
    static constexpr int THREADS = STRIP / 2 * STEP / ROWS, WARPS = THREADS / WARP;
    static constexpr int LEAST_BLOCKS = 24 / WARPS;  // a multiprocessor's: 80 registers for each thread
    /// Rows that are summed before the first output can be: the rows above it, in whole groups of ROWS.
    static constexpr int LEAD = round_up(SIDE - 1, ROWS);
    static constexpr int HALO = round_up(SIDE / 2, CHUNK);  // columns beside the strip, whole chunks

    // In shared memory rows are an odd number of chunks apart: chunks of neighbouring rows then lie in other banks.
    static constexpr int STAGE_PITCH = STRIP + 2 * HALO + CHUNK;
    static constexpr int RING_PITCH = STRIP + CHUNK;
    static constexpr int RING_ROWS = round_up(LEAD, STEP) + STEP;
    static constexpr int STAGE = STEP * STAGE_PITCH, RING = RING_ROWS * RING_PITCH;  // floats
    static constexpr size_t SHARED_BYTES = (STAGES * STAGE + RING) * sizeof(float);
};

/// Stores the chunk at column x, a multiple of CHUNK, of row y. Ghost cells are 0.
__device__ __forceinline__ void load_edge_chunk(float* to, const picture& image, int x, int y) {
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (y >= 0 && y < image.height && x >= 0 && x < image.width) {
        const float* chunk = &image.in[ptrdiff_t(y) * image.in_pitch + x];
        four.x = chunk[0];
        if (x + 1 < image.width) four.y = chunk[1];
        if (x + 2 < image.width) four.z = chunk[2];
        if (x + 3 < image.width) four.w = chunk[3];
    }
    *reinterpret_cast<float4*>(to) = four;
}

/// Asks for a chunk, and for the 128 bytes that it lies in as far as the L2 cache: neighbours are asked for next.
__device__ __forceinline__ void ask_for_chunk(float* to, const float* from) {
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
        "l"(from)
        : "memory");
#else
    __pipeline_memcpy_async(to, from, sizeof(float4));
#endif
}

/// Asks for the chunks at column x of a step that begins at row y of the image: those of every SPACING-th row from `row` on.
template <class march, int SPACING>
__device__ __forceinline__ void ask_for_chunks(float* stage, const picture& image, int x, int y, int row) {
    constexpr int STEP = march::STEP, PITCH = march::STAGE_PITCH;
    if (SPACING > STEP && row >= STEP) return;
    if (x < 0 || x + CHUNK > image.width || y < 0 || y + STEP > image.height) {
        for (; row < STEP; row += SPACING)
            load_edge_chunk(&stage[row * PITCH], image, x, y + row);
        return;
    }
    float* to = &stage[row * PITCH];
    const float* from = &image.in[ptrdiff_t(y + row) * image.in_pitch + x];
#pragma unroll
    for (int k = 0; k < STEP; k += SPACING, to += SPACING * PITCH, from += SPACING * image.in_pitch)
        ask_for_chunk(to, from);
}

/// All threads ask for a step's pixels, from column `left` and row y of the image on.
template <class march>
__device__ __forceinline__ void ask_for_step(float* stage, const picture& image, int left, int y) {
    const int first = threadIdx.x * CHUNK;
    ask_for_chunks<march, march::WARPS>(&stage[first], image, left + first, y, threadIdx.y);
    // A warp has asked for as many columns as a strip has; those that the halo adds are shared out among all threads.
    constexpr int MORE = 2 * march::HALO / CHUNK;
    constexpr int WIDE = MORE <= 2 ? 2 : MORE <= 4 ? 4 : MORE <= 8 ? 8 : 16;
    static_assert(MORE <= WIDE);
    const int chunk = threadIdx.x % WIDE, row = (threadIdx.y * WARP + threadIdx.x) / WIDE;
    const int column = STRIP + chunk * CHUNK;
    if (chunk < MORE)
        ask_for_chunks<march, march::THREADS / WIDE>(&stage[column], image, left + column, y, row);
}

/// Sums a step's pixels along their rows, into as many rows of the ring.
template <class march>
__device__ __forceinline__ void sum_rows(float* ring_rows, const float* stage) {
    constexpr int SIDE = march::SIDE;
    constexpr int SHIFT = march::HALO - SIDE / 2;  // columns before the first pixel that a sum needs
    constexpr int WINDOW = round_up(SHIFT + ROW_SUMS + SIDE - 1, CHUNK);
    constexpr int DOWN = WARP * ROW_SUMS / STRIP;  // rows of a warp
    const int column = threadIdx.x / DOWN * ROW_SUMS;
#pragma unroll 1
    for (int row = threadIdx.y * DOWN + threadIdx.x % DOWN; row < march::STEP; row += march::WARPS * DOWN) {
        const auto* from = reinterpret_cast<const float4*>(&stage[row * march::STAGE_PITCH + column]);
        float pixel[WINDOW], sum[ROW_SUMS] = {};
#pragma unroll
        for (int k = 0; k < WINDOW / CHUNK; k++) {
            const float4 read = from[k];
            pixel[k * CHUNK] = read.x;
            pixel[k * CHUNK + 1] = read.y;
            pixel[k * CHUNK + 2] = read.z;
            pixel[k * CHUNK + 3] = read.w;
        }
#pragma unroll
        for (int j = 0; j < SIDE; j++) {
#pragma unroll
            for (int q = 0; q < ROW_SUMS; q++)
                sum[q] += c_taps[j] * pixel[SHIFT + j + q];
        }
        auto* to = reinterpret_cast<float4*>(&ring_rows[row * march::RING_PITCH + column]);
        to[0] = make_float4(sum[0], sum[1], sum[2], sum[3]);
        to[1] = make_float4(sum[4], sum[5], sum[6], sum[7]);
    }
}

/// Sums down two columns of the ring, always from the top of the image: ROWS outputs each, the first of which begins at ring_row, a
/// multiple of ROWS.
template <class march, bool IS_UPSIDE_DOWN>
__device__ __forceinline__ void sum_columns(float2 (&sum)[ROWS], const float* ring, int ring_row,
                                            int column) {
    constexpr int SIDE = march::SIDE, LAST = SIDE + ROWS - 2;  // row under a filter, from ring_row on
    const float* from = nullptr;                               // the first of ROWS rows
#pragma unroll
    for (int k = 0; k <= LAST; k++) {
        const int r = IS_UPSIDE_DOWN ? LAST - k : k;
        if (k == 0 || r % ROWS == (IS_UPSIDE_DOWN ? ROWS - 1 : 0)) {
            const int row = ring_row + r / ROWS * ROWS;
            from =
                &ring[(row < march::RING_ROWS ? row : row - march::RING_ROWS) * march::RING_PITCH + column];
        }
        const float2 row_sums = *reinterpret_cast<const float2*>(&from[r % ROWS * march::RING_PITCH]);
#pragma unroll
        for (int q = 0; q < ROWS; q++) {
            const int i = r - q;  // row of the filter over output q
            if (i < 0 || i >= SIDE) continue;
            const float tap = c_taps[SIDE + (IS_UPSIDE_DOWN ? SIDE - 1 - i : i)];
            sum[q].x += tap * row_sums.x;
            sum[q].y += tap * row_sums.y;
        }
    }
}

/// Stores those of the outputs at column x, row y and below that lie in the image and before row end_y.
__device__ __forceinline__ void store_outputs(const float2 (&sum)[ROWS], const picture& image, int x, int y,
                                              int end_y) {
    float* first = &image.out[ptrdiff_t(y) * image.out_pitch + x];
    if (y + ROWS <= end_y && x + 2 <= image.width) {
#pragma unroll
        for (int q = 0; q < ROWS; q++, first += image.out_pitch)
            *reinterpret_cast<float2*>(first) = sum[q];
        return;
    }
#pragma unroll
    for (int q = 0; q < ROWS; q++, first += image.out_pitch) {
        if (y + q < end_y && x < image.width) first[0] = sum[q].x;
        if (y + q < end_y && x + 1 < image.width) first[1] = sum[q].y;
    }
}

/// The outputs of a strip from column strip_x, row first_y on, so many rows of them.
template <class march, bool IS_UPSIDE_DOWN>
__device__ __forceinline__ void march_down(const picture& image, int strip_x, int first_y, int rows) {
    constexpr int STEP = march::STEP, STAGES = march::STAGES, LEAD = march::LEAD;
    extern __shared__ float4 s_march[];
    float* const stages = reinterpret_cast<float*>(s_march);
    float* const ring = &stages[STAGES * march::STAGE];
    const int left = strip_x - march::HALO, top = first_y - march::SIDE / 2;
    const int steps = ceil_div(rows + LEAD, STEP);

#pragma unroll
    for (int step = 0; step < STAGES; step++) {
        if (step < steps) ask_for_step<march>(&stages[step * march::STAGE], image, left, top + step * STEP);
        __pipeline_commit();
    }
    const int thread = threadIdx.y * WARP + threadIdx.x;
    const int column = thread % (STRIP / 2) * 2, row = thread / (STRIP / 2) * ROWS;  // of a step's outputs
    int ring_row = 0;  // where the row sums of this step go
    for (int step = 0; step < steps; step++) {
        float* const stage = &stages[step % STAGES * march::STAGE];
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();  // all pixels of the step are there, and the row sums that are replaced now are done with
        sum_rows<march>(&ring[ring_row * march::RING_PITCH], stage);
        __syncthreads();  // all row sums are there, and the pixels done with
        const int next = step + STAGES;
        if (next < steps) ask_for_step<march>(stage, image, left, top + next * STEP);
        __pipeline_commit();

        const int y = step * STEP + row - LEAD;  // of the segment
        if (y >= 0 && y < rows) {
            float2 sum[ROWS] = {};
            const int first = ring_row + row - LEAD;
            sum_columns<march, IS_UPSIDE_DOWN>(sum, ring, first < 0 ? first + march::RING_ROWS : first,
                                               column);
            store_outputs(sum, image, strip_x + column, first_y + y, first_y + rows);
        }
        ring_row = ring_row + STEP == march::RING_ROWS ? 0 : ring_row + STEP;
    }
}

/// The part of a strip that is a block's, in the image or in the image upside down.
struct segment {
    picture image;
    int first_y, rows;
    bool is_upside_down;
};

/// How a strip is cut into segments, one below the other, a block each: every other one is marched up, so that neighbours read the
/// rows that both need at the same time, and memory sends them once. Blocks begin in order: first those of the large segments,
/// then, where one ended, those of the small ones. Multiprocessors are not equally fast: of large ones alone, on an H200, half
/// end when the slowest still has an eighth of its time to go.
struct segments {
    int large, large_rows, small_rows;

    __device__ segment at(int k, const picture& image) const {
        const int first_y = min(k, large) * large_rows + max(k - large, 0) * small_rows;
        const int rows = min(k < large ? large_rows : small_rows, image.height - first_y);
        if (k % 2 == 0) return {image, first_y, rows, false};
        return {image.upside_down(), image.height - first_y - rows, rows, true};
    }

    int count(int height) const {
        const int rest = height - large * large_rows;
        return rest > 0 ? large + ceil_div(rest, small_rows) : ceil_div(height, large_rows);
    }
};

/// What a block does, in the strip from column strip_x on.
template <class march>
__device__ __forceinline__ void march_through(const segment& mine, int strip_x) {
    if (mine.is_upside_down)
        march_down<march, true>(mine.image, strip_x, mine.first_y, mine.rows);
    else
        march_down<march, false>(mine.image, strip_x, mine.first_y, mine.rows);
}

template <class march>
__global__ void __launch_bounds__(march::THREADS, march::LEAST_BLOCKS)
    march_down_kernel(picture image, segments segments) {
    march_through<march>(segments.at(blockIdx.y, image), blockIdx.x * STRIP);
}

/// A kernel of the above and what it was compiled for.
struct cut {
    int side, step, lead;
    dim3 block;
    size_t shared_bytes;
    void (*kernel)(picture, segments);
};

template <class march>
cut cut_for(void (*kernel)(picture, segments)) {
    return {march::SIDE, march::STEP, march::LEAD, dim3(WARP, march::WARPS), march::SHARED_BYTES, kernel};
}

template <int SIDE, int STAGES>
cut cut_for() {
    using march = ::march<SIDE, 16, STAGES>;
    static_assert(march::SHARED_BYTES <= MAX_SHARED);
    return cut_for<march>(march_down_kernel<march>);
}

/// The smallest that has place for the filter, or nullptr.
static const cut* cut_of(int filter_width, int filter_height) {
    static const cut cuts[] = {cut_for<3, 2>(),  cut_for<5, 2>(),  cut_for<7, 2>(),  cut_for<9, 2>(),
                               cut_for<13, 2>(), cut_for<17, 2>(), cut_for<27, 2>(), cut_for<43, 1>()};
    for (const cut& next : cuts)
        if (filter_width <= next.side && filter_height <= next.side) return &next;
    return nullptr;
}

static int attribute_of_device(cudaDeviceAttr attribute) {
    int gpu = 0, value = 0;
    CUDA_CHECK(cudaGetDevice(&gpu));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, gpu));
    return value;
}

/// How many blocks of the kernel, which has been allowed its shared memory, the GPU holds at once.
static int blocks_at_once(const cut& chosen) {
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, chosen.kernel, int(chosen.block.x * chosen.block.y), chosen.shared_bytes));
    return std::max(1, blocks) * attribute_of_device(cudaDevAttrMultiProcessorCount);
}

/// For `strips` of `height` rows. Row sums above a segment are made once more: large segments are as large as leaves each block a
/// small one.
static segments segments_for(const cut& chosen, int strips, int height) {
    constexpr int MOST_ROWS = 512, LEAST_ROWS = 48, LEFT_ROWS = 64;
    const int at_once = std::max(1, blocks_at_once(chosen) / strips);  // segments of a strip
    const int large = at_once * ceil_div(height, at_once * MOST_ROWS);
    const int small_steps = ceil_div(LEAST_ROWS + chosen.lead, chosen.step);
    int large_steps = ceil_div(ceil_div(height, large) + chosen.lead, chosen.step);
    if (large_steps > 2 * small_steps) large_steps -= LEFT_ROWS / chosen.step;
    const auto rows_in = [&](int steps) { return steps * chosen.step - chosen.lead; };
    return {large, rows_in(large_steps), rows_in(std::min(large_steps, small_steps))};
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
    CUDA_CHECK(cudaFuncSetAttribute(chosen->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    int(chosen->shared_bytes)));
    set_filter(c_taps, row_then_column(padded(column, chosen->side), padded(row, chosen->side)));
    pitched_image<float> d_in(in, width, height), d_out(width, height);
    const picture image{d_out.data(),           d_in.data(),          width, height,
                        d_out.pitch_elements(), d_in.pitch_elements()};
    const int strips = ceil_div(width, STRIP);
    const segments cuts = segments_for(*chosen, strips, height);
    const dim3 grid(strips, cuts.count(height));
    timed_launch([&] { chosen->kernel<<<grid, chosen->block, chosen->shared_bytes>>>(image, cuts); });
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
