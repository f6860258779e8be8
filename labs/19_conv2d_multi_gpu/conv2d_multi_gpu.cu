// Lab 19 - one image on several devices.
//
// Idea  A device needs few rows of its neighbours, and needs them last. Who computes those rows first can send them while
//       the others are computed: the exchange costs nothing.
// Do    TODO 19.1 to 19.8. The contract is conv2d_multi_gpu.h; leave it as it is.
// Run   make lab19      (stuck: make hint19)
#include "conv2d_multi_gpu.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"

constexpr int BLOCK_WIDTH = 32;  // a warp is one row
constexpr int BLOCK_HEIGHT = 8;

constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];  // each device has its own

// ---- Whose turn it is.

/// While it exists, this device is the current one.
class current_device {
public:
    explicit current_device(int device) {
        CUDA_CHECK(cudaGetDevice(&before_));
        // TODO 19.1 (about 1 line) Make the device the current one.
        (void)device;  // take this line out
    }
    ~current_device() { cudaSetDevice(before_); }
    current_device(const current_device&) = delete;
    current_device& operator=(const current_device&) = delete;

private:
    int before_ = 0;
};

/// Runs `work` with this device as the current one; what fails there is told with the device's number.
template <class function>
static void on_device(int device, const function& work) {
    const current_device now(device);
    // TODO 19.2 (about 5 lines) Run `work`. Of a std::runtime_error throw another one, whose text begins with
    // the device's number.
    work();  // replace this line
}

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

// ---- Strips.

struct rows {
    int begin, end;
    int count() const { return end - begin; }
};

/// Those of strip k.
static rows rows_of(int k, int height, int devices) {
    // TODO 19.3 (about 1 line) Return the rows of strip k, as the contract says; the product may need more
    // than 32 bits.
    return {0, height};  // replace this line
}

/// What one device has: its rows of the image, below those of the strip above and above those of the strip below.
struct strip {
    strip(int device, const rows& own, const rows& all, int width)
        : device(device),
          own(own),
          all(all),
          values(size_t(all.count()) * width),
          buffers{device_buffer<float>(values), device_buffer<float>(values), device_buffer<float>(values)} {}

    int device;
    rows own, all;  // of the image; `all` with the halo
    size_t values;
    device_buffer<float> buffers[3];  // the image; what odd and even passes store
    stream inner, edges;
    event inner_is_done, edges_are_done, is_sent;

    float* source(int pass) { return buffers[pass == 0 ? 0 : 1 + pass % 2].data(); }
    float* target(int pass) { return source(pass + 1); }
};

/// The pixels of `out` in rows `first` up to, and without, `end` of a strip that has `strip_rows`.
__global__ void rows_kernel(float* out, const float* in, int width, int strip_rows, int first, int end,
                            int filter_width, int filter_height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = first + int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= end) return;
    float sum = 0.0f;
    for (int i = 0; i < filter_height; i++) {
        const int from_y = y + i - filter_height / 2;
        if (from_y < 0 || from_y >= strip_rows) continue;
        for (int j = 0; j < filter_width; j++) {
            const int from_x = x + j - filter_width / 2;
            if (from_x < 0 || from_x >= width) continue;
            sum += c_filter[i * filter_width + j] * in[size_t(from_y) * width + from_x];
        }
    }
    out[size_t(y) * width + x] = sum;
}

/// What all strips have in common, and the strips.
struct job {
    int width, filter_width, filter_height, radius;
    std::vector<std::unique_ptr<strip>> strips;

    bool has_above(size_t k) const { return k > 0; }
    bool has_below(size_t k) const { return k + 1 < strips.size(); }

    /// Filters rows of the image that lie in strip k.
    void filter_rows(size_t k, int pass, const rows& some, cudaStream_t way) const {
        strip& s = *strips[k];
        if (some.count() <= 0) return;
        const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
        const dim3 grid(ceil_div(width, BLOCK_WIDTH), ceil_div(some.count(), BLOCK_HEIGHT));
        rows_kernel<<<grid, block, 0, way>>>(s.target(pass), s.source(pass), width, s.all.count(),
                                             some.begin - s.all.begin, some.end - s.all.begin, filter_width,
                                             filter_height);
        CUDA_CHECK(cudaGetLastError());
    }

    /// Copies rows of the image that the pass has stored from one strip to another.
    void send(size_t from, size_t to, int pass, const rows& some, cudaStream_t way) const {
        strip &a = *strips[from], &b = *strips[to];
        // TODO 19.4 (about 4 lines) Copy the rows from where strip a has stored them to where strip b will
        // look for them, in `way`.
        (void)a, (void)b, (void)pass, (void)some, (void)way;  // take this line out
    }

    /// Sends strip k's rows that its neighbours' filters reach.
    void send_edges(size_t k, int pass, cudaStream_t way) const {
        const rows& own = strips[k]->own;
        if (has_above(k)) send(k, k - 1, pass, {own.begin, own.begin + radius}, way);
        if (has_below(k)) send(k, k + 1, pass, {own.end - radius, own.end}, way);
    }
};

/// Cuts the image, takes memory on every device and fills it.
static job prepare(std::span<const float> in, std::span<const float> filter, int width, int height,
                   int filter_width, int filter_height, int devices) {
    const int radius = filter_height / 2;
    const int shortest = devices > 0 ? height / devices : 0;
    if (devices < 1 || (devices > 1 && (shortest < radius || shortest < 1)))
        throw std::invalid_argument("strips of " + std::to_string(shortest) + " rows on " +
                                    std::to_string(devices) + " devices: the filter reaches " +
                                    std::to_string(radius) + " rows, use fewer devices");
    int count = 0;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    job all{width, filter_width, filter_height, radius, {}};
    for (int k = 0; k < devices; k++) {
        on_device(k % count, [&] {
            const rows own = rows_of(k, height, devices);
            const rows with_halo = {std::max(own.begin - radius, 0), std::min(own.end + radius, height)};
            set_filter(c_filter, filter);
            all.strips.push_back(std::make_unique<strip>(k % count, own, with_halo, width));
            const size_t first = size_t(with_halo.begin) * width;
            all.strips[k]->buffers[0].copy_from(in.subspan(first, all.strips[k]->values));
        });
    }
    return all;
}

/// Waits for all that the strips have been asked for.
static void wait_for(const job& all) {
    for (const auto& s : all.strips) {
        on_device(s->device, [&] {
            CUDA_CHECK(cudaStreamSynchronize(s->inner));
            CUDA_CHECK(cudaStreamSynchronize(s->edges));
        });
    }
}

/// Copies to `out` what the last pass has stored.
static void fetch(std::span<float> out, const job& all, int passes) {
    for (const auto& s : all.strips) {
        on_device(s->device, [&] {
            const size_t width = all.width, first = size_t(s->own.begin) * width;
            const float* const from = s->target(passes - 1) + size_t(s->own.begin - s->all.begin) * width;
            timed_copy([&] {
                CUDA_CHECK(cudaMemcpy(out.data() + first, from, sizeof(float) * s->own.count() * width,
                                      cudaMemcpyDeviceToHost));
            });
        });
    }
}

// ---- One after the other.

void conv2d_in_turn(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                    int height, int filter_width, int filter_height, int passes, int devices) {
    const job all = prepare(in, filter, width, height, filter_width, filter_height, devices);
    timed_launch([&] {
        for (int pass = 0; pass < passes; pass++) {
            for (size_t k = 0; k < all.strips.size(); k++) {
                strip& s = *all.strips[k];
                // TODO 19.5 (about 1 line) On its device, let the strip filter all its own rows in its stream
                // `inner`.
                (void)s;  // take this line out
            }
            wait_for(all);
            if (pass + 1 == passes) break;
            for (size_t k = 0; k < all.strips.size(); k++) {
                strip& s = *all.strips[k];
                on_device(s.device, [&] { all.send_edges(k, pass, s.inner); });
            }
            wait_for(all);
        }
    });
    fetch(out, all, passes);
}

// ---- The exchange beside the interior.

/// What has to be there before the strip's streams go on with the next pass.
static void wait_for_last_pass(const job& all, size_t k) {
    strip& s = *all.strips[k];
    // TODO 19.6 (about 4 lines) Let `edges` wait for the interior and for what the neighbours sent, and
    // `inner` for the edges.
    (void)s;  // take this line out
}

void conv2d_overlapped(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                       int width, int height, int filter_width, int filter_height, int passes, int devices) {
    const job all = prepare(in, filter, width, height, filter_width, filter_height, devices);
    timed_launch([&] {
        for (int pass = 0; pass < passes; pass++) {
            for (size_t k = 0; k < all.strips.size(); k++)
                on_device(all.strips[k]->device, [&] { wait_for_last_pass(all, k); });
            for (size_t k = 0; k < all.strips.size(); k++) {
                strip& s = *all.strips[k];
                const int above = all.has_above(k) ? all.radius : 0,
                          below = all.has_below(k) ? all.radius : 0;
                on_device(s.device, [&] {
                    // TODO 19.7 (about 7 lines) In `edges`: filter the rows that the neighbours need, record,
                    // send them, record.
                    (void)above, (void)below;  // take this line out
                    // TODO 19.8 (about 2 lines) In `inner`: filter the rows between them, record.
                    (void)above, (void)below;  // take this line out
                });
            }
        }
        wait_for(all);
    });
    fetch(out, all, passes);
}
