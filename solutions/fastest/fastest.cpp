// Plans: which method is taken, and images whose rows it cannot read as they lie.
#include "fastest.h"

#include <cmath>
#include <cstdint>
#include <fstream>
#include <list>
#include <stdexcept>
#include <vector>

#include "choice.h"
#include "lab/buffer.h"
#include "method.h"

namespace fastest {

namespace {

constexpr method METHODS[] = {{"streaming", make_streaming},
                              {"separable", make_separable},
                              {"tensor", make_tensor},
                              {"fft", make_fft},
                              {"plain", make_plain}};
constexpr int ALIGNED = 4;  // floats: 16 bytes

std::vector<measured_time> known_times;

void expect_sizes(std::span<const float> filter, const problem& size) {
    const auto say = [](const std::string& what) { throw std::invalid_argument("conv2d_fastest: " + what); };
    const auto sides = [](int width, int height) {
        return std::to_string(width) + " x " + std::to_string(height);
    };
    if (size.images < 1) say(std::to_string(size.images) + " images");
    if (size.width < 1 || size.height < 1) say("an image of " + sides(size.width, size.height) + " pixels");
    if (size.filter_width < 1 || size.filter_height < 1 || size.filter_width % 2 == 0 ||
        size.filter_height % 2 == 0)
        say("a filter of " + sides(size.filter_width, size.filter_height) + " taps: both sides must be odd");
    if (filter.size() != size_t(size.filter_width) * size.filter_height)
        say(std::to_string(filter.size()) + " taps for a filter of " +
            sides(size.filter_width, size.filter_height));
    for (size_t k = 0; k < filter.size(); k++)
        if (!std::isfinite(filter[k])) say("tap " + std::to_string(k) + " is " + std::to_string(filter[k]));
    if (!(size.largest_pixel > 0 && std::isfinite(size.largest_pixel)))
        say("a largest pixel of " + std::to_string(size.largest_pixel));
}

launcher_maker maker_of(const std::string& name) {
    for (const method& one : METHODS)
        if (one.name == name) return one.make;
    throw std::invalid_argument("conv2d_fastest: no method " + name);
}

bool is_aligned(const void* pixels) {
    return reinterpret_cast<uintptr_t>(pixels) % (ALIGNED * sizeof(float)) == 0;
}

}  // namespace

std::span<const method> methods() {
    return METHODS;
}

struct pitched_pair {
    pitched_pair(int width, int rows) : in(width, rows), out(width, rows) {}
    lab::pitched_image<float> in, out;
};

plan::plan(std::span<const float> filter, const problem& size, const std::string& method) : size_(size) {
    expect_sizes(filter, size);
    const std::vector<std::string> names =
        method.empty() ? ranked_methods(size, known_times) : std::vector<std::string>{method};
    for (const std::string& name : names) {
        launcher_ = maker_of(name)(filter, size);
        method_ = name;
        if (launcher_) return;
    }
    throw std::invalid_argument("conv2d_fastest: " + method + " does not serve a filter of " +
                                std::to_string(size.filter_width) + " x " +
                                std::to_string(size.filter_height) + " taps on this device");
}

plan::~plan() = default;

void plan::run(float* out, const float* in, cudaStream_t stream) {
    if (size_.width % ALIGNED == 0 && is_aligned(out) && is_aligned(in)) {
        launcher_->launch({out, in, size_.width, size_.width}, stream);
        CUDA_CHECK(cudaGetLastError());
        return;
    }
    if (!copies_) copies_ = std::make_unique<pitched_pair>(size_.width, size_.images * size_.height);
    const size_t row = size_t(size_.width) * sizeof(float), rows = size_t(size_.images) * size_.height;
    CUDA_CHECK(cudaMemcpy2DAsync(copies_->in.data(), copies_->in.pitch(), in, row, row, rows,
                                 cudaMemcpyDeviceToDevice, stream));
    launcher_->launch({copies_->out.data(), copies_->in.data(), copies_->out.pitch_elements(),
                       copies_->in.pitch_elements()},
                      stream);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy2DAsync(out, row, copies_->out.data(), copies_->out.pitch(), row, rows,
                                 cudaMemcpyDeviceToDevice, stream));
}

void use_times_of(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error(file + ": cannot be read");
    try {
        known_times = read_times(in);
    } catch (const std::runtime_error& trouble) {
        throw std::runtime_error(file + ": " + trouble.what());
    }
}

void conv2d_fastest(float* out, const float* in, std::span<const float> filter, int width, int height,
                    int filter_width, int filter_height) {
    struct kept {
        std::vector<float> filter;
        int device, width, height, filter_width, filter_height;
        bool operator==(const kept&) const = default;
    };
    constexpr size_t MOST = 16;  // plans; the one that was made first goes first
    static std::list<std::pair<kept, plan>> plans;
    kept key{{filter.begin(), filter.end()}, 0, width, height, filter_width, filter_height};
    CUDA_CHECK(cudaGetDevice(&key.device));
    for (auto& [known, made] : plans)
        if (known == key) return made.run(out, in);
    if (plans.size() >= MOST) plans.pop_front();
    plans.emplace_back(std::piecewise_construct, std::forward_as_tuple(key),
                       std::forward_as_tuple(filter, problem{width, height, filter_width, filter_height}));
    plans.back().second.run(out, in);
}

}  // namespace fastest
