// Right: one kernel for all: where pixels and taps come from are template arguments, the tile is such a type.
#include "conv2d_texture.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"

constexpr int WIDE = 32, HIGH = 4, DEEP = 2;  // a block: 32 columns of 4 * 2 rows of outputs
constexpr int ROWS = HIGH * DEEP;
constexpr unsigned MAX_SHARED = 49152;
__constant__ float c_filter[16384];

struct area {
    int width, height;
};

/// Pixels and taps: at(column, row), where the block begins at column `left` and row `top` of the image.
struct padded_pixels {
    cudaTextureObject_t image;
    __device__ void prepare(int, int, area) {}
    __device__ float at(int x, int y, area) const { return tex2D<float>(image, x + 0.5f, y + 0.5f); }
};

struct bordered_pixels {
    cudaTextureObject_t image;
    float to_x, to_y;  // what pixels are multiplied by
    __device__ void prepare(int, int, area) {}
    __device__ float at(int x, int y, area filter) const {
        x -= filter.width / 2;
        y -= filter.height / 2;
        return tex2D<float>(image, (x + 0.5f) * to_x, (y + 0.5f) * to_y);
    }
};

extern __shared__ float s_cells[];

struct tile_pixels {
    bordered_pixels image;
    int left, top;
    __device__ void prepare(int first_x, int first_y, area filter) {
        left = first_x, top = first_y;
        const int row = WIDE + filter.width - 1, rows = ROWS + filter.height - 1;
        for (int y = threadIdx.z * HIGH + threadIdx.y; y < rows; y += ROWS)
            for (int x = threadIdx.x; x < row; x += WIDE)
                s_cells[y * row + x] = image.at(left + x, top + y, filter);
        __syncthreads();  // all threads of the block are here, and all cells
    }
    __device__ float at(int x, int y, area filter) const {
        return s_cells[(y - top) * (WIDE + filter.width - 1) + x - left];
    }
};

struct constant_taps {
    __device__ float at(int j, int i, area filter) const { return c_filter[i * filter.width + j]; }
};

struct texture_taps {
    cudaTextureObject_t taps;
    __device__ float at(int j, int i, area) const { return tex2D<float>(taps, j + 0.5f, i + 0.5f); }
};

template <class pixels, class taps>
__global__ void conv2d_kernel(float* out, pixels image, taps weights, area size, area filter) {
    const int left = blockIdx.x * WIDE, top = blockIdx.y * ROWS;
    image.prepare(left, top, filter);
    const int x = left + threadIdx.x, y = top + threadIdx.z * HIGH + threadIdx.y;
    if (x >= size.width || y >= size.height) return;
    float sum = 0.0f;
    for (int i = 0; i < filter.height; i++)
        for (int j = 0; j < filter.width; j++)
            sum += weights.at(j, i, filter) * image.at(x + j, y + i, filter);
    out[y * size.width + x] = sum;
}

/// Owns an array and its texture object, or, while it is being made, as much of them as there is.
class image_texture {
public:
    image_texture(std::span<const float> pixels, area size, border mode = border::zero) {
        limit(size.width, cudaDevAttrMaxTexture2DWidth);
        limit(size.height, cudaDevAttrMaxTexture2DHeight);
        try {
            make(pixels, size, mode);
        } catch (...) {
            release();
            throw;
        }
    }
    ~image_texture() { release(); }
    image_texture(const image_texture&) = delete;
    operator cudaTextureObject_t() const { return object_; }

private:
    static void limit(int size, cudaDeviceAttr attribute) {
        int device, most;
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&most, attribute, device));
        if (size <= most) return;
        throw std::invalid_argument(std::to_string(size) + " texels, the device has " + std::to_string(most));
    }
    void make(std::span<const float> pixels, area size, border mode) {
        const cudaChannelFormatDesc texel = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
        CUDA_CHECK(cudaMallocArray(&array_, &texel, size.width, size.height));
        timed_copy([&] {
            const size_t row = sizeof(float) * size.width;
            CUDA_CHECK(
                cudaMemcpy2DToArray(array_, 0, 0, pixels.data(), row, row, size.height, cudaMemcpyDefault));
        });
        cudaResourceDesc resource = {.resType = cudaResourceTypeArray, .res = {.array = {.array = array_}}};
        cudaTextureDesc reading = {};
        auto& sides = reading.addressMode;
        switch (mode) {
            case border::zero:
                sides[0] = sides[1] = cudaAddressModeBorder;
                break;
            case border::clamp:
                sides[0] = sides[1] = cudaAddressModeClamp;
                break;
            case border::mirror:
                sides[0] = sides[1] = cudaAddressModeMirror;
                reading.normalizedCoords = 1;
        }
        CUDA_CHECK(cudaCreateTextureObject(&object_, &resource, &reading, nullptr));
    }
    void release() {
        if (object_ != 0) cudaDestroyTextureObject(object_);
        if (array_ != nullptr) cudaFreeArray(array_);
    }
    cudaArray_t array_ = nullptr;
    cudaTextureObject_t object_ = 0;
};

template <class pixels, class taps>
static void launch(std::span<float> out, pixels image, taps weights, area size, area filter,
                   size_t bytes = 0) {
    device_buffer<float> d_out(out.size());
    const dim3 grid(ceil_div(size.width, WIDE), ceil_div(size.height, ROWS)), block(WIDE, HIGH, DEEP);
    timed_launch([&] { conv2d_kernel<<<grid, block, bytes>>>(d_out.data(), image, weights, size, filter); });
    d_out.copy_to(out);
}

void conv2d_texture_padded(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    set_filter(c_filter, filter);
    const area size{width, height}, taps{filter_width, filter_height};
    const area padded{width + filter_width / 2 * 2, height + filter_height / 2 * 2};
    std::vector<float> pixels(size_t(padded.width) * padded.height, 0.0f);
    for (size_t k = 0; k < in.size(); k++)
        pixels[(k / width + filter_height / 2) * padded.width + k % width + filter_width / 2] = in[k];
    const image_texture image(pixels, padded);
    launch(out, padded_pixels{image}, constant_taps(), size, taps);
}

void conv2d_texture_border(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height, border mode) {
    set_filter(c_filter, filter);
    const image_texture image(in, {width, height}, mode);
    const bool whole = mode != border::mirror;
    launch(out, bordered_pixels{image, whole ? 1 : 1.0f / width, whole ? 1 : 1.0f / height}, constant_taps(),
           {width, height}, {filter_width, filter_height});
}

void conv2d_texture_filter(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    const area size{width, height}, taps{filter_width, filter_height};
    const image_texture image(in, size), weights(filter, taps);
    launch(out, bordered_pixels{image, 1, 1}, texture_taps{weights}, size, taps);
}

void conv2d_texture_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    const unsigned bytes = 4u * unsigned(WIDE - 1 + filter_width) * unsigned(ROWS - 1 + filter_height);
    if (bytes > MAX_SHARED) {
        conv2d_texture_border(out, in, filter, width, height, filter_width, filter_height, border::zero);
        return;
    }
    set_filter(c_filter, filter);
    const image_texture image(in, {width, height});
    launch(out, tile_pixels{{image, 1, 1}, 0, 0}, constant_taps(), {width, height},
           {filter_width, filter_height}, bytes);
}
