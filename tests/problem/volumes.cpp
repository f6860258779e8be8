// Volumes: their truth against an independent formulation, closed forms, words, and volumes made of images.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "diagnose/wrong_region.h"
#include "problem/compare.h"
#include "problem/describe.h"
#include "problem/problem.h"
#include "problem/sample.h"

using namespace check;

namespace {

/// Every voxel scattered to the outputs that it reaches; counts the products, too.
std::vector<double> scattered(const problem_2d& p, double* products = nullptr) {
    const int width = p.in.width, height = p.in.slice_height(), depth = p.in.depth;
    const int rx = p.filter.width / 2, ry = p.filter.slice_height() / 2, rz = p.filter.depth / 2;
    std::vector<double> out(p.in.pixels.size());
    const auto place = [=](int x, int y, int z) { return (size_t(z) * height + y) * width + x; };
    size_t from = 0;
    for (int z = 0; z < depth; z++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++, from++) {
                size_t tap = 0;
                for (int to_z = z + rz; to_z >= z - rz; to_z--)
                    for (int to_y = y + ry; to_y >= y - ry; to_y--)
                        for (int to_x = x + rx; to_x >= x - rx; to_x--, tap++) {
                            if (to_x < 0 || to_x >= width || to_y < 0 || to_y >= height || to_z < 0 ||
                                to_z >= depth)
                                continue;
                            out[place(to_x, to_y, to_z)] +=
                                double(p.in.pixels[from]) * double(p.filter.taps[tap]);
                            if (products) *products += 1;
                        }
            }
    return out;
}

problem_2d noise(int width, int height, int depth, int filter_width, int filter_height, int filter_depth) {
    return {noise_volume(width, height, depth),
            random_volume_filter(filter_width, filter_height, filter_depth)};
}

const problem_2d CASES[] = {noise(7, 5, 4, 3, 5, 3), noise(1, 6, 3, 3, 1, 5), noise(4, 1, 1, 3, 3, 7),
                            noise(3, 2, 2, 7, 5, 9), noise(8, 3, 5, 1, 1, 1)};

std::string damage(const shape& where, const std::function<bool(int x, int y, int z)>& is_wrong) {
    std::vector<float> out(where.values());
    for (size_t k = 0; k < out.size(); k++) {
        const int row = int(k) / where.width;
        out[k] = is_wrong(int(k) % where.width, row % where.slice_height(), row / where.slice_height());
    }
    const reference zeros{std::vector<double>(out.size()), std::vector<double>(out.size())};
    return wrong_region(compare(out, zeros), where);
}

}  // namespace

TEST_CASE("the truth of volumes, the serial loop and their closed form") {
    for (const problem_2d& p : CASES) {
        double products = 0;
        const std::vector<double> expected = scattered(p, &products);
        const reference truth = convolve_cpu(p);
        for (size_t k = 0; k < expected.size(); k++)
            CHECK(truth.value[k] == doctest::Approx(expected[k]).epsilon(1e-12));
        CHECK(compare(serial_values(p), truth).right());
        CHECK(inside_taps(p) == products);
        CHECK(all_taps(p) == double(p.in.pixels.size()) * double(p.filter.taps.size()));
    }
}

TEST_CASE("the row under a row of the filter") {
    const problem_2d image{noise_image(2, 5), random_filter(3, 3)}, volume = noise(2, 5, 3, 3, 3, 3);
    CHECK(row_under(image, 0, 0) == -1);
    CHECK(row_under(image, 0, 2) == 1);
    CHECK(row_under(image, 4, 2) == -1);
    CHECK(row_under(image, -1, 2) == 0);  // outputs outside, whose filter reaches the image
    CHECK(row_under(image, 5, 0) == 4);
    CHECK(row_under(volume, 7, 0) == 1);       // row 2 of slice 1: row 1 of slice 0
    CHECK(row_under(volume, 7, 3 + 1) == 7);   // its own
    CHECK(row_under(volume, 7, 6 + 2) == 13);  // row 3 of slice 2
    CHECK(row_under(volume, 5, 3) == -1);      // above slice 1, not the last of slice 0
    CHECK(row_under(volume, 12, 6) == -1);     // behind the last slice
}

TEST_CASE("a volume of one slice under one slice of taps is an image") {
    const problem_2d image{noise_image(9, 7), random_filter(5, 3)};
    problem_2d volume{noise_volume(9, 7, 1), random_volume_filter(5, 3, 1)};
    CHECK_FALSE(volume.is_volume());
    CHECK(volume.in == image.in);
    volume.filter.name = image.filter.name;
    CHECK(volume.filter == image.filter);
    CHECK(valid_rows(image) == valid_taps(7, 1));
}

TEST_CASE("slices that are not all alike are refused") {
    problem_2d p = noise(4, 3, 2, 3, 3, 3);
    p.in.depth = 4;
    CHECK_THROWS_WITH_AS(convolve_cpu(p), "an image of 6 rows in 4 slices: all have as many",
                         std::invalid_argument);
    p = noise(4, 3, 2, 3, 3, 3);
    p.filter.depth = 2;
    CHECK_THROWS_AS(convolve_cpu(p), std::invalid_argument);
    p = noise(4, 3, 2, 3, 3, 3);
    p.gradient = {sobel_x_filter()};
    CHECK_THROWS_AS(convolve_cpu(p), std::invalid_argument);
    CHECK_THROWS_AS(random_volume_filter(3, 3, 2), std::invalid_argument);
    CHECK_THROWS_AS(random_volume_filter(3, 2, 3), std::invalid_argument);
}

TEST_CASE("volumes and their places in words") {
    CHECK(describe(noise(37, 23, 5, 3, 5, 7)) ==
          "37x23x5 voxels, filter random 3x5x7, border zero, random values");
    problem_2d p = noise(4, 3, 2, 1, 1, 3);
    std::fill(p.in.pixels.begin(), p.in.pixels.end(), 0.0f);
    p.in.pixels[(1 * 3 + 2) * 4 + 3] = 5;
    p.filter.name = "";
    p.filter.taps = {1, 2, 3};
    CHECK(describe(p) ==
          "4x3x2 voxels, filter 1x1x3 (1 2 3), border zero, zeros but for voxel (x=3, y=2, z=1) = 5");
    CHECK(place(23, shape_of(p)) == "voxel (x=3, y=2, z=1)");
    std::vector<float> out(24, NAN);
    const reference truth = convolve_cpu(p);
    CHECK(first_wrong(out, truth, compare(out, truth), shape_of(p)) ==
          "voxel (x=0, y=0, z=0): expected 0, got nan (never written?)");
}

TEST_CASE("how far damage extends over slices") {
    const shape volume{8, 6, 1, false, 3};  // slices of two rows
    CHECK(damage(volume, [](int, int, int z) { return z == 2; }) == "16 of 48 are wrong: slice 2 everywhere");
    CHECK(damage(volume, [](int, int, int z) { return z > 0; }) ==
          "32 of 48 are wrong: slices 1 and 2 everywhere");
    CHECK(damage(volume, [](int x, int, int) { return x == 7; }) ==
          "6 of 48 are wrong: the last column of every slice");
    CHECK(damage(volume, [](int, int y, int z) { return y == 0 && z == 1; }) ==
          "8 of 48 are wrong: the first row of slice 1");
    CHECK(damage(volume, [](int x, int, int z) { return z == 0 && x % 2 == 0; }) ==
          "8 of 48 are wrong: all of them in the first 7 columns of slice 0");
    CHECK(damage(volume, [](int x, int y, int z) { return z == 0 && (x + y) % 2 == 0; }) ==
          "8 of 48 are wrong: all of them in slice 0");
    CHECK(damage({2, 10, 1, false, 5}, [](int, int, int z) { return z > 1; }) ==
          "12 of 20 are wrong: slices 2 to 4 everywhere");
}

TEST_CASE("an image made a volume keeps its memory") {
    const problem_2d image{noise_image(20, 36), random_filter(3, 5)};
    problem_2d p = image;
    give_as_volume(p);
    CHECK(p.in.pixels == image.in.pixels);
    CHECK(p.in.depth == 6);
    CHECK(p.in.slice_height() == 6);
    CHECK(p.filter.depth == 5);
    CHECK(p.filter.slice_height() == 5);
    CHECK(p.filter.name == "random 3x5x5");
    for (size_t k = 0; k < image.filter.taps.size(); k++) {
        double sum = 0;
        for (size_t slice = 0; slice < 5; slice++)
            sum += double(p.filter.taps[slice * image.filter.taps.size() + k]);
        CHECK(sum == doctest::Approx(double(image.filter.taps[k])));
    }
    CHECK(p.filter.taps.front() !=
          p.filter.taps[p.filter.taps.size() - image.filter.taps.size()]);  // later ones more
    for (const auto& [rows, slices] :
         {std::pair{1080, 30}, {512, 16}, {4096, 64}, {37, 6}, {10, 2}, {1, 1}}) {
        problem_2d other{noise_image(2, rows), random_filter(3, 3)};
        give_as_volume(other);
        CHECK(other.in.depth == slices);
        CHECK(other.in.height == (rows == 37 ? 36 : rows));
        CHECK(other.in.pixels.size() == size_t(2 * other.in.height));
        const check::image again = other.in;
        give_as_volume(other);  // the next filter
        CHECK(other.in == again);
    }
}

TEST_CASE("outputs near slices that were not computed") {
    const problem_2d p = noise(6, 4, 8, 3, 3, 3);
    const reference truth = convolve_cpu(p);
    std::vector<float> out(truth.value.begin(), truth.value.end());
    const size_t slice = 6 * 4;
    std::fill(out.begin(), out.begin() + 2 * slice, NAN);
    for (size_t k = 2 * slice; k < 3 * slice; k++)
        out[k] += 1;  // within reach of what is missing
    CHECK(wrong_in_sample(out, p, true) == "");
    CHECK(wrong_in_sample(out, p).starts_with("voxel (x=0, y=0, z=2): expected "));
}
