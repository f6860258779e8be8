// Right: unique_ptr frees all there is to free; a thread computes two outputs, one above the other.
#include "conv2d_texture.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "lab/lab.h"

enum { COLUMNS = 32, LINES = 4, TILE_ROWS = 2 * LINES };  // threads of a block; each has outputs LINES apart
constexpr size_t MAX_TAPS = 65536 / sizeof(float), MAX_SHARED = 49152;
__constant__ float c_filter[MAX_TAPS];

/// A destructor for what CUDA hands out as a pointer.
template <auto FREE>
struct freed_by {
    template <class T>
    void operator()(T* handle) const {
        FREE(handle);
    }
};
using array = std::unique_ptr<std::remove_pointer_t<cudaArray_t>, freed_by<cudaFreeArray>>;
static void free_floats(float* data) {
    cudaFree(data);
}
using memory = std::unique_ptr<float, freed_by<free_floats>>;
using stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, freed_by<cudaStreamDestroy>>;
struct destroy_texture {  // a texture object is a number, so a pointer to one is kept
    void operator()(cudaTextureObject_t* object) const { cudaDestroyTextureObject(*object), delete object; }
};

struct texture {
    array texels;  // goes last
    std::unique_ptr<cudaTextureObject_t, destroy_texture> object;
};

static stream new_stream() {
    cudaStream_t made = nullptr;
    CUDA_CHECK(cudaStreamCreate(&made));
    return stream(made);
}

static int most(cudaDeviceAttr attribute) {
    int device = 0, value = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}

static void within(const std::string& what, size_t value, size_t limit) {
    if (value > limit)
        throw std::invalid_argument(what + ": " + std::to_string(value) + ", at most " +
                                    std::to_string(limit));
}

static texture new_texture(const float* pixels, int width, int height, border mode, cudaStream_t queue) {
    within("width of a texture", width, most(cudaDevAttrMaxTexture2DWidth));
    within("height of a texture", height, most(cudaDevAttrMaxTexture2DHeight));
    cudaArray_t texels = nullptr;
    const cudaChannelFormatDesc one_float = cudaCreateChannelDesc<float>();
    CUDA_CHECK(cudaMallocArray(&texels, &one_float, width, height));
    texture made{array(texels), nullptr};
    CUDA_CHECK(cudaMemcpy2DToArrayAsync(texels, 0, 0, pixels, width * sizeof(float), width * sizeof(float),
                                        height, cudaMemcpyHostToDevice, queue));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = texels;
    cudaTextureDesc reading{};
    reading.addressMode[0] = mode == border::zero ? cudaAddressModeBorder : cudaAddressModeClamp;
    if (mode == border::mirror)
        reading.addressMode[0] = cudaAddressModeMirror, reading.normalizedCoords = true;
    reading.addressMode[1] = reading.addressMode[0];
    auto number = std::make_unique<cudaTextureObject_t>();
    CUDA_CHECK(cudaCreateTextureObject(number.get(), &resource, &reading, nullptr));
    made.object.reset(number.release());
    return made;
}

struct work {
    float* out;
    cudaTextureObject_t image, taps;  // no taps: they are in constant memory
    int2 size, filter, origin;        // origin: the pixel under tap (0, 0) of output (0, 0)
    float2 scale;
};

__device__ float texel(const work& w, int x, int y) {
    return tex2D<float>(w.image, (x + w.origin.x + 0.5f) * w.scale.x, (y + w.origin.y + 0.5f) * w.scale.y);
}

__device__ float tap(const work& w, int j, int i, int k) {
    return w.taps ? tex2D<float>(w.taps, j + 0.5f, i + 0.5f) : c_filter[k];
}

__device__ void store(const work& w, int x, int y, float2 sums) {
    float* to = w.out + size_t(y) * w.size.x + x;
    if (y < w.size.y) *to = sums.x;
    if (y + LINES < w.size.y) to[size_t(LINES) * w.size.x] = sums.y;
}

__global__ void fetching_kernel(work w) {
    const int x = blockIdx.x * COLUMNS + threadIdx.x, y = blockIdx.y * TILE_ROWS + threadIdx.y;
    if (x >= w.size.x || y >= w.size.y) return;
    const bool lower = y + LINES < w.size.y;
    float2 sums = make_float2(0.0f, 0.0f);
    for (int i = 0, k = 0; i < w.filter.y; i++) {
        for (int j = 0; j < w.filter.x; j++, k++) {
            sums.x += tap(w, j, i, k) * texel(w, x + j, y + i);
            if (lower) sums.y += tap(w, j, i, k) * texel(w, x + j, y + LINES + i);
        }
    }
    store(w, x, y, sums);
}

__global__ void tile_kernel(work w) {
    extern __shared__ float s_tile[];
    const int row = COLUMNS + w.filter.x - 1, rows = TILE_ROWS + w.filter.y - 1;
    const int left = blockIdx.x * COLUMNS, top = blockIdx.y * TILE_ROWS;
    for (int column = threadIdx.x; column < row; column += COLUMNS)
        for (int line = threadIdx.y; line < rows; line += LINES)
            s_tile[line * row + column] = texel(w, left + column, top + line);
    __syncthreads();  // the whole tile has been fetched
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x >= w.size.x) return;
    float2 sums = make_float2(0.0f, 0.0f);
    const float* cell = s_tile + threadIdx.y * row + threadIdx.x;
    for (int k = 0, i = 0; i < w.filter.y; i++, cell += row) {
        for (int j = 0; j < w.filter.x; j++, k++) {
            sums.x += cell[j] * c_filter[k];
            sums.y += cell[LINES * row + j] * c_filter[k];
        }
    }
    store(w, x, y, sums);
}

static void finish(std::span<float> out, work w, cudaStream_t queue, size_t bytes = 0) {
    CUDA_CHECK(cudaMalloc(&w.out, out.size_bytes()));
    const memory owner(w.out);
    const dim3 grid(ceil_div(w.size.x, COLUMNS), ceil_div(w.size.y, TILE_ROWS)), block(COLUMNS, LINES);
    timed_launch([&] {
        if (bytes)
            tile_kernel<<<grid, block, bytes, queue>>>(w);
        else
            fetching_kernel<<<grid, block, 0, queue>>>(w);
    });
    CUDA_CHECK(cudaMemcpyAsync(out.data(), w.out, out.size_bytes(), cudaMemcpyDeviceToHost, queue));
    CUDA_CHECK(cudaStreamSynchronize(queue));
}

static void to_constant_memory(std::span<const float> filter, cudaStream_t queue) {
    CUDA_CHECK(
        cudaMemcpyToSymbolAsync(c_filter, filter.data(), filter.size_bytes(), 0, cudaMemcpyDefault, queue));
}

void conv2d_texture_padded(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    within("taps", filter.size(), MAX_TAPS);
    const int wide = width + filter_width - 1, high = height + filter_height - 1;
    std::vector<float> padded(size_t(wide) * (filter_height / 2));  // the rows above
    for (int y = 0; y < height; y++) {
        padded.resize(padded.size() + filter_width / 2);
        padded.insert(padded.end(), &in[size_t(y) * width], &in[size_t(y) * width] + width);
        padded.resize(padded.size() + filter_width / 2);
    }
    padded.resize(size_t(wide) * high);
    const stream queue = new_stream();
    to_constant_memory(filter, queue.get());
    const texture image = new_texture(padded.data(), wide, high, border::zero, queue.get());
    finish(out, {nullptr, *image.object, 0, {width, height}, {filter_width, filter_height}, {0, 0}, {1, 1}},
           queue.get());
}

void conv2d_texture_border(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height, border mode) {
    within("taps", filter.size(), MAX_TAPS);
    const stream queue = new_stream();
    to_constant_memory(filter, queue.get());
    const texture image = new_texture(in.data(), width, height, mode, queue.get());
    const float2 scale =
        mode == border::mirror ? make_float2(1.0f / width, 1.0f / height) : make_float2(1, 1);
    finish(out,
           {nullptr,
            *image.object,
            0,
            {width, height},
            {filter_width, filter_height},
            {-(filter_width / 2), -(filter_height / 2)},
            scale},
           queue.get());
}

void conv2d_texture_filter(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    const stream queue = new_stream();
    const texture image = new_texture(in.data(), width, height, border::zero, queue.get());
    const texture taps = new_texture(filter.data(), filter_width, filter_height, border::zero, queue.get());
    finish(out,
           {nullptr,
            *image.object,
            *taps.object,
            {width, height},
            {filter_width, filter_height},
            {-(filter_width / 2), -(filter_height / 2)},
            {1, 1}},
           queue.get());
}

void conv2d_texture_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height) {
    const size_t bytes = sizeof(float) * (COLUMNS + filter_width - 1) * (TILE_ROWS + filter_height - 1);
    if (bytes > MAX_SHARED)
        return conv2d_texture_border(out, in, filter, width, height, filter_width, filter_height,
                                     border::zero);
    within("taps", filter.size(), MAX_TAPS);
    const stream queue = new_stream();
    to_constant_memory(filter, queue.get());
    const texture image = new_texture(in.data(), width, height, border::zero, queue.get());
    finish(out,
           {nullptr,
            *image.object,
            0,
            {width, height},
            {filter_width, filter_height},
            {-(filter_width / 2), -(filter_height / 2)},
            {1, 1}},
           queue.get(), bytes);
}
