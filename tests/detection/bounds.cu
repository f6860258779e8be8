// Accesses beside the allocation they were meant for.
#include "detection.h"

constexpr int N = 256, WIDTH = 20, HEIGHT = 6;

__device__ float d_table[64];

__device__ int thread_in_grid() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

// The last block overhangs the data.
template <bool RIGHT>
__global__ void no_guard(float* out, const float* in, int count) {
    const int x = thread_in_grid();
    if (RIGHT && x >= count) return;
    out[x] = in[x];  // HERE no_guard: out-of-bounds
}

template <bool RIGHT>
__global__ void guard_off_by_one(float* out, const float* in, int count) {
    const int x = thread_in_grid();
    if (RIGHT ? x < count : x <= count) out[x] = in[x % count];  // HERE guard_off_by_one: out-of-bounds
}

// What lies before an allocation is likely to be another one.
template <bool RIGHT>
__global__ void negative_index(float* out, const float* in) {
    const int x = threadIdx.x;
    out[x] = RIGHT && x == 0 ? 0 : in[x - 1];  // HERE negative_index: out-of-bounds
}

// Far enough behind the end for the next allocation, and beyond what any test of addresses could see.
template <bool RIGHT>
__global__ void neighbouring_allocation(float* out, const float* in, int count) {
    const int x = threadIdx.x;
    out[x] = in[RIGHT ? x : x + count];  // HERE neighbouring_allocation: out-of-bounds
}

// -1 as an unsigned number is far away.
template <bool RIGHT>
__global__ void unsigned_index(float* out, const float* in) {
    const unsigned int x = threadIdx.x;
    out[x] = RIGHT && x == 0 ? 0 : in[x - 1];  // HERE unsigned_index: illegal-address
}

template <bool RIGHT>
__global__ void part_of_a_vector(float4* out, const float4* in, int vectors) {
    const int x = threadIdx.x;
    if (RIGHT && x >= vectors) return;
    const float4 four = in[x];  // HERE part_of_a_vector: out-of-bounds
    if (x < vectors) out[x] = four;
}

// Bytes were allocated where floats were meant.
template <bool RIGHT>
__global__ void too_few_bytes(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x];  // HERE too_few_bytes: out-of-bounds
}

template <bool RIGHT>
__global__ void atomic_past_the_end(float* out, const float* in, int bins) {
    const int bin = int(in[threadIdx.x]);
    if (RIGHT && bin >= bins) return;
    atomicAdd(&out[bin], 1.0f);  // HERE atomic_past_the_end: out-of-bounds
}

template <bool RIGHT>
__global__ void past_a_device_variable(float* out, const float* in) {
    float* table = d_table;
    const int x = threadIdx.x, last = RIGHT ? 63 : 64;
    if (x <= last) table[x] = in[x];  // HERE past_a_device_variable: out-of-bounds
    __syncthreads();
    if (x < 64) out[x] = table[x];
}

template <bool RIGHT>
__global__ void copy_past_the_end(float* out, const float* in, int count) {
    if (threadIdx.x != 0) return;
    const int bytes = (RIGHT ? count : count + 1) * int(sizeof(float));
    memcpy(out, in, bytes);  // HERE copy_past_the_end: out-of-bounds
}

// The row is longer than its elements; what follows them belongs to nobody.
template <bool RIGHT>
__global__ void row_padding(float* image, size_t pitch, int width) {
    const int x = threadIdx.x, y = blockIdx.x;
    float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(image) + y * pitch);
    if (RIGHT ? x < width : x <= width) row[x] = 1;  // HERE row_padding: row-overrun
}

// A row that fills its pitch to the last byte has no padding to run into; it has an end all the same.
template <bool RIGHT>
__global__ void full_row(float* image, size_t pitch, int width) {
    const int x = threadIdx.x, y = blockIdx.x;
    float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(image) + y * pitch);
    if (RIGHT ? x < width : x <= width) row[x] = 1;  // HERE full_row: row-overrun
}

// The pitch counts bytes, not floats.
template <bool RIGHT>
__global__ void pitch_in_floats(float* image, size_t pitch, int width) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x >= width) return;
    image[RIGHT ? y * pitch / sizeof(float) + x : y * pitch + x] = 1;  // HERE pitch_in_floats: out-of-bounds
}

bool copy_with_guard(void (*kernel)(float*, const float*, int)) {
    return computes(ramp(500), kernel, 2, N, ramp(500), 500);
}

template <bool RIGHT>
bool copy_vectors() {
    const device_array<float4> in(std::vector<float4>(7, make_float4(1, 2, 3, 4)));
    const device_array<float4> out(std::vector<float4>(8, make_float4(0, 0, 0, 0)));
    part_of_a_vector<RIGHT><<<1, 8>>>(out, in, 7);
    return out.host()[6].w == 4;
}

template <bool RIGHT>
bool allocate_and_copy() {
    const device_array<float> out(zeros(N));
    float* in = nullptr;
    const size_t bytes = RIGHT ? N * sizeof(float) : N;
    cudaMalloc(&in, bytes);
    cudaMemset(in, 0, bytes);
    too_few_bytes<RIGHT><<<1, N>>>(out, in);
    cudaFree(in);
    return out.host() == zeros(N);
}

/// Writes an image row by row and looks at its last pixel.
bool fill_rows(void (*kernel)(float*, size_t, int), int width) {
    float *image = nullptr, last = 0;
    size_t pitch = 0;
    cudaMallocPitch(&image, &pitch, width * sizeof(float), HEIGHT);
    cudaMemset2D(image, pitch, 0, width * sizeof(float), HEIGHT);
    kernel<<<HEIGHT, 160>>>(image, pitch, width);
    const char* last_row = reinterpret_cast<const char*>(image) + (HEIGHT - 1) * pitch;
    cudaMemcpy(&last, last_row + (width - 1) * sizeof(float), sizeof last, cudaMemcpyDeviceToHost);
    cudaFree(image);
    return last == 1;
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"no_guard", [](auto right) { return copy_with_guard(no_guard<right>); }},
            {"guard_off_by_one", [](auto right) { return copy_with_guard(guard_off_by_one<right>); }},
            {"negative_index",
             [](auto right) {
                 std::vector<float> wanted = ramp(N, -1);
                 wanted[0] = 0;
                 return computes(wanted, negative_index<right>, 1, N, ramp(N));
             }},
            {"neighbouring_allocation",
             [](auto right) { return computes(ramp(N), neighbouring_allocation<right>, 1, N, ramp(N), N); }},
            {"unsigned_index",
             [](auto right) {
                 std::vector<float> wanted = ramp(N, -1);
                 wanted[0] = 0;
                 return computes(wanted, unsigned_index<right>, 1, N, ramp(N));
             }},
            {"part_of_a_vector", [](auto right) { return copy_vectors<right>(); }},
            {"too_few_bytes", [](auto right) { return allocate_and_copy<right>(); }},
            {"atomic_past_the_end",
             [](auto right) {
                 return computes(std::vector<float>(10, 1), atomic_past_the_end<right>, 1, 16, ramp(16), 10);
             }},
            {"past_a_device_variable",
             [](auto right) { return computes(ramp(64), past_a_device_variable<right>, 1, N, ramp(N)); }},
            {"copy_past_the_end",
             [](auto right) { return computes(ramp(N), copy_past_the_end<right>, 1, 32, ramp(N), N); }},
            {"row_padding", [](auto right) { return fill_rows(row_padding<right>, WIDTH); }},
            {"full_row", [](auto right) { return fill_rows(full_row<right>, 128); }},
            {"pitch_in_floats", [](auto right) { return fill_rows(pitch_in_floats<right>, WIDTH); }},
        });
}
