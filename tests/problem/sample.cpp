// Samples of large problems: their size, and what is said of their outputs.
#include "problem/sample.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace check;

TEST_CASE("problems of up to 10^8 taps run whole, larger ones in parts") {
    CHECK(one_of_blocks(problem_2d{noise_image(64, 37), random_filter(3, 3)}) == 1);
    CHECK(one_of_blocks(problem_2d{noise_image(512, 512), random_filter(9, 9)}) == 1);
    CHECK(one_of_blocks(problem_2d{noise_image(1920, 1080), random_filter(27, 27)}) == 16);
    CHECK(one_of_blocks(problem_2d{noise_image(1920, 1080, 3), random_filter(27, 27)}) == 46);
    CHECK(one_of_blocks(problem_1d{random_values(1000, 1), random_values(9, 2)}) == 1);
    CHECK(one_of_blocks(problem_1d{random_values(30'000'000, 1), random_values(9, 2)}) == 3);
}

TEST_CASE("outputs that were not computed are neither right nor wrong") {
    const problem_2d p{noise_image(100, 60), random_filter(5, 5)};
    const reference truth = convolve_cpu(p);
    std::vector<float> out(truth.value.begin(), truth.value.end());
    CHECK(wrong_in_sample(out, p) == "");
    for (size_t k = 0; k < out.size(); k += 3)
        out[k] = NAN;
    CHECK(wrong_in_sample(out, p) == "");
    for (float& value : out)
        value += 1;
    CHECK(wrong_in_sample(out, p).starts_with("pixel (x=1, y=0): expected "));
    std::fill(out.begin(), out.end(), NAN);
    CHECK(wrong_in_sample(out, p) == "no output was computed");
}

TEST_CASE("more outputs than are compared are compared all over the image") {
    const problem_2d p{noise_image(300, 200), random_filter(3, 3)};
    const reference truth = convolve_cpu(p);
    for (const size_t wrong_from : {size_t(0), size_t(30'000), size_t(59'900)}) {
        std::vector<float> out(truth.value.begin(), truth.value.end());
        for (size_t k = wrong_from; k < wrong_from + 100; k++)
            out[k] += 1;
        CHECK(wrong_in_sample(out, p).find("expected") != std::string::npos);
    }
}

TEST_CASE("what several launches make of blocks that did not run is not compared") {
    constexpr int BLOCK = 8;
    problem_2d p{noise_image(56, 32), random_filter(3, 3)};
    find_edges(p);  // reaches two pixels: one of the filter, one of Sobel's
    const reference truth = convolve_cpu(p);
    std::vector<float> out(truth.value.begin(), truth.value.end());
    const auto in_block = [](int x, int y) { return x / BLOCK % 3 == 1 && y / BLOCK % 3 == 1; };
    const auto is_inside = [](int at) { return at % BLOCK >= 2 && at % BLOCK < BLOCK - 2; };
    for (int y = 0; y < p.in.height; y++) {
        for (int x = 0; x < p.in.width; x++) {
            float& value = out[size_t(y * p.in.width + x)];
            if (!in_block(x, y))
                value = NAN;
            else if (!is_inside(x) || !is_inside(y))
                value = 1000;
        }
    }
    CHECK(wrong_in_sample(out, p).starts_with("pixel (x=8, y=8): expected "));
    CHECK(wrong_in_sample(out, p, true) == "");
    out[size_t(10 * p.in.width + 13)] += 1000;
    CHECK(wrong_in_sample(out, p, true).starts_with("pixel (x=13, y=10): expected "));
    p.filter = random_filter(7, 7);
    CHECK(wrong_in_sample(out, p, true) == "no output was computed");
    const problem_1d row{random_values(8, 1), random_values(3, 2)};
    CHECK(wrong_in_sample(std::vector<float>{NAN, 1, 2, NAN, NAN, NAN, 3, 4}, row, true)
              .starts_with("element 7: "));
}
