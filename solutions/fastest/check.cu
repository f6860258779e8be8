// Every method at sizes that fit nothing: images of one pixel, smaller than the filter, of prime sides; addresses that no 16-byte
// access can take. Every value is compared with the sum in double precision. Ends with "N passed, N failed, N skipped".
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "fastest.h"
#include "lab/buffer.h"
#include "method.h"
#include "plain.cuh"

namespace {

using fastest::accuracy;
using fastest::problem;

constexpr problem SIZES[] = {
    {1, 1, 1, 1},       {1, 1, 9, 9},         {4, 4, 3, 3},      {5, 7, 3, 3},      {3, 200, 5, 5},
    {200, 3, 7, 7},     {64, 64, 9, 9},       {65, 129, 11, 5},  {127, 61, 5, 11},  {256, 128, 17, 17},
    {131, 257, 13, 13}, {512, 512, 27, 27},   {300, 300, 33, 7}, {128, 512, 7, 33}, {1024, 256, 43, 43},
    {260, 260, 57, 57}, {256, 256, 65, 65},   {100, 90, 65, 65}, {1000, 70, 65, 3}, {70, 1000, 3, 65},
    {64, 64, 97, 97},   {150, 140, 129, 129}, {512, 64, 129, 5}, {64, 512, 5, 129},
};

// Of the sum of a value's terms, in magnitude, what it may be off by.
constexpr double FLOATS = 3e-6, HALVES = 2e-3;

/// Values between -1 and 1.
std::vector<float> random_values(size_t count, unsigned seed) {
    std::minstd_rand generator(seed);
    std::vector<float> all(count);
    for (float& one : all)
        one = float(generator() % 20001) / 10000 - 1;
    return all;
}

float sum_of_magnitudes(const std::vector<float>& values) {
    float sum = 0;
    for (const float one : values)
        sum += std::fabs(one);
    return sum;
}

std::vector<float> magnitudes(std::vector<float> values) {
    for (float& one : values)
        one = std::fabs(one);
    return values;
}

std::vector<double> true_sums(const std::vector<float>& in, const std::vector<float>& filter,
                              const problem& size) {
    const lab::device_buffer<float> d_in(in), d_filter(filter);
    lab::device_buffer<double> d_out(in.size());
    fastest::plain_kernel<double>
        <<<fastest::plain_grid(size.width, size.height), dim3(fastest::PLAIN_WIDTH, fastest::PLAIN_HEIGHT)>>>(
            d_out.data(), d_in.data(), d_filter.data(), size.width, size.height, size.width, size.width,
            size.filter_width, size.filter_height);
    CUDA_CHECK(cudaGetLastError());
    std::vector<double> out(in.size());
    d_out.copy_to(out);
    return out;
}

/// What is wrong with the values from `first` on, "" if nothing is. A value may be off by a share of the sum of its terms' magnitudes.
std::string difference(const std::vector<float>& out, size_t first, const std::vector<double>& truth,
                       const std::vector<double>& scale, double share, int width) {
    for (size_t k = 0; k < truth.size(); k++) {
        if (std::fabs(out[first + k] - truth[k]) <= share * scale[k]) continue;
        return "pixel (x=" + std::to_string(k % size_t(width)) + ", y=" + std::to_string(k / size_t(width)) +
               "): expected " + std::to_string(truth[k]) + ", got " + std::to_string(out[first + k]);
    }
    return "";
}

struct {
    int passed, failed, skipped;
} counts;

/// A plan of this method, nothing if it does not serve the filter; that is counted.
std::unique_ptr<fastest::plan> plan_of(const fastest::method& method, const problem& size,
                                       const std::vector<float>& filter) {
    try {
        return std::make_unique<fastest::plan>(filter, size, method.name);
    } catch (const std::invalid_argument&) {
        counts.skipped++;
        return nullptr;
    }
}

void check(const fastest::method& method, const problem& size, const std::vector<float>& filter) {
    const size_t pixels = size_t(size.width) * size.height;
    const std::vector<float> image = random_values(pixels, 5);
    const std::vector<double> truth = true_sums(image, filter, size);
    const std::vector<double> scale = true_sums(magnitudes(image), magnitudes(filter), size);
    const std::unique_ptr<fastest::plan> plan = plan_of(method, size, filter);
    if (!plan) return;
    for (const size_t first : {0, 1}) {  // floats that the image lies behind an aligned address
        std::vector<float> moved(first, 0.0f);
        moved.insert(moved.end(), image.begin(), image.end());
        std::string wrong;
        try {
            const lab::device_buffer<float> d_in(moved);
            lab::device_buffer<float> d_out(moved.size());
            plan->run(d_out.data() + first, d_in.data() + first);
            std::vector<float> out(moved.size());
            d_out.copy_to(out);
            wrong = difference(out, first, truth, scale, size.wanted == accuracy::floats ? FLOATS : HALVES,
                               size.width);
        } catch (const std::runtime_error& trouble) {
            wrong = trouble.what();
        }
        (wrong.empty() ? counts.passed : counts.failed)++;
        if (!wrong.empty())
            std::printf("%s, %d x %d pixels, %d x %d taps, %zu floats behind: %s\n", method.name, size.width,
                        size.height, size.filter_width, size.filter_height, first, wrong.c_str());
    }
}

/// The filter used so many times: each launch reads what the one before it has written. `wait`: it is done by then.
std::vector<float> repeated(fastest::plan& plan, const std::vector<float>& image, bool wait) {
    constexpr int TIMES = 40;  // even: the last result lies in `one`
    lab::device_buffer<float> one(image), other(image.size());
    for (int k = 0; k < TIMES; k++) {
        const bool is_back = k % 2 == 1;
        plan.run(is_back ? one.data() : other.data(), is_back ? other.data() : one.data());
        if (wait) CUDA_CHECK(cudaDeviceSynchronize());
    }
    std::vector<float> out(image.size());
    one.copy_to(out);
    return out;
}

/// No launch in a row begins too early.
void check_in_a_row(const fastest::method& method, const problem& size, std::vector<float> filter) {
    const float sum = sum_of_magnitudes(filter);
    for (float& tap : filter)
        tap /= sum;
    const std::unique_ptr<fastest::plan> plan = plan_of(method, size, filter);
    if (!plan) return;
    const std::vector<float> image = random_values(size_t(size.width) * size.height, 9);
    const bool is_same = repeated(*plan, image, true) == repeated(*plan, image, false);
    (is_same ? counts.passed : counts.failed)++;
    if (!is_same)
        std::printf("%s, %d x %d pixels, %d x %d taps: other values in a row than one by one\n", method.name,
                    size.width, size.height, size.filter_width, size.filter_height);
}

/// Many images at once have the values that each has alone.
void check_together(const fastest::method& method, problem size, const std::vector<float>& filter) {
    constexpr int IMAGES = 11;
    const std::unique_ptr<fastest::plan> of_one = plan_of(method, size, filter);
    size.images = IMAGES;
    const std::unique_ptr<fastest::plan> of_all = plan_of(method, size, filter);
    if (!of_one || !of_all) return;
    const size_t pixels = size_t(size.width) * size.height;
    std::vector<float> together(IMAGES * pixels), alone(IMAGES * pixels);
    const lab::device_buffer<float> d_in(random_values(IMAGES * pixels, 10));
    lab::device_buffer<float> d_together(together), d_alone(alone);
    of_all->run(d_together.data(), d_in.data());
    for (size_t k = 0; k < IMAGES; k++)
        of_one->run(d_alone.data() + k * pixels, d_in.data() + k * pixels);
    d_together.copy_to(together);
    d_alone.copy_to(alone);
    const float sum = sum_of_magnitudes(filter);
    const auto is_near = [&](float a, float b) {
        return std::fabs(a - b) <= FLOATS * sum;
    };  // an FFT's order differs
    const auto [other, one] = std::mismatch(together.begin(), together.end(), alone.begin(), is_near);
    (other == together.end() ? counts.passed : counts.failed)++;
    if (other == together.end()) return;
    const size_t place = size_t(other - together.begin());
    std::printf("%s, %d images of %d x %d pixels, %d x %d taps: value %zu of image %zu is %g, alone %g\n",
                method.name, IMAGES, size.width, size.height, size.filter_width, size.filter_height,
                place % pixels, place / pixels, double(*other), double(*one));
}

std::vector<float> one_term(const problem& size) {
    const std::vector<float> row = random_values(size_t(size.filter_width), 7);
    const std::vector<float> column = random_values(size_t(size.filter_height), 8);
    std::vector<float> filter;
    for (const float tap : column)
        for (const float factor : row)
            filter.push_back(tap * factor);
    return filter;
}

}  // namespace

int main() try {
    for (problem size : SIZES) {
        for (const fastest::method& method : fastest::methods()) {
            const size_t taps = size_t(size.filter_width) * size.filter_height;
            const bool is_separable = method.name == std::string("separable");
            size.largest_pixel = 1.0f;
            check(method, size, is_separable ? one_term(size) : random_values(taps, 6));
            if (method.name != std::string("tensor")) continue;
            size.wanted = accuracy::halves;
            check(method, size, random_values(taps, 6));
            size.wanted = accuracy::floats;
        }
    }
    for (const int side : {3, 5, 7, 9, 17, 27, 43}) {
        for (const fastest::method& method : fastest::methods()) {
            const problem size{1500, 700, side, side, accuracy::floats, 1.0f};
            check_in_a_row(method, size, one_term(size));
            for (const problem& some :
                 {problem{300, 133, side, side}, {301, 133, side, side}, {256, 64, side, side}})
                check_together(method, some, one_term(size));
        }
    }
    std::printf("%d passed, %d failed, %d skipped\n", counts.passed, counts.failed, counts.skipped);
    return counts.failed > 0;
} catch (const std::exception& trouble) {
    std::fprintf(stderr, "check: %s\n", trouble.what());
    return 1;
}
