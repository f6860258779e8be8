// Right: a general kernel calls a functor for each index; the runtime is asked for the best block size.
#include "conv1d_basic.h"

#include <array>

#include "lab/lab.h"

/// Calls work(k) for all k below count, a thread each.
template <class function>
__global__ void for_each_index(int count, function work) {
    if (const int k = int(blockIdx.x * blockDim.x + threadIdx.x); k < count) work(k);
}

template <class function>
static void run_for_each(int count, const function& work) {
    int least_blocks = 0, threads = 0;
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&least_blocks, &threads, for_each_index<function>, 0, 256));
    timed_launch([&] { for_each_index<<<ceil_div(count, threads), threads>>>(count, work); });
}

/// A row of elements on the device that is 0 wherever it has none.
class row {
public:
    row(const float* data, int length) : data_(data), length_(length) {}
    __device__ float operator[](int k) const { return unsigned(k) < unsigned(length_) ? data_[k] : 0.0f; }

private:
    const float* data_;
    int length_;
};

struct weighted_sum {
    float* out;
    row in;
    const float* middle_tap;
    int radius;

    // In two halves, from the middle outwards: each step takes the left and the right neighbour.
    __device__ void operator()(int x) const {
        float left = 0.0f, right = in[x] * *middle_tap;
        for (int distance = 1; distance <= radius; ++distance) {
            left += in[x - distance] * middle_tap[-distance];
            right += in[x + distance] * middle_tap[+distance];
        }
        out[x] = left + right;
    }
};

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    const int n = int(out.size()), radius = int(filter.size() - 1) / 2;
    std::array<float*, 3> device{};
    const std::array bytes{out.size_bytes(), in.size_bytes(), filter.size_bytes()};
    for (size_t k = 0; k < device.size(); ++k)
        CUDA_CHECK(cudaMalloc(&device[k], bytes[k]));
    const auto [d_out, d_in, d_filter] = device;

    const auto upload = [](float* to, std::span<const float> from) {
        timed_copy([&] { CUDA_CHECK(cudaMemcpy(to, from.data(), from.size_bytes(), cudaMemcpyDefault)); });
    };
    upload(d_in, in);
    upload(d_filter, filter);
    run_for_each(n, weighted_sum{d_out, row(d_in, n), d_filter + radius, radius});
    timed_copy(
        [&, from = d_out] { CUDA_CHECK(cudaMemcpy(out.data(), from, out.size_bytes(), cudaMemcpyDefault)); });
    for (float* data : device)
        CUDA_CHECK(cudaFree(data));
}
