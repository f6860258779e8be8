// Right: one counter walks through the taps; the tile is as wide as it costs the fewest fetches.
#include "conv2d_texture.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"

#define X_OF_THREAD int(blockIdx.x * blockDim.x + threadIdx.x)
#define Y_OF_THREAD int(blockIdx.y * blockDim.y + threadIdx.y)
#define TEXEL(texture, x, y) tex2D<float>(texture, (x) + 0.5f, (y) + 0.5f)

constexpr int THREADS = 256, ROWS = 8;
constexpr size_t MAX_SHARED = 48 * 1024;
__constant__ float c_filter[64 * 1024 / sizeof(float)];

/// A tap after the other, row after row.
struct tap_counter {
    int width, left, j = 0, i = 0, k = 0;

    __device__ tap_counter(int filter_width, int filter_height)
        : width(filter_width), left(filter_width * filter_height) {}
    __device__ explicit operator bool() const { return left > 0; }
    __device__ tap_counter& operator++() {
        --left, ++k;
        if (++j == width) j = 0, ++i;
        return *this;
    }
};

template <bool NORMALISED>
__device__ float fetch(cudaTextureObject_t image, int x, int y, int width, int height) {
    if constexpr (NORMALISED) return tex2D<float>(image, (x + 0.5f) / width, (y + 0.5f) / height);
    return TEXEL(image, x, y);
}

template <bool NORMALISED>
__global__ void border_kernel(float* out, cudaTextureObject_t image, cudaTextureObject_t, int width,
                              int height, int filter_width, int filter_height) {
    const int x = X_OF_THREAD, y = Y_OF_THREAD;
    if (x >= width || y >= height) return;
    double sum = 0;
    for (tap_counter tap(filter_width, filter_height); tap; ++tap) {
        const int column = x + tap.j - filter_width / 2, row = y + tap.i - filter_height / 2;
        sum += fetch<NORMALISED>(image, column, row, width, height) * c_filter[tap.k];
    }
    out[y * width + x] = float(sum);
}

__global__ void padded_kernel(float* out, cudaTextureObject_t image, cudaTextureObject_t, int width,
                              int height, int filter_width, int filter_height) {
    const int x = X_OF_THREAD, y = Y_OF_THREAD;
    if (x >= width || y >= height) return;
    double sum = 0;
    for (tap_counter tap(filter_width, filter_height); tap; ++tap)
        sum += TEXEL(image, x + tap.j, y + tap.i) * c_filter[tap.k];
    out[y * width + x] = float(sum);
}

__global__ void two_textures_kernel(float* out, cudaTextureObject_t image, cudaTextureObject_t taps,
                                    int width, int height, int filter_width, int filter_height) {
    const int x = X_OF_THREAD, y = Y_OF_THREAD;
    if (x >= width || y >= height) return;
    double sum = 0;
    for (tap_counter tap(filter_width, filter_height); tap; ++tap)
        sum += TEXEL(image, x + tap.j - filter_width / 2, y + tap.i - filter_height / 2) *
               TEXEL(taps, tap.j, tap.i);
    out[y * width + x] = float(sum);
}

/// Blocks of one row of threads, each with outputs in ROWS rows.
__global__ void shared_kernel(float* out, cudaTextureObject_t image, cudaTextureObject_t, int width,
                              int height, int filter_width, int filter_height) {
    extern __shared__ float s_tile[];
    const int row_length = blockDim.x + filter_width - 1;
    const int left = blockIdx.x * blockDim.x - filter_width / 2, top = blockIdx.y * ROWS - filter_height / 2;
    int y = top;
    for (float* row = s_tile; row < s_tile + (ROWS + filter_height - 1) * row_length; row += row_length, y++)
        for (int k = threadIdx.x; k < row_length; k += blockDim.x)
            row[k] = TEXEL(image, left + k, y);
    __syncthreads();  // the sums read cells that others have fetched

    const int x = X_OF_THREAD;
    if (x >= width) return;
    for (int line = 0; line < ROWS && int(blockIdx.y) * ROWS + line < height; line++) {
        float sum = 0.0f;
        for (tap_counter tap(filter_width, filter_height); tap; ++tap)
            sum += s_tile[(line + tap.i) * row_length + threadIdx.x + tap.j] * c_filter[tap.k];
        out[(int(blockIdx.y) * ROWS + line) * width + x] = sum;
    }
}

class image_texture {
public:
    image_texture(const float* pixels, int width, int height,
                  cudaTextureAddressMode mode = cudaAddressModeBorder) {
        int device = 0, widest = 0, highest = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&widest, cudaDevAttrMaxTexture2DWidth, device));
        CUDA_CHECK(cudaDeviceGetAttribute(&highest, cudaDevAttrMaxTexture2DHeight, device));
        if (width > widest || height > highest)
            throw std::invalid_argument("texture of " + std::to_string(width) + " x " +
                                        std::to_string(height) + ", at most " + std::to_string(widest) +
                                        " x " + std::to_string(highest));
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
        CUDA_CHECK(cudaMallocArray(&array_, &format, width, height));
        cudaError_t status = cudaMemcpy2DToArray(array_, 0, 0, pixels, 4 * size_t(width), 4 * size_t(width),
                                                 height, cudaMemcpyHostToDevice);
        if (status == cudaSuccess) status = describe(mode);
        if (status != cudaSuccess) cudaFreeArray(array_);  // no destructor for what was never finished
        CUDA_CHECK(status);
    }
    ~image_texture() {
        cudaDestroyTextureObject(object);
        cudaFreeArray(array_);
    }
    cudaTextureObject_t object = 0;

private:
    cudaError_t describe(cudaTextureAddressMode mode) {
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array_;
        cudaTextureDesc description = {};
        description.addressMode[0] = description.addressMode[1] = mode;
        description.normalizedCoords = mode == cudaAddressModeMirror ? 1 : 0;
        return cudaCreateTextureObject(&object, &resource, &description, nullptr);
    }
    cudaArray_t array_ = nullptr;
};

static void convolve(decltype(&padded_kernel) kernel, std::span<float> out, cudaTextureObject_t image,
                     cudaTextureObject_t taps, int width, int height, int filter_width, int filter_height,
                     dim3 block = dim3(16, 16), dim3 tile = dim3(16, 16), size_t bytes = 0) {
    device_buffer<float> d_out(out.size());
    const dim3 grid(ceil_div(width, int(tile.x)), ceil_div(height, int(tile.y)));
    timed_launch([&] {
        kernel<<<grid, block, bytes>>>(d_out.data(), image, taps, width, height, filter_width, filter_height);
    });
    d_out.copy_to(out);
}

void conv2d_texture_padded(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    set_filter(c_filter, filter);
    const int rx = filter_width / 2, ry = filter_height / 2, wide = width + 2 * rx, high = height + 2 * ry;
    std::vector<float> padded(size_t(wide) * high);
    auto to = padded.begin() + size_t(ry) * wide + rx;
    for (size_t k = 0; k < in.size(); k++, ++to) {
        if (k > 0 && k % width == 0) to += 2 * rx;
        *to = in[k];
    }
    const image_texture image(padded.data(), wide, high);
    convolve(padded_kernel, out, image.object, 0, width, height, filter_width, filter_height);
}

void conv2d_texture_border(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height, border mode) {
    set_filter(c_filter, filter);
    auto kernel = border_kernel<false>;
    auto address = cudaAddressModeBorder;
    if (mode == border::clamp) address = cudaAddressModeClamp;
    if (mode == border::mirror) address = cudaAddressModeMirror, kernel = border_kernel<true>;
    const image_texture image(in.data(), width, height, address);
    convolve(kernel, out, image.object, 0, width, height, filter_width, filter_height);
}

void conv2d_texture_filter(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    const image_texture image(in.data(), width, height), taps(filter.data(), filter_width, filter_height);
    convolve(two_textures_kernel, out, image.object, taps.object, width, height, filter_width, filter_height);
}

void conv2d_texture_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    const auto bytes = [&](int columns) {
        return sizeof(float) * (columns + filter_width - 1) * (ROWS + filter_height - 1);
    };
    const auto fetches = [&](int columns) { return ceil_div(width, columns) * (columns + filter_width - 1); };
    int best = 0;
    for (int columns = 32; columns <= THREADS && bytes(columns) <= MAX_SHARED; columns *= 2)
        if (best == 0 || fetches(columns) < fetches(best)) best = columns;
    if (best == 0)
        return conv2d_texture_border(out, in, filter, width, height, filter_width, filter_height,
                                     border::zero);
    set_filter(c_filter, filter);
    const image_texture image(in.data(), width, height);
    convolve(shared_kernel, out, image.object, 0, width, height, filter_width, filter_height, best,
             dim3(best, ROWS), bytes(best));
}
