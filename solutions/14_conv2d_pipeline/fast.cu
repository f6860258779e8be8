// Lab 14, faster: the bus is never idle, whatever memory the caller has.
//
// Strips and frames are pieces that need nothing of each other: a strip brings the rows that its filter reaches along.
// From page-locked memory they follow each other through a few lanes. Ordinary memory is staged through page-locked
// buffers, by several host threads: one alone copies slower than the bus does.
#include "conv2d_pipeline.h"

#include <algorithm>
#include <future>
#include <list>
#include <thread>
#include <vector>

#include "lab/lab.h"

constexpr int BLOCK_WIDTH = 32;  // a warp is one row
constexpr int BLOCK_HEIGHT = 8;
constexpr int COLOURS = 3;
constexpr int LANES = 4;  // pieces under way: one comes, one is filtered, one goes, and one is ready
constexpr float BRIGHTEST = 255.0f;

constexpr int MAX_THREADS = 12;               // more do not copy faster
constexpr size_t VALUES_OF_THREAD = 1 << 20;  // for fewer a thread is not worth its start

constexpr size_t MAX_TAPS = 64 * 1024 / sizeof(float);  // all the constant memory there is

__constant__ float c_filter[MAX_TAPS];

/// The output rows of a piece, whose first one lies under row `above` of its input. A thread has one value of a pixel.
/// The sum is stored as it is, or as a display takes it.
template <int CHANNELS, bool DISPLAYED>
__global__ void piece_kernel(float* out, const float* in, int width, int out_rows, int in_rows, int above,
                             int filter_width, int filter_height, float scale) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= CHANNELS * width || y >= out_rows) return;
    const int x = column / CHANNELS, channel = column % CHANNELS;
    float sum = 0.0f;
    for (int i = 0; i < filter_height; i++) {
        const int from_y = above + y + i - filter_height / 2;
        if (from_y < 0 || from_y >= in_rows) continue;
        for (int j = 0; j < filter_width; j++) {
            const int from_x = x + j - filter_width / 2;
            if (from_x < 0 || from_x >= width) continue;
            sum += c_filter[i * filter_width + j] * in[(from_y * width + from_x) * CHANNELS + channel];
        }
    }
    out[y * CHANNELS * width + column] = DISPLAYED ? fminf(fmaxf(scale * sum, 0.0f), BRIGHTEST) : sum;
}

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

/// Host memory that the device can copy from and to by itself; of no values it is none.
class pinned_buffer {
public:
    explicit pinned_buffer(size_t size) {
        if (size > 0) CUDA_CHECK(cudaMallocHost(&data_, size * sizeof(float)));
    }
    ~pinned_buffer() { cudaFreeHost(data_); }
    pinned_buffer(const pinned_buffer&) = delete;
    pinned_buffer& operator=(const pinned_buffer&) = delete;
    float* data() const { return data_; }

private:
    float* data_ = nullptr;
};

static bool is_page_locked(const float* memory) {
    cudaPointerAttributes about = {};
    CUDA_CHECK(cudaPointerGetAttributes(&about, memory));
    return about.type == cudaMemoryTypeHost;
}

// ---- Pieces and the lanes that they take.

/// Rows of an image or a frame that are sent, filtered and fetched by themselves.
struct piece {
    const float* in;
    float* out;
    int in_rows, out_rows;
    int above;  // input rows before the first output row
};

/// What all pieces of a call have in common.
struct call {
    decltype(&piece_kernel<1, false>) kernel;
    int width, channels, filter_width, filter_height;
    float scale;
    size_t values(int rows) const { return size_t(rows) * width * channels; }
};

/// What a piece needs on its way. The next one that comes along waits for it.
class lane {
public:
    lane(size_t in_values, size_t out_values, bool staged)
        : h_in_(staged ? in_values : 0),
          h_out_(staged ? out_values : 0),
          d_in_(in_values),
          d_out_(out_values),
          staged_(staged) {}

    bool serves(size_t in_values, size_t out_values, bool staged) const {
        return d_in_.size() >= in_values && d_out_.size() >= out_values && staged_ == staged;
    }

    void send(const piece& p, const call& all) {
        fetch();
        const size_t in_bytes = all.values(p.in_rows) * sizeof(float);
        const size_t out_values = all.values(p.out_rows);
        if (staged_) std::copy_n(p.in, all.values(p.in_rows), h_in_.data());
        CUDA_CHECK(cudaMemcpyAsync(d_in_.data(), staged_ ? h_in_.data() : p.in, in_bytes,
                                   cudaMemcpyHostToDevice, way_));
        const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
        const dim3 grid(ceil_div(all.channels * all.width, BLOCK_WIDTH), ceil_div(p.out_rows, BLOCK_HEIGHT));
        all.kernel<<<grid, block, 0, way_>>>(d_out_.data(), d_in_.data(), all.width, p.out_rows, p.in_rows,
                                             p.above, all.filter_width, all.filter_height, all.scale);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpyAsync(staged_ ? h_out_.data() : p.out, d_out_.data(), out_values * sizeof(float),
                                   cudaMemcpyDeviceToHost, way_));
        if (staged_) waiting_ = {p.out, out_values};
    }

    /// What is staged takes its place when it is there; all else came to its place by itself.
    void fetch() {
        if (waiting_.empty()) return;
        CUDA_CHECK(cudaStreamSynchronize(way_));
        std::copy_n(h_out_.data(), waiting_.size(), waiting_.data());
        waiting_ = {};
    }

private:
    std::span<float> waiting_;  // the place of what the lane has staged
    stream way_;
    pinned_buffer h_in_, h_out_;
    device_buffer<float> d_in_, d_out_;
    bool staged_;
};

/// So many lanes at least, kept from call to call: memory is copied faster than it is page-locked.
static std::list<lane>& kept_lanes(int count, size_t in_values, size_t out_values, bool staged) {
    static std::list<lane> kept;
    if (!kept.empty() && !kept.front().serves(in_values, out_values, staged)) kept.clear();
    while (int(kept.size()) < count)
        kept.emplace_back(in_values, out_values, staged);
    return kept;
}

/// How many host threads stage so many values.
static int threads_for(size_t values) {
    const size_t cores = std::max(1u, std::thread::hardware_concurrency());
    return int(std::clamp<size_t>(values / VALUES_OF_THREAD, 1, std::min<size_t>(cores, MAX_THREADS)));
}

/// Sees all pieces through, of which none has more rows to come and to go than these.
static void see_through(const std::vector<piece>& pieces, const call& all, int in_rows, int out_rows) {
    const bool staged = !is_page_locked(pieces.front().in) || !is_page_locked(pieces.front().out);
    const int threads = staged ? threads_for(all.values(out_rows) * pieces.size()) : 1;
    const int count = std::max(threads, LANES);
    std::list<lane>& lanes = kept_lanes(count, all.values(in_rows), all.values(out_rows), staged);

    // Of `threads` each takes every so manieth lane, and the pieces that come along there.
    const auto take_share = [&](int thread) {
        std::vector<lane*> mine;
        int number = 0;
        for (lane& one : lanes)
            if (number++ % threads == thread) mine.push_back(&one);
        size_t turn = 0;
        for (size_t k = thread; k < pieces.size(); k += threads)
            mine[turn++ % mine.size()]->send(pieces[k], all);
        for (size_t k = 0; k < mine.size(); k++)
            mine[turn++ % mine.size()]->fetch();
    };
    try {
        timed_launch([&] {
            std::vector<std::future<void>> others;
            for (int thread = 1; thread < threads; thread++)
                others.push_back(std::async(std::launch::async, take_share, thread));
            take_share(0);
            for (std::future<void>& other : others)
                other.get();
        });
    } catch (...) {
        lanes.clear();  // what is under way there is nobody's any more
        throw;
    }
}

void conv2d_strips(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                   int height, int filter_width, int filter_height, int strips) {
    set_filter(c_filter, filter);
    const call all = {piece_kernel<1, false>, width, 1, filter_width, filter_height, 1.0f};
    const int each = ceil_div(height, strips), radius = filter_height / 2;
    std::vector<piece> pieces;
    int most_in_rows = 0;
    for (int begin = 0; begin < height; begin += each) {
        const int end = std::min(begin + each, height);
        const int from = std::max(begin - radius, 0), to = std::min(end + radius, height);
        pieces.push_back({in.data() + all.values(from), out.data() + all.values(begin), to - from,
                          end - begin, begin - from});
        most_in_rows = std::max(most_in_rows, to - from);
    }
    see_through(pieces, all, most_in_rows, std::min(each, height));
}

void conv2d_film(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                 int height, int filter_width, int filter_height, int frames, float scale) {
    set_filter(c_filter, filter);
    const call all = {piece_kernel<COLOURS, true>, width, COLOURS, filter_width, filter_height, scale};
    std::vector<piece> pieces;
    for (int frame = 0; frame < frames; frame++) {
        const size_t at = all.values(height) * frame;
        pieces.push_back({in.data() + at, out.data() + at, height, height, 0});
    }
    see_through(pieces, all, height, height);
}
