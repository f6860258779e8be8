// Lab 13: convolution with a ring of rows in shared memory; the next rows load while these are computed.
// Given.
#pragma once
#include <cuda_pipeline.h>

#include "row_sums.h"
#include "schedule.h"

/// Asks for ROWS chunks below one another, the first at column x and row y of the image; pixels outside it
/// become 0. If `twin` is not 0 each chunk also goes there, `twin` chunks behind its place.
template <int ROWS, int PITCH>
__device__ inline void load_column(float4* to, int twin, picture image, int x, int y) {
    if (x >= 0 && x + CHUNK <= image.width && y >= 0 && y + ROWS <= image.height) {
        unsigned from = unsigned(y) * image.in_pitch + x;
#pragma unroll
        for (int row = 0; row < ROWS; row++, from += image.in_pitch) {
            __pipeline_memcpy_async(&to[row * PITCH], &image.in[from], sizeof(float4));
            if (twin) __pipeline_memcpy_async(&to[row * PITCH + twin], &image.in[from], sizeof(float4));
        }
        return;
    }
#pragma unroll 1
    for (int row = 0; row < ROWS; row++, y++) {
        float4 chunk = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (y >= 0 && y < image.height && x >= 0 && x < image.width) {  // x is a multiple of CHUNK
            const float* from = &image.in[unsigned(y) * image.in_pitch + x];
            chunk.x = from[0];
            if (x + 1 < image.width) chunk.y = from[1];
            if (x + 2 < image.width) chunk.z = from[2];
            if (x + 3 < image.width) chunk.w = from[3];
        }
        to[row * PITCH] = chunk;
        if (twin) to[row * PITCH + twin] = chunk;
    }
}

/// A warp asks for a group of rows that begins at row y; the row of the ring begins at column x.
template <schedule S>
__device__ inline void load_group(float4* group, int twin, picture image, int x, int y) {
    // The chunks that every lane has one of: a lane keeps to its column.
#pragma unroll
    for (int m = 0; m < S.planes(); m++) {
        const int chunk = m * WARP + threadIdx.x;
        load_column<S.rows, S.pitch()>(&group[S.place(chunk)], twin, image, x + chunk * CHUNK, y);
    }
    // The few at the end of the rows, of all rows together.
    constexpr int LAST = S.chunks() - S.planes() * WARP;
    if constexpr (LAST > 0) {
#pragma unroll
        for (int k = threadIdx.x; k < LAST * S.rows; k += WARP) {
            const int row = k / LAST, chunk = S.planes() * WARP + k % LAST;
            load_column<1, S.pitch()>(&group[row * S.pitch() + S.place(chunk)], twin, image,
                                      x + chunk * CHUNK, y + row);
        }
    }
}

/// Adds `filter_rows` rows of the filter to a thread's sums. Every row of the ring is read once, into
/// registers. `ring` is where the thread's window begins in the first row of the ring, `row` the chunk where
/// the row under the first of the filter rows begins.
template <schedule S, int filter_rows>
__device__ inline void add_filter_rows(float (&sum)[S.rows][S.columns], const float4* ring, unsigned row,
                                       unsigned ring_chunks, const float2* pairs) {
    const float4* window = &ring[row];
#pragma unroll
    for (int r = 0; r < S.rows + filter_rows - 1; r++) {
        if (S.whole_filter() && r > 0 && r % S.rows == 0) {
            row += S.group();
            row = min(row, row - ring_chunks);  // unsigned: before the end the difference is huge
            window = &ring[row] - r * S.pitch();
        }
        float pixel[S.window() * CHUNK];
#pragma unroll
        for (int c = 0; c < S.window(); c++) {
            const float4 chunk = window[r * S.pitch() + S.place(c)];
            pixel[c * CHUNK] = chunk.x;
            pixel[c * CHUNK + 1] = chunk.y;
            pixel[c * CHUNK + 2] = chunk.z;
            pixel[c * CHUNK + 3] = chunk.w;
        }
        add_row<S.filter_width, filter_rows, S.shift()>(sum, pixel, r, pairs);
    }
}

/// Adds the whole filter, in loop bodies of S.unrolled rows.
template <schedule S>
__device__ inline void add_filter(float (&sum)[S.rows][S.columns], const float4* ring, unsigned row,
                                  unsigned ring_chunks, int filter_height) {
    constexpr int PAIRS = (S.filter_width + 1) / 2;  // of a row
    // Moved on, never computed from the row's number: the compiler then keeps the taps in uniform registers,
    // one for the warp, and no thread spends an instruction on loading them.
    const float2* pairs = filter_pairs();
    if constexpr (S.whole_filter()) {
        add_filter_rows<S, S.filter_height>(sum, ring, row, ring_chunks, pairs);
    } else {
#pragma unroll 1
        for (int body = 0; body < filter_height / S.unrolled; body++) {
            add_filter_rows<S, S.unrolled>(sum, ring, row, ring_chunks, pairs);
            pairs += S.unrolled * PAIRS;
            row += S.unrolled * S.pitch();
            row = min(row, row - ring_chunks);
        }
        constexpr int REST = S.filter_height % S.unrolled;
        if constexpr (REST > 0) {
            add_filter_rows<S, REST>(sum, ring, row, ring_chunks, pairs);
        } else if constexpr (S.filter_height == 0 && S.unrolled > 1) {
#pragma unroll 1
            for (int rest = filter_height % S.unrolled; rest > 0; rest--) {
                add_filter_rows<S, 1>(sum, ring, row, ring_chunks, pairs);
                pairs += PAIRS;
                row += S.pitch();
                row = min(row, row - ring_chunks);
            }
        }
    }
}

/// Stores a thread's sums, the first at column x and row y. `whole`: all of the warp's lie inside the image.
template <int ROWS, int COLUMNS>
__device__ inline void store_sums(picture image, int x, int y, const float (&sum)[ROWS][COLUMNS],
                                  bool whole) {
    float* to = &image.out[size_t(y) * image.out_pitch + x];
    if (whole) {
#pragma unroll
        for (int row = 0; row < ROWS; row++, to += image.out_pitch) {
#pragma unroll
            for (int column = 0; column < COLUMNS; column += CHUNK) {
                const float* four = &sum[row][column];
                const float4 chunk = make_float4(four[0], four[1], four[2], four[3]);
                __stcs(reinterpret_cast<float4*>(&to[column]),
                       chunk);  // nobody reads it again: past the cache
            }
        }
    } else {
#pragma unroll
        for (int row = 0; row < ROWS; row++, to += image.out_pitch) {
#pragma unroll
            for (int column = 0; column < COLUMNS; column++)
                if (y + row < image.height && x + column < image.width) to[column] = sum[row][column];
        }
    }
}

/// Computes `count` groups of a strip from group `first` on.
template <schedule S>
__device__ inline void walk_strip(float4* ring, picture image, int filter_height, int strip, int first,
                                  int count) {
    const int halo = S.halo(filter_height), slots = S.slots(filter_height);
    const unsigned ring_chunks = slots * S.group();
    const int warp = threadIdx.y;
    const int x = strip * WARP * S.columns;

    // All warps ask for `groups` input groups from number `from` on, into the slots from `slot` on.
    auto load = [&](int from, int groups, int slot) {
        groups = min(groups, count + halo - from);
#pragma unroll 1
        for (int k = warp; k < groups; k += S.warps) {
            const int home = slot + k < slots ? slot + k : slot + k - slots;
            const int twin = S.twins() > 0 && home < S.twins() ? int(ring_chunks) : 0;
            const int y = (first + from + k) * S.rows - filter_height / 2;
            load_group<S>(&ring[home * S.group()], twin, image, x - S.left_halo(), y);
        }
        __pipeline_commit();
    };

    load(0, S.warps + halo, 0);
    int slot = 0;  // where this step's first group lies
    int y = (first + warp) * S.rows;
#pragma unroll 1
    for (int done = 0; done < count; done += S.warps, y += S.warps * S.rows) {
        __pipeline_wait_prior(0);
        __syncthreads();  // this step's rows are there, and nobody needs those of the step before any more
        if (done + S.warps < count) {
            const int behind = slot + S.warps + halo;
            load(done + S.warps + halo, S.warps, behind < slots ? behind : behind - slots);
        }
        // The vote tells the compiler that the whole warp goes the same way.
        if (__all_sync(~0u, done + warp < count)) {
            const int own = slot + warp < slots ? slot + warp : slot + warp - slots;
            float sum[S.rows][S.columns] = {};
            add_filter<S>(sum, &ring[threadIdx.x], own * S.group(), ring_chunks, filter_height);
            store_sums(image, x + int(threadIdx.x) * S.columns, y, sum,
                       x + WARP * S.columns <= image.width && y + S.rows <= image.height);
        }
        slot += S.warps;
        if (slot >= slots) slot -= slots;
    }
}

/// Blocks of WARP x S.warps threads. A block takes its units strip by strip.
template <schedule S>
__global__ void __launch_bounds__(WARP* S.warps, 1)
    conv2d_ring_kernel(picture image, int run_time_height, work all) {
    extern __shared__ float4 s_ring[];
    const int filter_height = S.filter_height > 0 ? S.filter_height : run_time_height;
    const int block = blockIdx.x;
    int left = (all.units + (block < all.rest)) * all.unit;
    int first = (block * all.units + min(block, all.rest)) * all.unit;
    int strip = 0;
    while (first >= all.strip_groups) {
        first -= all.strip_groups;
        strip++;
    }
    while (left > 0) {
        const int count = min(left, all.strip_groups - first);
        walk_strip<S>(s_ring, image, filter_height, strip, first, count);
        left -= count;
        first = 0;
        strip++;
        __syncthreads();  // the ring is free for the next strip
    }
}
