// Right: no helper classes: raw pitched memory for every image, one-dimensional grids, and sums in double.
#include "conv2d_naive.h"

#include <cstdlib>

#include "lab/lab.h"

typedef struct {
    float* data;
    size_t pitch;
    int width, height; /* in values */
} matrix;

static matrix new_matrix(int width, int height) {
    matrix m = {NULL, 0, width, height};
    CUDA_CHECK(cudaMallocPitch((void**)&m.data, &m.pitch, width * sizeof(float), height));
    return m;
}

static matrix upload(const float* host, int width, int height) {
    matrix m = new_matrix(width, height);
    const size_t row = width * sizeof(float);
    timed_copy(
        [&] { CUDA_CHECK(cudaMemcpy2D(m.data, m.pitch, host, row, row, height, cudaMemcpyHostToDevice)); });
    return m;
}

static void download_and_free(float* host, matrix result, matrix image, matrix filter) {
    const size_t row = result.width * sizeof(float);
    timed_copy([&] {
        CUDA_CHECK(
            cudaMemcpy2D(host, row, result.data, result.pitch, row, result.height, cudaMemcpyDeviceToHost));
    });
    CUDA_CHECK(cudaFree(filter.data));
    CUDA_CHECK(cudaFree(image.data));
    CUDA_CHECK(cudaFree(result.data));
}

#define ROW(m, y) ((float*)((char*)(m).data + (y) * (m).pitch))

__global__ void sum_with_tests(matrix out, matrix in, matrix filter, int step) {
    long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    int x, y, i, j, r = filter.height / 2;
    double sum = 0;
    if (k >= (long long)out.width * out.height) return;
    y = (int)(k / out.width);
    x = (int)(k % out.width);
    for (i = 0; i < filter.height; i++) {
        if (y + i < r || y + i - r >= in.height) continue;
        for (j = 0; j < filter.width; j++) {
            int from = x + (j - r) * step;
            if (from < 0) continue;
            if (from >= in.width) break;
            sum += (double)ROW(filter, i)[j] * ROW(in, y + i - r)[from];
        }
    }
    ROW(out, y)[x] = (float)sum;
}

__global__ void sum_without_tests(matrix out, matrix in, matrix filter) {
    long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    int x, y, i, j;
    double sum = 0;
    if (k >= (long long)out.width * out.height) return;
    y = (int)(k / out.width);
    x = (int)(k % out.width);
    for (i = 0; i < filter.height; i++)
        for (j = 0; j < filter.width; j++)
            sum += (double)ROW(filter, i)[j] * ROW(in, y + i)[x + j];
    ROW(out, y)[x] = (float)sum;
}

static unsigned blocks_for(matrix m) {
    return (unsigned)(((long long)m.width * m.height + 255) / 256);
}

void conv2d_pitched(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                    int height, int channels, int radius) {
    matrix image = upload(in.data(), width * channels, height);
    matrix taps = upload(filter.data(), 2 * radius + 1, 2 * radius + 1);
    matrix result = new_matrix(width * channels, height);
    timed_launch([&] { sum_with_tests<<<blocks_for(result), 256>>>(result, image, taps, channels); });
    download_and_free(out.data(), result, image, taps);
}

void conv2d_naive(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int radius) {
    conv2d_pitched(out, in, filter, width, height, 1, radius);
}

void conv2d_padded(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int radius, border mode) {
    int w = width + 2 * radius, h = height + 2 * radius, x, y;
    float* padded = (float*)calloc((size_t)w * h, sizeof(float));
    for (y = 0; y < h; y++) {
        int from_y = border_index(y - radius, height, mode);
        for (x = 0; x < w; x++) {
            int from_x = border_index(x - radius, width, mode);
            if (from_x >= 0 && from_y >= 0) padded[(size_t)y * w + x] = in[(size_t)from_y * width + from_x];
        }
    }
    matrix image = upload(padded, w, h), result = new_matrix(width, height);
    matrix taps = upload(filter.data(), 2 * radius + 1, 2 * radius + 1);
    free(padded);
    timed_launch([&] { sum_without_tests<<<blocks_for(result), 256>>>(result, image, taps); });
    download_and_free(out.data(), result, image, taps);
}
