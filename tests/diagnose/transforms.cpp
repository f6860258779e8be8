// Diagnosis of convolutions in planes that are transformed: the sums of a torus, written out.
#include <doctest/doctest.h>

#include "diagnose/diagnose.h"

using namespace check;

namespace {

using pixels = std::vector<float>;

constexpr planes ONE = {42, 27, 40, 23, 1}, TILES = {16, 16, 12, 10, 12};

problem_2d noise(const planes& all) {
    problem_2d p{noise_image(40, 23, 1, 3), random_filter(5, 7, 4)};
    p.transform_tile = all.count == 1 ? 0 : all.width;
    return p;
}

/// A kernel that transforms: what it makes of a problem.
struct kernel {
    planes all;
    int left = 0, above = 0;         // the first output's cell
    int middle_x = 2, middle_y = 3;  // the tap that comes into the first cell
    double scale = 1;
    int first_i = 0, first_j = 0;  // the first taps that are there
    int crop_width = 0;            // of rows of the plane when outputs are stored; 0: as they are

    pixels run(const problem_2d& p) const {
        pixels out(p.in.pixels.size());
        for (int y = 0; y < p.in.height; y += all.out_height)
            for (int x = 0; x < p.in.width; x += all.out_width)
                run(p, x, y, out);
        return out;
    }

private:
    static int around(int cell, int side) { return (cell % side + side) % side; }

    /// One plane, whose first output is (x, y).
    void run(const problem_2d& p, int x, int y, pixels& out) const {
        const image& in = p.in;
        std::vector<double> plane(size_t(all.cells())), sums(plane.size());
        const auto place = [&](int u, int v) { return size_t(v) * all.width + u; };
        for (int v = 0; v < all.height; v++)
            for (int u = 0; u < all.width; u++) {
                const int from_x = x + u - left, from_y = y + v - above;
                const bool is_pixel = from_x >= 0 && from_x < in.width && from_y >= 0 && from_y < in.height;
                plane[place(u, v)] = is_pixel ? in.pixels[size_t(from_y) * in.width + from_x] : 0;
            }
        for (int v = 0; v < all.height; v++)
            for (int u = 0; u < all.width; u++)
                for (int i = first_i; i < p.filter.height; i++)
                    for (int j = first_j; j < p.filter.width; j++)
                        sums[place(u, v)] += scale * p.filter.taps[size_t(i) * p.filter.width + j] *
                                             plane[place(around(u + j - middle_x, all.width),
                                                         around(v + i - middle_y, all.height))];
        for (int v = 0; v < all.out_height && y + v < in.height; v++)
            for (int u = 0; u < all.out_width && x + u < in.width; u++) {
                const size_t from = crop_width > 0 ? size_t(v) * crop_width + u : place(u + left, v + above);
                out[size_t(y + v) * in.width + x + u] = float(sums[from]);
            }
    }
};

std::string id_of(const kernel& how, const planes& asked) {
    const problem_2d p = noise(asked);
    return diagnose(how.run(p), p, {}).id;
}

}  // namespace

TEST_CASE("right planes have no cause") {
    CHECK(id_of({ONE}, ONE) == "");
    CHECK(id_of({{48, 32, 40, 23, 1}}, ONE) == "");
    CHECK(id_of({TILES, 2, 3}, TILES) == "");
}

TEST_CASE("edges that see the opposite one") {
    for (const planes& too_small :
         {planes{40, 23, 40, 23, 1}, planes{41, 26, 40, 23, 1}, planes{42, 25, 40, 23, 1}})
        CHECK(id_of({too_small}, ONE) == "ghost-wrapped");
    CHECK(id_of({{16, 16, 16, 16, 6}, 0, 0}, TILES) == "ghost-wrapped");
    CHECK(id_of({{16, 16, 13, 10, 12}, 2, 3}, TILES) == "ghost-wrapped");
    CHECK(id_of({TILES, 0, 0}, TILES) == "ghost-wrapped");
}

TEST_CASE("filters beside their place") {
    for (const planes& all : {ONE, TILES}) {
        const bool is_one = all.width == ONE.width;
        kernel corner{all, is_one ? 0 : 2, is_one ? 0 : 3};
        corner.middle_x = corner.middle_y = 0;
        CHECK(id_of(corner, all) == "shifted");
        kernel quarter{all, is_one ? 0 : 2, is_one ? 0 : 3};
        quarter.first_i = 3;
        quarter.first_j = 2;
        CHECK(id_of(quarter, all) == "taps-left-out");
    }
}

TEST_CASE("rows of a plane that are taken to be those of the image") {
    kernel misread{ONE};
    misread.crop_width = 40;
    CHECK(id_of(misread, ONE) == "padding-ignored");
}

TEST_CASE("what is not divided") {
    for (const double scale : {42.0 * 27, 42.0, 27.0, 1 / (42.0 * 27)})
        CHECK(id_of({ONE, 0, 0, 2, 3, scale}, ONE) == "transform-not-divided");
    CHECK(id_of({TILES, 2, 3, 2, 3, 1.0 / 12}, TILES) == "transform-not-divided");  // of 12 tiles
    CHECK(id_of({ONE, 0, 0, 2, 3, 1.5}, ONE) == "");
}

TEST_CASE("pixels that no filter has met") {
    for (const planes& all : {ONE, TILES})
        for (const float factor : {1.0f, float(all.cells())}) {
            const problem_2d p = noise(all);
            pixels out = p.in.pixels;
            for (float& one : out)
                one *= factor;
            CHECK(diagnose(out, p, {}).id == "step-left-out");
        }
}
