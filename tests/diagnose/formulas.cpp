// Diagnosis of kernels with one wrong token in a formula that has no story of its own: the formulas that most people
// write, each with everything that one token can change.
#include "diagnose/kernel_parts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>
#include <span>
#include <string>

#include "diagnose/diagnose.h"

using namespace check;

namespace {

using pixels = std::vector<float>;

constexpr int COLUMNS = 37, ROWS = 35, ACROSS = 7, DOWN = 3;
constexpr int BLOCK = 16, CELLS_ACROSS = BLOCK + ACROSS - 1, CELLS_DOWN = BLOCK + DOWN - 1;

const problem_2d NOISE{noise_image(COLUMNS, ROWS, 1, 3), random_filter(ACROSS, DOWN, 4)};

inspect::report launched(bool tiled, unsigned launches = 1) {
    inspect::report seen;
    seen.inspected = true;
    inspect::launch one;
    one.grid[0] = one.grid[1] = 3, one.grid[2] = 1;
    one.block[0] = one.block[1] = BLOCK, one.block[2] = 1;
    one.total.global.stores.lanes = COLUMNS * ROWS;
    one.total.global.loads.lanes = 1;
    if (tiled) {
        one.dynamic_shared = CELLS_ACROSS * CELLS_DOWN * sizeof(float);
        one.total.shared.loads.lanes = one.total.shared.stores.lanes = 1;
    }
    seen.launches.assign(launches, one);
    return seen;
}

float memory(const pixels& all, int place) {
    return place >= 0 && place < int(all.size()) ? all[size_t(place)] : NAN;
}

bool is_inside(int x, int y) {
    return x >= 0 && x < COLUMNS && y >= 0 && y < ROWS;
}

/// What a thread knows while it loads a cell of its tile: x and y are those of its output.
struct loading {
    int bx, by, tx, ty, row, column, left, top, x, y;
};

/// The sums over tiles whose cells come from `load`.
pixels tiled(const std::function<float(const loading&)>& load) {
    pixels out(COLUMNS * ROWS);
    for (int k = 0; k < COLUMNS * ROWS; k++) {
        const int x = k % COLUMNS, y = k / COLUMNS, bx = x / BLOCK, by = y / BLOCK;
        for (int i = 0; i < DOWN; i++) {
            for (int j = 0; j < ACROSS; j++) {
                const int row = y % BLOCK + i, column = x % BLOCK + j;
                const int tx = column % BLOCK, ty = row % BLOCK;
                const float cell = load({bx, by, tx, ty, row, column, bx * BLOCK - ACROSS / 2,
                                         by * BLOCK - DOWN / 2, bx * BLOCK + tx, by * BLOCK + ty});
                out[size_t(k)] += cell * NOISE.filter.taps[size_t(i * ACROSS + j)];
            }
        }
    }
    return out;
}

std::string id_of_tiled(const std::function<float(const loading&)>& load) {
    return diagnose(tiled(load), NOISE, launched(true)).id;
}

/// Tiles that are loaded from (from_x, from_y), of which both the test and the index know.
std::string id_of_source(const std::function<int(const loading&)>& from_x,
                         const std::function<int(const loading&)>& from_y) {
    return id_of_tiled([&](const loading& l) {
        const int x = from_x(l), y = from_y(l);
        return is_inside(x, y) ? NOISE.in.pixels[size_t(y * COLUMNS + x)] : 0.0f;
    });
}

const auto RIGHT_X = [](const loading& l) { return l.left + l.column; };
const auto RIGHT_Y = [](const loading& l) { return l.top + l.row; };

}  // namespace

TEST_CASE("a formula says what C says") {
    variables v{};
    v[X] = 7, v[Y] = 2, v[WIDTH] = 10, v[HEIGHT] = 3;
    CHECK(formula("y * width + x").of(v) == 27);
    CHECK(formula("y - x - 1").of(v) == -6);
    CHECK(formula("x / 2 * 2 + x % 2").of(v) == 7);
    CHECK(formula("(y + 1) * (width - x)").of(v) == 9);
    CHECK(formula("x < width && y >= height || x <= 7").of(v) == 1);
    CHECK(formula("x > width || y > 2").of(v) == 0);
    CHECK(formula("x / (y - 2)").of(v) > 1'000'000'000);
    CHECK(formula("(y + 1) * (width - (x - 1))").text() == "(y + 1) * (width - (x - 1))");
    CHECK_THROWS_AS(formula("y * widht"), std::logic_error);
    CHECK_THROWS_AS(formula("(y"), std::logic_error);
}

TEST_CASE("the usual spelling of a part, by hand and by its formula") {
    std::mt19937 numbers(1);
    for (const bool tiled : {false, true}) {
        std::set<part> seen;
        for (const std::span<const spelled_part> parts :
             {std::span<const spelled_part>(LOOPS),
              tiled ? std::span<const spelled_part>(TILED) : std::span<const spelled_part>(DIRECT)})
            for (const spelled_part& one : parts) {
                if (!seen.insert(one.which).second) continue;  // another spelling
                for (int k = 0; k < 100; k++) {
                    variables v;
                    for (int64_t& value : v)
                        value = int64_t(numbers() % 21) - 10;
                    CHECK_MESSAGE(meant(one.which, tiled, v) == formula(one.text).of(v), one.text);
                }
            }
        CHECK(seen.size() == (tiled ? PARTS : PLACE + 1));
    }
}

TEST_CASE("every token of a formula may be another one, each change once") {
    const auto changes = [](const char* text) {
        std::set<std::string> all;
        for (const formula& one : formula(text).with_one_change())
            CHECK(all.insert(one.text()).second);
        return all;
    };
    const std::set<std::string> of_index = changes("y * width + x");
    for (const char* one :
         {"y + width + x", "y / width + x", "width + x", "y + x", "y * width", "x", "y * width - x",
          "x * width + x", "y * height + x", "y * width + y", "y * width + x + 1", "y * width + x - 1"})
        CHECK_MESSAGE(of_index.count(one), one);
    CHECK(of_index.count("y * width + x") == 0);
    const std::set<std::string> of_test = changes("x < width && y < height");
    for (const char* one : {"x <= width && y < height", "x > width && y < height", "x < width", "y < height",
                            "x < width || y < height", "x < height && y < height",
                            "x < width - 1 && y < height", "y < width && y < height", "1 && y < height"})
        CHECK_MESSAGE(of_test.count(one), one);
}

TEST_CASE("one token is wrong where the cells of a tile come from") {
    CHECK(id_of_source(RIGHT_X, RIGHT_Y) == "");
    CHECK(id_of_source(RIGHT_X, [](const loading& l) { return l.top + l.column; }) == "tile-source-wrong");
    CHECK(id_of_source(RIGHT_X, [](const loading& l) { return l.by * BLOCK - ACROSS / 2 + l.row; }) ==
          "filter-taken-as-square");
    CHECK(id_of_source([](const loading& l) { return l.bx * BLOCK - ACROSS * 2 + l.column; }, RIGHT_Y) ==
          "tile-source-wrong");
    // The index alone: what is tested is right.
    const auto indexed = [](const auto& place) {
        return id_of_tiled([&](const loading& l) {
            const int x = l.left + l.column, y = l.top + l.row;
            return is_inside(x, y) ? memory(NOISE.in.pixels, place(x, y)) : 0.0f;
        });
    };
    CHECK(indexed([](int x, int y) { return y * COLUMNS + x; }) == "");
    CHECK(indexed([](int x, int y) { return y + COLUMNS + x; }) == "tile-source-wrong");
    CHECK(indexed([](int x, int) { return COLUMNS + x; }) == "tile-source-wrong");
    CHECK(indexed([](int, int y) { return y * COLUMNS + y; }) == "tile-source-wrong");
}

TEST_CASE("one token is wrong in the test for ghost cells of a tile") {
    const auto tested = [](const auto& inside) {
        return id_of_tiled([&](const loading& l) {
            const int x = l.left + l.column, y = l.top + l.row;
            return inside(x, y) ? memory(NOISE.in.pixels, y * COLUMNS + x) : 0.0f;
        });
    };
    CHECK(tested([](int x, int y) { return x >= 0 && x < COLUMNS && y >= 0 && y < COLUMNS - 3; }) ==
          "ghost-test-wrong");
    CHECK(tested([](int x, int y) { return x >= 0 && x < ROWS && y >= 0 && y < ROWS; }) ==
          "ghost-test-wrong");
}

TEST_CASE("one token is wrong in a kernel that reads the image itself") {
    const auto summed = [](const auto& from_x, const auto& tap) {
        pixels out(COLUMNS * ROWS);
        for (int k = 0; k < COLUMNS * ROWS; k++) {
            for (int i = 0; i < DOWN; i++) {
                for (int j = 0; j < ACROSS; j++) {
                    const int x = from_x(k % COLUMNS, k / COLUMNS, i, j), y = k / COLUMNS + i - DOWN / 2;
                    if (!is_inside(x, y)) continue;
                    out[size_t(k)] += NOISE.in.pixels[size_t(y * COLUMNS + x)] *
                                      NOISE.filter.taps[size_t(tap(i, j)) % NOISE.filter.taps.size()];
                }
            }
        }
        return diagnose(out, NOISE, launched(false)).id;
    };
    const auto right_x = [](int x, int, int, int j) { return x + j - ACROSS / 2; };
    const auto right_tap = [](int i, int j) { return i * ACROSS + j; };
    CHECK(summed(right_x, right_tap) == "");
    CHECK(summed([](int, int y, int, int j) { return y + j - ACROSS / 2; }, right_tap) ==
          "neighbour-index-wrong");
    CHECK(summed([](int x, int, int, int j) { return x + j - ACROSS * 2; }, right_tap) ==
          "neighbour-index-wrong");
    CHECK(summed(right_x, [](int i, int j) { return i + j * i; }) == "");  // more than one token
}

TEST_CASE("loops over the taps that end elsewhere are told by what they leave out") {
    const problem_2d square{NOISE.in, random_filter(5, 5, 6)};
    pixels out(COLUMNS * ROWS);
    constexpr int SIDE = 4;  // 2 * radius: of a row, in the loops and in the index
    for (int k = 0; k < COLUMNS * ROWS; k++) {
        for (int i = 0; i < SIDE; i++) {
            for (int j = 0; j < SIDE; j++) {
                const int x = k % COLUMNS + j - 2, y = k / COLUMNS + i - 2;
                if (is_inside(x, y))
                    out[size_t(k)] +=
                        square.in.pixels[size_t(y * COLUMNS + x)] * square.filter.taps[size_t(i * SIDE + j)];
            }
        }
    }
    CHECK(diagnose(out, square, launched(false)).id == "taps-left-out");
}

TEST_CASE("one token is wrong in one of two passes") {
    const problem_2d p{NOISE.in, separable_filter(ACROSS, DOWN, 8)};
    const auto id_of = [&](const auto& place_of_pixel, const auto& place_of_sum, const auto& stored_at) {
        pixels sums(COLUMNS * ROWS, NAN), out(COLUMNS * ROWS);
        for (int k = 0; k < COLUMNS * ROWS; k++) {
            float sum = 0;
            for (int j = 0; j < ACROSS; j++) {
                const int x = k % COLUMNS + j - ACROSS / 2;
                if (x >= 0 && x < COLUMNS)
                    sum += p.filter.row[size_t(j)] * memory(p.in.pixels, place_of_pixel(x, k / COLUMNS));
            }
            const int place = stored_at(k % COLUMNS, k / COLUMNS);
            if (place >= 0 && place < COLUMNS * ROWS) sums[size_t(place)] = sum;
        }
        for (int k = 0; k < COLUMNS * ROWS; k++) {
            for (int i = 0; i < DOWN; i++) {
                const int y = k / COLUMNS + i - DOWN / 2;
                if (y >= 0 && y < ROWS)
                    out[size_t(k)] += p.filter.column[size_t(i)] * memory(sums, place_of_sum(k % COLUMNS, y));
            }
        }
        return diagnose(out, p, launched(false, 2)).id;
    };
    const auto right = [](int x, int y) { return y * COLUMNS + x; };
    CHECK(id_of(right, right, right) == "");
    CHECK(id_of(
              right, [](int x, int y) { return y + COLUMNS + x; }, right) == "neighbour-index-wrong");
    CHECK(id_of([](int x, int y) { return y + COLUMNS + x; }, right, right) == "neighbour-index-wrong");
    CHECK(id_of(right, right, [](int x, int y) { return y * COLUMNS - x; }) == "thread-index-wrong");
}

TEST_CASE("one token is wrong where a gradient finds its pixels or is stored") {
    problem_2d p = NOISE;
    find_edges(p);
    const pixels blurred = convolve_serial(problem_2d{p.in, p.filter});
    const auto id_of = [&](const auto& place_of_x, const auto& last_place) {
        pixels gx(COLUMNS * ROWS), gy(COLUMNS * ROWS), out(COLUMNS * ROWS);
        for (int k = 0; k < COLUMNS * ROWS; k++) {
            for (int tap = 0; tap < 9; tap++) {
                const int x = k % COLUMNS + tap % 3 - 1, y = k / COLUMNS + tap / 3 - 1;
                if (!is_inside(x, y)) continue;
                gx[size_t(k)] += p.gradient[0].taps[size_t(tap)] * memory(blurred, place_of_x(x, y));
                gy[size_t(k)] += p.gradient[1].taps[size_t(tap)] * memory(blurred, y * COLUMNS + x);
            }
        }
        for (int k = 0; k < COLUMNS * ROWS; k++) {
            const float length = std::hypot(memory(gx, last_place(k % COLUMNS, k / COLUMNS)), gy[size_t(k)]);
            out[size_t(k)] = length >= p.threshold ? length : 0.0f;
        }
        return diagnose(out, p, launched(false, 4)).id;
    };
    const auto right = [](int x, int y) { return y * COLUMNS + x; };
    CHECK(id_of(right, right) == "");
    CHECK(id_of([](int x, int y) { return y + x; }, right) == "neighbour-index-wrong");
    CHECK(id_of(right, [](int, int y) { return y * COLUMNS + y; }) == "neighbour-index-wrong");
}
