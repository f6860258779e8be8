// Right: thread 0 has the last element, and each block keeps its taps in shared memory, a handful at a time.
#include "conv1d_basic.h"

#include "lab/lab.h"

constexpr int THREADS = 128;

/// Dynamic shared memory of any type, by way of a function.
template <class T>
__device__ T* shared_memory() {
    extern __shared__ __align__(sizeof(double)) unsigned char s_memory[];
    return reinterpret_cast<T*>(s_memory);
}

__global__ void conv1d_basic_kernel(float* out, const float* in, const float* filter, int n, int radius) {
    float* const s_taps = shared_memory<float>();
    const int x =
        n - 1 - int(blockIdx.x * blockDim.x + threadIdx.x);  // below 0: no element, but taps to load
    const int taps = 2 * radius + 1, handful = blockDim.x;

    float sum = 0.0f;
    for (int first = 0; first < taps; first += handful) {
        const int count = min(handful, taps - first);
        if (int(threadIdx.x) < count) s_taps[threadIdx.x] = filter[first + threadIdx.x];
        __syncthreads();  // the handful is complete
        for (int k = 0; k < count; k++) {
            const int position = x + first + k - radius;
            if (x >= 0 && position >= 0 && position < n) sum += in[position] * s_taps[k];
        }
        __syncthreads();  // nobody needs this handful any more
    }
    if (x >= 0) out[x] = sum;
}

/// Device memory from the pool of the default stream, given back to it in the end.
class pooled {
public:
    explicit pooled(size_t bytes) { CUDA_CHECK(cudaMallocAsync(&data_, bytes, DEFAULT)); }
    ~pooled() { cudaFreeAsync(data_, DEFAULT); }
    pooled(const pooled&) = delete;
    pooled& operator=(const pooled&) = delete;
    operator float*() const { return static_cast<float*>(data_); }

private:
    static constexpr cudaStream_t DEFAULT = nullptr;
    void* data_ = nullptr;
};

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    const pooled d_out(out.size_bytes()), d_in(in.size_bytes()), d_filter(filter.size_bytes());
    timed_copy([&] {
        CUDA_CHECK(cudaMemcpy(d_in, in.data(), in.size_bytes(), cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(d_filter, filter.data(), filter.size_bytes(), cudaMemcpyHostToDevice));
    });
    const int n = int(in.size());
    timed_launch([&] {
        conv1d_basic_kernel<<<ceil_div(n, THREADS), THREADS, THREADS * sizeof(float)>>>(
            d_out, d_in, d_filter, n, int(filter.size()) / 2);
    });
    timed_copy([&] { CUDA_CHECK(cudaMemcpy(out.data(), d_out, out.size_bytes(), cudaMemcpyDeviceToHost)); });
}
