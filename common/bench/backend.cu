// What the CPU backend takes for kernels of a course, beside the same loops in serial C++. Prints a row for each,
//   workload,serial_ms,kernel_ms
// into the file that its first argument names; backend.sh builds it in two ways. Results are compared: who is fast
// and wrong ends the program.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr int SIDE = 512;  // of the image, in pixels
constexpr int RADIUS = 4, TAPS = 2 * RADIUS + 1;
constexpr int BLOCK = 16, THREADS = 256;
constexpr int COUNT = 1 << 20;  // elements of an array
constexpr int BLOCKS = COUNT / THREADS;
constexpr int MATRIX = 256, BINS = 256;

__constant__ float c_taps[TAPS * TAPS];

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "backend: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

template <class number>
struct device_array {
    number* data = nullptr;
    size_t count;

    explicit device_array(size_t count) : count(count) {
        check(cudaMalloc(&data, count * sizeof(number)));
        check(cudaMemset(data, 0, count * sizeof(number)));
    }
    explicit device_array(const std::vector<number>& from) : device_array(from.size()) {
        check(cudaMemcpy(data, from.data(), count * sizeof(number), cudaMemcpyHostToDevice));
    }
    ~device_array() { cudaFree(data); }
    device_array(const device_array&) = delete;
    device_array& operator=(const device_array&) = delete;

    std::vector<number> on_host() const {
        std::vector<number> to(count);
        check(cudaMemcpy(to.data(), data, count * sizeof(number), cudaMemcpyDeviceToHost));
        return to;
    }
};

std::vector<float> values(size_t count) {
    std::vector<float> all(count);
    unsigned state = 1;
    for (float& one : all)
        one = float((state = state * 1664525u + 1013904223u) >> 8) / float(1 << 24);
    return all;
}

/// Milliseconds: the shortest of as many times as 0.3 s hold, but at least 3. Neighbours on a machine make others longer.
double shortest_ms(const std::function<void()>& work) {
    double shortest = INFINITY, all = 0;
    for (int k = 0; k < 3 || (k < 15 && all < 300); k++) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
        shortest = std::min(shortest, taken.count());
        all += taken.count();
    }
    return shortest;
}

/// Adds a row to the file: times `serial(expected)` and `kernel(out)`, the latter with the wait for its end, and
/// compares the `count` values that they leave.
template <class number, class loop, class launch>
void add_row(std::FILE* rows, const char* name, size_t count, const loop& serial, const launch& kernel) {
    std::vector<number> expected(count);
    const device_array<number> out(count);
    const double serial_ms = shortest_ms([&] { serial(expected); });
    const double kernel_ms = shortest_ms([&] {
        kernel(out.data);
        check(cudaGetLastError());
        check(cudaDeviceSynchronize());
    });
    const std::vector<number> got = out.on_host();
    for (size_t k = 0; k < count; k++) {
        const double right = double(expected[k]);
        if (std::fabs(double(got[k]) - right) <= 1e-4 * (1 + std::fabs(right))) continue;
        std::fprintf(stderr, "backend: %s: element %zu is %g, expected %g\n", name, k, double(got[k]), right);
        std::exit(1);
    }
    std::fprintf(rows, "%s,%.4f,%.4f\n", name, serial_ms, kernel_ms);
}

// ---- convolution of an image

__device__ bool is_inside(int x, int y) {
    return x >= 0 && x < SIDE && y >= 0 && y < SIDE;
}

__global__ void conv2d_naive_kernel(float* out, const float* in) {
    const int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y;
    float sum = 0;
    for (int i = -RADIUS; i <= RADIUS; i++) {
        for (int j = -RADIUS; j <= RADIUS; j++)
            if (is_inside(x + j, y + i))
                sum += in[(y + i) * SIDE + x + j] * c_taps[(i + RADIUS) * TAPS + j + RADIUS];
    }
    out[y * SIDE + x] = sum;
}

__global__ void conv2d_tiled_kernel(float* out, const float* in) {
    constexpr int TILE = BLOCK + 2 * RADIUS;
    __shared__ float tile[TILE][TILE];
    const int first_x = blockIdx.x * BLOCK - RADIUS, first_y = blockIdx.y * BLOCK - RADIUS;
    for (int row = threadIdx.y; row < TILE; row += BLOCK) {
        for (int column = threadIdx.x; column < TILE; column += BLOCK) {
            const int x = first_x + column, y = first_y + row;
            tile[row][column] = is_inside(x, y) ? in[y * SIDE + x] : 0;
        }
    }
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < TAPS; i++) {
        for (int j = 0; j < TAPS; j++)
            sum += tile[threadIdx.y + i][threadIdx.x + j] * c_taps[i * TAPS + j];
    }
    out[(blockIdx.y * BLOCK + threadIdx.y) * SIDE + blockIdx.x * BLOCK + threadIdx.x] = sum;
}

__global__ void conv2d_texture_kernel(float* out, cudaTextureObject_t in) {
    const int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y;
    float sum = 0;
    for (int i = -RADIUS; i <= RADIUS; i++) {
        for (int j = -RADIUS; j <= RADIUS; j++)
            sum += tex2D<float>(in, x + j + 0.5f, y + i + 0.5f) * c_taps[(i + RADIUS) * TAPS + j + RADIUS];
    }
    out[y * SIDE + x] = sum;
}

void convolve(std::vector<float>& out, const std::vector<float>& in, const std::vector<float>& taps) {
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            float sum = 0;
            for (int i = -RADIUS; i <= RADIUS; i++) {
                for (int j = -RADIUS; j <= RADIUS; j++) {
                    const int from_x = x + j, from_y = y + i;
                    if (from_x >= 0 && from_x < SIDE && from_y >= 0 && from_y < SIDE)
                        sum += in[from_y * SIDE + from_x] * taps[(i + RADIUS) * TAPS + j + RADIUS];
                }
            }
            out[y * SIDE + x] = sum;
        }
    }
}

cudaTextureObject_t texture_of(const device_array<float>& image) {
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypePitch2D;
    memory.res.pitch2D = {image.data, cudaCreateChannelDesc<float>(), SIDE, SIDE, SIDE * sizeof(float)};
    cudaTextureDesc reading = {};
    reading.addressMode[0] = reading.addressMode[1] = cudaAddressModeBorder;
    cudaTextureObject_t texture = 0;
    check(cudaCreateTextureObject(&texture, &memory, &reading, nullptr));
    return texture;
}

// ---- arrays

__global__ void saxpy_kernel(float* out, const float* in, float factor) {
    const int k = blockIdx.x * THREADS + threadIdx.x;
    out[k] = factor * in[k] + 1;
}

/// One sum for each block.
__global__ void reduction_kernel(float* out, const float* in) {
    __shared__ float sums[THREADS];
    const int tx = threadIdx.x;
    sums[tx] = in[blockIdx.x * THREADS + tx];
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (tx < half) sums[tx] += sums[tx + half];
    }
    if (tx == 0) out[blockIdx.x] = sums[0];
}

/// Running sums within each block (Hillis and Steele).
__global__ void scan_kernel(float* out, const float* in) {
    __shared__ float sums[2][THREADS];
    const int tx = threadIdx.x;
    int from = 0;
    sums[0][tx] = in[blockIdx.x * THREADS + tx];
    for (int step = 1; step < THREADS; step *= 2, from = 1 - from) {
        __syncthreads();
        sums[1 - from][tx] = sums[from][tx] + (tx >= step ? sums[from][tx - step] : 0);
    }
    out[blockIdx.x * THREADS + tx] = sums[from][tx];
}

__global__ void histogram_kernel(unsigned* bins, const unsigned char* in) {
    __shared__ unsigned own[BINS];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int k = blockIdx.x * THREADS + threadIdx.x; k < COUNT; k += gridDim.x * THREADS)
        atomicAdd(&own[in[k]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// ---- matrices

__global__ void matrix_product_kernel(float* out, const float* a, const float* b) {
    __shared__ float tile_a[BLOCK][BLOCK], tile_b[BLOCK][BLOCK];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * BLOCK + tx, y = blockIdx.y * BLOCK + ty;
    float sum = 0;
    for (int begin = 0; begin < MATRIX; begin += BLOCK) {
        tile_a[ty][tx] = a[y * MATRIX + begin + tx];
        tile_b[ty][tx] = b[(begin + ty) * MATRIX + x];
        __syncthreads();
        for (int k = 0; k < BLOCK; k++)
            sum += tile_a[ty][k] * tile_b[k][tx];
        __syncthreads();
    }
    out[y * MATRIX + x] = sum;
}

__global__ void transpose_kernel(float* out, const float* in) {
    __shared__ float tile[BLOCK][BLOCK + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx] = in[(blockIdx.y * BLOCK + ty) * SIDE + blockIdx.x * BLOCK + tx];
    __syncthreads();
    out[(blockIdx.x * BLOCK + ty) * SIDE + blockIdx.y * BLOCK + tx] = tile[tx][ty];
}

}  // namespace

int main(int argc, char** argv) {
    std::FILE* rows = argc == 2 ? std::fopen(argv[1], "w") : nullptr;
    if (!rows) {
        std::fprintf(stderr, "backend FILE: writes rows to it\n");
        return 2;
    }
    const dim3 block(BLOCK, BLOCK), grid(SIDE / BLOCK, SIDE / BLOCK);
    const std::vector<float> image = values(SIDE * SIDE), taps = values(TAPS * TAPS), array = values(COUNT);
    const device_array<float> d_image(image), d_array(array);
    check(cudaMemcpyToSymbol(c_taps, taps.data(), sizeof c_taps));

    const auto convolved = [&](std::vector<float>& expected) { convolve(expected, image, taps); };
    const auto naive = [&](float* out) { conv2d_naive_kernel<<<grid, block>>>(out, d_image.data); };
    const auto tiled = [&](float* out) { conv2d_tiled_kernel<<<grid, block>>>(out, d_image.data); };
    const cudaTextureObject_t texture = texture_of(d_image);
    const auto textured = [&](float* out) { conv2d_texture_kernel<<<grid, block>>>(out, texture); };
    add_row<float>(rows, "conv2d_naive", image.size(), convolved, naive);
    add_row<float>(rows, "conv2d_tiled", image.size(), convolved, tiled);
    add_row<float>(rows, "conv2d_texture", image.size(), convolved, textured);
    check(cudaDestroyTextureObject(texture));

    const auto scaled = [&](std::vector<float>& expected) {
        for (int k = 0; k < COUNT; k++)
            expected[k] = 2 * array[k] + 1;
    };
    const auto saxpy = [&](float* out) { saxpy_kernel<<<BLOCKS, THREADS>>>(out, d_array.data, 2); };
    add_row<float>(rows, "saxpy", COUNT, scaled, saxpy);

    const auto sums = [&](std::vector<float>& expected) {
        for (int b = 0; b < BLOCKS; b++) {
            float sum = 0;
            for (int k = 0; k < THREADS; k++)
                sum += array[b * THREADS + k];
            expected[b] = sum;
        }
    };
    const auto reduction = [&](float* out) { reduction_kernel<<<BLOCKS, THREADS>>>(out, d_array.data); };
    add_row<float>(rows, "reduction", BLOCKS, sums, reduction);

    const auto running_sums = [&](std::vector<float>& expected) {
        for (int k = 0; k < COUNT; k++)
            expected[k] = (k % THREADS == 0 ? 0 : expected[k - 1]) + array[k];
    };
    const auto scan = [&](float* out) { scan_kernel<<<BLOCKS, THREADS>>>(out, d_array.data); };
    add_row<float>(rows, "scan", COUNT, running_sums, scan);

    std::vector<unsigned char> bytes(COUNT);
    std::transform(array.begin(), array.end(), bytes.begin(),
                   [](float one) { return (unsigned char)(one * BINS); });
    const device_array<unsigned char> d_bytes(bytes);
    const auto counted = [&](std::vector<unsigned>& expected) {
        std::fill(expected.begin(), expected.end(), 0);
        for (const unsigned char one : bytes)
            expected[one]++;
    };
    const auto histogram = [&](unsigned* out) {
        check(cudaMemset(out, 0, BINS * sizeof(unsigned)));
        histogram_kernel<<<64, THREADS>>>(out, d_bytes.data);
    };
    add_row<unsigned>(rows, "histogram", BINS, counted, histogram);

    const std::vector<float> a = values(MATRIX * MATRIX);
    const device_array<float> d_a(a);
    const auto squared = [&](std::vector<float>& expected) {
        for (int y = 0; y < MATRIX; y++) {
            for (int x = 0; x < MATRIX; x++) {
                float sum = 0;
                for (int k = 0; k < MATRIX; k++)
                    sum += a[y * MATRIX + k] * a[k * MATRIX + x];
                expected[y * MATRIX + x] = sum;
            }
        }
    };
    const auto product = [&](float* out) {
        const dim3 tiles(MATRIX / BLOCK, MATRIX / BLOCK);
        matrix_product_kernel<<<tiles, block>>>(out, d_a.data, d_a.data);
    };
    add_row<float>(rows, "matrix_product", a.size(), squared, product);

    const auto turned = [&](std::vector<float>& expected) {
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++)
                expected[x * SIDE + y] = image[y * SIDE + x];
        }
    };
    const auto transpose = [&](float* out) { transpose_kernel<<<grid, block>>>(out, d_image.data); };
    add_row<float>(rows, "transpose", image.size(), turned, transpose);
    std::fclose(rows);
}
