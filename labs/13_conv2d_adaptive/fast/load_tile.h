// Lab 13: the tile of a block in shared memory, ghost cells as 0. Given.
#pragma once
#include <cuda_pipeline.h>

#include "copy_engine.h"
#include "schedule.h"

/// Asks for the chunk at column x, a multiple of CHUNK, and row y of the image.
__device__ inline void load_chunk(float4* to, picture image, int x, int y) {
    const bool row_inside = y >= 0 && y < image.height;
    if (row_inside && x >= 0 && x + CHUNK <= image.width) {
        __pipeline_memcpy_async(to, &image.in[size_t(y) * image.in_pitch + x], sizeof(float4));
        return;
    }
    float4 chunk = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row_inside && x >= 0 && x < image.width) {  // the image ends in this chunk
        const float* from = &image.in[size_t(y) * image.in_pitch + x];
        chunk.x = from[0];
        if (x + 1 < image.width) chunk.y = from[1];
        if (x + 2 < image.width) chunk.z = from[2];
    }
    *to = chunk;
}

/// All threads of the block call it. It returns when the tile is there, whose first pixel is that at column
/// x, a multiple of CHUNK, and row y of the image.
template <tile_schedule S>
__device__ inline void load_tile(float4* tile, picture image, const image_map& map, int x, int y,
                                 int filter_height) {
#ifdef COPY_ENGINE
    auto* barrier = reinterpret_cast<unsigned long long*>(&tile[S.tile_chunks(filter_height)]);
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        make_barrier(barrier);
        expect_bytes(barrier, S.tile_chunks(filter_height) * int(sizeof(float4)));
        const int rows = S.box_rows(filter_height);
        for (int box = 0; box < S.boxes(filter_height); box++)
            copy_box(&tile[box * rows * S.chunks()], map, x, y + box * rows, barrier);
    }
    __syncthreads();  // the barrier is made
    wait_for_bytes(barrier);
#else
    (void)map;
    for (int row = threadIdx.y; row < S.tile_rows(filter_height); row += S.warps) {
#pragma unroll
        for (int chunk = threadIdx.x; chunk < S.chunks(); chunk += WARP)
            load_chunk(&tile[row * S.chunks() + chunk], image, x + chunk * CHUNK, y + row);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();  // the chunks that others asked for are there, too
#endif
}
