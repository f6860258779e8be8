// What this GPU can do at best: copy an image once, and multiply and add out of registers. Everything a
// convolution takes beyond the larger of both is lost somewhere. Prints the rows of ceilings.csv; timed as
// any kernel of a lab is.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"
#include "lab/recorder.h"

namespace {

constexpr int SIDE = 4096;  // of the image, in pixels: the largest of the benchmark
constexpr int BLOCK_SIZE = 256;

__global__ void copy_kernel(float4* out, const float4* in) {
    const size_t k = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    out[k] = in[k];
}

constexpr int CHAINS = 16;        // of multiply-adds that do not wait for each other
constexpr int TURNS = 4096;       // of the loop, BODY multiply-adds of every chain in each
constexpr int BODY = 16;          // 256 instructions: far below what the instruction cache holds
constexpr int BLOCKS_PER_SM = 8;  // as many as a full SM has of the largest GPUs; others take them in turn

__global__ void ffma_kernel(float* out, float factor, float summand) {
    float sum[CHAINS];
    for (int chain = 0; chain < CHAINS; chain++)
        sum[chain] = float(chain);  // of chains that were alike, the compiler would keep one
    for (int turn = 0; turn < TURNS; turn++) {
#pragma unroll
        for (int k = 0; k < BODY; k++) {
#pragma unroll
            for (int chain = 0; chain < CHAINS; chain++)
                sum[chain] = sum[chain] * factor + summand;
        }
    }
    float total = 0.0f;
    for (int chain = 0; chain < CHAINS; chain++)
        total += sum[chain];
    out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

/// Of the launch before, whose times are then forgotten.
double median_ms() {
    std::vector<double>& times = lab::current_call().kernel_ms;
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2];
    times.clear();
    return median;
}

/// Throws std::runtime_error with `what` if something is not right.
void expect(bool right, const char* what) {
    if (!right) throw std::runtime_error(std::string("ceilings: ") + what);
}

/// Milliseconds to copy the image: every byte is read once and written once.
double copy_ms() {
    std::vector<float> image(size_t(SIDE) * SIDE), back(image.size());
    for (size_t k = 0; k < image.size(); k++)
        image[k] = float(k % 1000);
    device_buffer<float> from(image), to(image.size());
    const int blocks = int(image.size() / 4 / BLOCK_SIZE);
    timed_launch([&] {
        copy_kernel<<<blocks, BLOCK_SIZE>>>(reinterpret_cast<float4*>(to.data()),
                                            reinterpret_cast<const float4*>(from.data()));
    });
    to.copy_to(back);
    expect(back == image, "the copy is not the image");
    return median_ms();
}

/// Two operations a multiply-add, all operands in registers; in GFLOP/s.
double ffma_gflops() {
    int device = 0, multiprocessors = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const int blocks = multiprocessors * BLOCKS_PER_SM;
    device_buffer<float> sums(size_t(blocks) * BLOCK_SIZE);
    timed_launch([&] { ffma_kernel<<<blocks, BLOCK_SIZE>>>(sums.data(), 1.0f, 1.0f); });
    std::vector<float> back(size_t(blocks) * BLOCK_SIZE);
    sums.copy_to(back);
    const double multiply_adds = double(CHAINS) * TURNS * BODY;  // of a thread; each adds 1 to a whole number
    const float sum = float(multiply_adds + CHAINS * (CHAINS - 1) / 2);
    expect(std::count(back.begin(), back.end(), sum) == std::ptrdiff_t(back.size()), "a sum is wrong");
    return 2e-6 * multiply_adds * double(back.size()) / median_ms();
}

}  // namespace

int main() try {
    lab::current_call().warmups = 3;
    lab::current_call().repeats = 20;
    std::printf("copy_%dx%d,%.4f,ms\n", SIDE, SIDE, copy_ms());
    std::printf("ffma,%.0f,GFLOP/s\n", ffma_gflops());
} catch (const std::exception& trouble) {
    std::fprintf(stderr, "%s\n", trouble.what());
    return 1;
}
