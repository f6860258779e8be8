// Right: every row of the tile has one cell more than it needs, against bank conflicts that are not there.
#include "conv2d_tiled.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int MAX_SIDE = 32;              // of a block: 32 x 32 are the 1024 threads that it may have
constexpr size_t MAX_SHARED = 48 * 1024;  // bytes of a block; more has to be asked for

// A filter is never larger than the input tile, so one that fits shared memory fits here.
__constant__ float c_filter[MAX_SHARED / sizeof(float)];

/// An image on the device (PMPP fig. 7.17): `height` rows of `width` pixels of `channels` interleaved values.
template <class T>
struct image_view {
    T* data;
    size_t pitch;  // bytes from one row to the next
    int width, height, channels;
};

template <class T>
__device__ T& value_at(image_view<T> image, int x, int y, int channel) {
    T* row = (T*)((char*)image.data + y * image.pitch);
    return row[x * image.channels + channel];
}

/// Bytes of shared memory that an input tile takes. Throws std::invalid_argument if no block can have them.
static size_t shared_bytes(int tile, int filter_width, int filter_height) {
    if (tile < 1) throw std::invalid_argument("a tile of " + std::to_string(tile) + ": at least 1");
    const size_t bytes =
        (size_t(tile) + filter_width - 1) * (size_t(tile) + filter_height - 1) * sizeof(float);
    if (bytes > MAX_SHARED)
        throw std::invalid_argument("the input tile takes " + std::to_string(bytes) +
                                    " bytes of shared memory: a block has at most " +
                                    std::to_string(MAX_SHARED));
    return bytes;
}

/// The threads of a block.
static dim3 block_for(int tile, int filter_width, int filter_height) {
    return dim3(std::min(tile + filter_width - 1, MAX_SIDE), std::min(tile + filter_height - 1, MAX_SIDE));
}

__global__ void conv2d_tiled_kernel(image_view<float> out, image_view<const float> in, int filter_width,
                                    int filter_height, int tile) {
    extern __shared__ float s_tile[];  // the input tile: rows of input_width + 1 values of one channel
    const int input_width = tile + filter_width - 1, input_height = tile + filter_height - 1;
    const int row = input_width + 1;  // of s_tile

    for (int ty = threadIdx.y; ty < input_height; ty += blockDim.y) {
        for (int tx = threadIdx.x; tx < input_width; tx += blockDim.x) {
            const int x = blockIdx.x * tile + tx - filter_width / 2;
            const int y = blockIdx.y * tile + ty - filter_height / 2;
            const bool inside = x >= 0 && x < in.width && y >= 0 && y < in.height;
            s_tile[ty * row + tx] = inside ? value_at(in, x, y, blockIdx.z) : 0.0f;
        }
    }
    __syncthreads();  // the sums below read what other threads have stored above
    for (int ty = threadIdx.y; ty < tile; ty += blockDim.y) {
        for (int tx = threadIdx.x; tx < tile; tx += blockDim.x) {
            const int x = blockIdx.x * tile + tx, y = blockIdx.y * tile + ty;
            if (x >= out.width || y >= out.height) continue;  // the last tiles overhang the image

            float sum = 0.0f;
            for (int i = 0; i < filter_height; i++) {
                for (int j = 0; j < filter_width; j++) {
                    // No - radius here: the input tile begins that much earlier than the output tile.
                    sum += c_filter[i * filter_width + j] * s_tile[(ty + i) * row + tx + j];
                }
            }
            value_at(out, x, y, blockIdx.z) = sum;
        }
    }
}

void conv2d_tiled(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int channels, int filter_width, int filter_height, int tile) {
    const size_t bytes = shared_bytes(tile, filter_width, filter_height);
    const size_t longer = (tile + filter_height - 1) * sizeof(float);  // a cell a row
    const dim3 block = block_for(tile, filter_width, filter_height);
    const dim3 grid(ceil_div(width, tile), ceil_div(height, tile), channels);

    set_filter(c_filter, filter);
    pitched_image<float> d_in(in, width * channels, height), d_out(width * channels, height);
    const image_view<float> to{d_out.data(), d_out.pitch(), width, height, channels};
    const image_view<const float> from{d_in.data(), d_in.pitch(), width, height, channels};
    timed_launch([&] {
        conv2d_tiled_kernel<<<grid, block, bytes + longer>>>(to, from, filter_width, filter_height, tile);
    });
    d_out.copy_to(out);
}
