// Right: streams that nothing waits for unasked, one for every strip; one loop; two rows a thread.
#include "conv2d_pipeline.h"

#include <algorithm>
#include <vector>

#include "lab/lab.h"

constexpr int BLOCK_WIDTH = 32;  // a warp is one row
constexpr int BLOCK_HEIGHT = 8;
constexpr int CHANNELS = 3;
constexpr int SLOTS = 3;  // frames under way: one that comes, one that is filtered, one that goes
constexpr float BRIGHTEST = 255.0f;

constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

// ---- What is made once and ends by itself.

class stream {
public:
    stream() { CUDA_CHECK(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
    ~stream() { cudaStreamDestroy(handle_); }
    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;
    operator cudaStream_t() const { return handle_; }

private:
    cudaStream_t handle_ = nullptr;
};

class event {
public:
    event() { CUDA_CHECK(cudaEventCreateWithFlags(&handle_, cudaEventDisableTiming)); }
    ~event() { cudaEventDestroy(handle_); }
    event(const event&) = delete;
    event& operator=(const event&) = delete;
    operator cudaEvent_t() const { return handle_; }

private:
    cudaEvent_t handle_ = nullptr;
};

/// Host memory that the device can copy from and to by itself.
class pinned_buffer {
public:
    explicit pinned_buffer(size_t size) { CUDA_CHECK(cudaMallocHost(&data_, size * sizeof(float))); }
    ~pinned_buffer() { cudaFreeHost(data_); }
    pinned_buffer(const pinned_buffer&) = delete;
    pinned_buffer& operator=(const pinned_buffer&) = delete;
    float* data() const { return data_; }

private:
    float* data_ = nullptr;
};

// ---- The kernels, as in lab 06.

/// The sum over the filter at one value of an image of so many interleaved channels.
__device__ float filtered(const float* in, int x, int y, int channel, int width, int height, int channels,
                          int filter_width, int filter_height) {
    float sum = 0.0f;
    for (int i = 0; i < filter_height; i++) {
        for (int j = 0; j < filter_width; j++) {
            const int from_x = x + j - filter_width / 2, from_y = y + i - filter_height / 2;
            if (from_x < 0 || from_x >= width || from_y < 0 || from_y >= height) continue;
            sum += c_filter[i * filter_width + j] * in[(from_y * width + from_x) * channels + channel];
        }
    }
    return sum;
}

/// The rows of `out` from `first_row` up to, and without, `end_row`.
__global__ void strip_kernel(float* out, const float* in, int width, int height, int first_row, int end_row,
                             int filter_width, int filter_height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int step = gridDim.y * blockDim.y;
    if (x >= width) return;
    for (int y = first_row + int(blockIdx.y * blockDim.y + threadIdx.y); y < end_row; y += step)
        out[y * width + x] = filtered(in, x, y, 0, width, height, 1, filter_width, filter_height);
}

/// One frame; a thread has one channel of one pixel.
__global__ void frame_kernel(float* out, const float* in, int width, int height, int filter_width,
                             int filter_height, float scale) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= CHANNELS * width || y >= height) return;
    const float sum = filtered(in, column / CHANNELS, y, column % CHANNELS, width, height, CHANNELS,
                               filter_width, filter_height);
    out[y * CHANNELS * width + column] = fminf(fmaxf(scale * sum, 0.0f), BRIGHTEST);
}

// ---- One image in strips.

struct rows {
    int begin, end;
    int count() const { return end - begin; }
};

/// Those of strip k.
static rows rows_of(int k, int height, int strips) {
    const int each = ceil_div(height, strips);
    return {std::min(k * each, height), std::min((k + 1) * each, height)};
}

void conv2d_strips(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, int strips) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in.size()), d_out(out.size());
    CUDA_CHECK(cudaDeviceSynchronize());  // the buffers are filled in the default stream
    const stream coming;
    std::vector<stream> ways(strips);
    std::vector<event> is_there(strips);
    const int each = rows_of(0, height, strips).count(), reached = ceil_div(filter_height / 2, each);

    timed_launch([&] {
        for (int k = 0; k < strips + reached; k++) {
            if (k < strips) {
                const rows strip = rows_of(k, height, strips);
                CUDA_CHECK(cudaMemcpy2DAsync(d_in.data() + size_t(strip.begin) * width, sizeof(float) * width,
                                             in.data() + size_t(strip.begin) * width, sizeof(float) * width,
                                             sizeof(float) * width, strip.count(), cudaMemcpyHostToDevice,
                                             coming));
                CUDA_CHECK(cudaEventRecord(is_there[k], coming));
            }
            const int ready = k - reached;
            const rows strip = ready < 0 ? rows{0, 0} : rows_of(ready, height, strips);
            if (strip.count() == 0) continue;
            const cudaStream_t way = ways[ready];
            CUDA_CHECK(cudaStreamWaitEvent(way, is_there[std::min(k, strips - 1)], 0));
            const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
            const dim3 grid(ceil_div(width, BLOCK_WIDTH), ceil_div(strip.count(), 2 * BLOCK_HEIGHT));
            strip_kernel<<<grid, block, 0, way>>>(d_out.data(), d_in.data(), width, height, strip.begin,
                                                  strip.end, filter_width, filter_height);
            CUDA_CHECK(cudaGetLastError());
            CUDA_CHECK(cudaMemcpyAsync(out.data() + size_t(strip.begin) * width,
                                       d_out.data() + size_t(strip.begin) * width,
                                       sizeof(float) * strip.count() * width, cudaMemcpyDeviceToHost, way));
        }
        CUDA_CHECK(cudaDeviceSynchronize());
    });
}

// ---- A film.

/// What a frame needs on its way. The next frame that gets it has to wait until this one is done.
struct slot {
    explicit slot(size_t values) : h_in(values), h_out(values), d_in(values), d_out(values) {}
    stream way;
    pinned_buffer h_in, h_out;
    device_buffer<float> d_in, d_out;
};

void conv2d_film(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                 int height, int filter_width, int filter_height, int frames, float scale) {
    set_filter(c_filter, filter);
    const size_t values = size_t(width) * height * CHANNELS, bytes = values * sizeof(float);
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(ceil_div(CHANNELS * width, BLOCK_WIDTH), ceil_div(height, BLOCK_HEIGHT));
    slot slots[SLOTS] = {slot(values), slot(values), slot(values)};
    CUDA_CHECK(cudaDeviceSynchronize());

    timed_launch([&] {
        for (int frame = 0; frame < frames + SLOTS; frame++) {
            slot& s = slots[frame % SLOTS];
            if (frame >= SLOTS) {
                CUDA_CHECK(cudaStreamSynchronize(s.way));
                std::copy_n(s.h_out.data(), values, out.data() + values * (frame - SLOTS));
            }
            if (frame < frames) {
                std::copy_n(in.data() + values * frame, values, s.h_in.data());
                CUDA_CHECK(
                    cudaMemcpyAsync(s.d_in.data(), s.h_in.data(), bytes, cudaMemcpyHostToDevice, s.way));
                frame_kernel<<<grid, block, 0, s.way>>>(s.d_out.data(), s.d_in.data(), width, height,
                                                        filter_width, filter_height, scale);
                CUDA_CHECK(cudaGetLastError());
                CUDA_CHECK(
                    cudaMemcpyAsync(s.h_out.data(), s.d_out.data(), bytes, cudaMemcpyDeviceToHost, s.way));
            }
        }
    });
}
