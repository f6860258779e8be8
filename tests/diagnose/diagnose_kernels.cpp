// Diagnosis of what kernels do with tiles, constant memory,
// grids and barriers, and what earlier cases rule out.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string>

#include "diagnose/causes.h"
#include "diagnose/diagnose.h"

using namespace check;

namespace {

using pixels = std::vector<float>;

problem_1d noise_1d(int n, int radius, uint64_t seed = 1) {
    return {random_values(size_t(n), seed), random_values(2 * size_t(radius) + 1, seed + 100)};
}

problem_2d noise_2d(int width, int height, int taps_x, int taps_y, uint64_t seed = 4) {
    return {noise_image(width, height, 1, 3), random_filter(taps_x, taps_y, seed)};
}

float at(const problem_2d& p, int x, int y) {
    const bool inside = x >= 0 && x < p.in.width && y >= 0 && y < p.in.height;
    return inside ? p.in.pixels[size_t(y) * p.in.width + x] : 0.0f;
}

/// The sum over the filter's taps of what `read` finds for output (x, y) and neighbour (x + j, y + i).
template <class reader>
pixels convolve(const problem_2d& p, const reader& read) {
    pixels out(p.in.pixels.size());
    for (int y = 0; y < p.in.height; y++) {
        for (int x = 0; x < p.in.width; x++) {
            float sum = 0.0f;
            for (int i = 0; i < p.filter.height; i++) {
                for (int j = 0; j < p.filter.width; j++) {
                    sum += p.filter.taps[size_t(i) * p.filter.width + j] *
                           read(x, y, x + j - p.filter.width / 2, y + i - p.filter.height / 2);
                }
            }
            out[size_t(y) * p.in.width + x] = sum;
        }
    }
    return out;
}

inspect::report launched(unsigned grid_x, unsigned grid_y, unsigned block_x, unsigned block_y,
                         uint64_t stores, uint64_t shared_bytes = 0) {
    inspect::report seen;
    seen.inspected = true;
    inspect::launch launch;
    launch.grid[0] = grid_x, launch.grid[1] = grid_y, launch.grid[2] = 1;
    launch.block[0] = block_x, launch.block[1] = block_y, launch.block[2] = 1;
    launch.dynamic_shared = shared_bytes;
    launch.total.global.stores.lanes = stores;
    seen.launches.push_back(launch);
    return seen;
}

/// `access`: "shared load s_tile", or nothing.
void find(inspect::report& seen, const std::string& kind, const std::string& access) {
    inspect::finding one{kind, true, "a sentence", "x.cu", 1, 1, "", 0, 1};
    std::istringstream(access) >> one.space >> one.direction >> one.variable;
    seen.findings.push_back(one);
}

/// A kernel that loads `loads` values of in.
void load(inspect::report& seen, uint64_t loads) {
    inspect::variable_traffic in{"in", "global", {}};
    in.seen.loads.lanes = loads;
    seen.launches[0].variables.push_back(in);
    seen.launches[0].total.global.loads.lanes += loads;
}

}  // namespace

TEST_CASE("every id is known once") {
    std::set<std::string_view> ids;
    for (const known_cause& one : KNOWN_CAUSES)
        CHECK(ids.insert(one.id).second);
    CHECK(is_known_cause("no-guard"));
    CHECK(!is_known_cause("nothing"));
}

TEST_CASE("a sum over another number of taps than the filter has") {
    const problem_1d p = noise_1d(300, 5);
    problem_1d shorter = p;
    shorter.taps.resize(5);  // radius 2, written into the kernel
    CHECK(diagnose(convolve_serial(shorter), p, {}).id == "filter-size-ignored");
    shorter.taps = {p.taps.begin() + 3, p.taps.end() - 3};  // not the first taps: something else
    CHECK(diagnose(convolve_serial(shorter), p, {}).id == "");
}

TEST_CASE("a filter that was never copied") {
    const problem_1d p = noise_1d(40, 2);
    const pixels zeros(40, 0.0f);
    inspect::report seen = launched(2, 1, 32, 1, 40);
    load(seen, 194);
    seen.launches[0].total.constant.lanes = 194;
    CHECK(diagnose(zeros, p, seen).id == "");
    CHECK(diagnose(zeros, p, launched(2, 1, 32, 1, 40)).text.starts_with("no thread loads an element: "));
    seen.zero_constants = {"c_filter"};
    const diagnosis told = diagnose(zeros, p, seen);
    CHECK(told.id == "filter-not-copied");
    CHECK(told.text.find("copied to c_filter") != std::string::npos);
}

TEST_CASE("outputs of a thread beside each other") {
    const problem_2d p = noise_2d(75, 5, 3, 3);
    const inspect::report seen = launched(3, 1, 16, 8, 75 * 5);
    const pixels right = convolve_serial(p);
    constexpr int BLOCK = 16, TILE = 32;
    pixels both = right, summed = right, stored(right.size(), NAN);
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 75; x++) {
            const int column = x % TILE, first = x - column;
            const auto value = [&](int from) { return from < 75 ? right[size_t(y) * 75 + from] : 0.0f; };
            if (column > BLOCK) both[size_t(y) * 75 + x] = NAN;
            summed[size_t(y) * 75 + x] = value(first + column % BLOCK + column / BLOCK);
            if (column < BLOCK) stored[size_t(y) * 75 + x] = value(x);
            if (column == BLOCK) stored[size_t(y) * 75 + x] = value(first + BLOCK - 1 + BLOCK);
        }
    }
    CHECK(diagnose(right, p, seen).id == "");
    for (const auto& [out, word] : {std::pair(both, "summed and stored beside"),
                                    {summed, "are summed beside"},
                                    {stored, "are stored beside"}}) {
        const diagnosis told = diagnose(out, p, seen);
        CHECK(told.id == "thread-index-wrong");
        CAPTURE(told.text);
        CHECK(told.text.find(word) != std::string::npos);
    }
}

TEST_CASE("a grid for pixels where every value has a thread") {
    problem_2d p{noise_image(40, 6, 3, 3), random_filter(3, 3, 4)};
    const pixels right = convolve_serial(p);
    pixels out(right.size(), NAN);
    for (size_t k = 0; k < out.size(); k++)
        if (k % 120 < 64) out[k] = right[k];
    inspect::report seen = launched(2, 1, 32, 8, 64 * 6);
    find(seen, "never-written", "");
    const diagnosis told = diagnose(out, p, seen);
    CHECK(told.id == "grid-too-small");
    CHECK(told.text ==
          "the grid has 64 threads for a row, enough for its 40 pixels: with 3 channels it has 120 values");
}

TEST_CASE("blocks and threads of a launch exchanged") {
    const problem_1d few = noise_1d(1000, 1), many = noise_1d(3000, 1);
    past_calls past;
    const inspect::report seen = launched(256, 1, 12, 1, 3000);
    past.called(few, true);
    past.add("x", few, convolve_serial(few), launched(256, 1, 4, 1, 1000));
    CHECK(diagnose_launch(seen, past).id == "launch-swapped");
    CHECK(diagnose_launch(seen, {}).id == "");
    CHECK(diagnose_launch(launched(256, 1, 32, 1, 3000), past).id == "");  // whole warps
    past_calls small_blocks;
    small_blocks.called(few, true);
    small_blocks.add("x", few, convolve_serial(few), launched(84, 1, 12, 1, 1000));
    CHECK(diagnose_launch(seen, small_blocks).id == "");
}

TEST_CASE("the search for a cause that is none gets short after a few cases") {
    const problem_2d p = noise_2d(160, 90, 9, 9);
    const pixels nonsense = noise_image(160, 90, 1, 99).pixels;
    past_calls past;
    const auto cost = [&] {
        const double before = past.searched("x");
        past.called(p, true);
        CHECK(diagnose(nonsense, p, launched(10, 12, 16, 8, 160 * 90), "x", past).id == "");
        return past.searched("x") - before;
    };
    const double first = cost();
    CHECK(first > 1e6);
    for (int k = 0; k < 40; k++)
        cost();
    CHECK(cost() < first / 2);
    CHECK(past.searched("another method") == 0);
}

TEST_CASE("what constant memory holds after earlier calls") {
    const problem_2d first = noise_2d(40, 30, 5, 5, 10), now = noise_2d(37, 23, 3, 3, 11);
    past_calls past;
    past.called(first, true);
    past.called(noise_2d(8, 8, 3, 3, 12), true);
    past.called(now, true);
    const auto with = [&](const pixels& taps) {
        problem_2d held = now;
        held.filter.taps = taps;
        return diagnose(convolve_serial(held), now, {}, "x", past);
    };
    pixels once(first.filter.taps.begin(), first.filter.taps.begin() + 9);
    CHECK(with(once).id == "filter-not-copied");
    pixels late = once;
    const pixels second = random_filter(3, 3, 12).taps;
    std::copy(second.begin(), second.end(), late.begin());
    CHECK(with(late).id == "filter-of-earlier-call");  // the last copy, or the last of this size
    pixels quarter(9, 0.0f);                           // 9 bytes: two taps and a byte that weighs nothing
    quarter[0] = now.filter.taps[0], quarter[1] = now.filter.taps[1];
    CHECK(diagnose(convolve_serial(problem_2d{now.in, {3, 3, quarter, ""}}), now, {}).id ==
          "bytes-are-elements");
    quarter[2] = now.filter.taps[2];
    CHECK(diagnose(convolve_serial(problem_2d{now.in, {3, 3, quarter, ""}}), now, {}).id !=
          "bytes-are-elements");
    pixels moved(now.filter.taps);
    moved.insert(moved.begin(), 0.0f);
    moved.pop_back();
    CHECK(with(moved).id == "filter-misplaced");
    // A process that began anew remembers nothing.
    past_calls fresh;
    fresh.called(first, false);
    fresh.called(now, true);
    problem_2d held = now;
    held.filter.taps = once;
    CHECK(diagnose(convolve_serial(held), now, {}, "x", fresh).id == "");
}

TEST_CASE("filters taken to be square") {
    const problem_2d p = noise_2d(53, 35, 3, 7);
    const auto up = [&](int rows) {
        return convolve(p, [&](int, int, int x, int y) { return at(p, x, y + rows); });
    };
    CHECK(diagnose(up(2), p, {}).id == "filter-taken-as-square");
    const pixels swapped = convolve(p, [&](int, int, int x, int y) { return at(p, x - 2, y + 2); });
    CHECK(diagnose(swapped, p, {}).id == "radii-swapped");
    // One row away it could be a shift as well; a square filter that came out right rules the shift out.
    const problem_2d q = noise_2d(53, 35, 3, 5), square = noise_2d(20, 20, 3, 3);
    const pixels one = convolve(q, [&](int, int, int x, int y) { return at(q, x, y + 1); });
    CHECK(diagnose(one, q, {}).id == "");
    past_calls past;
    past.called(square, true);
    past.add("x", square, convolve_serial(square), {});
    past.called(q, true);
    CHECK(diagnose(one, q, {}, "x", past).id == "filter-taken-as-square");
    CHECK(diagnose(one, q, {}, "another method", past).id == "");
}

TEST_CASE("halos of tiles") {
    const problem_1d p = noise_1d(300, 3);
    const problem_2d row = as_row(p);
    const inspect::report seen = launched(5, 1, 64, 1, 300, 280);
    const auto tiled = [&](auto place) {
        return convolve(
            row, [&](int x, int, int position, int) { return at(row, place(x / 64 * 64, position), 0); });
    };
    const auto id = [&](auto place) { return diagnose(tiled(place), p, seen).id; };
    CHECK(id([](int begin, int k) { return k < begin || k >= begin + 64 ? -1 : k; }) == "halo-as-ghost");
    CHECK(id([](int begin, int k) { return k < begin ? k + 1 : k; }) == "halo-misplaced");
    CHECK(id([](int begin, int k) { return k >= begin + 64 ? k + 2 : k; }) == "");
    const problem_2d q = noise_2d(70, 40, 5, 3);
    const pixels out = convolve(q, [&](int x, int y, int column, int line) {
        return column >= 0 && line >= 0 && column / 16 == x / 16 && line / 16 == y / 16 ? at(q, column, line)
                                                                                        : 0.0f;
    });
    CHECK(diagnose(out, q, launched(5, 3, 16, 16, 2800)).id == "halo-as-ghost");
    CHECK(diagnose(out, q, {}).id == "halo-as-ghost");  // 16 x 16 is a usual tile
    CHECK(diagnose(out, q, launched(9, 5, 8, 8, 2800)).id == "");
}

TEST_CASE("x and y swapped where a tile or a padded texture is read") {
    const auto in_tile = [](const problem_2d& p) {  // 16 x 16 outputs
        return convolve(p, [&](int x, int y, int column, int line) {
            const int left = x / 16 * 16, top = y / 16 * 16;
            return at(p, left + (y - top) + column - x, top + (x - left) + line - y);
        });
    };
    const problem_2d large = noise_2d(50, 35, 5, 3), small = noise_2d(4, 3, 3, 1);
    CHECK(diagnose(in_tile(large), large, launched(4, 3, 16, 16, 1750)).id == "tile-index-wrong");
    CHECK(diagnose(in_tile(small), small, launched(1, 1, 16, 16, 12)).id == "tile-index-wrong");
    const pixels padded =
        convolve(small, [&](int, int, int column, int line) { return at(small, line - 1, column + 1); });
    CHECK(diagnose(padded, small, {}).id == "coordinates-swapped");
}

TEST_CASE("grids that do not fit") {
    const problem_2d p = noise_2d(96, 40, 3, 3);
    const pixels truth = convolve_serial(p);
    const auto written = [&](auto where) {
        pixels out = truth;
        for (int k = 0; k < 96 * 40; k++) {
            if (!where(k % 96, k / 96)) out[size_t(k)] = NAN;
        }
        return out;
    };
    CHECK(diagnose(written([](int x, int) { return x < 64; }), p, launched(2, 12, 32, 8, 64 * 40)).id ==
          "grid-swapped");
    CHECK(diagnose(written([](int x, int) { return x < 90; }), p, launched(3, 4, 30, 10, 90 * 40)).id ==
          "grid-rounded-down");
    // Two outputs a thread, as the tile shows: the grid is large enough.
    const inspect::report two = launched(2, 5, 32, 8, 64 * 40, (64 + 2) * (8 + 2) * 4);
    CHECK(diagnose(written([](int x, int) { return x % 64 < 32; }), p, two).id == "only-first-output");
    CHECK(diagnose(written([](int, int y) { return y % 16 < 8; }), p, launched(3, 3, 32, 8, 96 * 24)).id ==
          "rows-left-out");
    // Threads of which one output is outside write none: the last block of a row that is not full.
    const problem_2d q = noise_2d(104, 40, 3, 3);
    pixels out = convolve_serial(q);
    for (int k = 0; k < 104 * 40; k++) {
        if (k % 104 / 64 * 64 + k % 104 % 32 + 32 >= 104) out[size_t(k)] = NAN;
    }
    CHECK(diagnose(out, q, launched(2, 5, 32, 8, 64 * 40)).id == "guard-by-last-output");
}

TEST_CASE("threads beyond the last column") {
    const problem_2d p = noise_2d(37, 23, 5, 5);
    const pixels truth = convolve_serial(p);
    pixels out = truth;
    for (int y = 0; y + 1 < 23; y++) {
        for (int x = 37; x < 64; x++) {
            float sum = 0.0f;
            for (int i = 0; i < 5; i++) {
                for (int j = 0; j < 5; j++)
                    sum += p.filter.taps[size_t(i) * 5 + j] * at(p, x + j - 2, y + i - 2);
            }
            // Which of two threads comes last is nobody's guess.
            if ((x + y) % 3 != 0) out[size_t(y) * 37 + x] = sum;
        }
    }
    CHECK(diagnose(out, p, {}).id == "no-guard");
    out[100] += 1.0f;
    CHECK(diagnose(out, p, {}).id == "");
}

TEST_CASE("every thread of a launch that is larger than the output stores") {
    const problem_1d p = {random_values(1000, 1), {1, 2, 3}};
    inspect::report seen = launched(4, 1, 256, 1, 1024);
    CHECK(diagnose_stray_stores(shape_of(p), seen).id == "");  // and nothing beside it
    find(seen, "out-of-bounds", "global store out");
    CHECK(diagnose_stray_stores(shape_of(p), seen).text ==
          "all 1024 threads store, out has 1000 values: is a bounds test missing or wrong?");
    CHECK(diagnose_stray_stores({1024, 1, 1}, seen).id == "");  // they miss their place
    seen.findings[0].direction = "load";
    CHECK(diagnose_stray_stores(shape_of(p), seen).id == "");
    seen.findings[0].direction = "store";
    seen.launches[0].total.global.stores.lanes = 1001;  // there is a test, one too late
    CHECK(diagnose_stray_stores(shape_of(p), seen).id == "");
    // Where values are wrong, too, and name nothing.
    seen.launches[0].total.global.stores.lanes = 1024;
    pixels out = convolve_serial(p);
    for (size_t k = 0; k < out.size(); k += 7)
        out[k] += float(k) + 1;
    CHECK(diagnose(out, p, seen).id == "no-guard");
}

TEST_CASE("threads that leave only where both coordinates are outside") {
    inspect::report seen = launched(2, 1, 32, 8, 512 - 28 * 5);
    find(seen, "out-of-bounds", "global store out");
    CHECK(diagnose_stray_stores({36, 3, 1}, seen).text.find("&& instead of ||") != std::string::npos);
    CHECK(diagnose_stray_stores({36, 4, 1}, seen).id == "");
    seen = launched(1, 1, 32, 8, 256 - 28 * 5);  // rows of one block may be tested in another way as well
    find(seen, "out-of-bounds", "global store out");
    CHECK(diagnose_stray_stores({4, 3, 1}, seen).id == "");
}

TEST_CASE("x counted down the grid and y across it") {
    const problem_2d p = noise_2d(64, 48, 3, 3);
    pixels out = convolve_serial(p);
    for (size_t k = 0; k < out.size(); k++)
        if (k % 64 >= 48) out[k] = NAN;
    inspect::report seen = launched(2, 6, 32, 8, 48 * 48);
    seen.launches[0].total.global.stores.requests = 72;
    seen.launches[0].total.global.stores.sectors = 72 * 32;
    CHECK(diagnose(out, p, seen).id == "thread-index-wrong");
    seen.launches[0].total.global.stores.sectors = 72 * 4;  // a warp has one row: then it may be the guard
    CHECK(diagnose(out, p, seen).id != "thread-index-wrong");
}

TEST_CASE("elements of a tile taken from the thread's own cell") {
    const problem_1d p = {random_values(1000, 1), {1, 2, 3, 5, 8}};
    pixels out(1000);
    for (int x = 0; x < 1000; x++) {
        for (int j = -2; j <= 2; j++) {
            const int at = x + j;
            if (at < 0 || at >= 1000) continue;
            out[size_t(x)] += p.in[size_t(at / 64 == x / 64 ? x : at)] * p.taps[size_t(j + 2)];
        }
    }
    CHECK(diagnose(out, p, launched(16, 1, 64, 1, 1000, 256)).id == "tile-index-wrong");
}

TEST_CASE("a pitch in bytes used as a number of values") {
    const problem_2d p = noise_2d(40, 32, 3, 3);
    const pixels sums =
        convolve(p, [&](int, int, int x, int y) { return 4 * y < 32 && y >= 0 ? at(p, x, 4 * y) : 0.0f; });
    pixels out(sums.size(), NAN);
    for (int y = 0; y < 8; y++) {
        for (int x = 0; x < 40; x++)
            out[size_t(4 * y) * 40 + x] = y < 7 ? sums[size_t(y) * 40 + x] : 1e9f;  // row 8 would be row 32
    }
    CHECK(diagnose(out, p, {}).id == "pitch-in-elements");
}

TEST_CASE("findings that name the cause") {
    const problem_2d p = noise_2d(40, 24, 3, 3);
    pixels out = convolve_serial(p);
    for (size_t k = 0; k < out.size(); k += 7)
        out[k] = NAN;
    const uint64_t all = clipped_tiles(40, 16, 1) * clipped_tiles(24, 8, 1);
    const auto id = [&](const std::vector<std::pair<std::string, std::string>>& findings,
                        uint64_t fewer = 30) {
        inspect::report seen = launched(3, 3, 16, 8, 960, (16 + 2) * (8 + 2) * 4);
        load(seen, all - fewer);
        for (const auto& [kind, access] : findings)
            find(seen, kind, access);
        return diagnose(out, p, seen).id;
    };
    using finding = std::pair<std::string, std::string>;
    const finding race = {"race", "shared store s_tile"}, blocks = {"race", "global store out"};
    const finding left = {"divergent-barrier", ""}, unset = {"uninitialised-read", "shared load s_tile"};
    CHECK(id({race}) == "barrier-missing");
    CHECK(id({race, left}) == "barrier-in-branch");
    CHECK(id({left, unset}) == "early-return");
    CHECK(id({unset}) == "tile-partly-loaded");
    CHECK(id({blocks}) == "");
    CHECK(id({race, blocks}) == "");
    CHECK(id({{"uninitialised-read", "global load out"}}, 0) == "sum-starts-wrong");
    CHECK(id({{"uninitialised-read", "global load out"}}) == "");  // out in the place of in
}

TEST_CASE("a tile of which everything was loaded is not partly loaded") {
    const problem_2d p = noise_2d(40, 24, 3, 3);
    inspect::report seen = launched(3, 3, 16, 8, 960, (16 + 2) * (8 + 2) * 4);
    find(seen, "uninitialised-read", "shared load s_tile");
    load(seen, clipped_tiles(40, 16, 1) * clipped_tiles(24, 8, 1));
    pixels out = convolve_serial(p);
    out[500] = out[501] = out[502] = NAN;
    CHECK(diagnose(out, p, seen).id == "");
    pixels hollow = convolve_serial(p);
    for (int k = 0; k < 40 * 24; k++) {
        if (k % 40 == 0 || k % 40 == 39 || k / 40 == 0 || k / 40 == 23) hollow[size_t(k)] = NAN;
    }
    CHECK(diagnose(hollow, p, seen).id == "ghost-cells-unset");
}

TEST_CASE("ends of an array") {
    const problem_1d p = noise_1d(300, 3);
    pixels out = convolve_serial(p);
    out[297] = out[298] = out[299] = NAN;
    CHECK(diagnose(out, p, {}).id == "ghost-untested");
    inspect::report seen = launched(2, 1, 256, 1, 512);
    find(seen, "out-of-bounds", "global load in");
    CHECK(diagnose(out, p, seen).id == "ghost-untested");
    find(seen, "out-of-bounds", "global store out");
    CHECK(diagnose(out, p, seen).id == "length-is-thread-count");
    // Not all of the ghost cells: the values do not tell, the findings do.
    out[299] = convolve_serial(p)[299];
    seen.findings.pop_back();
    const diagnosis some = diagnose(out, p, seen);
    CHECK(some.id == "ghost-untested");
    CHECK(!some.from_output);
    // The host has put ghost cells around it: no kernel has to test for them.
    seen.findings.back().variable_bytes = 302 * sizeof(float);
    CHECK(diagnose(out, p, seen).id != "ghost-untested");
}
