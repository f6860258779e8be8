// Lab 07 - tiled 2D convolution: the block is the input tile.
//
// Idea  A block has a thread for every pixel that its outputs need. All of them load, side by side; then
//       those on the halo have nothing more to do, and the others compute out of shared memory.
// Do    TODO 07.1 to 07.6. The contract is conv2d_tiled.h; leave it as it is.
// Run   make lab07      (stuck: make hint07)
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
    // TODO 07.1 (about 2 lines) Return the value: y times the pitch in bytes, x pixels and the channel in
    // values.
    return image.data[0];  // always the first value: replace this line
}

/// Bytes of shared memory that an input tile takes. Throws std::invalid_argument if no block can have them.
static size_t shared_bytes(int tile, int filter_width, int filter_height) {
    // TODO 07.2 (about 8 lines) Return the bytes of the input tile; throw what the contract says beyond its
    // limits.
    return MAX_SHARED;  // always as much as there is: replace this line
}

/// The threads of a block.
static dim3 block_for(int tile, int filter_width, int filter_height) {
    // TODO 07.3 (about 1 line) Return a thread for every value of the input tile, but at most 32 columns and
    // 32 rows.
    return dim3(1, MAX_SIDE);  // one column: replace this line
}

__global__ void conv2d_tiled_kernel(image_view<float> out, image_view<const float> in, int filter_width,
                                    int filter_height, int tile) {
    extern __shared__ float s_tile[];  // the input tile: rows of input_width values of one channel
    const int input_width = tile + filter_width - 1, input_height = tile + filter_height - 1;

    // TODO 07.4 (about 8 lines) Load the input tile, one or more values a thread; ghost cells are 0.
    (void)s_tile, (void)input_width, (void)input_height;  // unused so far: take this line out
    // TODO 07.5 (about 1 line) Wait until the input tile is complete.
    // TODO 07.6 (about 13 lines) Compute the output tile, every value that lies in the image; the other
    // threads do nothing.
}

void conv2d_tiled(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                  int height, int channels, int filter_width, int filter_height, int tile) {
    const size_t bytes = shared_bytes(tile, filter_width, filter_height);
    const dim3 block = block_for(tile, filter_width, filter_height);
    const dim3 grid(ceil_div(width, tile), ceil_div(height, tile), channels);

    set_filter(c_filter, filter);
    pitched_image<float> d_in(in, width * channels, height), d_out(width * channels, height);
    const image_view<float> to{d_out.data(), d_out.pitch(), width, height, channels};
    const image_view<const float> from{d_in.data(), d_in.pitch(), width, height, channels};
    timed_launch(
        [&] { conv2d_tiled_kernel<<<grid, block, bytes>>>(to, from, filter_width, filter_height, tile); });
    d_out.copy_to(out);
}
