// Right: a thread computes 2 x 2 pixels, a block apart in either direction, as one struct with operators.
#include "conv2d_constant.h"

#include "lab/lab.h"

constexpr dim3 BLOCK(32, 4, 2);  // the third dimension counts rows as well
constexpr int BLOCK_ROWS = 8;
constexpr auto MAX_TAPS = 0x10000 / sizeof(float);

__constant__ union {
    float taps[MAX_TAPS];
    unsigned bits[MAX_TAPS];
} c_filter;

struct quad {
    float4 of = {0, 0, 0, 0};  // upper left, upper right, lower left, lower right
};
__device__ quad operator*(float tap, quad q) {
    return {make_float4(tap * q.of.x, tap * q.of.y, tap * q.of.z, tap * q.of.w)};
}
__device__ quad operator+(quad a, quad b) {
    return {{a.of.x + b.of.x, a.of.y + b.of.y, a.of.z + b.of.z, a.of.w + b.of.w}};
}

template <class pixel>
class plane {
public:
    __host__ __device__ plane(pixel* data, int width, int height)
        : data_(data), width_(width), height_(height) {}
    __device__ bool has(int x, int y) const { return x >= 0 && x < width_ && y >= 0 && y < height_; }
    __device__ pixel& at(int x, int y) const { return data_[y * width_ + x]; }
    __device__ float get(int x, int y) const { return has(x, y) ? at(x, y) : 0.0f; }
    __device__ quad get_four(int x, int y) const {
        const int right = x + BLOCK.x, below = y + BLOCK_ROWS;
        return {{get(x, y), get(right, y), get(x, below), get(right, below)}};
    }
    __device__ void put(int x, int y, float value) const {
        if (has(x, y)) at(x, y) = value;
    }

private:
    pixel* data_;
    int width_, height_;
};

__global__ void conv2d_constant_kernel(plane<float> out, plane<const float> in, int radius) {
    const int x = 2 * blockIdx.x * BLOCK.x + threadIdx.x;
    const int y = 2 * blockIdx.y * BLOCK_ROWS + threadIdx.z * blockDim.y + threadIdx.y;
    quad sum;
    int tap = 0;
    for (int i = -radius; i <= radius; ++i) {
        for (int j = -radius; j <= radius; ++j, ++tap) {
            sum = sum + c_filter.taps[tap] * in.get_four(x + j, y + i);
        }
    }
    out.put(x, y, sum.of.x);
    out.put(x + BLOCK.x, y, sum.of.y);
    out.put(x, y + BLOCK_ROWS, sum.of.z);
    out.put(x + BLOCK.x, y + BLOCK_ROWS, sum.of.w);
}

void conv2d_constant(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int radius) {
    lab::expect_room_for(filter.size(), MAX_TAPS);
    timed_copy([&] { CUDA_CHECK(cudaMemcpyToSymbol(c_filter, filter.data(), filter.size_bytes())); });
    device_buffer<float> d_in(in), d_out(out.size());
    const dim3 grid(ceil_div(width, 2 * BLOCK.x), ceil_div(height, 2 * BLOCK_ROWS));
    timed_launch([&] {
        conv2d_constant_kernel<<<grid, BLOCK>>>({d_out.data(), width, height}, {d_in.data(), width, height},
                                                radius);
    });
    d_out.copy_to(out);
}
