// Diagnosis of kernels with one wrong token: an index, a test, an operator, a limit. What they give and
// what the inspector counts of it is made here as they would.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "diagnose/diagnose.h"

using namespace check;

namespace {

using pixels = std::vector<float>;

const problem_1d ROW{random_values(300, 1), random_values(7, 2)};
constexpr int N = 300, R = 3;

float at(int x) {
    return x >= 0 && x < N ? ROW.in[size_t(x)] : 0.0f;
}

/// What the sum becomes after a tap, counted from -R: of the sum before, the output and the tap.
using step = std::function<float(float sum, int x, int j)>;

pixels summed(const step& next, float start = 0.0f) {
    pixels out(N);
    for (int x = 0; x < N; x++) {
        float sum = start;
        for (int j = -R; j <= R; j++)
            sum = next(sum, x, j);
        out[size_t(x)] = sum;
    }
    return out;
}

float tap(int j) {
    return ROW.taps[size_t(j + R)];
}

inspect::report launched(unsigned blocks, unsigned threads, uint64_t stores) {
    inspect::report seen;
    seen.inspected = true;
    inspect::launch launch;
    launch.grid[0] = blocks, launch.grid[1] = launch.grid[2] = 1;
    launch.block[0] = threads, launch.block[1] = launch.block[2] = 1;
    launch.total.global.stores.lanes = stores;
    seen.launches.push_back(launch);
    return seen;
}

void load(inspect::report& seen, const std::string& array, uint64_t loads) {
    inspect::variable_traffic traffic{array, "global", {}};
    traffic.seen.loads.lanes = loads;
    seen.launches[0].variables.push_back(traffic);
    seen.launches[0].total.global.loads.lanes += loads;
}

void find(inspect::report& seen, const std::string& kind, const std::string& space = "",
          const std::string& direction = "", const std::string& variable = "") {
    inspect::finding one{kind, true, "a sentence", "x.cu", 1, 1, "x.cu", 2, 1};
    one.space = space, one.direction = direction, one.variable = variable;
    seen.findings.push_back(one);
}

std::string id(const pixels& out, const inspect::report& seen = {}) {
    return diagnose(out, ROW, seen).id;
}

}  // namespace

TEST_CASE("what a sum is made of") {
    const auto adds = [](float sum, int x, int j) { return sum + at(x + j) * tap(j); };
    CHECK(id(summed(adds)) == "");
    CHECK(id(summed(adds, 1.0f)) == "sum-starts-wrong");
    CHECK(id(summed(adds, -0.25f)) == "sum-starts-wrong");
    CHECK(id(summed([](float, int x, int j) { return at(x + j) * tap(j); })) == "sum-overwritten");
    CHECK(id(summed([](float sum, int x, int j) {
              return x + j < 0 || x + j >= N ? sum : at(x + j) * tap(j);
          })) == "sum-overwritten");
    CHECK(id(summed([](float sum, int x, int j) { return sum - at(x + j) * tap(j); })) == "sign-wrong");
    CHECK(id(summed([](float sum, int x, int j) { return sum + at(x + j); })) == "product-wrong");
    CHECK(id(summed([](float sum, int x, int j) { return sum + (at(x + j) + tap(j)); })) == "product-wrong");
    pixels one_more = summed(adds, 1.0f);
    one_more[100] += 0.01f;
    CHECK(id(one_more) == "");
}

TEST_CASE("indices of taps and of pixels") {
    CHECK(id(summed([](float sum, int x, int j) {
              return x + j < 0 || x + j >= N ? sum : sum + at(x + j) * (j < R ? tap(j + 1) : NAN);
          })) == "tap-index-wrong");
    CHECK(id(summed([](float sum, int x, int j) { return sum + at(x + j) * tap(0); })) == "tap-index-wrong");
    CHECK(id(summed([](float sum, int x, int j) {
              return x + j < 0 || x + j >= N ? sum : sum + at(x) * tap(j);
          })) == "neighbour-index-wrong");
}

TEST_CASE("in[x + 1] is no ghost cell that is not tested: as many loads as in a right kernel") {
    const problem_1d one_tap{ROW.in, {0.5f}};
    pixels out = convolve_serial(one_tap);
    out[N - 1] = NAN;
    inspect::report seen = launched(2, 256, N);
    find(seen, "out-of-bounds", "global", "load", "in");
    load(seen, "in", N);
    CHECK(diagnose(out, one_tap, seen).id != "ghost-untested");

    const pixels moved = summed([](float sum, int x, int j) {
        if (x + j < 0 || x + j >= N) return sum;
        return sum + (x + j + 1 < N ? at(x + j + 1) : NAN) * tap(j);
    });
    CHECK(id(moved, seen) == "shifted");
}

TEST_CASE("tests for ghost cells that take too many") {
    CHECK(id(summed([](float sum, int x, int j) { return x + j <= 0 ? sum : sum + at(x + j) * tap(j); })) ==
          "ghost-test-wrong");
    // As a loop that starts at 0 does, which is the more usual mistake: its words name both.
    CHECK(id(summed([](float sum, int x, int j) { return j < 0 ? sum : sum + at(x + j) * tap(j); })) ==
          "taps-left-out");
    CHECK(id(summed([](float sum, int x, int j) {
              return sum + (x + j < 0 || x + j >= N ? 1.0f : at(x + j)) * tap(j);
          })) == "ghost-not-zero");
}

TEST_CASE("ghost cells of one side that hold another number than 0") {
    const auto left = [](float sum, int x, int j) { return sum + (x + j < 0 ? 1.5f : at(x + j)) * tap(j); };
    const auto clamped = [](float sum, int x, int j) { return sum + at(std::max(x + j, 0)) * tap(j); };
    const auto right = [](float sum, int x, int j) {
        return sum + (x + j >= N ? -2.0f : at(x + j)) * tap(j);
    };
    CHECK(id(summed(left)) == "ghost-not-zero");
    CHECK(id(summed(right)) == "ghost-not-zero");
    CHECK(id(summed(clamped)) == "");  // the nearest value is a number too
}

TEST_CASE("more taps in every sum than the filter has, told from their loads") {
    inspect::report seen = launched(2, 256, N);
    const pixels out = random_values(N, 9);
    const auto with_taps = [&](uint64_t each) {
        inspect::report counted = seen;
        counted.launches[0].total.constant.lanes = each * N;
        return id(out, counted);
    };
    CHECK(with_taps(2 * 7 + 1) == "radius-is-size");
    CHECK(with_taps(4 * 7 + 1) == "filter-size-ignored");
    CHECK(with_taps(2 * 7) == "");  // every tap twice
}

TEST_CASE("a sum of one product: who forgets the others has read their taps, unless the compiler saw it") {
    const pixels last = summed([](float, int x, int j) { return at(x + j) * tap(j); });
    inspect::report seen = launched(2, 256, N);
    seen.launches[0].total.constant.lanes = 7 * N;
    CHECK(id(last, seen) == "sum-overwritten");
    seen.launches[0].total.constant.lanes = N;
    CHECK(id(last, seen) == "one-product-left");
    // Taps beside the filter are 0 too.
    find(seen, "index-out-of-array");
    CHECK(id(last, seen) != "sum-overwritten");
}

TEST_CASE("pixels without taps: not where taps were read, one of which may be 1 and stand for all") {
    const pixels sums = summed([](float sum, int x, int j) { return sum + at(x + j); });
    inspect::report seen = launched(2, 256, N);
    CHECK(id(sums, seen) == "product-wrong");
    load(seen, "filter", N);
    CHECK(id(sums, seen) != "product-wrong");
}

TEST_CASE("floats that become whole numbers on their way") {
    const problem_1d large{random_values(300, 1), {2.5f, -3.75f, 1.25f}};
    problem_1d p = large;
    for (float& value : p.in)
        value *= 10.0f;
    const auto of = [&](std::function<float(float sum, float pixel, float tap)> add) {
        pixels out(300);
        for (int x = 0; x < 300; x++) {
            float sum = 0.0f;
            for (int j = -1; j <= 1; j++)
                if (x + j >= 0 && x + j < 300) sum = add(sum, p.in[size_t(x + j)], p.taps[size_t(j + 1)]);
            out[size_t(x)] = sum;
        }
        return diagnose(out, p, {}).id;
    };
    CHECK(of([](float sum, float pixel, float tap) { return std::trunc(sum + pixel * tap); }) ==
          "integer-sum");
    CHECK(of([](float sum, float pixel, float tap) { return sum + pixel * std::trunc(tap); }) ==
          "integer-sum");
    CHECK(of([](float sum, float pixel, float tap) { return sum + std::trunc(pixel) * tap; }) ==
          "integer-sum");
}

TEST_CASE("results that never reach the host, whatever the kernel read") {
    inspect::report seen = launched(2, 256, N);
    seen.launches[0].total.texture.lanes = 7 * N;
    CHECK(id(pixels(N, NAN), seen) == "");  // the input may have been NaN
    seen.origin = {N, N, 0, false};
    CHECK(id(pixels(N, NAN), seen) == "out-not-copied");
    CHECK(id(pixels(N, NAN), launched(1, 256, 0)) == "nothing-stored");
}

TEST_CASE("the input that came back is no filter of one tap") {
    const problem_1d first_is_one{random_values(N, 1), {1.0f, 2.0f, 3.0f}};
    inspect::report seen = launched(2, 256, N);
    seen.launches[0].total.constant.lanes = 3 * N;
    CHECK(diagnose(first_is_one.in, first_is_one, seen).id == "input-unchanged");
}

TEST_CASE("everything is shifted far") {
    CHECK(id(summed([](float sum, int x, int j) { return sum + at(x + j + 5) * tap(j); })) == "shifted");
}

TEST_CASE("an index in a type that is too narrow") {
    constexpr int LONG = 40000, END = 1 << 15;
    const problem_1d p{random_values(LONG, 1), random_values(3, 2)};
    pixels out = convolve_serial(p);
    std::fill(out.begin() + END, out.end(), NAN);
    CHECK(diagnose(out, p, launched(157, 256, LONG)).id == "index-too-narrow");
    CHECK(diagnose(out, p, launched(128, 256, END)).id != "index-too-narrow");  // so many threads there are
}

TEST_CASE("blocks whose width and height change places") {
    const problem_2d p{noise_image(70, 50, 1, 3), random_filter(3, 3, 4)};
    pixels out(70 * 50);
    const std::vector<double> truth = convolve_cpu(p).value;
    inspect::report seen = launched(3, 8, 0);  // 3 x 7 blocks for 32 x 8
    seen.launches[0].grid[1] = 7, seen.launches[0].block[1] = 32;
    for (int k = 0; k < 70 * 50; k++)
        out[size_t(k)] = k % 70 < 24 ? float(truth[size_t(k)]) : NAN;
    seen.launches[0].total.global.stores.lanes = 24 * 50;
    find(seen, "never-written");
    CHECK(diagnose(out, p, seen).id == "block-swapped");
}

TEST_CASE("taps that are fetched from a texture beside their place") {
    const problem_2d p{noise_image(37, 23, 1, 3), random_filter(5, 3, 4)};
    const auto fetched = [&](std::function<std::pair<int, int>(int i, int j)> place) {
        pixels out(37 * 23);
        for (int k = 0; k < 37 * 23; k++) {
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 5; j++) {
                    const int y = k / 37 + i - 1, x = k % 37 + j - 2;
                    const auto [row, column] = place(i, j);
                    if (x < 0 || x >= 37 || y < 0 || y >= 23 || row < 0 || row > 2 || column < 0 ||
                        column > 4)
                        continue;
                    out[size_t(k)] +=
                        p.in.pixels[size_t(y) * 37 + x] * p.filter.taps[size_t(row) * 5 + column];
                }
            }
        }
        return diagnose(out, p, {}).id;
    };
    CHECK(fetched([](int i, int j) { return std::pair{i, j}; }) == "");
    CHECK(fetched([](int i, int j) { return std::pair{i, j - 4}; }) == "tap-index-wrong");
    CHECK(fetched([](int, int j) { return std::pair{j - 1, j}; }) == "tap-index-wrong");
}

TEST_CASE("every cell of the tile is taken for a ghost cell, or lies beside the image") {
    inspect::report seen = launched(2, 256, N);
    load(seen, "in", 40);
    CHECK(id(pixels(N, 0.0f), seen) == "");
    find(seen, "out-of-bounds", "global", "load", "in");
    seen.findings[0].times = 40;
    CHECK(id(pixels(N, 0.0f), seen) == "nothing-added");
}

TEST_CASE("threads that are not where they should be") {
    const pixels truth = convolve_serial(ROW);
    pixels out(N, NAN);
    std::copy(truth.begin(), truth.begin() + 34, out.begin());
    inspect::report seen = launched(5, 32, 160);  // blockIdx.x + threadIdx.x, say: 34 places, 160 stores
    find(seen, "never-written");
    CHECK(id(out, seen) == "thread-index-wrong");
    seen = launched(10, 32, N - 1);  // x >= n - 1
    find(seen, "never-written");
    out = truth;
    out[N - 1] = NAN;
    CHECK(id(out, seen) == "outputs-left-out");
    seen = launched(3, 50, 150);
    find(seen, "never-written");
    out = truth;
    std::fill(out.begin() + 150, out.end(), NAN);
    CHECK(id(out, seen) == "grid-too-small");
    // What was computed with unset memory is not what was never stored.
    find(seen, "uninitialised-read", "shared", "load", "s_tile");
    CHECK(id(out, seen) == "");
}

TEST_CASE("two threads that store one cell are no missing barrier") {
    pixels out = convolve_serial(ROW);
    for (size_t k = 3; k < out.size(); k += 64)
        out[k] += 1.0f;
    inspect::report seen = launched(5, 64, N);
    find(seen, "race", "shared", "store", "s_tile");
    seen.launches[0].lines.push_back({"x.cu", 2, 1, "shared", "load", "s_tile", 4, {}});
    CHECK(id(out, seen) == "barrier-missing");
    seen.launches[0].lines[0].direction = "store";
    CHECK(id(out, seen) == "tile-index-wrong");
}

TEST_CASE("cells of a tile that are read or filled from elsewhere") {
    inspect::report seen = launched(5, 64, N);
    seen.launches[0].dynamic_shared = (64 + 2 * R) * sizeof(float);
    seen.launches[0].total.shared.stores.lanes = 5 * (64 + 2 * R);
    const auto tiled = [&](std::function<int(int begin, int x, int j)> place) {
        return id(
            summed([&](float sum, int x, int j) { return sum + at(place(x / 64 * 64, x, j)) * tap(j); }),
            seen);
    };
    CHECK(tiled([](int begin, int, int j) { return begin + j; }) == "tile-index-wrong");  // without tx
    CHECK(tiled([](int begin, int x, int j) {
              return x + j < begin ? begin - R - (x + j - begin + R) : x + j;
          }) == "tile-source-wrong");
}

TEST_CASE("arrays that never came, and loops that never ran") {
    inspect::report seen = launched(2, 256, N);
    find(seen, "uninitialised-read", "global", "load", "allocation #3 of 28 bytes");
    CHECK(id(pixels(N, NAN), seen) == "array-not-copied");
    CHECK(id(pixels(N, 0.0f), launched(2, 256, N)) == "nothing-added");
    CHECK(id(pixels(N, 0.0f)) == "");  // nobody looked
    seen = launched(2, 256, N);
    load(seen, "out", 7 * N);
    CHECK(id(random_values(N, 9), seen) == "wrong-array");
    seen = launched(2, 256, N);
    load(seen, "filter", 8 * N);
    CHECK(id(random_values(N, 9), seen) == "taps-too-many");
}

TEST_CASE("rows of a padded image that have two lengths") {
    const problem_2d p{noise_image(37, 23, 1, 3), random_filter(5, 5, 4)};
    constexpr int ROWS = 23 + 4, STORED = 37 + 4, READ = 37 + 6;
    pixels padded(STORED * ROWS), out(37 * 23);
    for (int y = 0; y < 23; y++)
        std::copy_n(&p.in.pixels[size_t(y) * 37], 37, &padded[size_t(y + 2) * STORED + 2]);
    for (int k = 0; k < 37 * 23; k++) {
        float sum = 0.0f;
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                const size_t cell = size_t(k / 37 + i) * READ + k % 37 + j;
                if (cell < padded.size()) sum += p.filter.taps[size_t(i) * 5 + j] * padded[cell];
            }
        }
        out[size_t(k)] = sum;
    }
    CHECK(diagnose(out, p, {}).id == "padding-ignored");
}

TEST_CASE("a padded image whose rows are stored without their ghost cells") {
    constexpr int TAPS = 15, RADIUS = TAPS / 2, ROW = 37 + 2 * RADIUS;
    const problem_2d p{noise_image(37, 23, 1, 3), random_filter(TAPS, TAPS, 4)};
    const auto stored = [&](std::function<int(int x, int y)> place) {
        pixels padded(ROW * (23 + 2 * RADIUS)), out(37 * 23);
        for (int y = 0; y < 23; y++)
            for (int x = 0; x < 37; x++)
                padded[size_t(place(x + RADIUS, y + RADIUS))] = p.in.pixels[size_t(y) * 37 + x];
        for (int k = 0; k < 37 * 23; k++)
            for (int tap = 0; tap < TAPS * TAPS; tap++)
                out[size_t(k)] += p.filter.taps[size_t(tap)] *
                                  padded[size_t((k / 37 + tap / TAPS) * ROW + k % 37 + tap % TAPS)];
        return diagnose(out, p, {}).id;
    };
    CHECK(stored([](int x, int y) { return y * ROW + x; }) == "");
    CHECK(stored([](int x, int y) { return y * 37 + x; }) == "padding-ignored");
}

namespace {

const problem_2d IMAGE{noise_image(37, 23, 1, 3), random_filter(5, 5, 4)};
constexpr int W = 37, H = 23, S = 2;

float pixel_at(int x, int y) {
    return x >= 0 && x < W && y >= 0 && y < H ? IMAGE.in.pixels[size_t(y) * W + x] : 0.0f;
}

/// Tap (i, j), counted from -S, of the filter's memory: 0 beside it.
float tap_at(int flat) {
    return flat >= 0 && flat < 25 ? IMAGE.filter.taps[size_t(flat)] : 0.0f;
}

/// What is added for an output and a tap.
using term = std::function<float(int x, int y, int i, int j)>;

pixels image_of(const term& added) {
    pixels out(W * H);
    for (int k = 0; k < W * H; k++) {
        for (int i = -S; i <= S; i++) {
            for (int j = -S; j <= S; j++)
                out[size_t(k)] += added(k % W, k / W, i, j);
        }
    }
    return out;
}

float tap_of(int i, int j) {
    return tap_at((i + S) * 5 + j + S);
}

std::string image_id(const term& added, const inspect::report& seen = {}) {
    return diagnose(image_of(added), IMAGE, seen).id;
}

inspect::report launched_2d(uint64_t stores) {
    inspect::report seen = launched(2, 32, stores);
    seen.launches[0].grid[1] = 3, seen.launches[0].block[1] = 8;
    return seen;
}

}  // namespace

TEST_CASE("loops over the taps that start or end in the wrong place") {
    CHECK(image_id([](int x, int y, int i, int j) { return tap_of(i, j) * pixel_at(x + j, y + i); }) == "");
    const auto used = [](std::function<bool(int i, int j)> is_used) {
        return image_id([&](int x, int y, int i, int j) {
            return is_used(i, j) ? tap_of(i, j) * pixel_at(x + j, y + i) : 0.0f;
        });
    };
    CHECK(used([](int i, int) { return i == S; }) == "one-product-left");
    CHECK(used([](int i, int) { return i == -S; }) == "taps-left-out");
    CHECK(used([](int, int j) { return j >= 0; }) == "taps-left-out");
    CHECK(used([](int i, int j) { return i != 0 || j != 1; }) == "");
}

TEST_CASE("one wrong name or sign in the index of a tap") {
    const auto taken = [](std::function<int(int i, int j)> index) {
        return image_id(
            [&](int x, int y, int i, int j) { return tap_at(index(i, j)) * pixel_at(x + j, y + i); });
    };
    CHECK(taken([](int i, int j) { return (i + S) * 5 + j + S; }) == "");
    CHECK(taken([](int, int j) { return (j + S) * 5 + j + S; }) == "tap-index-wrong");
    CHECK(taken([](int i, int) { return (i + S) * 5 + i + S; }) == "tap-index-wrong");
    CHECK(taken([](int i, int j) { return (i + S) * (3 * S + 1) + j + S; }) == "filter-rows-misread");
    CHECK(taken([](int, int) { return 7; }) == "tap-index-wrong");
    CHECK(taken([](int i, int j) { return (7 * i + 3 * j + 100) % 25; }) == "");
}

TEST_CASE("one wrong name or sign in the index of a pixel") {
    const auto read = [](std::function<int(int x, int y, int i, int j)> index) {
        return image_id([&](int x, int y, int i, int j) {
            const bool inside = x + j >= 0 && x + j < W && y + i >= 0 && y + i < H;
            const int flat = index(x, y, i, j);
            if (!inside) return 0.0f;
            return tap_of(i, j) * (flat >= 0 && flat < W * H ? IMAGE.in.pixels[size_t(flat)] : NAN);
        });
    };
    CHECK(read([](int x, int y, int i, int j) { return (y + i) * W + x + j; }) == "");
    CHECK(read([](int x, int, int i, int j) { return (x + i) * W + x + j; }) == "neighbour-index-wrong");
    CHECK(read([](int x, int y, int i, int j) { return (y + i) * W - x + j; }) == "neighbour-index-wrong");
    CHECK(read([](int x, int y, int i, int j) { return y * W + i + x + j; }) == "neighbour-index-wrong");
    CHECK(read([](int x, int y, int i, int j) { return (y + i) * W + x + j + 1; }) == "shifted");
    CHECK(read([](int x, int y, int i, int j) { return (y * 3 + i) % H * W + x + j; }) == "");
}

TEST_CASE("tests for ghost cells that ask for another place") {
    inspect::report seen = launched_2d(W * H);
    const auto asked = [&](std::function<bool(int x, int y, int i, int j)> is_ghost) {
        return image_id(
            [&](int x, int y, int i, int j) {
                if (is_ghost(x, y, i, j)) return 0.0f;
                const int flat = (y + i) * W + x + j;
                return tap_of(i, j) * (flat >= 0 && flat < W * H ? IMAGE.in.pixels[size_t(flat)] : NAN);
            },
            seen);
    };
    const auto outside = [](int position, int size) { return position < 0 || position >= size; };
    CHECK(asked([&](int x, int y, int i, int j) { return outside(x + j, W) || outside(y + i, H); }) == "");
    const auto by_other = [&](int x, int y, int i, int j) {
        return x + i < 0 || x + j >= W || outside(y + i, H);
    };
    find(seen, "out-of-bounds", "global", "load", "in");
    CHECK(asked(by_other) == "ghost-test-wrong");
    // What is stored beside the image says nothing of its tests.
    seen.findings[0].direction = "store";
    pixels top_open =
        image_of([](int x, int y, int i, int j) { return tap_of(i, j) * pixel_at(x + j, y + i); });
    for (int x = 0; x < W; x++)
        top_open[size_t(x)] = NAN;
    CHECK(diagnose(top_open, IMAGE, seen).id == "");
    CHECK(asked([&](int x, int y, int i, int j) {
              return y < S || outside(x + j, W) || outside(y + i, H);
          }) == "ghost-ends-loop");
}

TEST_CASE("threads in another place, told from what they store and how often") {
    const pixels truth =
        image_of([](int x, int y, int i, int j) { return tap_of(i, j) * pixel_at(x + j, y + i); });
    const auto stored = [&](std::function<bool(int x, int y)> guard,
                            std::function<int(int block, int thread)> column, uint64_t more = 0) {
        pixels out(W * H, NAN);
        uint64_t stores = more;
        for (int y = 0; y < 24; y++) {
            for (int k = 0; k < 64; k++) {
                const int x = column(k / 32, k % 32), flat = y * W + x;
                if (!guard(x, y)) continue;
                stores++;
                if (flat < 0 || flat >= W * H) continue;
                float& value = out[size_t(flat)] = 0.0f;
                for (int i = -S; i <= S; i++) {
                    for (int j = -S; j <= S; j++)
                        value += tap_of(i, j) * pixel_at(x + j, y + i);
                }
            }
        }
        inspect::report seen = launched_2d(stores);
        find(seen, "never-written");
        find(seen, "out-of-bounds", "global", "store", "out");
        return diagnose(out, IMAGE, seen).id;
    };
    const auto inside = [](int x, int y) { return x < W && y < H; };
    const auto own = [](int block, int thread) { return block * 32 + thread; };
    CHECK(stored(inside, own) == "");
    CHECK(stored(inside, [](int block, int thread) { return block * 32 - thread; }) == "thread-index-wrong");
    CHECK(stored(
              inside, [](int block, int thread) { return block * 32 - thread; }, 1) == "");
    CHECK(stored([](int x, int y) { return x > W && y < H; }, own) == "outputs-left-out");
    CHECK(stored([](int x, int) { return x < W && x < H; }, own) == "outputs-left-out");
}

TEST_CASE("loads of taps tell a loop that goes too far from an index that is wrong") {
    const auto with_loads = [](uint64_t loads, const std::string& array) {
        inspect::report seen = launched_2d(W * H);
        load(seen, "in", 100);
        load(seen, "filter", loads);
        find(seen, "out-of-bounds", "global", "load", array);
        return diagnose(pixels(W * H, NAN), IMAGE, seen).id;
    };
    const auto valid = [](int size, int last) {
        uint64_t count = 0;
        for (int at = 0; at < size; at++)
            for (int offset = -S; offset <= last; offset++)
                count += at + offset >= 0 && at + offset < size;
        return count;
    };
    CHECK(with_loads(valid(W, S) * valid(H, S), "filter") == "tap-index-wrong");
    CHECK(with_loads(valid(W, S) * valid(H, S + 1), "filter") == "taps-too-many");
    CHECK(with_loads(valid(W, S) * valid(H, S + 1), "in") == "");
    CHECK(with_loads(valid(W, S) * valid(H, S) - 7, "filter") == "");
}

TEST_CASE("cells of a padded image that are stored beside their place") {
    const auto padded_by = [](std::function<int(int x, int y)> cell) {
        constexpr int ROW = W + 2 * S, ROWS = H + 2 * S;
        pixels padded(ROW * ROWS);
        for (int k = 0; k < ROW * ROWS; k++) {
            const int x = k % ROW - S, y = k / ROW - S, stored = cell(x + S, y + S);
            const bool inside = x >= 0 && x < W && y >= 0 && y < H;
            if (inside && stored >= 0 && stored < ROW * ROWS) padded[size_t(stored)] = pixel_at(x, y);
        }
        return image_id([&](int x, int y, int i, int j) {
            return tap_of(i, j) * padded[size_t(y + i + S) * ROW + x + j + S];
        });
    };
    CHECK(padded_by([](int x, int y) { return y * (W + 2 * S) + x; }) == "");
    CHECK(padded_by([](int x, int y) { return y + x; }) == "padding-misplaced");
    CHECK(padded_by([](int x, int y) { return y * (W + 2 * S) - x; }) == "padding-misplaced");
    CHECK(padded_by([](int x, int y) { return y * 3 + x * 5; }) == "");
}

TEST_CASE("sums that go on from those of other threads") {
    pixels out = convolve_serial(ROW);
    for (size_t k = 1; k < N; k++)
        out[k] += out[k - 1];
    CHECK(id(out) == "sum-starts-wrong");
    out[150] += 1.0f;
    CHECK(id(out) == "");
}

TEST_CASE("sums of 0 from a kernel that was right before") {
    const problem_1d whole{pixels(40, 2.0f), {1.0f, 3.0f, 2.0f}};
    past_calls past;
    past.called(whole, true);
    past.add("x", whole, convolve_serial(whole), {});
    past.called(ROW, true);
    const pixels zeros(N, 0.0f);  // every pixel and tap is below 1: so an int sum has them all
    CHECK(diagnose(zeros, ROW, {}, "x", past).id == "integer-sum");
    CHECK(diagnose(zeros, ROW, {}, "y", past).id == "");
}

TEST_CASE("pixels of a texture that are fetched beside their place") {
    inspect::report seen = launched_2d(W * H);
    seen.launches[0].total.texture.lanes = W * H * 25;
    problem_2d clamped = IMAGE;
    clamped.border = lab::border::clamp;
    const auto fetched = [&](std::function<std::pair<int, int>(int x, int y, int i, int j)> place) {
        const pixels out = image_of([&](int x, int y, int i, int j) {
            const auto [column, row] = place(x, y, i, j);
            return tap_of(i, j) * pixel_at(std::clamp(column, 0, W - 1), std::clamp(row, 0, H - 1));
        });
        return diagnose(out, clamped, seen).id;
    };
    CHECK(fetched([](int x, int y, int i, int j) { return std::pair{x + j, y + i}; }) == "");
    CHECK(fetched([](int x, int y, int i, int) {
              return std::pair{x + i, y + i};
          }) == "neighbour-index-wrong");
    CHECK(fetched([](int x, int y, int i, int j) { return std::pair{x + j * i, y + i}; }) == "");
}
