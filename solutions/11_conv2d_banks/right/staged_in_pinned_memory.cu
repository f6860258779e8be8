// Right: both images pass through pinned memory of the host, which the copies of a stream are fastest from.
#include "conv2d_banks.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr size_t MAX_SHARED = 48 * 1024;
__constant__ float c_filter[MAX_SHARED / sizeof(float)];

/// As many floats on the device as in pinned memory of the host, and the way between them.
class staged_image {
public:
    explicit staged_image(size_t size) : bytes_(size * sizeof(float)), device_(size) {
        CUDA_CHECK(cudaMallocHost(&host_, bytes_));
    }
    ~staged_image() { cudaFreeHost(host_); }
    staged_image(const staged_image&) = delete;

    float* device() { return device_.data(); }
    void send(std::span<const float> pixels) {
        std::copy(pixels.begin(), pixels.end(), host_);
        CUDA_CHECK(cudaMemcpyAsync(device(), host_, bytes_, cudaMemcpyHostToDevice));
    }
    void fetch(std::span<float> pixels) {
        CUDA_CHECK(cudaMemcpyAsync(host_, device(), bytes_, cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaDeviceSynchronize());
        std::copy_n(host_, pixels.size(), pixels.begin());
    }

private:
    size_t bytes_;
    device_buffer<float> device_;
    float* host_ = nullptr;
};

__global__ void conv2d_banks_kernel(float* out, const float* in, int width, int height, int filter_width,
                                    int filter_height, int pitch) {
    extern __shared__ float s_tile[];
    const int side = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * side + tx, y = blockIdx.y * side + ty;
    for (int row = 0; ty + row < side + filter_height - 1; row += side) {
        for (int column = 0; tx + column < side + filter_width - 1; column += side) {
            const int from_x = x + column - filter_width / 2, from_y = y + row - filter_height / 2;
            const bool inside = from_x >= 0 && from_x < width && from_y >= 0 && from_y < height;
            s_tile[(ty + row) * pitch + tx + column] = inside ? in[from_y * width + from_x] : 0.0f;
        }
    }
    __syncthreads();  // all cells are there
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int i = 0; i < filter_height; i++)
        for (int j = 0; j < filter_width; j++)
            sum += s_tile[(ty + i) * pitch + tx + j] * c_filter[i * filter_width + j];
    out[y * width + x] = sum;
}

void conv2d_banks(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, cure how) {
    const int side = how == cure::wide_blocks ? 32 : 16;
    int pitch = side + filter_width - 1;
    if (how == cure::padding) pitch += (48 - pitch % 32) % 32;
    const size_t bytes = sizeof(float) * pitch * (side + filter_height - 1);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument(std::to_string(bytes) + " bytes of shared memory, at most " +
                                    std::to_string(MAX_SHARED));
    set_filter(c_filter, filter);
    staged_image from(in.size()), to(out.size());
    from.send(in);
    const dim3 block(side, side), grid(ceil_div(width, side), ceil_div(height, side));
    timed_launch([&] {
        conv2d_banks_kernel<<<grid, block, bytes>>>(to.device(), from.device(), width, height, filter_width,
                                                    filter_height, pitch);
    });
    to.fetch(out);
}
