// Diagnosis of volumes: a mistake in any of the three directions is named.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>

#include "diagnose/diagnose.h"

using namespace check;

namespace {

constexpr int WIDTH = 13, HEIGHT = 9, DEPTH = 7;

problem_2d noise() {
    return {noise_volume(WIDTH, HEIGHT, DEPTH, 5), random_volume_filter(3, 5, 7, 6)};
}

struct place {
    int x, y, z;
};

/// A kernel's sum, whose reads and taps are these.
std::vector<float> sums(const problem_2d& p, const std::function<float(place own, place from)>& read,
                        const std::function<float(int k, int i, int j)>& tap) {
    const filter& f = p.filter;
    std::vector<float> out;
    for (int z = 0; z < DEPTH; z++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                float sum = 0;
                for (int k = 0; k < f.depth; k++)
                    for (int i = 0; i < f.slice_height(); i++)
                        for (int j = 0; j < f.width; j++)
                            sum += tap(k, i, j) *
                                   read({x, y, z}, {x + j - f.width / 2, y + i - f.slice_height() / 2,
                                                    z + k - f.depth / 2});
                out.push_back(sum);
            }
    return out;
}

bool inside(const place& at) {
    return at.x >= 0 && at.x < WIDTH && at.y >= 0 && at.y < HEIGHT && at.z >= 0 && at.z < DEPTH;
}
float voxel(const problem_2d& p, const place& at) {
    return inside(at) ? p.in.pixels[size_t((at.z * HEIGHT + at.y) * WIDTH + at.x)] : 0.0f;
}
float tap(const problem_2d& p, int k, int i, int j) {
    return p.filter.taps[size_t((k * p.filter.slice_height() + i) * p.filter.width + j)];
}

diagnosis of_reads(const std::function<float(const problem_2d&, place own, place from)>& read) {
    const problem_2d p = noise();
    const auto right = [&](int k, int i, int j) { return tap(p, k, i, j); };
    return diagnose(sums(
                        p, [&](place own, place from) { return read(p, own, from); }, right),
                    p, {});
}

diagnosis of_taps(const std::function<float(const problem_2d&, int k, int i, int j)>& use) {
    const problem_2d p = noise();
    const auto right = [&](place, place from) { return voxel(p, from); };
    return diagnose(sums(p, right, [&](int k, int i, int j) { return use(p, k, i, j); }), p, {});
}

}  // namespace

TEST_CASE("right volumes have no cause") {
    CHECK(of_taps(tap).id == "");
}

TEST_CASE("volumes and filters that are turned round or moved") {
    CHECK(of_taps([](auto& p, int k, int i, int j) { return tap(p, 6 - k, 4 - i, 2 - j); }).text ==
          "the filter is flipped: its last tap is used first");
    CHECK(of_taps([](auto& p, int k, int i, int j) { return tap(p, 6 - k, i, j); }).text ==
          "the slices of the filter are used in the wrong order");
    CHECK(of_taps([](auto& p, int k, int i, int j) { return tap(p, k, 4 - i, j); }).id == "filter-flipped");
    CHECK(of_taps([](auto& p, int k, int i, int j) { return tap(p, k, i, 2 - j); }).id == "filter-flipped");
    CHECK(of_reads([](auto& p, place, place at) {
              return voxel(p, {at.x, at.y, at.z + 1});
          }).text == "everything is shifted: a voxel holds what belongs to z + 1");
    CHECK(of_reads([](auto& p, place, place at) {
              return voxel(p, {at.x, at.y - 2, at.z});
          }).text == "everything is shifted: a voxel holds what belongs to y - r");
    CHECK(of_reads([](auto& p, place, place at) {
              return voxel(p, {at.x + 1, at.y + 2, at.z + 3});
          }).id == "shifted");
}

TEST_CASE("taps of a volume that are left out or taken from elsewhere") {
    CHECK(of_taps([](auto& p, int k, int i, int j) { return k == 6 ? 0 : tap(p, k, i, j); }).text ==
          "the last slice of taps is left out: a loop ends one too early");
    CHECK(of_taps([](auto& p, int k, int i, int j) { return i == 0 ? 0 : tap(p, k, i, j); }).text ==
          "the first row of each slice of taps is left out: a loop starts one too late");
    CHECK(of_taps([](auto& p, int k, int i, int j) { return j == 2 ? 0 : tap(p, k, i, j); }).id ==
          "taps-left-out");
    CHECK(of_taps([](auto& p, int k, int i, int j) { return k != 3 ? 0 : tap(p, k, i, j); }).text ==
          "one slice of taps alone is used, the middle one");
    CHECK(of_taps([](auto& p, int k, int i, int j) {
              return p.filter.taps[size_t((i * 7 + k) * 3 + j)];
          }).text == "rows of the filter are used as its slices");
    CHECK(of_taps([](auto& p, int k, int i, int j) {
              return p.filter.taps[size_t((k * 3 + i) * 3 + j)];
          }).text == "slices of the filter are taken to be as high as its rows are long");
}

TEST_CASE("ghost cells of a volume that are not 0") {
    CHECK(of_reads([](auto& p, place, place at) {
              return voxel(p, {at.x, at.y, std::clamp(at.z, 0, DEPTH - 1)});
          }).text ==
          "ghost cells before the first and behind the last slice are the nearest voxel where they should "
          "be 0");
    CHECK(of_reads([](auto& p, place, place at) {
              return voxel(p, {std::clamp(at.x, 0, WIDTH - 1), std::clamp(at.y, 0, HEIGHT - 1),
                               std::clamp(at.z, 0, DEPTH - 1)});
          }).id == "ghost-clamped");
    const auto from_neighbours = [](auto& p, place, place at) {
        if (at.x < 0 || at.x >= WIDTH || at.z < 0 || at.z >= DEPTH) return 0.0f;
        const int at_flat = (at.z * HEIGHT + at.y) * WIDTH + at.x;
        return at_flat < 0 || at_flat >= int(p.in.pixels.size()) ? NAN : p.in.pixels[size_t(at_flat)];
    };
    CHECK(of_reads(from_neighbours).id == "ghost-row-wrap");
}

TEST_CASE("halos of a block in three dimensions") {
    const problem_2d p = noise();
    const auto without_halo_behind = [&](place own, place from) {
        return from.z >= 0 && from.z / 4 != own.z / 4 ? 0.0f : voxel(p, from);
    };
    const std::vector<float> out =
        sums(p, without_halo_behind, [&](int k, int i, int j) { return tap(p, k, i, j); });
    inspect::report seen;
    inspect::launch launch;
    launch.grid[0] = 1, launch.grid[1] = 2, launch.grid[2] = 2;
    launch.block[0] = 32, launch.block[1] = 8, launch.block[2] = 4;
    seen.launches = {launch};
    CHECK(diagnose(out, p, seen).text == "voxels before and behind the tile of a block count as 0");
}

TEST_CASE("slices that nobody stores") {
    const problem_2d p{noise_volume(WIDTH, HEIGHT, 2, 5), random_volume_filter(3, 3, 3, 6)};
    std::vector<float> out = convolve_serial_volume(p);
    std::fill(out.begin() + WIDTH * HEIGHT, out.end(), NAN);
    inspect::launch one_layer;  // of threads, that marches and stops too early
    one_layer.grid[0] = 1, one_layer.grid[1] = 2, one_layer.grid[2] = 1;
    one_layer.block[0] = 32, one_layer.block[1] = 8, one_layer.block[2] = 1;
    one_layer.total.global.stores.lanes = WIDTH * HEIGHT;
    inspect::finding never;
    never.kind = "never-written", never.is_error = true, never.times = WIDTH * HEIGHT;
    inspect::report seen;
    seen.inspected = true;
    seen.launches = {one_layer};
    seen.findings = {never};
    CHECK(diagnose(out, p, seen).id == "outputs-left-out");
}

TEST_CASE("behind a filter in constant memory lies what was there before") {
    const problem_2d p = noise();
    const auto right = [&](place, place from) { return voxel(p, from); };
    const std::vector<float> out = sums(p, right, [&](int k, int i, int j) {
        const size_t at = size_t((k * 5 + i) * 5 + j);
        return at < p.filter.taps.size() ? p.filter.taps[at] : 0.25f;
    });
    inspect::report seen;
    seen.inspected = true;
    seen.launches.resize(1);
    std::ranges::fill(seen.launches[0].grid, 1);
    std::ranges::fill(seen.launches[0].block, 8);
    seen.launches[0].total.constant.lanes = 1000;
    seen.launches[0].total.global.stores.lanes = out.size();
    CHECK(diagnose(out, p, seen).text == "rows of the filter are taken to be as long as its slices are high");
    CHECK(diagnose(out, p, {}).id == "");
}

TEST_CASE("a case with another radius denies a shift by the radius") {
    // A slice alone: a sum that has the taps of the last slice only is shifted as well.
    const problem_2d one_slice{noise_volume(WIDTH, HEIGHT, 1, 5), random_volume_filter(3, 3, 5, 6)};
    problem_2d last_taps = one_slice;
    last_taps.filter.depth = 1, last_taps.filter.height = 3;
    last_taps.filter.taps.erase(last_taps.filter.taps.begin(), last_taps.filter.taps.end() - 9);
    const std::vector<float> out = convolve_serial_volume(last_taps);
    CHECK(diagnose(out, one_slice, {}, "x").text ==
          "everything is shifted: a voxel holds what belongs to z - r");
    const problem_2d earlier{noise_volume(WIDTH, HEIGHT, DEPTH, 5), random_volume_filter(3, 3, 3, 6)};
    past_calls past;
    past.called(earlier, true);
    past.add("x", earlier, noise_image(WIDTH, HEIGHT * DEPTH, 1, 9).pixels, {});
    past.called(one_slice, true);
    CHECK(diagnose(out, one_slice, {}, "x", past).id == "");
}
