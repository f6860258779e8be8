// Mistakes of a 2D convolution with a tile in shared memory.
#include "convolution.h"

constexpr int TILE = SIDE + 2 * R, PAD = TILE + 1, CHANNELS = 2;

/// Loads the block's tile with its halo; its rows are `pitch` apart.
__device__ void load_tile(float* tile, const float* in, int pitch, int width, int height) {
    const int left = blockIdx.x * SIDE - R, top = blockIdx.y * SIDE - R;
    for (int i = threadIdx.y; i < TILE; i += SIDE) {
        for (int j = threadIdx.x; j < TILE; j += SIDE)
            tile[i * pitch + j] = padded(in, left + j, top + i, width, height);
    }
}
/// The sum of the window that begins at `window`.
__device__ float sum_of(const float* window, int pitch) {
    float sum = 0;
    for (int k = 0; k < TAPS * TAPS; k++)
        sum += window[k / TAPS * pitch + k % TAPS] * c_filter[k];
    return sum;
}
/// Writes the pixel of this thread, if it has one.
__device__ void write_pixel(float* out, float sum, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (x < width && y < height) out[y * width + x] = sum;
}

template <bool RIGHT>
__global__ void no_barrier(float* out, const float* in, int width, int height) {
    __shared__ float s_tile[TILE][TILE];
    const int left = blockIdx.x * SIDE - R, top = blockIdx.y * SIDE - R;
    for (int i = threadIdx.y; i < TILE; i += SIDE) {
        for (int j = threadIdx.x; j < TILE; j += SIDE)
            s_tile[i][j] = padded(in, left + j, top + i, width, height);  // HERE no_barrier: race
    }
    if (RIGHT) __syncthreads();
    float sum = 0;
    for (int k = 0; k < TAPS * TAPS; k++)
        sum += s_tile[threadIdx.y + k / TAPS][threadIdx.x + k % TAPS] * c_filter[k];
    write_pixel(out, sum, width, height);
}

// The tile of the next channel comes while this one is still summed.
template <bool RIGHT>
__global__ void no_second_barrier(float* out, const float* in, int width, int height) {
    __shared__ float s_tile[TILE][TILE];
    const int left = blockIdx.x * SIDE - R, top = blockIdx.y * SIDE - R;
    float sum = 0;
    for (int channel = 0; channel < CHANNELS; channel++) {
        for (int i = threadIdx.y; i < TILE; i += SIDE) {
            for (int j = threadIdx.x; j < TILE; j += SIDE)
                s_tile[i][j] = padded(in, left + j, top + i, width, height);  // HERE no_second_barrier: race
        }
        __syncthreads();
        for (int k = 0; k < TAPS * TAPS; k++)
            sum += s_tile[threadIdx.y + k / TAPS][threadIdx.x + k % TAPS] * c_filter[k];
        if (RIGHT) __syncthreads();
    }
    write_pixel(out, sum / CHANNELS, width, height);
}

// A block that makes one tile after the other: the stale tile is still read when the next one is stored.
template <bool RIGHT>
__global__ void next_tile_too_early(float* out, const float* in, int width, int height) {
    __shared__ float s_tile[TILE][TILE];
    const int top = blockIdx.y * SIDE - R, y = row_in_grid();
    for (int first = 0; first < width; first += SIDE) {
        for (int i = threadIdx.y; i < TILE; i += SIDE) {
            for (int j = threadIdx.x; j < TILE; j += SIDE) {
                const float pixel = padded(in, first - R + j, top + i, width, height);
                s_tile[i][j] = pixel;  // HERE next_tile_too_early: race
            }
        }
        __syncthreads();
        const int x = first + threadIdx.x;
        float sum = 0;
        for (int k = 0; k < TAPS * TAPS; k++)
            sum += s_tile[threadIdx.y + k / TAPS][threadIdx.x + k % TAPS] * c_filter[k];
        if (x < width && y < height) out[y * width + x] = sum;
        if (RIGHT) __syncthreads();
    }
}

// A barrier of the warp, where the rows of other warps are needed.
template <bool RIGHT>
__global__ void barrier_of_a_warp(float* out, const float* in, int width, int height) {
    __shared__ float s_tile[TILE][TILE];
    const int left = blockIdx.x * SIDE - R, top = blockIdx.y * SIDE - R;
    for (int i = threadIdx.y; i < TILE; i += SIDE) {
        for (int j = threadIdx.x; j < TILE; j += SIDE)
            s_tile[i][j] = padded(in, left + j, top + i, width, height);  // HERE barrier_of_a_warp: race
    }
    if (RIGHT) {
        __syncthreads();
    } else {
        __syncwarp();
    }
    float sum = 0;
    for (int k = 0; k < TAPS * TAPS; k++)
        sum += s_tile[threadIdx.y + k / TAPS][threadIdx.x + k % TAPS] * c_filter[k];
    write_pixel(out, sum, width, height);
}

template <bool RIGHT>
__global__ void return_before_the_barrier(float* out, const float* in, int width, int height) {
    __shared__ float s_tile[TILE][TILE];
    load_tile(s_tile[0], in, TILE, width, height);
    const int x = thread_in_grid(), y = row_in_grid();
    if (!RIGHT && (x >= width || y >= height)) return;
    __syncthreads();  // HERE return_before_the_barrier: divergent-barrier
    write_pixel(out, sum_of(&s_tile[threadIdx.y][threadIdx.x], TILE), width, height);
}

// Some threads load two rows, the others one: they do not pass the barrier equally often.
template <bool RIGHT>
__global__ void barrier_in_the_load(float* out, const float* in, int width, int height) {
    __shared__ float s_tile[TILE][TILE];
    const int left = blockIdx.x * SIDE - R, top = blockIdx.y * SIDE - R;
    for (int i = threadIdx.y; i < TILE; i += SIDE) {
        for (int j = threadIdx.x; j < TILE; j += SIDE)
            s_tile[i][j] = padded(in, left + j, top + i, width, height);
        if (!RIGHT) __syncthreads();
    }
    __syncthreads();  // HERE barrier_in_the_load: divergent-barrier
    write_pixel(out, sum_of(&s_tile[threadIdx.y][threadIdx.x], TILE), width, height);
}

// Edges, but no corners.
template <bool RIGHT>
__global__ void no_corners(float* out, const float* in, int width, int height) {
    __shared__ float s_tile[TILE][TILE];
    const int left = blockIdx.x * SIDE - R, top = blockIdx.y * SIDE - R;
    for (int i = threadIdx.y; i < TILE; i += SIDE) {
        for (int j = threadIdx.x; j < TILE; j += SIDE) {
            const bool in_rows = i >= R && i < R + SIDE, in_columns = j >= R && j < R + SIDE;
            if (RIGHT || in_rows || in_columns) s_tile[i][j] = padded(in, left + j, top + i, width, height);
        }
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < TAPS * TAPS; k++) {
        const int i = threadIdx.y + k / TAPS, j = threadIdx.x + k % TAPS;
        sum += s_tile[i][j] * c_filter[k];  // HERE no_corners: uninitialised-read
    }
    write_pixel(out, sum, width, height);
}

// The tile's last rows need a second round.
template <bool RIGHT>
__global__ void one_round_of_loads(float* out, const float* in, int width, int height) {
    __shared__ float s_tile[TILE][TILE];
    const int left = blockIdx.x * SIDE - R, top = blockIdx.y * SIDE - R;
    for (int i = threadIdx.y; i < (RIGHT ? TILE : SIDE); i += SIDE) {
        for (int j = threadIdx.x; j < TILE; j += SIDE)
            s_tile[i][j] = padded(in, left + j, top + i, width, height);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < TAPS * TAPS; k++) {
        const int i = threadIdx.y + k / TAPS, j = threadIdx.x + k % TAPS;
        sum += s_tile[i][j] * c_filter[k];  // HERE one_round_of_loads: uninitialised-read
    }
    write_pixel(out, sum, width, height);
}

// What lies outside the image is not loaded, and what an earlier block left there is taken for zeros.
template <bool RIGHT>
__global__ void stale_border(float* out, const float* in, int width, int height) {
    __shared__ float s_tile[TILE][TILE];
    const int left = blockIdx.x * SIDE - R, top = blockIdx.y * SIDE - R;
    for (int i = threadIdx.y; i < TILE; i += SIDE) {
        for (int j = threadIdx.x; j < TILE; j += SIDE) {
            const bool is_inside = left + j >= 0 && left + j < width && top + i >= 0 && top + i < height;
            if (RIGHT || is_inside) s_tile[i][j] = padded(in, left + j, top + i, width, height);
        }
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < TAPS * TAPS; k++) {
        const int i = threadIdx.y + k / TAPS, j = threadIdx.x + k % TAPS;
        sum += s_tile[i][j] * c_filter[k];  // HERE stale_border: uninitialised-read
    }
    write_pixel(out, sum, width, height);
}

// Rounds that overlap: two threads store the same pixel in the same place.
template <bool RIGHT>
__global__ void overlapping_loads(float* out, const float* in, int width, int height) {
    __shared__ float s_tile[TILE][TILE];
    const int left = blockIdx.x * SIDE - R, top = blockIdx.y * SIDE - R;
    for (int first = 0; first < TILE; first += RIGHT ? SIDE : TILE - SIDE) {
        const int i = first + threadIdx.y;
        for (int j = threadIdx.x; j < TILE && i < TILE; j += SIDE) {
            const float pixel = padded(in, left + j, top + i, width, height);
            s_tile[i][j] = pixel;  // HERE overlapping_loads: benign-race
        }
    }
    __syncthreads();
    write_pixel(out, sum_of(&s_tile[threadIdx.y][threadIdx.x], TILE), width, height);
}

// Loaded with one pitch, read with another.
template <bool RIGHT>
__global__ void pitch_off_by_one(float* out, const float* in, int width, int height) {
    extern __shared__ float s_dynamic[];
    load_tile(s_dynamic, in, TILE, width, height);
    __syncthreads();
    const int pitch = RIGHT ? TILE : PAD;
    float sum = 0;
    for (int k = 0; k < TAPS * TAPS; k++) {
        const int i = threadIdx.y + k / TAPS, j = threadIdx.x + k % TAPS;
        sum += s_dynamic[i * pitch + j] * c_filter[k];  // HERE pitch_off_by_one: out-of-bounds
    }
    write_pixel(out, sum, width, height);
}

// Padded against bank conflicts: the launch forgot the padding.
template <bool RIGHT>
__global__ void padding_not_asked_for(float* out, const float* in, int width, int height) {
    extern __shared__ float s_dynamic[];
    const int left = blockIdx.x * SIDE - R, top = blockIdx.y * SIDE - R;
    for (int i = threadIdx.y; i < TILE; i += SIDE) {
        for (int j = threadIdx.x; j < TILE; j += SIDE) {
            const float pixel = padded(in, left + j, top + i, width, height);
            s_dynamic[i * PAD + j] = pixel;  // HERE padding_not_asked_for: out-of-bounds
        }
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < TAPS * TAPS; k++) {
        const int i = threadIdx.y + k / TAPS, j = threadIdx.x + k % TAPS;
        sum += s_dynamic[i * PAD + j] * c_filter[k];  // HERE padding_not_asked_for: out-of-bounds
    }
    write_pixel(out, sum, width, height);
}

// The tile was declared without its right halo.
template <bool RIGHT>
__global__ void narrow_tile(float* out, const float* in, int width, int height) {
    __shared__ float s_tile[TILE][RIGHT ? TILE : SIDE + R];
    const int left = blockIdx.x * SIDE - R, top = blockIdx.y * SIDE - R, columns = RIGHT ? TILE : SIDE + R;
    for (int i = threadIdx.y; i < TILE; i += SIDE) {
        for (int j = threadIdx.x; j < columns; j += SIDE)
            s_tile[i][j] = padded(in, left + j, top + i, width, height);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < TAPS * TAPS; k++) {
        const int i = threadIdx.y + k / TAPS, j = threadIdx.x + k % TAPS;
        sum += s_tile[i][j] * c_filter[k];  // HERE narrow_tile: index-out-of-array
    }
    write_pixel(out, sum, width, height);
}

// A tile of 36 x 12 outputs in blocks of 32 x 8 threads has rows and columns that are not alike.
template <bool RIGHT>
__global__ void swapped_indices(float* out, const float* in, int width, int height) {
    __shared__ float s_tile[8 + 2 * R][32 + 2 * R];
    const int left = blockIdx.x * 32 - R, top = blockIdx.y * 8 - R;
    for (int i = threadIdx.y; i < 8 + 2 * R; i += 8) {
        for (int j = threadIdx.x; j < 32 + 2 * R; j += 32)
            s_tile[i][j] = padded(in, left + j, top + i, width, height);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < TAPS * TAPS; k++) {
        const int i = threadIdx.y + k / TAPS, j = threadIdx.x + k % TAPS;
        // HERE swapped_indices: index-out-of-array
        sum += s_tile[RIGHT ? i : j][RIGHT ? j : i] * c_filter[k];
    }
    write_pixel(out, sum, width, height);
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"no_barrier", [](auto right) { return convolves(no_barrier<right>); }},
            {"no_second_barrier", [](auto right) { return convolves(no_second_barrier<right>); }},
            {"next_tile_too_early",
             [](auto right) { return convolves(next_tile_too_early<right>, dim3(1, GRID_2D.y)); }},
            {"barrier_of_a_warp", [](auto right) { return convolves(barrier_of_a_warp<right>); }},
            {"return_before_the_barrier",
             [](auto right) { return convolves(return_before_the_barrier<right>); }},
            {"barrier_in_the_load", [](auto right) { return convolves(barrier_in_the_load<right>); }},
            {"no_corners", [](auto right) { return convolves(no_corners<right>); }},
            {"one_round_of_loads", [](auto right) { return convolves(one_round_of_loads<right>); }},
            {"stale_border", [](auto right) { return convolves(stale_border<right>); }},
            {"overlapping_loads", [](auto right) { return convolves(overlapping_loads<right>); }},
            {"pitch_off_by_one",
             [](auto right) { return convolves(pitch_off_by_one<right>, GRID_2D, BLOCK_2D, TILE * TILE); }},
            {"padding_not_asked_for",
             [](auto right) {
                 const int pitch = right ? PAD : TILE;
                 return convolves(padding_not_asked_for<right>, GRID_2D, BLOCK_2D, TILE * pitch);
             }},
            {"narrow_tile", [](auto right) { return convolves(narrow_tile<right>); }},
            {"swapped_indices",
             [](auto right) { return convolves(swapped_indices<right>, dim3(2, 3), dim3(32, 8)); }},
        });
}
