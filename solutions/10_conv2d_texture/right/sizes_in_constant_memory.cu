// Right: sizes and handles stand in constant memory in front of the taps, and one class template is all four kernels.
#include "conv2d_texture.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"

struct parameters {
    int width, height, filter_width, filter_height;
    float scale_x, scale_y, shift_x, shift_y;
    cudaTextureObject_t image, filter;
};
__constant__ parameters c_call;
__constant__ float c_taps[16384 - sizeof(parameters) / 4];

static int most(cudaDeviceAttr what) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, what, 0));
    return value;
}

class sampled {
public:
    sampled(const float* pixels, int width, int height, border mode) {
        const int widest = most(cudaDevAttrMaxTexture2DWidth), highest = most(cudaDevAttrMaxTexture2DHeight);
        if (width > widest)
            throw std::invalid_argument("width " + std::to_string(width) + " > " + std::to_string(widest));
        if (height > highest)
            throw std::invalid_argument("height " + std::to_string(height) + " > " + std::to_string(highest));
        const auto format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
        cudaArray_t made;
        CUDA_CHECK(cudaMallocArray(&made, &format, width, height));
        array_.reset(made);
        const size_t row = width * sizeof(float);
        CUDA_CHECK(cudaMemcpy2DToArray(made, 0, 0, pixels, row, row, height, cudaMemcpyHostToDevice));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = made;
        cudaTextureDesc how = {};
        const auto address = mode == border::zero    ? cudaAddressModeBorder
                             : mode == border::clamp ? cudaAddressModeClamp
                                                     : cudaAddressModeMirror;
        for (auto& one : how.addressMode)
            one = address;
        how.normalizedCoords = mode == border::mirror ? 1 : 0;
        CUDA_CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
    }
    ~sampled() {
        if (object) cudaDestroyTextureObject(object);
    }
    cudaTextureObject_t object = 0;

private:
    struct free_array {
        void operator()(cudaArray* array) const { cudaFreeArray(array); }
    };
    std::unique_ptr<cudaArray, free_array> array_;
};

template <bool TAPS_FROM_TEXTURE>
__global__ void fetch_kernel(float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= c_call.width || y >= c_call.height) return;
    const float from_x = x + c_call.shift_x, from_y = y + c_call.shift_y;
    float sum = 0;
    for (int i = 0, k = 0; i < c_call.filter_height; i++) {
        for (int j = 0; j < c_call.filter_width; j++, k++) {
            float tap;
            if constexpr (TAPS_FROM_TEXTURE)
                tap = tex2D<float>(c_call.filter, j + 0.5f, i + 0.5f);
            else
                tap = c_taps[k];
            sum += tap *
                   tex2D<float>(c_call.image, (from_x + j) * c_call.scale_x, (from_y + i) * c_call.scale_y);
        }
    }
    out[y * c_call.width + x] = sum;
}

__global__ void tile_kernel(float* out) {
    extern __shared__ float s_cells[];
    const int across = 32 + c_call.filter_width - 1, down = 8 + c_call.filter_height - 1;
    const float left = blockIdx.x * 32 + c_call.shift_x, top = blockIdx.y * 8 + c_call.shift_y;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < across * down; k += 256)
        s_cells[k] = tex2D<float>(c_call.image, left + k % across, top + k / across);
    __syncthreads();
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= c_call.width || y >= c_call.height) return;
    float sum = 0;
    const float* tap = c_taps;
    for (int i = 0; i < c_call.filter_height; i++)
        for (int j = 0; j < c_call.filter_width; j++)
            sum += *tap++ * s_cells[(threadIdx.y + i) * across + threadIdx.x + j];
    out[y * c_call.width + x] = sum;
}

static void run(void (*kernel)(float*), std::span<float> out, const parameters& call,
                std::span<const float> taps, size_t bytes = 0) {
    CUDA_CHECK(cudaMemcpyToSymbol(c_call, &call, sizeof call));
    if (!taps.empty()) CUDA_CHECK(cudaMemcpyToSymbol(c_taps, taps.data(), taps.size_bytes()));
    device_buffer<float> d_out(out.size());
    const dim3 grid((call.width + 31) / 32, (call.height + 7) / 8), block(32, 8);
    timed_launch([&] { kernel<<<grid, block, bytes>>>(d_out.data()); });
    d_out.copy_to(out);
}

void conv2d_texture_padded(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    expect_room_for(filter.size(), 16384);
    const int rx = filter_width / 2, ry = filter_height / 2, wide = width + 2 * rx;
    std::vector<float> padded(size_t(wide) * (height + 2 * ry), 0.0f);
    for (size_t k = 0; k < in.size(); k++)
        padded[(k / width + ry) * wide + k % width + rx] = in[k];
    const sampled image(padded.data(), wide, height + 2 * ry, border::zero);
    run(fetch_kernel<false>, out,
        {width, height, filter_width, filter_height, 1, 1, 0.5f, 0.5f, image.object, 0}, filter);
}

void conv2d_texture_border(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height, border mode) {
    expect_room_for(filter.size(), 16384);
    const sampled image(in.data(), width, height, mode);
    const float scale_x = mode == border::mirror ? 1.0f / width : 1,
                scale_y = mode == border::mirror ? 1.0f / height : 1;
    run(fetch_kernel<false>, out,
        {width, height, filter_width, filter_height, scale_x, scale_y, 0.5f - filter_width / 2,
         0.5f - filter_height / 2, image.object, 0},
        filter);
}

void conv2d_texture_filter(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    const sampled image(in.data(), width, height, border::zero),
        taps(filter.data(), filter_width, filter_height, border::zero);
    run(fetch_kernel<true>, out,
        {width, height, filter_width, filter_height, 1, 1, 0.5f - filter_width / 2, 0.5f - filter_height / 2,
         image.object, taps.object},
        {});
}

void conv2d_texture_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    const size_t bytes = sizeof(float) * (32 + filter_width - 1) * (8 + filter_height - 1);
    if (bytes > 49152)
        return conv2d_texture_border(out, in, filter, width, height, filter_width, filter_height,
                                     border::zero);
    expect_room_for(filter.size(), 16384);
    const sampled image(in.data(), width, height, border::zero);
    run(tile_kernel, out,
        {width, height, filter_width, filter_height, 1, 1, 0.5f - filter_width / 2, 0.5f - filter_height / 2,
         image.object, 0},
        filter, bytes);
}
