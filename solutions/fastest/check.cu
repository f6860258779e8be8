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

/// Values between -1 and 1.
std::vector<float> random_values(size_t count, unsigned seed) {
    std::minstd_rand generator(seed);
    std::vector<float> all(count);
    for (float& one : all)
        one = float(generator() % 20001) / 10000 - 1;
    return all;
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

void check(const fastest::method& method, const problem& size, const std::vector<float>& filter) {
    constexpr double FLOATS = 3e-6, HALVES = 2e-3;  // the shares
    const size_t pixels = size_t(size.width) * size.height;
    const std::vector<float> image = random_values(pixels, 5);
    const std::vector<double> truth = true_sums(image, filter, size);
    const std::vector<double> scale = true_sums(magnitudes(image), magnitudes(filter), size);
    std::unique_ptr<fastest::plan> plan;
    try {
        plan = std::make_unique<fastest::plan>(filter, size, method.name);
    } catch (const std::invalid_argument&) {
        counts.skipped++;
        return;
    }
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
    std::printf("%d passed, %d failed, %d skipped\n", counts.passed, counts.failed, counts.skipped);
    return counts.failed > 0;
} catch (const std::exception& trouble) {
    std::fprintf(stderr, "check: %s\n", trouble.what());
    return 1;
}
