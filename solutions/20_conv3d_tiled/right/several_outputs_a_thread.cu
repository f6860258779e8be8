// Right: flat blocks of 32 x 8 threads; a thread has outputs in 4 slices of the tile, and in 2 rows of the plane.
#include "conv3d_tiled.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int WIDTH = 32, HEIGHT = 8;
constexpr int SLICES = 4, ROWS = 2;  // of outputs for a thread
constexpr size_t MAX_SHARED = 48 * 1024, MAX_TAPS = 16384;

__constant__ float c_filter[MAX_TAPS];

__device__ float voxel_or_zero(const float* in, int x, int y, int z, int width, int height, int depth) {
    if (x < 0 || x >= width || y < 0 || y >= height || z < 0 || z >= depth) return 0.0f;
    return in[(z * height + y) * width + x];
}

__global__ void naive_kernel(float* out, const float* in, int width, int height, int depth, int fw, int fh,
                             int fd) {
    const int x = blockIdx.x * WIDTH + threadIdx.x, rows = height * depth;
    const int row = blockIdx.y * HEIGHT + threadIdx.y;  // of all slices
    if (x >= width || row >= rows) return;
    const int y = row % height, z = row / height;
    float sum = 0.0f;
    for (int k = max(0, fd / 2 - z); k < min(fd, depth + fd / 2 - z); k++)
        for (int i = max(0, fh / 2 - y); i < min(fh, height + fh / 2 - y); i++)
            for (int j = max(0, fw / 2 - x); j < min(fw, width + fw / 2 - x); j++)
                sum += c_filter[(k * fh + i) * fw + j] *
                       in[((z + k - fd / 2) * height + y + i - fh / 2) * width + x + j - fw / 2];
    out[row * width + x] = sum;
}

__global__ void tiled_kernel(float* out, const float* in, int width, int height, int depth, int fw, int fh,
                             int fd) {
    extern __shared__ float s_tile[];
    const int cells_x = WIDTH + fw - 1, cells_y = HEIGHT + fh - 1, cells_z = SLICES + fd - 1;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int first_x = blockIdx.x * WIDTH, first_y = blockIdx.y * HEIGHT, first_z = blockIdx.z * SLICES;
    for (int row = ty; row < cells_y * cells_z; row += HEIGHT)
        for (int column = tx; column < cells_x; column += WIDTH)
            s_tile[row * cells_x + column] =
                voxel_or_zero(in, first_x + column - fw / 2, first_y + row % cells_y - fh / 2,
                              first_z + row / cells_y - fd / 2, width, height, depth);
    __syncthreads();
    const int x = first_x + tx, y = first_y + ty;
    if (x >= width || y >= height) return;
    for (int slice = 0; slice < SLICES && first_z + slice < depth; slice++) {
        float sum = 0.0f;
        for (int k = 0; k < fd; k++)
            for (int i = 0; i < fh; i++)
                for (int j = 0; j < fw; j++)
                    sum += c_filter[(k * fh + i) * fw + j] *
                           s_tile[((slice + k) * cells_y + ty + i) * cells_x + tx + j];
        out[((first_z + slice) * height + y) * width + x] = sum;
    }
}

/// Slices before the first and behind the last are left out: their products with the filter are all 0.
template <int DEPTH>
__global__ void marching_kernel(float* out, const float* in, int width, int height, int depth, int fw,
                                int fh) {
    extern __shared__ float s_plane[];
    const int cells_x = WIDTH + fw - 1, cells_y = ROWS * HEIGHT + fh - 1;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int first_x = blockIdx.x * WIDTH, first_y = blockIdx.y * ROWS * HEIGHT, x = first_x + tx;
    float sums[ROWS][DEPTH] = {};
    for (int z = 0; z < depth + DEPTH / 2; z++) {
        __syncthreads();
        for (int cell = ty * WIDTH + tx; cell < cells_x * cells_y && z < depth; cell += WIDTH * HEIGHT)
            s_plane[cell] = voxel_or_zero(in, first_x + cell % cells_x - fw / 2,
                                          first_y + cell / cells_x - fh / 2, z, width, height, depth);
        __syncthreads();
#pragma unroll
        for (int part = 0; part < ROWS; part++) {
            const int row = part * HEIGHT + ty, y = first_y + row;
            if (x >= width || y >= height) continue;
            for (int tap = 0; tap < fw * fh && z < depth; tap++) {
                const float voxel = s_plane[(row + tap / fw) * cells_x + tx + tap % fw];
#pragma unroll
                for (int k = 0; k < DEPTH; k++)
                    sums[part][DEPTH - 1 - k] += c_filter[k * fw * fh + tap] * voxel;
            }
            const int done = z - DEPTH / 2;
            if (done >= 0) out[(done * height + y) * width + x] = sums[part][0];
#pragma unroll
            for (int k = 1; k < DEPTH; k++)
                sums[part][k - 1] = sums[part][k];
            sums[part][DEPTH - 1] = 0.0f;
        }
    }
}

static size_t bytes_of(int cells_x, int cells_y, int cells_z) {
    const size_t bytes = sizeof(float) * size_t(cells_x) * size_t(cells_y) * size_t(cells_z);
    if (bytes <= MAX_SHARED) return bytes;
    throw std::invalid_argument(std::to_string(bytes) + " bytes of shared memory, of " +
                                std::to_string(MAX_SHARED));
}

template <class launch_function>
static void on_device(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                      const launch_function& launch) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    timed_launch([&] { launch(d_out.data(), d_in.data()); });
    d_out.copy_to(out);
}

void conv3d_naive(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int depth, int fw, int fh, int fd) {
    const dim3 grid(ceil_div(width, WIDTH), ceil_div(height * depth, HEIGHT));
    on_device(out, in, filter, [&](float* d_out, const float* d_in) {
        naive_kernel<<<grid, dim3(WIDTH, HEIGHT)>>>(d_out, d_in, width, height, depth, fw, fh, fd);
    });
}

void conv3d_tiled(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int depth, int fw, int fh, int fd) {
    const size_t bytes = bytes_of(WIDTH + fw - 1, HEIGHT + fh - 1, SLICES + fd - 1);
    const dim3 grid(ceil_div(width, WIDTH), ceil_div(height, HEIGHT), ceil_div(depth, SLICES));
    on_device(out, in, filter, [&](float* d_out, const float* d_in) {
        tiled_kernel<<<grid, dim3(WIDTH, HEIGHT), bytes>>>(d_out, d_in, width, height, depth, fw, fh, fd);
    });
}

void conv3d_marching(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int depth, int fw, int fh, int fd) {
    using kernel = void (*)(float*, const float*, int, int, int, int, int);
    constexpr kernel KERNELS[] = {marching_kernel<1>, marching_kernel<3>, marching_kernel<5>,
                                  marching_kernel<7>, marching_kernel<9>};
    constexpr int DEEPEST = 9;
    if (fd > DEEPEST)
        throw std::invalid_argument("depth " + std::to_string(fd) + " of at most " + std::to_string(DEEPEST));
    const size_t bytes = bytes_of(WIDTH + fw - 1, ROWS * HEIGHT + fh - 1, 1);
    const dim3 grid(ceil_div(width, WIDTH), ceil_div(height, ROWS * HEIGHT));
    on_device(out, in, filter, [&](float* d_out, const float* d_in) {
        KERNELS[fd / 2]<<<grid, dim3(WIDTH, HEIGHT), bytes>>>(d_out, d_in, width, height, depth, fw, fh);
    });
}
