// Right: blocks of 16 x 4 x 4 or 32 x 4 x 8: the same warps; a class owns the tile, two streams do the bands.
#include "conv2d_banks.h"

#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int SLICE = 4, BAND = 4;  // rows of threads in a slice of a block; rows of blocks in a launch
constexpr int MAX_SHARED = 48 * 1024;
__constant__ float c_filter[MAX_SHARED / 4];

extern __shared__ float s_memory[];

/// Dynamic shared memory as rows that start `pitch` floats apart.
template <int COLUMNS, int ROWS>
class shared_tile {
public:
    __device__ shared_tile(int pitch, int2 filter) : pitch_(pitch), filter_(filter) {}

    __device__ float& operator()(int row, int column) { return s_memory[row * pitch_ + column]; }

    /// `pixel_at(x, y)`: the pixel x columns to the right of the block's first output and y rows below it.
    template <class source>
    __device__ void load(source pixel_at) {
        for (int row = thread_row(); row < ROWS + filter_.y - 1; row += ROWS)
            for (int column = threadIdx.x; column < COLUMNS + filter_.x - 1; column += COLUMNS)
                (*this)(row, column) = pixel_at(column - filter_.x / 2, row - filter_.y / 2);
        __syncthreads();  // all cells are there
    }
    __device__ float sum() {
        float sum = 0.0f;
        for (int i = 0; i < filter_.y; i++)
            for (int j = 0; j < filter_.x; j++)
                sum += (*this)(thread_row() + i, threadIdx.x + j) * c_filter[i * filter_.x + j];
        return sum;
    }
    __device__ static int thread_row() { return threadIdx.z * SLICE + threadIdx.y; }

private:
    int pitch_;
    int2 filter_;
};

template <int COLUMNS, int ROWS>
__global__ void conv2d_banks_kernel(float* out, const float* in, int2 image, int2 filter, int pitch,
                                    int first_row) {
    shared_tile<COLUMNS, ROWS> tile(pitch, filter);
    const int left = blockIdx.x * COLUMNS, top = first_row + blockIdx.y * ROWS;
    tile.load([=](int dx, int dy) {
        const unsigned x = left + dx, y = top + dy;  // far beyond the image if negative
        return x < unsigned(image.x) && y < unsigned(image.y) ? in[y * image.x + x] : 0.0f;
    });
    const int x = left + threadIdx.x, y = top + tile.thread_row();
    if (x < image.x && y < image.y) out[y * image.x + x] = tile.sum();
}

struct two_streams {
    cudaStream_t of[2] = {nullptr, nullptr};
    two_streams() = default;
    ~two_streams() {
        for (cudaStream_t each : of)
            if (each != nullptr) cudaStreamDestroy(each);
    }
    two_streams(const two_streams&) = delete;
};

template <int COLUMNS, int ROWS>
static void convolve(float* out, const float* in, int2 image, int2 filter, int pitch, size_t bytes) {
    two_streams streams;
    for (cudaStream_t& each : streams.of)
        CUDA_CHECK(cudaStreamCreate(&each));
    timed_launch([&] {
        for (int row = 0, turn = 0; row < image.y; row += BAND * ROWS, turn = 1 - turn) {
            const dim3 grid(ceil_div(image.x, COLUMNS), min(BAND, ceil_div(image.y - row, ROWS)));
            conv2d_banks_kernel<COLUMNS, ROWS>
                <<<grid, dim3(COLUMNS, SLICE, ROWS / SLICE), bytes, streams.of[turn]>>>(out, in, image,
                                                                                        filter, pitch, row);
        }
    });
}

void conv2d_banks(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int filter_width, int filter_height, cure how) {
    const int side = how == cure::wide_blocks ? 32 : 16;
    int pitch = side + filter_width - 1;
    if (how == cure::padding) pitch += (48 - pitch % 32) % 32;
    const size_t bytes = sizeof(float) * pitch * (side + filter_height - 1);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument(std::to_string(bytes) + " bytes, a block has " +
                                    std::to_string(MAX_SHARED));
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in), d_out(out.size());
    const auto run = side == 32 ? convolve<32, 32> : convolve<16, 16>;
    run(d_out.data(), d_in.data(), make_int2(width, height), make_int2(filter_width, filter_height), pitch,
        bytes);
    d_out.copy_to(out);
}
