// Diagnosis of mistakes in parts: one halo of a tile, one of two passes, one output of several that a thread has; and
// causes that are not told because another one fits as well.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "diagnose/causes.h"
#include "diagnose/diagnose.h"
#include "diagnose/launch_tile.h"

using namespace check;

namespace {

using pixels = std::vector<float>;

inspect::launch launch_of(unsigned grid_x, unsigned grid_y, unsigned block_x, unsigned block_y,
                          uint64_t shared_bytes = 0) {
    inspect::launch one;
    one.grid[0] = grid_x, one.grid[1] = grid_y, one.grid[2] = 1;
    one.block[0] = block_x, one.block[1] = block_y, one.block[2] = 1;
    one.dynamic_shared = shared_bytes;
    return one;
}

inspect::report launched(const inspect::launch& one, uint64_t stores) {
    inspect::report seen;
    seen.inspected = true;
    seen.launches = {one};
    seen.launches[0].total.global.stores.lanes = stores;
    return seen;
}

void load(inspect::report& seen, const std::string& array, uint64_t loads) {
    inspect::variable_traffic traffic{array, "global", {}};
    traffic.seen.loads.lanes = loads;
    seen.launches[0].variables.push_back(traffic);
    seen.launches[0].total.global.loads.lanes += loads;
}

void find(inspect::report& seen, const std::string& kind, const std::string& space,
          const std::string& direction, int line = 1, int other_line = 2) {
    inspect::finding one{kind, true, "a sentence", "x.cu", line, 1, "x.cu", other_line, 1};
    one.space = space, one.direction = direction;
    seen.findings.push_back(one);
}

float at(const problem_2d& p, int x, int y) {
    const bool inside = x >= 0 && x < p.in.width && y >= 0 && y < p.in.height;
    return inside ? p.in.pixels[size_t(y) * p.in.width + x] : 0.0f;
}

const problem_1d ROW{random_values(300, 1), random_values(7, 2)};

/// Tiles of 64, whose cells come from `element`, a function of the tile's first output and a position.
pixels tiled(std::function<float(int begin, int x, int position)> element) {
    pixels out(300);
    for (int x = 0; x < 300; x++)
        for (int j = -3; j <= 3; j++)
            out[size_t(x)] += element(x / 64 * 64, x, x + j) * ROW.taps[size_t(j + 3)];
    return out;
}

float element_of(int position) {
    return position >= 0 && position < 300 ? ROW.in[size_t(position)] : 0.0f;
}

const problem_2d FACTORS{noise_image(40, 30, 1, 3), separable_filter(5, 3, 8)};

/// The sums of FACTORS with other numbers in the place of its taps: of column and row.
pixels with_factors(std::function<double(int i)> column, std::function<double(int j)> row) {
    pixels out(40 * 30);
    for (int k = 0; k < 40 * 30; k++) {
        double sum = 0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 5; j++)
                sum += column(i) * row(j) * double(at(FACTORS, k % 40 + j - 2, k / 40 + i - 1));
        out[size_t(k)] = float(sum);
    }
    return out;
}

double column_tap(int i) {
    return double(FACTORS.filter.column[size_t(i)]);
}

double row_tap(int j) {
    return double(FACTORS.filter.row[size_t(j)]);
}

}  // namespace

TEST_CASE("a right halo that begins a radius too late") {
    const inspect::report seen = launched(launch_of(5, 1, 64, 1, 280), 300);
    const pixels out = tiled([](int begin, int, int position) {
        return element_of(position >= begin + 64 ? position + 3 : position);
    });
    CHECK(diagnose(out, ROW, seen).id == "halo-misplaced");
    const pixels twice = tiled([](int begin, int, int position) {
        const int cell = position - begin - 64;
        return element_of(cell < 0 ? position : position + cell);
    });
    CHECK(diagnose(twice, ROW, seen).text.find("twice where the right halo") != std::string::npos);
}

TEST_CASE("the taps on one side of the middle alone") {
    const auto used = [](std::function<bool(int j)> is_used) {
        pixels out(300);
        for (int x = 0; x < 300; x++)
            for (int j = -3; j <= 3; j++)
                out[size_t(x)] += is_used(j) ? element_of(x + j) * ROW.taps[size_t(j + 3)] : 0.0f;
        return diagnose(out, ROW, {}).text;
    };
    CHECK(used([](int j) { return j >= 0; }).starts_with("the taps before the middle are left out"));
    CHECK(used([](int j) { return j <= 0; }).starts_with("the taps after the middle are left out"));
    CHECK(used([](int) { return true; }) == "");
}

TEST_CASE("threads of an array that count their blocks first") {
    // Blocks of 32 for 100 elements: of thread t of block b the element is 32 t + b.
    inspect::report seen = launched(launch_of(4, 1, 32, 1), 4 * 4);
    find(seen, "never-written", "global", "store");
    const problem_1d array{random_values(100, 1), ROW.taps};
    pixels out = convolve_serial(array);
    for (int x = 0; x < 100; x++)
        if (x % 32 > 3) out[size_t(x)] = NAN;
    const diagnosis told = diagnose(out, array, seen);
    CHECK(told.text == "threads do not find their own element: is it thread * size + block?");
}

TEST_CASE("a halo that comes from beside its place once it is known that it is no ghost cell") {
    const inspect::report seen = launched(launch_of(5, 1, 64, 1, 280), 300);
    const auto id = [&](auto element) { return diagnose(tiled(element), ROW, seen).id; };
    CHECK(id([](int, int, int position) { return element_of(position); }) == "");
    CHECK(id([](int begin, int, int position) {
              return position >= 0 && position < begin ? element_of(position + 1) : element_of(position);
          }) == "tile-source-wrong");
    CHECK(id([](int begin, int, int position) {
              return position < 300 && position >= begin + 64 ? element_of(position - 1)
                                                              : element_of(position);
          }) == "halo-misplaced");
    CHECK(id([](int begin, int x, int position) {
              const bool in_tile = position >= begin && position < begin + 64;
              return in_tile || position < 0 || position >= 300 ? element_of(position) : element_of(x);
          }) == "neighbour-index-wrong");
}

TEST_CASE("a halo that is empty is so in spite of an array that has none") {
    const auto empty = [](int begin, int, int position) {
        return position < begin ? 0.0f : element_of(position);
    };
    const inspect::report seen = launched(launch_of(5, 1, 64, 1, 280), 300);
    const problem_1d one_tile{random_values(40, 1), ROW.taps};
    past_calls past;
    past.called(one_tile, true);
    past.add("x", one_tile, convolve_serial(one_tile), launched(launch_of(1, 1, 64, 1, 280), 40));
    past.called(ROW, true);
    CHECK(diagnose(tiled(empty), ROW, seen, "x", past).id == "tile-partly-loaded");
}

TEST_CASE("what is read beside the tile may be 0 by chance") {
    const auto beside = [](int begin, int, int position) {
        return position >= begin + 64 ? 0.0f : element_of(position);
    };
    inspect::report seen = launched(launch_of(5, 1, 64, 1, 256), 300);
    CHECK(diagnose(tiled(beside), ROW, seen).id == "tile-partly-loaded");
    find(seen, "out-of-bounds", "shared", "load");
    CHECK(diagnose(tiled(beside), ROW, seen).id == "");
    seen.launches[0].total.constant.lanes = 300 * 7;
    CHECK(diagnose(tiled(beside), ROW, seen).id == "tile-index-wrong");
}

TEST_CASE("one mistake in a column times a row") {
    const auto id = [](auto column, auto row) { return diagnose(with_factors(column, row), FACTORS, {}).id; };
    const auto one = [](int) { return 1.0; };
    CHECK(id(column_tap, row_tap) == "");
    CHECK(id(column_tap, one) == "product-wrong");
    CHECK(id(one, row_tap) == "product-wrong");
    CHECK(id(column_tap, [](int) { return row_tap(0); }) == "tap-index-wrong");
    CHECK(id([](int i) { return row_tap(i); }, row_tap) == "tap-index-wrong");
    CHECK(id(column_tap, [](int j) { return j == 2 ? 1.0 : 0.0; }) == "wrong-array");
    CHECK(id([](int i) { return i == 1 ? 1.0 : 0.0; }, row_tap) == "wrong-array");
    CHECK(id(column_tap, [](int j) { return j == 1 ? 0.5 : row_tap(j); }) == "");
}

TEST_CASE("sums of rows that start from another number than 0") {
    pixels out(40 * 30);
    for (int k = 0; k < 40 * 30; k++) {
        for (int i = 0; i < 3; i++) {
            const int y = k / 40 + i - 1;
            if (y < 0 || y >= 30) continue;
            float row = 0.75f;
            for (int j = 0; j < 5; j++)
                row += float(row_tap(j)) * at(FACTORS, k % 40 + j - 2, y);
            out[size_t(k)] += float(column_tap(i)) * row;
        }
    }
    CHECK(diagnose(out, FACTORS, {}).id == "sum-starts-wrong");
}

TEST_CASE("a sum that goes on from the thread's output before it") {
    const problem_2d p{noise_image(70, 50, 1, 3), random_filter(5, 3, 4)};
    const std::vector<double> truth = convolve_cpu(p).value;
    pixels out(truth.begin(), truth.end());
    for (int y = 0; y < 50; y++)
        for (int x = 0; x < 70; x++)
            if (y % 32 >= 8) out[size_t(y) * 70 + x] += out[size_t(y - 8) * 70 + x];
    const inspect::report seen = launched(launch_of(3, 2, 36, 8, 4 * 36 * 34), 70 * 50);
    const diagnosis told = diagnose(out, p, seen);
    CHECK(told.id == "sum-starts-wrong");
    CHECK(told.text.find("the thread's output before it") != std::string::npos);
}

TEST_CASE("a grid that is too small for another reason is not said to be rounded down") {
    const problem_2d now{noise_image(33, 7, 1, 3), random_filter(3, 3, 4)},
        before{noise_image(64, 48, 1, 3), now.filter};
    const auto covered = [](const problem_2d& p, int columns, int rows) {
        pixels out = convolve_serial(p);
        for (size_t k = 0; k < out.size(); k++)
            if (int(k) % p.in.width >= columns || int(k) / p.in.width >= rows) out[k] = NAN;
        return out;
    };
    // Blocks of 32 x 8: 1 x 2 of them, which rounding down gives for 33 x 16; 6 x 2 in the case before.
    inspect::report seen = launched(launch_of(1, 2, 32, 8), 32 * 7);
    find(seen, "never-written", "", "");
    const pixels out = covered(now, 32, 7);
    CHECK(diagnose(out, now, seen).id == "");  // exchanged or rounded down: nobody knows
    past_calls past;
    past.called(before, true);
    past.add("x", before, covered(before, 64, 16), launched(launch_of(6, 2, 32, 8), 64 * 16));
    past.called(now, true);
    CHECK(diagnose(out, now, seen, "x", past).id == "grid-swapped");
}

TEST_CASE("cells beside the tile") {
    pixels out = convolve_serial(ROW);
    for (size_t k = 5; k < out.size(); k += 7)
        out[k] += float(k);
    inspect::report seen = launched(launch_of(5, 1, 64, 1, 280), 300);
    load(seen, "in", clipped_tiles(300, 64, 3));
    seen.launches[0].total.constant.lanes = 300 * 7;
    find(seen, "out-of-bounds", "shared", "load");
    CHECK(diagnose(out, ROW, seen).id == "tile-index-wrong");
    seen.launches[0].dynamic_shared = 4 * (64 + 3);
    CHECK(diagnose(out, ROW, seen).id == "shared-too-small");
    seen.launches[0].dynamic_shared = 280;
    seen.launches[0].total.constant.lanes = 300 * 8;
    CHECK(diagnose(out, ROW, seen).id == "taps-too-many");
}

TEST_CASE("a column times a row has as many taps as both have") {
    const problem_1d single{random_values(64, 1), {0.5f}};
    problem_2d p = as_row(single);
    const pixels out = random_values(64, 9);
    inspect::report seen = launched(launch_of(2, 1, 32, 1), 64);
    seen.launches[0].total.constant.lanes = 2 * 64;
    CHECK(diagnose(out, p, seen).id == "taps-too-many");
    p.filter.column = {1.0f}, p.filter.row = {0.5f};
    CHECK(diagnose(out, p, seen).id == "");
}

TEST_CASE("what one kernel was to store for another") {
    const pixels out(40 * 30, NAN);
    inspect::report seen = launched(launch_of(2, 2, 32, 32), 0);
    load(seen, "in", 4000);
    seen.launches.push_back(seen.launches[0]);
    seen.launches[1].total.global.stores.lanes = 1200;
    seen.launches[1].variables = {{"out", "global", {}}};
    seen.launches[1].variables[0].seen.stores.lanes = 1200;
    find(seen, "uninitialised-read", "global", "load");
    // The same kernel again has another part of the input.
    CHECK(diagnose(out, FACTORS, seen).id == "array-not-copied");
    seen.launches[1].kernel = "sum_columns_kernel";
    CHECK(diagnose(out, FACTORS, seen).id == "passage-left-out");
    for (inspect::launch& one : seen.launches)
        one.grid[1] = 1;  // 64 x 32 threads for 40 x 30 values, and 64 x 16 below
    CHECK(diagnose(out, FACTORS, seen).id == "passage-left-out");
    for (inspect::launch& one : seen.launches)
        one.block[1] = 16;
    CHECK(diagnose(out, FACTORS, seen).id == "grid-too-small");
    seen.launches.erase(seen.launches.begin());
    // Alone it reads nothing of the input, unless that is what nobody copied.
    CHECK(diagnose(out, FACTORS, seen).id == "passage-left-out");
    const problem_2d plain{FACTORS.in, random_filter(5, 3, 8)};
    CHECK(diagnose(out, plain, seen).id == "array-not-copied");
}

TEST_CASE("who loads a cell before others store it may have a wrong index") {
    pixels out = convolve_serial(ROW);
    out[17] += 1.0f, out[81] += 2.0f;
    const auto id = [&](int load_line, int store_line) {
        inspect::report seen = launched(launch_of(5, 1, 64, 1, 600), 300);
        find(seen, "race", "shared", "load", load_line, store_line);
        return diagnose(out, ROW, seen).id;
    };
    CHECK(id(20, 10) == "barrier-missing");
    CHECK(id(10, 11) == "");
}

TEST_CASE("a radius told from loads of taps where ghost cells are skipped") {
    const problem_2d p{noise_image(30, 20, 1, 3), random_filter(5, 5, 4)};
    const pixels out = random_values(600, 9);
    const auto id = [&](int radius) {
        inspect::report seen = launched(launch_of(1, 3, 32, 8), 600);
        seen.launches[0].total.constant.lanes = valid_taps(30, radius) * valid_taps(20, radius);
        return diagnose(out, p, seen).id;
    };
    CHECK(id(2) == "");
    CHECK(id(3) == "filter-size-ignored");
    CHECK(id(5) == "radius-is-size");
    CHECK(id(4) == "");
}

TEST_CASE("width and height of the filter exchanged") {
    const problem_2d p{noise_image(30, 20, 1, 3), random_filter(5, 3, 4)};
    pixels out(600);
    for (int k = 0; k < 600; k++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 3; j++)
                out[size_t(k)] += p.filter.taps[size_t(i) * 3 + j] * at(p, k % 30 + j - 1, k / 30 + i - 2);
    CHECK(diagnose(out, p, {}).id == "filter-sides-swapped");
}

TEST_CASE("one cause with several sentences is told in words that are true of all") {
    const problem_1d p{random_values(300, 1), {0.4f, -0.3f, 0.6f}};
    const diagnosis told = diagnose(pixels(300, 0.0f), p, {});
    CHECK(told.id == "");
    // An int for a sum and one for the result give the same where a row has one pixel and one tap.
    const problem_1d single{{3.75f, 2.5f, 5.25f, -1.5f}, {1.5f}};
    pixels out;
    for (const float value : single.in)
        out.push_back(std::trunc(1.5f * value));
    const diagnosis whole = diagnose(out, single, {});
    CHECK(whole.id == "integer-sum");
    CHECK(whole.text == meaning_of("integer-sum"));
}

TEST_CASE("NaN where nothing was stored is nothing that was read") {
    const problem_2d p{noise_image(64, 32, 1, 3), random_filter(3, 3, 4)};
    pixels out = convolve_serial(p);
    for (size_t k = 0; k < out.size(); k++)
        if (k % 16 != 0) out[k] = NAN;
    inspect::report seen = launched(launch_of(4, 2, 16, 16, 4 * 18 * 18), 64 * 32);
    find(seen, "never-written", "", "");
    CHECK(diagnose(out, p, seen).id == "thread-index-wrong");
}

TEST_CASE("a cause that a later case denies") {
    const auto problem = [](int width) {
        return problem_2d{noise_image(width, 11, 1, 3), random_filter(5, 3, 4)};
    };
    const auto flipped = [](problem_2d p) {
        std::reverse(p.filter.taps.begin(), p.filter.taps.end());
        return convolve_serial(p);
    };
    past_calls past;
    past.called(problem(20), true);
    const diagnosis cause = diagnose(flipped(problem(20)), problem(20), {}, "x", past);
    REQUIRE(cause.id == "filter-flipped");
    past.add("x", problem(20), flipped(problem(20)), {});
    CHECK_FALSE(is_denied(cause, past));
    past.called(problem(21), true);
    past.add("x", problem(21), flipped(problem(21)), {});
    CHECK_FALSE(is_denied(cause, past));
    past.called(problem(22), true);
    past.add("x", problem(22), convolve_serial(problem(22)), {});
    CHECK(is_denied(cause, past));
    CHECK_FALSE(is_denied({"tile-index-wrong", "a sentence that counts tell", false}, past));
}

TEST_CASE("what came of one tap is not the input that came back") {
    const problem_1d first_is_one{random_values(300, 1), {1.0f, 2.0f, 3.0f}};
    inspect::report seen = launched(launch_of(5, 1, 64, 1), 300);
    seen.launches[0].total.constant.lanes = 900;
    seen.origin = {300, 0, 0, false};
    CHECK(diagnose(first_is_one.in, first_is_one, seen).id != "input-unchanged");
    const problem_1d none_is_one{first_is_one.in, {1.5f, 2.0f, 3.0f}};
    CHECK(diagnose(none_is_one.in, none_is_one, seen).id == "input-unchanged");
    seen.origin.sent_by_host = true;
    CHECK(diagnose(first_is_one.in, first_is_one, seen).id == "input-unchanged");
}

TEST_CASE("a part of the input that does not arrive is read all the same") {
    pixels out = convolve_serial(ROW);
    std::fill(out.begin() + 72, out.end(), NAN);  // whose filter reaches element 75
    inspect::report seen = launched(launch_of(5, 1, 64, 1), 300);
    CHECK(diagnose(out, ROW, seen).id != "bytes-are-elements");
    find(seen, "uninitialised-read", "global", "load");
    CHECK(diagnose(out, ROW, seen).id == "bytes-are-elements");
}

TEST_CASE("a tile whose rows have gaps between them") {
    const problem_2d p{noise_image(100, 50, 1, 3), random_filter(5, 3, 4)};
    const auto shared = [](unsigned cells) { return cells * uint64_t(sizeof(float)); };
    const output_tile known = tile_of(launch_of(2, 7, 32, 8, shared((64 + 4 + 1) * (8 + 2))), p);
    CHECK(known.has_halo);
    CHECK(known.width == 64);
    CHECK(known.height == 8);
    CHECK_FALSE(tile_of(launch_of(2, 7, 32, 8, shared(64 * (8 + 2))), p).has_halo);
}

TEST_CASE("sums of rows that lie one place beside their own") {
    pixels sums(40 * 30), out(40 * 30);
    for (int k = 0; k < 40 * 30; k++)
        for (int j = 0; j < 5; j++)
            if (k + 1 < 40 * 30)
                sums[size_t(k + 1)] += float(row_tap(j)) * at(FACTORS, k % 40 + j - 2, k / 40);
    sums[0] = NAN;
    for (int k = 0; k < 40 * 30; k++)
        for (int i = 0; i < 3; i++)
            if (k / 40 + i >= 1 && k / 40 + i <= 30)
                out[size_t(k)] += float(column_tap(i)) * sums[size_t(k + (i - 1) * 40)];
    CHECK(diagnose(out, FACTORS, {}).id == "shifted");
}

TEST_CASE("what nobody stores is not stored by others") {
    const inspect::report seen = launched(launch_of(5, 1, 64, 1), 300);
    CHECK(diagnose(pixels(300, NAN), ROW, seen).id != "thread-index-wrong");
}

TEST_CASE("rows of a tile that are stored at another length than they are read, in one block, too") {
    constexpr int BLOCK = 16, R = 1, ROWS = BLOCK + 2 * R, ROW_CELLS = BLOCK + 2 * R;
    const problem_2d p{noise_image(12, 5), random_filter(3, 3)};
    const auto by = [&](int stored, int read, int cells_of_row) {
        std::vector<float> cells(size_t(ROWS) * cells_of_row, NAN);
        for (int k = 0; k < ROWS * ROW_CELLS; k++)
            cells[size_t(k / ROW_CELLS * stored + k % ROW_CELLS)] =
                at(p, k % ROW_CELLS - R, k / ROW_CELLS - R);
        pixels out;
        for (int y = 0; y < p.in.height; y++) {
            for (int x = 0; x < p.in.width; x++) {
                float sum = 0.0f;
                for (int k = 0; k < 9; k++)
                    sum += p.filter.taps[size_t(k)] * cells[size_t((y + k / 3) * read + x + k % 3)];
                out.push_back(sum);
            }
        }
        inspect::report seen = launched(launch_of(1, 1, BLOCK, BLOCK, 4 * cells.size()), out.size());
        seen.launches[0].total.shared.stores.lanes = ROWS * ROW_CELLS;
        load(seen, "in", out.size());
        return diagnose(out, p, seen);
    };
    CHECK(by(18, 48, 48).text ==
          "rows of the tile are 18 cells long where they are stored and 48 where they are read");
    CHECK(by(18, 16, 18).text ==
          "rows of the tile are 18 cells long where they are stored and 16 where they are read");
    CHECK(by(18, 17, 18).text ==
          "rows of the tile are 18 cells long where they are stored and 17 where they are read");
    CHECK(by(18, 18, 18).text == "");
    CHECK(by(48, 48, 48).text == "");
    // A case that may have given anything denies nothing: all sums read beside these cells.
    const problem_2d high{p.in, random_filter(3, 39)};
    inspect::report seen = launched(launch_of(1, 1, BLOCK, BLOCK, 4 * 18 * (BLOCK + 38)), 60);
    seen.launches[0].total.shared.stores.lanes = 18 * (BLOCK + 38);
    const auto denies = [&] {
        past_calls past;
        past.called(high, true);
        past.add("x", high, random_values(60, 9), seen);
        return is_denied(by(18, 16, 18), past);
    };
    CHECK(denies());
    find(seen, "out-of-bounds", "shared", "load");
    CHECK_FALSE(denies());
}

TEST_CASE("what another kernel gives right denies no cause") {
    const problem_2d before{noise_image(30, 20), random_filter(5, 3)},
        now{noise_image(40, 20), random_filter(3, 3)};
    pixels out;
    for (int k = 0; k < 40 * 20; k++) {
        float sum = 0.0f;
        for (int tap = 0; tap < 9; tap++)
            sum += now.filter.taps[size_t(tap)] * at(now, k % 40 + tap % 3 - 2, k / 40 + tap / 3 - 1);
        out.push_back(sum);
    }
    const auto cause = [&](const std::string& kernel) {
        inspect::report seen = launched(launch_of(2, 2, 32, 16), 600), other = seen;
        seen.launches[0].kernel = kernel;
        other.launches[0].kernel = "direct_kernel<3>";
        past_calls past;
        past.called(before, true);
        past.add("x", before, convolve_serial(before), seen);
        past.called(now, true);
        return diagnose(out, now, other, "x", past);
    };
    CHECK(cause("tile_kernel").id == "shifted");
    CHECK(cause("direct_kernel<5>").id != "shifted");
    CHECK(concerns(cause("tile_kernel"), {}));  // not known of which kernel
    inspect::report others = launched(launch_of(1, 1, 8, 8), 1);
    others.launches[0].kernel = "tile_kernel";
    CHECK_FALSE(concerns(cause("tile_kernel"), others));
}
