// Diagnosis of kernels with one wrong token: an index, a test, an operator, a limit. What they give and
// what the inspector counts of it is made here as they would.
#include <doctest/doctest.h>

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
    CHECK(id(summed([](float sum, int x, int j) { return j < 0 ? sum : sum + at(x + j) * tap(j); })) ==
          "ghost-test-wrong");
    CHECK(id(summed([](float sum, int x, int j) {
              return sum + (x + j < 0 || x + j >= N ? 1.0f : at(x + j)) * tap(j);
          })) == "ghost-not-zero");
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
