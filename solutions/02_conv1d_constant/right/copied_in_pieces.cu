// Right: the filter travels in pieces, each to its own offset of the symbol, in a stream that the kernel
// shares.
#include "conv1d_constant.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "lab/lab.h"

namespace {

constexpr unsigned ROOM = 64 * 1024 / sizeof(float);
constexpr size_t PIECE = 100;  // taps; no reason to be round

struct alignas(16) {
    float taps[ROOM];
} __constant__ c_memory;

class work_queue {
public:
    work_queue() { CUDA_CHECK(cudaStreamCreate(&stream_)); }
    ~work_queue() { cudaStreamDestroy(stream_); }
    work_queue(const work_queue&) = delete;
    work_queue& operator=(const work_queue&) = delete;
    operator cudaStream_t() const { return stream_; }
    void wait() const { CUDA_CHECK(cudaStreamSynchronize(stream_)); }

private:
    cudaStream_t stream_ = nullptr;
};

void send_filter(std::span<const float> filter, const work_queue& queue) {
    if (filter.size() > ROOM) {
        std::ostringstream complaint;
        complaint << "conv1d_constant: " << filter.size() << " taps asked for, at most " << ROOM << " fit";
        throw std::invalid_argument(complaint.str());
    }
    for (size_t sent = 0; sent < filter.size(); sent += PIECE) {
        const auto piece = filter.subspan(sent, std::min(PIECE, filter.size() - sent));
        CUDA_CHECK(cudaMemcpyToSymbolAsync(c_memory, piece.data(), piece.size_bytes(), sent * sizeof(float),
                                           cudaMemcpyHostToDevice, queue));
    }
}

// The taps are walked from the last to the first, and two sums take turns.
__global__ void conv1d_constant_kernel(float* out, const float* in, int n, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (!(x < n)) return;
    float even = 0.0f, odd = 0.0f;
    for (int k = 2 * radius; k >= 0; k--) {
        const int position = x + k - radius;
        const float product = position < 0 || n <= position ? 0.0f : in[position] * c_memory.taps[k];
        (k % 2 ? odd : even) += product;
    }
    out[x] = even + odd;
}

}  // namespace

void conv1d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    const work_queue queue;
    send_filter(filter, queue);
    device_buffer<float> d_in(in), d_out(out.size());
    const int n = int(out.size()), threads = 320;
    timed_launch([&] {
        conv1d_constant_kernel<<<ceil_div(n, threads), threads, 0, queue>>>(d_out.data(), d_in.data(), n,
                                                                            int(filter.size()) / 2);
        queue.wait();
    });
    d_out.copy_to(out);
}
