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

namespace {

constexpr int BLOCK_X = 8, BLOCK_Y = 4, BLOCK_Z = 2;
constexpr int CELLS_X = BLOCK_X + 2, CELLS_Y = BLOCK_Y + 4, CELLS_Z = BLOCK_Z + 6;

inspect::report launched(bool tiled, int threads_z = BLOCK_Z) {
    inspect::launch launch;
    launch.grid[0] = (WIDTH + BLOCK_X - 1) / BLOCK_X, launch.grid[1] = (HEIGHT + BLOCK_Y - 1) / BLOCK_Y;
    launch.grid[2] = threads_z == 1 ? 1 : (DEPTH + threads_z - 1) / threads_z;
    launch.block[0] = BLOCK_X, launch.block[1] = BLOCK_Y, launch.block[2] = unsigned(threads_z);
    launch.total.global.stores.lanes = WIDTH * HEIGHT * DEPTH;
    launch.total.global.loads.lanes = 1;
    launch.total.shared.loads.lanes = launch.total.shared.stores.lanes = tiled;
    inspect::report seen;
    seen.inspected = true;
    seen.launches = {launch};
    return seen;
}

/// A kernel that reads the volume itself.
diagnosis of_direct(const std::function<float(const problem_2d&, place own, place from)>& read) {
    const problem_2d p = noise();
    const std::vector<float> out = sums(
        p, [&](place own, place from) { return read(p, own, from); },
        [&](int k, int i, int j) { return tap(p, k, i, j); });
    return diagnose(out, p, launched(false));
}

/// A kernel with a tile, filled as `store` says where cells lie and `source` what is in them, and read as `load` says.
struct tiled_kernel {
    std::function<int(place cell)> store = [](place at) { return (at.z * CELLS_Y + at.y) * CELLS_X + at.x; };
    std::function<place(place first, place cell)> source = [](place first, place at) {
        return place{first.x + at.x - 1, first.y + at.y - 2, first.z + at.z - 3};
    };
    std::function<int(place thread, int k, int i, int j)> load = [](place t, int k, int i, int j) {
        return ((t.z + k) * CELLS_Y + t.y + i) * CELLS_X + t.x + j;
    };

    diagnosis told() const {
        const problem_2d p = noise();
        const auto read = [&](place own, int k, int i, int j) {
            const place thread{own.x % BLOCK_X, own.y % BLOCK_Y, own.z % BLOCK_Z};
            const place first{own.x - thread.x, own.y - thread.y, own.z - thread.z};
            std::vector<float> cells(CELLS_X * CELLS_Y * CELLS_Z, NAN);
            for (int z = 0; z < CELLS_Z; z++)
                for (int y = 0; y < CELLS_Y; y++)
                    for (int x = 0; x < CELLS_X; x++) {
                        const int at = store({x, y, z});
                        if (at >= 0 && at < int(cells.size()))
                            cells[size_t(at)] = voxel(p, source(first, {x, y, z}));
                    }
            return cells[size_t(load(thread, k, i, j))];
        };
        std::vector<float> out;
        for (int z = 0; z < DEPTH; z++)
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++) {
                    float sum = 0;
                    for (int k = 0; k < 7; k++)
                        for (int i = 0; i < 5; i++)
                            for (int j = 0; j < 3; j++)
                                sum += tap(p, k, i, j) * read({x, y, z}, k, i, j);
                    out.push_back(sum);
                }
        return diagnose(out, p, launched(true));
    }
};

}  // namespace

TEST_CASE("one wrong token of a kernel that reads a volume itself") {
    CHECK(of_direct([](auto& p, place, place at) { return voxel(p, at); }).id == "");
    // y - i
    CHECK(of_direct([](auto& p, place own, place at) {
              return voxel(p, {at.x, 2 * own.y - at.y - 4, at.z});
          }).id == "neighbour-index-wrong");
    const diagnosis tested = of_direct([](auto& p, place, place at) {
        return at.x >= 0 && at.x < WIDTH && at.y > 0 && at.y < HEIGHT && at.z >= 0 && at.z < DEPTH
                   ? voxel(p, at)
                   : 0.0f;
    });
    CHECK(tested.id == "ghost-test-wrong");
    const diagnosis placed = of_direct([](auto& p, place, place at) {
        const int flat_place = (at.z * WIDTH + at.y) * WIDTH + at.x;
        return !inside(at)                            ? 0.0f
               : flat_place < int(p.in.pixels.size()) ? p.in.pixels[size_t(flat_place)]
                                                      : NAN;
    });
    CHECK(placed.id == "neighbour-index-wrong");
    CHECK(placed.text ==
          "the index of the voxel is wrong: as if it were (from_z * width + from_y) * width + from_x, where "
          "(from_z * "
          "height + from_y) * width + from_x is meant");
}

TEST_CASE("one wrong token of a kernel with a tile of a volume") {
    CHECK(tiled_kernel{}.told().id == "");
    tiled_kernel wrong;
    wrong.load = [](place t, int k, int i, int j) {
        return ((t.z - k + 6) * CELLS_Y + t.y + i) * CELLS_X + t.x + j;
    };
    CHECK(wrong.told().id != "");  // the filter's slices the other way round
    wrong = {};
    wrong.source = [](place first, place at) {
        return place{first.x + at.x - 1, first.y + at.y - 2, first.z + at.z - 2};
    };
    CHECK(wrong.told().id != "");
    wrong = {};
    wrong.source = [](place first, place at) {
        return place{first.x + at.x - 1, first.y + at.x - 2, first.z + at.z - 3};
    };
    CHECK(wrong.told().id == "tile-source-wrong");
    CHECK(wrong.told().text.find("top + column") != std::string::npos);
    wrong = {};
    wrong.store = [](place at) { return (at.z * CELLS_Y + at.y) * CELLS_X + at.x + 1; };
    CHECK(wrong.told().id == "tile-index-wrong");
    wrong = {};
    wrong.load = [](place t, int k, int i, int j) {
        return ((t.z + k) * CELLS_Y + t.y + i) * CELLS_Y + t.x + j;
    };
    CHECK(wrong.told().id == "tile-index-wrong");
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
