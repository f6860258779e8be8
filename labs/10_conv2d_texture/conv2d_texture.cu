// Lab 10 - 2D convolution through textures.
//
// Idea  A texture is memory with a unit in front of it that finds the pixel: it takes coordinates, and
//       answers for pixels outside the image as well. The test of lab 05 becomes a setting.
// Do    TODO 10.1 to 10.8. The contract is conv2d_texture.h; leave it as it is.
// Run   make lab10      (stuck: make hint10)
#include "conv2d_texture.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"

// A block is also the tile of outputs of conv2d_texture_shared.
constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;
constexpr size_t MAX_SHARED = 48 * 1024;                // bytes of a block; more has to be asked for
constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

/// What the current device can do.
static int device_limit(cudaDeviceAttr attribute) {
    int device = 0, limit = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&limit, attribute, device));
    return limit;
}

/// Throws std::invalid_argument, naming both numbers, if a texture cannot be this wide or high.
static void expect_fits(const char* side, int size, int limit) {
    if (size > limit)
        throw std::invalid_argument("a texture with a " + std::string(side) + " of " + std::to_string(size) +
                                    ": this device has at most " + std::to_string(limit));
}

/// `height` rows of `width` floats in an array of the device, and the texture object to read them with.
class image_texture {
public:
    image_texture(std::span<const float> pixels, int width, int height, border mode = border::zero)
        : image_texture() {  // from here on the destructor runs, even if the next line throws
        // TODO 10.1 (about 2 lines) Refuse sizes beyond cudaDevAttrMaxTexture2DWidth and -Height, with the
        // functions above.
        expect_fits("width", 0, device_limit(cudaDevAttrMaxTexture2DWidth));  // 0? replace this line
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
        CUDA_CHECK(cudaMallocArray(&array_, &format, width, height));
        // TODO 10.2 (about 5 lines) Copy the rows of `pixels` into array_; the copy counts widths in bytes.
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array_;
        cudaTextureDesc description = {};
        description.filterMode = cudaFilterModePoint;    // a texel as it is, no mixture of four
        description.readMode = cudaReadModeElementType;  // a float as it is
        // TODO 10.3 (about 5 lines) Set the address mode of x and y as `mode` says; mirrors need normalised
        // coordinates.
        CUDA_CHECK(cudaCreateTextureObject(&object_, &resource, &description, nullptr));
    }
    ~image_texture() {  // the texture first: it refers to the array
        if (object_) cudaDestroyTextureObject(object_);
        if (array_) cudaFreeArray(array_);
    }
    image_texture(const image_texture&) = delete;
    image_texture& operator=(const image_texture&) = delete;

    cudaTextureObject_t object() const { return object_; }  // a number, valid as long as this lives

private:
    image_texture() = default;
    cudaArray_t array_ = nullptr;
    cudaTextureObject_t object_ = 0;
};

/// Blocks enough to cover `width` x `height` outputs.
static dim3 grid_for(int width, int height) {
    return dim3(ceil_div(width, BLOCK_WIDTH), ceil_div(height, BLOCK_HEIGHT));
}

/// The image with ghost cells of 0: (width + 2 radius_x) x (height + 2 radius_y) pixels, as in lab 05.
static std::vector<float> pad_image(std::span<const float> in, int width, int height, int radius_x,
                                    int radius_y) {
    const size_t padded_width = width + 2 * radius_x;
    std::vector<float> padded(padded_width * (height + 2 * radius_y));
    for (int y = 0; y < height; y++)
        std::copy_n(&in[size_t(y) * width], width, &padded[(y + radius_y) * padded_width + radius_x]);
    return padded;
}

__global__ void conv2d_texture_padded_kernel(float* out, cudaTextureObject_t padded, int width, int height,
                                             int filter_width, int filter_height) {
    // TODO 10.4 (about 11 lines) Write the padded kernel of lab 05: pixels by tex2D at their centres, taps
    // from c_filter.
}

void conv2d_texture_padded(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    set_filter(c_filter, filter);
    const int radius_x = filter_width / 2, radius_y = filter_height / 2;
    const image_texture padded(pad_image(in, width, height, radius_x, radius_y), width + 2 * radius_x,
                               height + 2 * radius_y);
    device_buffer<float> d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        conv2d_texture_padded_kernel<<<grid_for(width, height), block>>>(d_out.data(), padded.object(), width,
                                                                         height, filter_width, filter_height);
    });
    d_out.copy_to(out);
}

// The scales turn pixels into coordinates: 1, or 1 / size where the texture wants them normalised.
__global__ void conv2d_texture_border_kernel(float* out, cudaTextureObject_t image, int width, int height,
                                             int filter_width, int filter_height, float scale_x,
                                             float scale_y) {
    // TODO 10.5 (about 12 lines) Write the kernel without ghost cells and without a test for them; scale the
    // coordinates.
}

void conv2d_texture_border(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height, border mode) {
    set_filter(c_filter, filter);
    const image_texture image(in, width, height, mode);
    const float scale_x = mode == border::mirror ? 1.0f / width : 1.0f;
    const float scale_y = mode == border::mirror ? 1.0f / height : 1.0f;
    device_buffer<float> d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        conv2d_texture_border_kernel<<<grid_for(width, height), block>>>(
            d_out.data(), image.object(), width, height, filter_width, filter_height, scale_x, scale_y);
    });
    d_out.copy_to(out);
}

__global__ void conv2d_texture_filter_kernel(float* out, cudaTextureObject_t image,
                                             cudaTextureObject_t filter, int width, int height,
                                             int filter_width, int filter_height) {
    // TODO 10.6 (about 12 lines) Write the same kernel once more: taps come from the second texture, nothing
    // is scaled.
}

void conv2d_texture_filter(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    const image_texture image(in, width, height), taps(filter, filter_width, filter_height);
    device_buffer<float> d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        conv2d_texture_filter_kernel<<<grid_for(width, height), block>>>(
            d_out.data(), image.object(), taps.object(), width, height, filter_width, filter_height);
    });
    d_out.copy_to(out);
}

__global__ void conv2d_texture_shared_kernel(float* out, cudaTextureObject_t image, int width, int height,
                                             int filter_width, int filter_height) {
    extern __shared__ float s_tile[];  // a block's pixels and the halo around them, row after row
    const int tile_width = BLOCK_WIDTH + filter_width - 1;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    // TODO 10.7 (about 10 lines) Fill the tile through the texture, wait, and only then let threads without
    // an output go.
    if (x >= width || y >= height) return;  // is this the moment?

    float sum = 0.0f;
    const float* pixels = &s_tile[ty * tile_width + tx];  // under the first row of taps
    const float* taps = c_filter;
    for (int i = 0; i < filter_height; i++) {
        for (int j = 0; j < filter_width; j++)
            sum += pixels[j] * taps[j];
        pixels += tile_width;
        taps += filter_width;
    }
    out[y * width + x] = sum;
}

void conv2d_texture_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    const size_t tile_bytes =
        sizeof(float) * (BLOCK_WIDTH + filter_width - 1) * (BLOCK_HEIGHT + filter_height - 1);
    // TODO 10.8 (about 3 lines) Hand the call to conv2d_texture_border if a tile with its halo takes more
    // than 48 KB.
    if (tile_bytes > MAX_SHARED) return;  // and the output? Replace this line
    set_filter(c_filter, filter);
    const image_texture image(in, width, height);
    device_buffer<float> d_out(out.size());
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    timed_launch([&] {
        conv2d_texture_shared_kernel<<<grid_for(width, height), block, tile_bytes>>>(
            d_out.data(), image.object(), width, height, filter_width, filter_height);
    });
    d_out.copy_to(out);
}
