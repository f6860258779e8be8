// Right: a grid of at most 8 x 8 blocks strides over any image, over its tiles with two barriers for each.
#include "conv2d_texture.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"

constexpr int BLOCK_X = 32, BLOCK_Y = 8, MOST_BLOCKS = 8;
constexpr size_t MAX_SHARED = 48 * 1024;
__constant__ float c_filter[16384];

/// An image in an array of the device, read through a texture.
class texture {
public:
    texture(const float* pixels, int width, int height, cudaTextureAddressMode mode) : texture() {
        check("width", width, cudaDevAttrMaxTexture2DWidth);
        check("height", height, cudaDevAttrMaxTexture2DHeight);
        const auto format = cudaCreateChannelDesc<float>();
        const size_t row = width * sizeof(float);
        CUDA_CHECK(cudaMallocArray(&array_, &format, width, height));
        CUDA_CHECK(cudaMemcpy2DToArray(array_, 0, 0, pixels, row, row, height, cudaMemcpyHostToDevice));
        cudaResourceDesc what{};
        what.resType = cudaResourceTypeArray;
        what.res.array.array = array_;
        cudaTextureDesc how{};
        std::fill_n(how.addressMode, 2, mode);
        how.filterMode = cudaFilterModePoint;
        how.normalizedCoords = mode == cudaAddressModeMirror;
        CUDA_CHECK(cudaCreateTextureObject(&handle, &what, &how, nullptr));
    }
    ~texture() {
        if (handle) cudaDestroyTextureObject(handle);
        if (array_) cudaFreeArray(array_);
    }
    cudaTextureObject_t handle = 0;

private:
    texture() = default;
    static void check(const std::string& side, int size, cudaDeviceAttr attribute) {
        int device = 0, limit = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&limit, attribute, device));
        if (size > limit)
            throw std::invalid_argument("texture " + side + " " + std::to_string(size) + " > " +
                                        std::to_string(limit));
    }
    cudaArray_t array_ = nullptr;
};

struct problem {
    cudaTextureObject_t image, taps;
    int width, height, filter_width, filter_height;
    float2 first,
        scale;  // the coordinates of the pixel under tap (0, 0) of output (0, 0); what a pixel is worth
};

/// Every output of this thread, wherever the grid has to go on for it.
template <class body>
__device__ void for_each_output(const problem& p, body visit) {
    for (int y = blockIdx.y * BLOCK_Y + threadIdx.y; y < p.height; y += gridDim.y * BLOCK_Y)
        for (int x = blockIdx.x * BLOCK_X + threadIdx.x; x < p.width; x += gridDim.x * BLOCK_X)
            visit(x, y);
}

template <bool TAPS_IN_TEXTURE>
__global__ void fetching_kernel(float* out, problem p) {
    for_each_output(p, [&](int x, int y) {
        float sum = 0.0f;
        for (int i = 0; i < p.filter_height; i++) {
            for (int j = 0; j < p.filter_width; j++) {
                const float tap = TAPS_IN_TEXTURE ? tex2D<float>(p.taps, j + 0.5f, i + 0.5f)
                                                  : c_filter[i * p.filter_width + j];
                sum += tap * tex2D<float>(p.image, (x + j + p.first.x) * p.scale.x,
                                          (y + i + p.first.y) * p.scale.y);
            }
        }
        out[y * p.width + x] = sum;
    });
}

__global__ void tile_kernel(float* out, problem p) {
    extern __shared__ float s_tile[];
    const int tile_width = BLOCK_X + p.filter_width - 1, tile_height = BLOCK_Y + p.filter_height - 1;
    const int tx = threadIdx.x, ty = threadIdx.y;
    for (int top = blockIdx.y * BLOCK_Y; top < p.height; top += gridDim.y * BLOCK_Y) {
        for (int left = blockIdx.x * BLOCK_X; left < p.width; left += gridDim.x * BLOCK_X) {
            for (int row = ty; row < tile_height; row += BLOCK_Y)
                for (int column = tx; column < tile_width; column += BLOCK_X)
                    s_tile[row * tile_width + column] =
                        tex2D<float>(p.image, left + column + p.first.x, top + row + p.first.y);
            __syncthreads();  // the tile is complete
            float sum = 0.0f;
            for (int i = 0; i < p.filter_height; i++)
                for (int j = 0; j < p.filter_width; j++)
                    sum += s_tile[(ty + i) * tile_width + tx + j] * c_filter[i * p.filter_width + j];
            if (left + tx < p.width && top + ty < p.height) out[(top + ty) * p.width + left + tx] = sum;
            __syncthreads();  // nobody needs this tile any more
        }
    }
}

static void run(void (*kernel)(float*, problem), std::span<float> out, const problem& p, size_t bytes = 0) {
    device_buffer<float> d_out(out.size());
    const dim3 grid(std::min(MOST_BLOCKS, ceil_div(p.width, BLOCK_X)),
                    std::min(MOST_BLOCKS, ceil_div(p.height, BLOCK_Y)));
    timed_launch([&] { kernel<<<grid, dim3(BLOCK_X, BLOCK_Y), bytes>>>(d_out.data(), p); });
    d_out.copy_to(out);
}

static problem centred(cudaTextureObject_t image, int width, int height, int filter_width,
                       int filter_height) {
    const float2 first = make_float2(0.5f - filter_width / 2, 0.5f - filter_height / 2);
    return {image, 0, width, height, filter_width, filter_height, first, make_float2(1, 1)};
}

void conv2d_texture_padded(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    set_filter(c_filter, filter);
    const size_t row = width + filter_width - 1, rows = height + filter_height - 1;
    std::vector<float> padded(row * rows);
    for (int y = 0; y < height; y++)
        std::copy_n(in.begin() + size_t(y) * width, width,
                    padded.begin() + (y + filter_height / 2) * row + filter_width / 2);
    const texture image(padded.data(), int(row), int(rows), cudaAddressModeBorder);
    problem p = centred(image.handle, width, height, filter_width, filter_height);
    p.first = make_float2(0.5f, 0.5f);
    run(fetching_kernel<false>, out, p);
}

void conv2d_texture_border(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height, border mode) {
    set_filter(c_filter, filter);
    const cudaTextureAddressMode modes[] = {cudaAddressModeBorder, cudaAddressModeClamp,
                                            cudaAddressModeMirror};
    const texture image(in.data(), width, height, modes[int(mode)]);
    problem p = centred(image.handle, width, height, filter_width, filter_height);
    if (mode == border::mirror) p.scale = make_float2(1.0f / width, 1.0f / height);
    run(fetching_kernel<false>, out, p);
}

void conv2d_texture_filter(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    const texture image(in.data(), width, height, cudaAddressModeBorder);
    const texture taps(filter.data(), filter_width, filter_height, cudaAddressModeClamp);
    problem p = centred(image.handle, width, height, filter_width, filter_height);
    p.taps = taps.handle;
    run(fetching_kernel<true>, out, p);
}

void conv2d_texture_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    const size_t bytes = sizeof(float) * (BLOCK_X + filter_width - 1) * (BLOCK_Y + filter_height - 1);
    if (bytes > MAX_SHARED)
        return conv2d_texture_border(out, in, filter, width, height, filter_width, filter_height,
                                     border::zero);
    set_filter(c_filter, filter);
    const texture image(in.data(), width, height, cudaAddressModeBorder);
    run(tile_kernel, out, centred(image.handle, width, height, filter_width, filter_height), bytes);
}
