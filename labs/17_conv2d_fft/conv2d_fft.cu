// Lab 17 - convolution by Fourier transforms.
//
// Idea  A convolution is a product, number by number, once image and filter are transformed: the filter's size no longer
//       counts. A transform takes its plane for a torus, so the ghost cells have to be put there.
// Do    TODO 17.1 to 17.8. The contract is conv2d_fft.h; leave it as it is.
// Run   make lab17      (stuck: make hint17)
#include "conv2d_fft.h"

#include <cufft.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/lab.h"

constexpr int BLOCK_WIDTH = 32;  // a warp is one row
constexpr int BLOCK_HEIGHT = 8;
constexpr int BLOCK_SIZE = 256;  // of the kernel that has no rows

static void check_fft(cufftResult status, const char* what) {
    if (status != CUFFT_SUCCESS)
        throw std::runtime_error(std::string(what) + ": cuFFT says " + std::to_string(int(status)));
}

// ---- Sizes.

/// The least side of a plane, at least `least`, that cuFFT is fast with.
static int fast_side(int least) {
    // TODO 17.1 (about 8 lines) Return the least product of 2, 3, 5 and 7 that is not below `least`.
    return least;  // replace this line
}

/// What is transformed: rows of real numbers, to rows of complex ones, `waves`.
struct plane {
    int width, height;
    __host__ __device__ size_t cells() const { return size_t(width) * height; }
    /// The right half of a transform of real numbers mirrors the left one, and is left out.
    __host__ __device__ size_t waves() const { return size_t(width / 2 + 1) * height; }
};

/// An image in planes, `across` x `down` of them, all of a size, one behind the other in memory. A plane holds `out_width` x
/// `out_height` outputs; the first one is its cell (`left`, `above`), and so is the pixel at the same place of the image.
struct tiles {
    plane each;
    int across, down;
    int out_width, out_height;
    int left, above;
    int count() const { return across * down; }
};

/// The whole image in one plane.
static tiles one_plane(int width, int height, int filter_width, int filter_height) {
    // TODO 17.2 (about 2 lines) Return a plane with room for the image and the ghost cells of one edge.
    return {{fast_side(width), fast_side(height)}, 1, 1, width, height, 0, 0};  // replace this line
}

// ---- Kernels.

/// The taps in a plane, the middle of the filter at the first cell; zeros where there are none.
__global__ void place_kernel(float* out, const float* filter, plane each, int filter_width,
                             int filter_height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= each.width || y >= each.height) return;
    // TODO 17.3 (about 3 lines) Store the tap that belongs to cell (x, y), or zero: what is left of the
    // middle comes in at the right edge.
    (void)out, (void)filter, (void)filter_width, (void)filter_height;  // take this line out
}

/// All planes of an image, with zeros for ghost cells. (x, y) counts cells as if the planes lay side by side.
__global__ void pad_kernel(float* out, const float* in, tiles all, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= all.across * all.each.width || y >= all.down * all.each.height) return;
    const int tile_x = x / all.each.width, tile_y = y / all.each.height;
    const int cell_x = x % all.each.width, cell_y = y % all.each.height;
    float* const to = &out[(size_t(tile_y) * all.across + tile_x) * all.each.cells()];
    // TODO 17.4 (about 4 lines) Store the pixel that this cell of the tile stands for, or zero.
    (void)to, (void)in, (void)width, (void)height, (void)cell_x, (void)cell_y;  // take this line out
}

/// The waves of all planes, times those of the filter, which has one plane.
__global__ void multiply_kernel(cufftComplex* image, const cufftComplex* filter, size_t count,
                                size_t filter_count, float scale) {
    const size_t k = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (k >= count) return;
    const cufftComplex a = image[k], b = filter[k % filter_count];
    // TODO 17.5 (about 1 line) Store a times the conjugate of b, times scale: the conjugate, as the sum does
    // not flip the filter.
    (void)a, (void)b, (void)scale;  // take this line out
}

/// The outputs of all planes, each to its pixel.
__global__ void crop_kernel(float* out, const float* in, tiles all, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    // TODO 17.6 (about 4 lines) Find the tile that has this output and its cell there; store it.
    (void)out, (void)in, (void)all;  // take this line out
}

// ---- Transforms.

/// One way of the transform of `count` planes, one behind the other.
class transform {
public:
    transform(const plane& each, int count, cufftType kind) {
        int sides[] = {each.height, each.width};  // the last one is that of neighbours in memory
        check_fft(
            cufftPlanMany(&plan_, 2, sides, nullptr, 1, 0, nullptr, 1, 0, kind, count),  // no gaps anywhere
            "cufftPlanMany");
    }
    ~transform() { cufftDestroy(plan_); }
    transform(const transform&) = delete;
    transform& operator=(const transform&) = delete;

    void there(cufftComplex* out, float* in) const {
        check_fft(cufftExecR2C(plan_, in, out), "cufftExecR2C");
    }
    void back(float* out, cufftComplex* in) const { check_fft(cufftExecC2R(plan_, in, out), "cufftExecC2R"); }

private:
    cufftHandle plan_ = 0;
};

static dim3 blocks_for(int width, int height) {
    return dim3(ceil_div(width, BLOCK_WIDTH), ceil_div(height, BLOCK_HEIGHT));
}

static void convolve(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                     int width, int height, int filter_width, int filter_height, const tiles& all) {
    const size_t waves = all.each.waves() * all.count();
    device_buffer<float> d_in(in), d_filter(filter), d_out(out.size());
    device_buffer<float> d_taps(all.each.cells()), d_planes(all.each.cells() * all.count());
    device_buffer<cufftComplex> d_filter_waves(all.each.waves()), d_waves(waves);
    // Plans take longer than transforms do, and serve for any number of images: they are made before the clock runs.
    const transform of_filter(all.each, 1, CUFFT_R2C), there(all.each, all.count(), CUFFT_R2C),
        back(all.each, all.count(), CUFFT_C2R);
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        place_kernel<<<blocks_for(all.each.width, all.each.height), block>>>(
            d_taps.data(), d_filter.data(), all.each, filter_width, filter_height);
        pad_kernel<<<blocks_for(all.across * all.each.width, all.down * all.each.height), block>>>(
            d_planes.data(), d_in.data(), all, width, height);
        // TODO 17.7 (about 5 lines) Transform both there, multiply, and transform back; the way there and
        // back multiplies by the cells.
        (void)BLOCK_SIZE;  // unused so far: take this line out
        crop_kernel<<<blocks_for(width, height), block>>>(d_out.data(), d_planes.data(), all, width, height);
    });
    d_out.copy_to(out);
}

void conv2d_fft(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                int height, int filter_width, int filter_height) {
    convolve(out, in, filter, width, height, filter_width, filter_height,
             one_plane(width, height, filter_width, filter_height));
}

/// Tiles of `tile` x `tile` cells. Throws std::invalid_argument if a tile has no output.
static tiles overlapping(int width, int height, int filter_width, int filter_height, int tile) {
    // TODO 17.8 (about 7 lines) Refuse a tile that the filter does not fit in, naming both; return tiles
    // whose outputs see no other edge.
    (void)filter_width, (void)filter_height;  // unused so far: take this line out
    return {{tile, tile}, ceil_div(width, tile), ceil_div(height, tile), tile, tile, 0, 0};  // no overlap
}

void conv2d_overlap_save(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                         int width, int height, int filter_width, int filter_height, int tile) {
    convolve(out, in, filter, width, height, filter_width, filter_height,
             overlapping(width, height, filter_width, filter_height, tile));
}
