// Whole calls, for lab 14: how long images and films of it take from host to host, and what the bus allows.
// pipeline header prints the first row of pipeline.csv, pipeline NAME DATE the rows of lab 14's file that it is linked
// with, pipeline bus DATE those of the bus itself and of lab 06, whose call takes ordinary memory and one step after the
// other. A row's kernel_ms is what the call times, its total_ms the whole call with the memory that it takes.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../labs/06_conv2d_constant/conv2d_constant.h"
#include "../../labs/14_conv2d_pipeline/conv2d_pipeline.h"
#include "lab/lab.h"
#include "lab/recorder.h"

namespace {

constexpr int SIDE = 4096, FILTER = 9;  // pixels of the image, taps
constexpr int COLOURS = 3, FRAME_WIDTH = 1365,
              FRAME_HEIGHT = 4096;  // a frame has the bytes of the image, nearly
constexpr int FEW = 4, MANY = 16;   // frames of two films: their difference tells of one
constexpr int STRIPS = 16, SMALL_STRIPS = 64;
constexpr int WARMUPS = 1, REPEATS = 9;
// Those of a benchmark's file (results.cpp) that a call has a value for.
constexpr char COLUMNS[] =
    "lab,method,backend,device,date,width,height,channels,filter_width,filter_height,kernel_ms,build,filter_"
    "kind,memory,"
    "repeats,total_ms";

/// Host memory, page-locked or not, full of noise.
class host_array {
public:
    host_array(size_t size, bool is_locked) : size_(size), is_locked_(is_locked) {
        if (is_locked)
            CUDA_CHECK(cudaMallocHost(&data_, size * sizeof(float)));
        else
            data_ = new float[size];
        std::minstd_rand generator(42);
        std::vector<float> noise(1 << 16);
        for (float& one : noise)
            one = float(generator() % 2000) / 1000 - 1;
        for (size_t k = 0; k < size; k++)
            data_[k] = noise[(k + k / noise.size()) % noise.size()];
    }
    ~host_array() {
        if (is_locked_)
            cudaFreeHost(data_);
        else
            delete[] data_;
    }
    host_array(const host_array&) = delete;
    host_array& operator=(const host_array&) = delete;
    std::span<float> span() const { return {data_, size_}; }

private:
    float* data_ = nullptr;
    size_t size_;
    bool is_locked_;
};

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

/// Milliseconds of what a function of a lab puts into timed_launch and timed_copy, without the memory that it takes.
double milliseconds_of(const std::function<void()>& call) {
    lab::current_call() = {};
    lab::current_call().warmups = WARMUPS;
    lab::current_call().repeats = REPEATS;
    call();
    return median(lab::current_call().kernel_ms) + lab::current_call().copy_ms;
}

/// Milliseconds of a second call as a whole.
double whole_call_ms(const std::function<void()>& call) {
    lab::current_call() = {};
    call();
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// What all rows have in common.
struct {
    std::string by, device, date;
} measured;

void print_row(const std::string& what, bool is_locked, double ms, double call_ms, bool is_film = false) {
    std::printf(
        "14_conv2d_pipeline,\"%s_%s%s\",gpu,\"%s\",%s,%d,%d,%d,%d,%d,%.6f,default,random,%s,%d,%.6f\n",
        measured.by.c_str(), what.c_str(), is_locked ? "_pinned" : "", measured.device.c_str(),
        measured.date.c_str(), is_film ? FRAME_WIDTH : SIDE, is_film ? FRAME_HEIGHT : SIDE,
        is_film ? COLOURS : 1, FILTER, FILTER, ms, is_locked ? "pinned" : "pageable", REPEATS, call_ms);
}

std::vector<float> taps() {
    std::vector<float> all(FILTER * FILTER);
    for (size_t k = 0; k < all.size(); k++)
        all[k] = 0.01f * float(int(k % 7) - 3);
    return all;
}

/// The serial sum at a value of rows of interleaved channels.
double expected_at(std::span<const float> in, int x, int y, int channel, int width, int height,
                   int channels) {
    const std::vector<float> filter = taps();
    double sum = 0;
    for (int i = 0; i < FILTER; i++)
        for (int j = 0; j < FILTER; j++) {
            const int from_x = x + j - FILTER / 2, from_y = y + i - FILTER / 2;
            if (from_x < 0 || from_x >= width || from_y < 0 || from_y >= height) continue;
            sum +=
                double(filter[i * FILTER + j]) * in[(size_t(from_y) * width + from_x) * channels + channel];
        }
    return sum;
}

/// Throws std::runtime_error if one of a few values, the last among them, is not `scale` times the sum, which a display
/// takes from 0 to 255.
void expect_right(std::span<const float> out, std::span<const float> in, int width, int height, int channels,
                  double scale, bool is_displayed) {
    constexpr int CHECKED = 300;
    const size_t of_frame = size_t(width) * height * channels;
    for (int k = 0; k < CHECKED; k++) {
        const size_t at = (out.size() - 1) * size_t(k) / (CHECKED - 1), in_frame = at % of_frame;
        const int channel = int(in_frame % channels), x = int(in_frame / channels % width);
        const int y = int(in_frame / channels / width);
        double sum =
            scale * expected_at(in.subspan(at - in_frame, of_frame), x, y, channel, width, height, channels);
        if (is_displayed) sum = std::clamp(sum, 0.0, 255.0);
        if (!(std::fabs(out[at] - sum) <= 1e-4 * scale))
            throw std::runtime_error("value " + std::to_string(at) + ": expected " + std::to_string(sum) +
                                     ", got " + std::to_string(out[at]));
    }
}

void measure_image(bool is_locked, int strips) {
    const host_array in(size_t(SIDE) * SIDE, is_locked), out(size_t(SIDE) * SIDE, is_locked);
    const auto call = [&] {
        conv2d_strips(out.span(), in.span(), taps(), SIDE, SIDE, FILTER, FILTER, strips);
    };
    const double ms = milliseconds_of(call);
    expect_right(out.span(), in.span(), SIDE, SIDE, 1, 1, false);
    print_row("strips_" + std::to_string(strips), is_locked, ms, whole_call_ms(call));
}

void measure_film(bool is_locked) {
    const size_t values = size_t(FRAME_WIDTH) * FRAME_HEIGHT * COLOURS;
    const host_array in(values * MANY, is_locked), out(values * MANY, is_locked);
    constexpr float SCALE = 100;
    const auto film_of = [&](int frames) {
        return [&, frames] {
            conv2d_film(out.span().first(values * frames), in.span().first(values * frames), taps(),
                        FRAME_WIDTH, FRAME_HEIGHT, FILTER, FILTER, frames, SCALE);
        };
    };
    const double many = milliseconds_of(film_of(MANY)), few = milliseconds_of(film_of(FEW));
    expect_right(out.span(), in.span(), FRAME_WIDTH, FRAME_HEIGHT, COLOURS, SCALE, true);
    print_row("film", is_locked, (many - few) / (MANY - FEW),
              (whole_call_ms(film_of(MANY)) - whole_call_ms(film_of(FEW))) / (MANY - FEW), true);
}

/// Copies of the image's bytes alone, from and to page-locked memory.
void measure_bus() {
    const host_array up(size_t(SIDE) * SIDE, true), down(size_t(SIDE) * SIDE, true);
    device_buffer<float> d_up(up.span().size()), d_down(up.span().size());
    cudaStream_t coming, going;
    CUDA_CHECK(cudaStreamCreate(&coming));
    CUDA_CHECK(cudaStreamCreate(&going));
    constexpr int FRAMES = 8;
    const auto copies = [&](bool to_device, bool to_host) {
        return milliseconds_of([&] {
                   timed_launch([&] {
                       for (int k = 0; k < FRAMES; k++) {
                           if (to_device)
                               CUDA_CHECK(cudaMemcpyAsync(d_up.data(), up.span().data(),
                                                          up.span().size_bytes(), cudaMemcpyHostToDevice,
                                                          coming));
                           if (to_host)
                               CUDA_CHECK(cudaMemcpyAsync(down.span().data(), d_down.data(),
                                                          down.span().size_bytes(), cudaMemcpyDeviceToHost,
                                                          going));
                       }
                   });
               }) /
               FRAMES;
    };
    print_row("up", true, copies(true, false), NAN);
    print_row("down", true, copies(false, true), NAN);
    print_row("both", true, copies(true, true), NAN);
    CUDA_CHECK(cudaStreamDestroy(coming));
    CUDA_CHECK(cudaStreamDestroy(going));
}

void measure_one_after_the_other() {
    const host_array in(size_t(SIDE) * SIDE, false), out(size_t(SIDE) * SIDE, false);
    const auto call = [&] { conv2d_constant(out.span(), in.span(), taps(), SIDE, SIDE, FILTER / 2); };
    std::vector<double> all, whole;
    for (int k = 0; k < REPEATS; k++) {
        lab::current_call() = {};
        whole.push_back(whole_call_ms(call));
        lab::current_call() = {};
        call();
        all.push_back(lab::current_call().kernel_ms.front() + lab::current_call().copy_ms);
    }
    expect_right(out.span(), in.span(), SIDE, SIDE, 1, 1, false);
    measured.by = "constant";
    print_row("whole", false, median(all), median(whole));
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc == 2 && argv[1] == std::string("header")) {
        std::printf("%s\n", COLUMNS);
        return 0;
    }
    if (argc != 3)
        throw std::invalid_argument("pipeline header, pipeline bus DATE or pipeline NAME DATE: prints rows");
    int device = 0;
    cudaDeviceProp properties{};
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    measured = {argv[1], properties.name, argv[2]};
    if (measured.by == "bus") {
        measure_bus();
        measure_one_after_the_other();
        return 0;
    }
    for (const bool is_locked : {true, false}) {
        measure_image(is_locked, STRIPS);
        measure_image(is_locked, SMALL_STRIPS);
        measure_film(is_locked);
    }
} catch (const std::exception& trouble) {
    std::fprintf(stderr, "pipeline: %s\n", trouble.what());
    return 1;
}
