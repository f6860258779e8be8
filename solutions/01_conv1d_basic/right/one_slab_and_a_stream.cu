// Right: one slab holds all three arrays, travels by pinned memory in a stream, and the sum is kept in
// double.
#include "conv1d_basic.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "lab/lab.h"

namespace {

struct task {
    float* out;
    const float* in;
    const float* filter;
    unsigned n, radius;
};

/// Elements of an array in the slab: the next one starts at a multiple of 256 bytes.
constexpr size_t room_for(size_t elements) {
    return (elements + 63) & ~size_t(63);
}

struct free_device {
    void operator()(float* data) const { cudaFree(data); }
};
struct free_pinned {
    void operator()(float* data) const { cudaFreeHost(data); }
};
struct stream {
    cudaStream_t handle = nullptr;
    stream() { CUDA_CHECK(cudaStreamCreate(&handle)); }
    ~stream() { cudaStreamDestroy(handle); }
};

__global__ void conv1d_basic_kernel(const task todo) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= todo.n) return;
    const unsigned first = x > todo.radius ? x - todo.radius : 0u;
    const unsigned last = min(x + todo.radius, todo.n - 1);
    double sum = 0.0;
    for (unsigned at = first; at <= last; ++at) {
        sum += double(todo.in[at]) * double(todo.filter[at + todo.radius - x]);
    }
    todo.out[x] = float(sum);
}

}  // namespace

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    const size_t elements = room_for(in.size()), taps = room_for(filter.size());
    const size_t sent = elements + filter.size();

    float* raw = nullptr;
    CUDA_CHECK(cudaMalloc(&raw, (elements + taps + out.size()) * sizeof(float)));
    const std::unique_ptr<float, free_device> slab(raw);
    CUDA_CHECK(cudaMallocHost(&raw, std::max(sent, out.size()) * sizeof(float)));
    const std::unique_ptr<float, free_pinned> pinned(raw);
    const stream way;

    std::memset(pinned.get(), 0, sent * sizeof(float));
    std::memcpy(pinned.get(), in.data(), in.size_bytes());
    std::memcpy(pinned.get() + elements, filter.data(), filter.size_bytes());
    CUDA_CHECK(
        cudaMemcpyAsync(slab.get(), pinned.get(), sent * sizeof(float), cudaMemcpyHostToDevice, way.handle));

    const task todo{slab.get() + elements + taps, slab.get(), slab.get() + elements, unsigned(in.size()),
                    unsigned(filter.size() / 2)};
    timed_launch([&] {
        conv1d_basic_kernel<<<ceil_div(int(todo.n), 256), 256, 0, way.handle>>>(todo);
        CUDA_CHECK(cudaStreamSynchronize(way.handle));
    });
    CUDA_CHECK(cudaMemcpyAsync(pinned.get(), todo.out, out.size_bytes(), cudaMemcpyDeviceToHost, way.handle));
    CUDA_CHECK(cudaStreamSynchronize(way.handle));
    std::memcpy(out.data(), pinned.get(), out.size_bytes());
}
