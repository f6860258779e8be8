// Right: the rows of the input tile are dealt out over y and z of the block; outputs are numbered without
// gaps.
#include "conv2d_tiled.h"

#include <cooperative_groups.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

namespace cg = cooperative_groups;

constexpr unsigned LANES = 32;
__constant__ float c_filter[48 * 1024 / 4];

struct extent {
    unsigned width, height;
    __host__ __device__ constexpr unsigned area() const { return width * height; }
};

struct rows_with_pitch {
    unsigned char* start;
    size_t pitch;
    __device__ float* operator[](unsigned y) const { return (float*)(start + y * pitch); }
};

__global__ void conv2d_tiled_kernel(rows_with_pitch out, rows_with_pitch in, extent image, unsigned channels,
                                    extent filter, unsigned tile) {
    extern __shared__ float s_tile[];
    const cg::thread_block block = cg::this_thread_block();
    const extent input{tile + filter.width - 1, tile + filter.height - 1};
    const unsigned left = tile * blockIdx.x, top = tile * blockIdx.y;

    // Left of the image and above it the unsigned coordinate is a huge one.
    const unsigned layer = threadIdx.y * blockDim.z + threadIdx.z, layers = blockDim.y * blockDim.z;
    for (unsigned ty = layer; ty < input.height; ty += layers) {
        const unsigned y = top + ty - filter.height / 2;
        for (unsigned tx = threadIdx.x; tx < input.width; tx += blockDim.x) {
            const unsigned x = left + tx - filter.width / 2;
            s_tile[ty * input.width + tx] =
                x < image.width && y < image.height ? in[y][x * channels + blockIdx.z] : 0.0f;
        }
    }
    cg::sync(block);  // the sums read what others loaded

    const extent mine{min(tile, image.width - left), min(tile, image.height - top)};
    for (unsigned k = block.thread_rank(); k < mine.area(); k += block.size()) {
        const unsigned tx = k % mine.width, ty = k / mine.width;
        float sum = 0.0f;
        for (unsigned tap = filter.area(); tap-- > 0;) {
            sum += c_filter[tap] * s_tile[(ty + tap / filter.width) * input.width + tx + tap % filter.width];
        }
        out[top + ty][(left + tx) * channels + blockIdx.z] = sum;
    }
}

void conv2d_tiled(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int channels, int filter_width, int filter_height, int tile) {
    const auto fail = [](auto... parts) { throw std::invalid_argument((std::string(parts) + ...)); };
    if (tile < 1) fail("tile ", std::to_string(tile), " < 1");
    const size_t input_width = size_t(tile) + filter_width - 1,
                 input_height = size_t(tile) + filter_height - 1;
    const size_t bytes = sizeof(float) * input_width * input_height;
    if (bytes > 49152) fail("input tile: ", std::to_string(bytes), " bytes > 49152");

    set_filter(c_filter, filter);
    pitched_image<float> d_in(in, width * channels, height), d_out(width * channels, height);
    const auto rows = [](auto& image) {
        return rows_with_pitch{(unsigned char*)image.data(), image.pitch()};
    };

    // At most 32 columns and 32 rows of threads, two rows deep where there are two.
    const unsigned columns = std::min<unsigned>(input_width, LANES),
                   threads = std::min<unsigned>(input_height, LANES);
    const dim3 block = threads % 2 ? dim3(columns, threads) : dim3(columns, threads / 2, 2);
    const dim3 grid(ceil_div(width, tile), ceil_div(height, tile), channels);
    timed_launch([&] {
        conv2d_tiled_kernel<<<grid, block, bytes>>>(
            rows(d_out), rows(d_in), extent{unsigned(width), unsigned(height)}, channels,
            extent{unsigned(filter_width), unsigned(filter_height)}, tile);
    });
    d_out.copy_to(out);
}
