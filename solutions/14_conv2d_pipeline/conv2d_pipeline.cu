// Lab 14 - the whole call: copies beside kernels.
//
// Idea  The kernel is the smallest part of a call. Copies from page-locked memory run beside kernels and beside copies
//       the other way, if streams and events leave them free to.
// Do    TODO 14.1 to 14.8. The contract is conv2d_pipeline.h; leave it as it is.
// Run   make lab14      (stuck: make hint14)
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
    stream() { CUDA_CHECK(cudaStreamCreate(&handle_)); }
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
    // begin 14.5 Take page-locked memory, and give it back.
    // skeleton: explicit pinned_buffer(size_t size) : data_(new float[size]) {}  // ordinary: replace this line
    // skeleton: ~pinned_buffer() { delete[] data_; }                             // and this one
    explicit pinned_buffer(size_t size) { CUDA_CHECK(cudaMallocHost(&data_, size * sizeof(float))); }
    ~pinned_buffer() { cudaFreeHost(data_); }
    // end 14.5
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
    const int y = first_row + int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= end_row) return;
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
    // begin 14.6 Store the sum as a display takes it: scaled, and from 0 to BRIGHTEST.
    // skeleton: out[y * CHANNELS * width + column] = sum + scale * BRIGHTEST;  // replace this line
    out[y * CHANNELS * width + column] = fminf(fmaxf(scale * sum, 0.0f), BRIGHTEST);
    // end 14.6
}

// ---- One image in strips.

struct rows {
    int begin, end;
    int count() const { return end - begin; }
};

/// Those of strip k.
static rows rows_of(int k, int height, int strips) {
    // begin 14.1 Return the rows of strip k; a strip past the end of the image has none.
    // skeleton: return {0, k < strips ? 0 : height};  // none: replace this line
    const int each = ceil_div(height, strips);
    return {std::min(k * each, height), std::min((k + 1) * each, height)};
    // end 14.1
}

void conv2d_strips(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, int strips) {
    set_filter(c_filter, filter);
    device_buffer<float> d_in(in.size()), d_out(out.size());
    const stream coming, computing, going;
    std::vector<event> is_there(strips), is_filtered(strips);
    const auto start_of = [&](const rows& strip) { return size_t(strip.begin) * width; };
    const auto bytes_of = [&](const rows& strip) { return sizeof(float) * strip.count() * width; };

    timed_launch([&] {
        for (int k = 0; k < strips; k++) {
            const rows strip = rows_of(k, height, strips);
            // begin 14.2 Copy the strip's pixels to the device in `coming`; record the strip's `is_there` after them.
            // skeleton: (void)strip, (void)start_of, (void)bytes_of;  // take this line out
            CUDA_CHECK(cudaMemcpyAsync(d_in.data() + start_of(strip), in.data() + start_of(strip),
                                       bytes_of(strip), cudaMemcpyHostToDevice, coming));
            CUDA_CHECK(cudaEventRecord(is_there[k], coming));
            // end 14.2
        }
        for (int k = 0; k < strips; k++) {
            const rows strip = rows_of(k, height, strips);
            if (strip.count() == 0) break;
            // begin 14.3 Let `computing` wait for the last strip that the filter reaches; launch; record `is_filtered`.
            // skeleton: (void)filter_width, (void)filter_height, (void)is_there;  // take this line out
            const int last_row = std::min(strip.end - 1 + filter_height / 2, height - 1);
            const int last_strip = last_row / rows_of(0, height, strips).count();
            CUDA_CHECK(cudaStreamWaitEvent(computing, is_there[last_strip], 0));
            const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
            const dim3 grid(ceil_div(width, BLOCK_WIDTH), ceil_div(strip.count(), BLOCK_HEIGHT));
            strip_kernel<<<grid, block, 0, computing>>>(d_out.data(), d_in.data(), width, height, strip.begin,
                                                        strip.end, filter_width, filter_height);
            CUDA_CHECK(cudaEventRecord(is_filtered[k], computing));
            // end 14.3
        }
        for (int k = 0; k < strips; k++) {
            const rows strip = rows_of(k, height, strips);
            // begin 14.4 Let `going` wait for the strip's kernel, and copy its pixels back there.
            // skeleton: (void)strip, (void)out, (void)is_filtered;  // take this line out
            CUDA_CHECK(cudaStreamWaitEvent(going, is_filtered[k], 0));
            CUDA_CHECK(cudaMemcpyAsync(out.data() + start_of(strip), d_out.data() + start_of(strip),
                                       bytes_of(strip), cudaMemcpyDeviceToHost, going));
            // end 14.4
        }
    });
}

// ---- A film.

/// What a frame needs on its way. The next frame that gets it has to wait until this one is done.
struct slot {
    explicit slot(size_t values) : h_in(values), h_out(values), d_in(values), d_out(values) {}
    stream way;
    event done;
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

    timed_launch([&] {
        for (int frame = 0; frame < frames + SLOTS; frame++) {
            slot& s = slots[frame % SLOTS];
            if (frame >= SLOTS) {
                // begin 14.8 Wait until the frame that was sent with this slot is done; copy it to its place in `out`.
                // skeleton: (void)out;  // take this line out
                CUDA_CHECK(cudaEventSynchronize(s.done));
                std::copy_n(s.h_out.data(), values, out.data() + values * (frame - SLOTS));
                // end 14.8
            }
            if (frame < frames) {
                // begin 14.7 Copy the frame into the slot's buffer; send it to the device, filter it, fetch it, record.
                // skeleton: (void)in, (void)bytes, (void)s, (void)scale;        // take this line out
                // skeleton: (void)block, (void)grid, (void)filter_width, (void)filter_height;  // and this one
                std::copy_n(in.data() + values * frame, values, s.h_in.data());
                CUDA_CHECK(
                    cudaMemcpyAsync(s.d_in.data(), s.h_in.data(), bytes, cudaMemcpyHostToDevice, s.way));
                frame_kernel<<<grid, block, 0, s.way>>>(s.d_out.data(), s.d_in.data(), width, height,
                                                        filter_width, filter_height, scale);
                CUDA_CHECK(
                    cudaMemcpyAsync(s.h_out.data(), s.d_out.data(), bytes, cudaMemcpyDeviceToHost, s.way));
                CUDA_CHECK(cudaEventRecord(s.done, s.way));
                // end 14.7
            }
        }
    });
}
