// Convolution by the matrix units of Hopper, to the accuracy of float.
//
// Pixels and taps are split into two halves each, v = high + low, which keep 22 bits of v; three products, high * high +
// high * low + low * high, are summed in float.
//
// A patch is 8 x 8 outputs. For row r of the pixels that a patch depends on, and the 8 x CHUNKS columns of them,
//
//   outputs[8 * s + c][patch] += sum over k of  taps[r - s][k - c] * pixels[row of patch + r][column of patch + k]
//
// is a product of a matrix made of the filter, 64 x K, with one of pixels, K x patches; taps outside the filter are 0. Summed over
// r = 0 .. height + 6 that is the convolution. The pixels' matrix needs no copy of its own: a tile lies in shared memory row by
// row, in chunks of 8 pixels, 16 bytes of halves. 8 patches side by side begin at 8 chunks side by side, which is what the
// instruction wants; where the next 8 patches lie, and the next 8 columns, is a distance that it is told.
//
// The matrix units cut their sums off instead of rounding them, an error with a direction, which grows with their number:
// after a few products they are added to ordinary sums and begun anew.
#pragma once
#include <cuda_fp16.h>

#include "chained.h"
#include "hopper.cuh"
#include "stack_map.h"

namespace fastest {

constexpr int PATCH = 8;          // sides in pixels, and the pixels of a chunk
constexpr int TILE_COLUMNS = 64;  // 8 patches side by side
constexpr int LOADERS = 7;        // warps that load; one stores, groups of four multiply
constexpr int MOST_STAGES = 4;
constexpr int MOST_AHEAD =
    2;  // strips of a warp under way; with more of them a block's first tile comes late
constexpr int MOST_SLICES =
    5;  // of 16 columns, multiplied before sums are added up: operands take 8 registers each
constexpr int SERVANTS = (LOADERS + 1) / 4;  // groups of four that do not multiply

/// Where a tile lies: in tiles, and in which image.
struct tile_place {
    int column, row, image;
};

/// Which tiles of an image are computed: whole rows of them at the top and at the bottom, and of those between some at the
/// left and at the right; the same in all images.
struct tile_set {
    int columns, rows;  // of the image
    int top, bottom, left, right;
    int in_image, images;

    __host__ __device__ int size() const { return images * in_image; }
    __host__ __device__ tile_place at(int of_all) const {
        const int image = images == 1 ? 0 : of_all / in_image, k = of_all - image * in_image;
        if (k < (top + bottom) * columns) {
            const int row = k / columns;
            return {k - row * columns, row < top ? row : rows - bottom + row - top, image};
        }
        const int between = k - (top + bottom) * columns, in_row = left + right, row = between / in_row;
        const int column = between - row * in_row;
        return {column < left ? column : columns - right + column - left, top + row, image};
    }
};

/// What the kernel is told besides where the images lie.
struct tensor_job {
    const uint32_t* table;  // the filter, tensor_shape::table_words(filter_height) pairs of halves
    int filter_height;
    int left;              // columns that are loaded left of a tile, a multiple of 4
    float scale, unscale;  // of pixels before they are split; of the sums, which undoes that of the taps, too
    int stages;            // tiles in shared memory, no fewer than groups that multiply
    int ahead;             // strips of pixels that a warp has asked for
    tile_set tiles;
};

/// How the work is cut; all of it known to the compiler. A window is CHUNKS chunks wide, a group of four warps computes
/// PATCHES patches at a time, MULTIPLIERS groups do; PARTS halves make a value, 1 or 2.
template <int CHUNKS, int PATCHES, int MULTIPLIERS, int PARTS>
struct tensor_shape {
    static constexpr int TILE_ROWS = PATCHES;
    static constexpr int TILE_CHUNKS =
        TILE_COLUMNS / PATCH + CHUNKS - 1;                 // of a row of the tile with its halo
    static constexpr int GROUPS = MULTIPLIERS + SERVANTS;  // of four warps
    static constexpr int THREADS = GROUPS * hopper::WARPGROUP;
    static constexpr int SUMS = PATCHES / 2;  // of a thread
    static constexpr int SLICES = lab::ceil_div(CHUNKS, lab::ceil_div(CHUNKS, MOST_SLICES));
    // All registers of a multiprocessor, for a launch that gives every thread as many.
    static constexpr int AT_LAUNCH = 65536 / THREADS / 8 * 8;
    static constexpr int LOADING = 56;
    static constexpr int MULTIPLYING = (AT_LAUNCH * GROUPS - LOADING * SERVANTS) / MULTIPLIERS / 8 * 8;

    /// Of one row of the filter in one part: pairs of neighbours from tap -7 of the window on.
    static constexpr int ROW_WORDS = PATCH * (CHUNKS + 1);
    /// The filter's rows, and one of zeros.
    __host__ __device__ static constexpr int table_words(int filter_height) {
        return (filter_height + 1) * PARTS * ROW_WORDS;
    }

    // 8 rows of a tile, as the copy engine brings them.
    static constexpr int STRIP_CHUNKS = PATCH * TILE_CHUNKS,
                         STRIP_BYTES = STRIP_CHUNKS * PATCH * int(sizeof(float));
    static constexpr int CHUNKS_OF_LANE = lab::ceil_div(STRIP_CHUNKS, 32);
    /// Of a tile with its halo.
    __host__ __device__ static constexpr int strips(int filter_height) {
        return lab::ceil_div(TILE_ROWS + filter_height - 1, PATCH);
    }
    /// Chunks of a tile's high halves, behind which the low ones lie.
    __host__ __device__ static constexpr int part(int filter_height) {
        return strips(filter_height) * STRIP_CHUNKS;
    }
    /// In the end the tile's outputs take the place of its pixels.
    __host__ __device__ static constexpr int stage_bytes(int filter_height) {
        const int pixels = PARTS * part(filter_height) * 16,
                  outputs = TILE_ROWS * TILE_COLUMNS * int(sizeof(float));
        return pixels > outputs ? pixels : outputs;
    }
    static constexpr int BARRIER_BYTES =
        lab::ceil_div((3 * MOST_STAGES + LOADERS * MOST_AHEAD) * 8, 128) * 128;
    __host__ __device__ static constexpr int table_bytes(int filter_height) {
        return lab::ceil_div(table_words(filter_height) * 4, 128) * 128;
    }
    static constexpr size_t shared_bytes(int filter_height, int stages, int ahead) {
        return BARRIER_BYTES + size_t(LOADERS) * ahead * STRIP_BYTES + table_bytes(filter_height) +
               size_t(stages) * stage_bytes(filter_height);
    }
};

/// Stores 8 pixels as chunks of halves: the high ones, and `part` chunks further the low ones.
template <int PARTS>
__device__ __forceinline__ void store_split(uint4* to, int part, const float4 (&from)[2], float scale) {
    const float4 first = from[0], second = from[1];
    const float value[PATCH] = {first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w};
    __half2 high[PATCH / 2], low[PATCH / 2];
#pragma unroll
    for (int k = 0; k < PATCH / 2; k++) {
        const float a = value[2 * k] * scale, b = value[2 * k + 1] * scale;
        high[k] = __floats2half2_rn(a, b);
        low[k] = __floats2half2_rn(a - __low2float(high[k]), b - __high2float(high[k]));
    }
    *to = *reinterpret_cast<uint4*>(high);
    if constexpr (PARTS == 2) to[part] = *reinterpret_cast<uint4*>(low);
}

/// What is in shared memory. Barriers are told by what they wait for.
struct tensor_memory {
    uint64_t *full, *done,
        *free;          // of a stage: its pixels have come; its outputs have; nobody needs them any more
    uint64_t* arrived;  // a strip
    unsigned char *strips, *table, *stages;

    template <class shape>
    __device__ static tensor_memory in(unsigned char* s_all, const tensor_job& job) {
        auto* const barriers = reinterpret_cast<uint64_t*>(s_all);
        unsigned char* const strips = s_all + shape::BARRIER_BYTES;
        unsigned char* const table = strips + LOADERS * job.ahead * shape::STRIP_BYTES;
        return {barriers,
                barriers + MOST_STAGES,
                barriers + 2 * MOST_STAGES,
                barriers + 3 * MOST_STAGES,
                strips,
                table,
                table + shape::table_bytes(job.filter_height)};
    }
};

#ifdef COPY_ENGINE
/// A strip of a block's tiles: which tile it belongs to, and how many strips lie above it there.
class strip_place {
public:
    __device__ strip_place(const tensor_job& job, int in_tile, int strip)
        : job_(job), in_tile_(in_tile), down(strip) {
        find_tile();
    }
    /// The next strip of a warp.
    __device__ void advance() {
        down += LOADERS;
        if (down >= in_tile_) find_tile();
    }
    /// Whether the block has such a tile.
    __device__ bool exists() const { return blockIdx.x + turn * gridDim.x < job_.tiles.size(); }

private:
    __device__ void find_tile() {
        for (; down >= in_tile_; down -= in_tile_)
            turn++;
        tile = job_.tiles.at(blockIdx.x + turn * gridDim.x);
    }
    const tensor_job& job_;
    int in_tile_;

public:
    int down, turn = 0;
    tile_place tile;
};

/// The part of a warp that loads: of all strips of the block's tiles every LOADERS-th. It has a few of its own under way from
/// the image; those that have come it splits, into a stage that is free.
template <class shape, int PARTS>
__device__ __forceinline__ void load_strips(const tensor_memory& shared, const tensor_job& job,
                                            const image_map& map) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int in_tile = shape::strips(job.filter_height), part = shape::part(job.filter_height);
    const int stage_bytes = shape::stage_bytes(job.filter_height);
    unsigned char* const buffers = shared.strips + warp * job.ahead * shape::STRIP_BYTES;
    uint64_t* const arrived = shared.arrived + warp * job.ahead;
    strip_place asked(job, in_tile, warp), split(job, in_tile, warp);
    const auto ask = [&](int buffer) {
        if (lane == 0 && asked.exists()) {
            auto* const barrier = reinterpret_cast<unsigned long long*>(&arrived[buffer]);
            expect_bytes(barrier, shape::STRIP_BYTES);
            copy_box_of(asked.tile.image, reinterpret_cast<float4*>(buffers + buffer * shape::STRIP_BYTES),
                        map, asked.tile.column * TILE_COLUMNS - job.left,
                        asked.tile.row * shape::TILE_ROWS - job.filter_height / 2 + asked.down * PATCH,
                        barrier);
        }
        asked.advance();
    };
    wait_for_launch_before();
    for (int k = 0; k < job.ahead; k++)
        ask(k);
    int buffer = 0;
    for (uint32_t parity = 0; split.exists(); split.advance()) {
        const int stage = split.turn % job.stages;
        hopper::wait_for_phase(&arrived[buffer], parity);
        hopper::wait_for_phase(&shared.free[stage],
                               split.turn / job.stages + 1 & 1);  // free before it was ever used
        const float4* from = reinterpret_cast<const float4*>(buffers + buffer * shape::STRIP_BYTES);
        uint4* to =
            reinterpret_cast<uint4*>(shared.stages + stage * stage_bytes) + split.down * shape::STRIP_CHUNKS;
        float4 pixels[shape::CHUNKS_OF_LANE][2];  // all are read before the first is stored
#pragma unroll
        for (int k = 0; k < shape::CHUNKS_OF_LANE; k++) {
            const int chunk = lane + 32 * k;
            if (chunk < shape::STRIP_CHUNKS)
                pixels[k][0] = from[2 * chunk], pixels[k][1] = from[2 * chunk + 1];
        }
#pragma unroll
        for (int k = 0; k < shape::CHUNKS_OF_LANE; k++) {
            const int chunk = lane + 32 * k;
            if (chunk < shape::STRIP_CHUNKS) store_split<PARTS>(&to[chunk], part, pixels[k], job.scale);
        }
        hopper::show_to_engines();
        __syncwarp();  // all lanes have read the strip and stored their chunks
        if (lane == 0) hopper::arrive(&shared.full[stage]);
        ask(buffer);
        if (++buffer == job.ahead) buffer = 0, parity ^= 1;
    }
}

/// The part of the thread that stores: it has the copy engine bring finished tiles to the image.
template <class shape>
__device__ __forceinline__ void store_tiles(const tensor_memory& shared, const tensor_job& job,
                                            const image_map& map) {
    const int tiles = job.tiles.size();
    int turn = 0;
    for (int k = blockIdx.x; k < tiles; k += gridDim.x, turn++) {
        const tile_place tile = job.tiles.at(k);
        const int stage = turn % job.stages;
        hopper::wait_for_phase(&shared.done[stage], turn / job.stages & 1);
        store_box_of(tile.image, map, tile.column * TILE_COLUMNS, tile.row * shape::TILE_ROWS,
                     shared.stages + stage * shape::stage_bytes(job.filter_height));
        hopper::wait_until_read();
        hopper::arrive(&shared.free[stage]);
    }
}
#endif

/// A word of the filter's table, read anew for every operand: two operands in one register would have to wait for
/// each other.
__device__ __forceinline__ uint32_t table_word(uint32_t address) {
    uint32_t word = 0;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(address));
    return word;
}

/// Where the two chunks of a slice lie in two rows of a window: there are CHUNKS / 2 slices in the upper row, as many in the
/// lower one and, if CHUNKS is odd, one that has the last chunk of both.
struct slice_place {
    int row, chunk, next_row, next_chunk;
};
template <int CHUNKS>
__device__ constexpr slice_place place_of(int slice) {
    constexpr int IN_ROW = CHUNKS > 1 ? CHUNKS / 2 : 1;
    if (slice == CHUNKS - 1 && CHUNKS % 2 == 1) return {0, CHUNKS - 1, 1, CHUNKS - 1};
    const int row = slice / IN_ROW, chunk = slice % IN_ROW * 2;
    return {row, chunk, row, chunk + 1};
}

/// The multipliers' part: the sums of a tile whose pixels lie in `stage`.
template <int CHUNKS, int PATCHES, int MULTIPLIERS, int PARTS>
__device__ __forceinline__ void multiply_tile(float (&total)[PATCHES / 2], uint32_t stage, uint32_t table,
                                              int filter_height) {
    using shape = tensor_shape<CHUNKS, PATCHES, MULTIPLIERS, PARTS>;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4, g = lane / 4, t = lane % 4;
    constexpr int ROW = shape::TILE_CHUNKS;  // chunks
    const uint32_t part = shape::part(filter_height);
    // Distances in chunks: from patches to those below them, and from 8 columns to the 8 that are multiplied with them, which lie
    // beside or, where a row has an odd number of chunks, below.
    constexpr uint64_t TO_PATCHES = uint64_t(PATCH * ROW) << 32;
    constexpr uint64_t BESIDE = TO_PATCHES | uint64_t(1) << 16, BELOW = TO_PATCHES | uint64_t(ROW) << 16;
    const uint32_t words = table + 4 * (7 + 2 * t - g);
    constexpr int ROW_BYTES = 4 * PARTS * shape::ROW_WORDS, PART_BYTES = 4 * shape::ROW_WORDS;

    float sum[shape::SUMS];
#pragma unroll
    for (int k = 0; k < shape::SUMS; k++)
        total[k] = sum[k] = 0.0f;
        // Two rows of pixels at a time: so CHUNKS slices of two chunks have all of them, be their number odd.
#pragma unroll 1
    for (int r = 0; r < filter_height + PATCH - 1; r += 2) {
        // The rows of the filter that the warp's rows 2 * warp + 1 and 2 * warp of a patch want.
        uint32_t row[3];
#pragma unroll
        for (int k = 0; k < 3; k++) {
            const int i = r - 2 * warp - 1 + k;
            row[k] = words + (i >= 0 && i < filter_height ? i : filter_height) * ROW_BYTES;
        }
        const uint32_t pixels = (stage >> 4) + r * ROW;
#pragma unroll
        for (int first = 0; first < CHUNKS; first += shape::SLICES) {
            const int end = first + shape::SLICES < CHUNKS ? first + shape::SLICES : CHUNKS;
            uint32_t operand[PARTS][shape::SLICES][4];
#pragma unroll
            for (int slice = first; slice < end; slice++) {
                const slice_place place = place_of<CHUNKS>(slice);
#pragma unroll
                for (int p = 0; p < PARTS; p++) {
                    const uint32_t here = p * PART_BYTES + place.chunk * 32,
                                   next = p * PART_BYTES + place.next_chunk * 32;
                    operand[p][slice - first][0] = table_word(row[1 + place.row] + here);
                    operand[p][slice - first][1] = table_word(row[place.row] + here);
                    operand[p][slice - first][2] = table_word(row[1 + place.next_row] + next);
                    operand[p][slice - first][3] = table_word(row[place.next_row] + next);
                }
            }
            // The small products first: what is cut off is a share of the sum.
            hopper::begin_products();
            if constexpr (PARTS == 2) {
#pragma unroll
                for (int slice = first; slice < end; slice++) {
                    const slice_place place = place_of<CHUNKS>(slice);
                    const uint32_t at = pixels + place.row * ROW + place.chunk;
                    const uint64_t steps = place.row == place.next_row ? BESIDE : BELOW;
                    hopper::multiply(sum, operand[1][slice - first], steps | (at & 0x3fff), slice > first);
                    hopper::multiply(sum, operand[0][slice - first], steps | ((at + part) & 0x3fff), 1);
                }
            }
#pragma unroll
            for (int slice = first; slice < end; slice++) {
                const slice_place place = place_of<CHUNKS>(slice);
                const uint32_t at = pixels + place.row * ROW + place.chunk;
                const uint64_t steps = place.row == place.next_row ? BESIDE : BELOW;
                hopper::multiply(sum, operand[0][slice - first], steps | (at & 0x3fff),
                                 PARTS == 2 || slice > first);
            }
            hopper::finish_products();
#pragma unroll
            for (int k = 0; k < shape::SUMS; k++) {
                asm volatile("" : "+f"(sum[k])::"memory");  // it is complete only from here on
                total[k] += sum[k];
            }
        }
    }
}

/// Stores a thread's sums where the pixels of the tile were, row by row. A thread's element k is, by the instruction's layout,
/// column g of patch 2t or 2t + 1; half of the threads store them the other way round, so that a warp's 32 lie in 32 banks.
template <int PATCHES>
__device__ __forceinline__ void store_sums(float* tile, const float (&total)[PATCHES / 2], float unscale) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4, g = lane / 4, t = lane % 4;
    const int swapped = t / 2;
    float* const first = &tile[2 * warp * TILE_COLUMNS + PATCH * 2 * t + g];
#pragma unroll
    for (int k = 0; k < PATCHES / 2; k++) {
        const float sum = swapped ? total[k ^ 1] : total[k];
        const int row = PATCH * (k / 4) + k / 2 % 2;
        first[row * TILE_COLUMNS + PATCH * (k % 2 ^ swapped)] = sum * unscale;
    }
}

/// One block for each multiprocessor. Its loaders go from tile to tile, stage to stage, and its multipliers take turns.
template <int CHUNKS, int PATCHES, int MULTIPLIERS, int PARTS>
__global__ void __launch_bounds__(tensor_shape<CHUNKS, PATCHES, MULTIPLIERS, PARTS>::THREADS, 1)
    conv2d_tensor_kernel(const __grid_constant__ tensor_job job, const __grid_constant__ image_map in,
                         const __grid_constant__ image_map out) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    using shape = tensor_shape<CHUNKS, PATCHES, MULTIPLIERS, PARTS>;
    extern __shared__ __align__(128) unsigned char s_all[];
    const tensor_memory shared = tensor_memory::in<shape>(s_all, job);
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < job.stages; stage++) {
            hopper::make_barrier(&shared.full[stage], shape::strips(job.filter_height));
            hopper::make_barrier(&shared.done[stage], 4);  // warps
            hopper::make_barrier(&shared.free[stage], 1);
        }
        for (int strip = 0; strip < LOADERS * job.ahead; strip++)
            hopper::make_barrier(&shared.arrived[strip], 1);
        hopper::show_to_copy_engine();
        hopper::announce_map(&in);
        hopper::announce_map(&out);
    }
    __syncthreads();  // the barriers are there

    // The same in a whole warp, and the compiler knows it.
    const int warp = __shfl_sync(0xffffffffu, int(threadIdx.x) / 32, 0), group = warp / 4;
    if (group < SERVANTS) {
        hopper::keep_registers<shape::LOADING>();
        if (warp < LOADERS)
            load_strips<shape, PARTS>(shared, job, in);
        else if (threadIdx.x % 32 == 0)
            store_tiles<shape>(shared, job, out);
    } else {
        hopper::take_registers<shape::MULTIPLYING>();
        constexpr int MULTIPLY = MULTIPLIERS * hopper::WARPGROUP;  // threads, the last ones
        for (int k = threadIdx.x - SERVANTS * hopper::WARPGROUP; k < shape::table_words(job.filter_height);
             k += MULTIPLY)
            reinterpret_cast<uint32_t*>(shared.table)[k] = job.table[k];
        hopper::meet(shape::GROUPS, MULTIPLIERS);  // the table is there, and loaders have begun meanwhile
        const int tiles = job.tiles.size();
        int turn = group - SERVANTS;  // of the block's tiles
        for (int k = blockIdx.x + turn * gridDim.x; k < tiles;
             k += MULTIPLIERS * gridDim.x, turn += MULTIPLIERS) {
            const int stage = turn % job.stages;
            unsigned char* const memory = shared.stages + stage * shape::stage_bytes(job.filter_height);
            hopper::wait_for_phase(&shared.full[stage], turn / job.stages & 1);
            float total[shape::SUMS];
            multiply_tile<CHUNKS, PATCHES, MULTIPLIERS, PARTS>(total, hopper::shared_address(memory),
                                                               hopper::shared_address(shared.table),
                                                               job.filter_height);
            hopper::meet(group, 1);  // the four warps: none needs the pixels any more
            store_sums<PATCHES>(reinterpret_cast<float*>(memory), total, job.unscale);
            hopper::show_to_engines();
            __syncwarp();  // all of the warp's sums are there
            if (threadIdx.x % 32 == 0) hopper::arrive(&shared.done[stage]);
        }
    }
#endif
}

}  // namespace fastest
