// Diagnosis of wrong tokens that no value tells, but what the inspector found or counted: results of NaN or 0 alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "diagnose/diagnose.h"

using namespace check;

namespace {

using pixels = std::vector<float>;

constexpr int SIDE = 12;
const problem_2d IMAGE{noise_image(SIDE, SIDE, 1, 3), random_filter(3, 3, 4)};

inspect::report launched(unsigned grid, unsigned block, uint64_t stores) {
    inspect::report seen;
    seen.inspected = true;
    inspect::launch one;
    one.grid[0] = one.grid[1] = grid, one.grid[2] = 1;
    one.block[0] = one.block[1] = block, one.block[2] = 1;
    one.total.global.stores.lanes = stores;
    seen.launches = {one};
    return seen;
}

void use(inspect::report& seen, const std::string& space, const std::string& direction, int line,
         uint64_t lanes) {
    inspect::line_traffic traffic{"x.cu", line, 1, space, direction, "", 4, {}};
    traffic.seen.lanes = lanes;
    seen.launches[0].lines.push_back(traffic);
    inspect::counts& total = seen.launches[0].total;
    inspect::memory_traffic& memory = space == "shared" ? total.shared : total.global;
    (direction == "load" ? memory.loads : memory.stores).lanes += lanes;
}

inspect::finding& find(inspect::report& seen, const std::string& kind, const std::string& space,
                       const std::string& direction, int line) {
    inspect::finding one{kind, true, "a sentence", "x.cu", line, 1, "x.cu", line, 1};
    one.space = space, one.direction = direction;
    seen.findings.push_back(one);
    return seen.findings.back();
}

}  // namespace

TEST_CASE("s_tile[k] += value, where nobody has set the cell") {
    const pixels out(SIDE * SIDE, NAN);
    inspect::report seen = launched(1, 16, SIDE * SIDE);
    use(seen, "shared", "load", 7, 100);
    use(seen, "shared", "store", 7, 100);
    use(seen, "shared", "load", 9, 900);
    find(seen, "uninitialised-read", "shared", "load", 7);
    CHECK(diagnose(out, IMAGE, seen).id == "added-to-unset");
    seen.findings[0].line = 9;  // where sums read cells
    CHECK(diagnose(out, IMAGE, seen).id != "added-to-unset");
}

TEST_CASE("threads that mix up their own place leave outputs and cells of the tile unset") {
    const pixels out(SIDE * SIDE, NAN);
    inspect::report seen = launched(1, 16, SIDE * 16);  // x = y = threadIdx.x
    use(seen, "shared", "store", 7, 100);
    use(seen, "shared", "load", 9, 900);
    find(seen, "uninitialised-read", "shared", "load", 9);
    find(seen, "never-written", "global", "", 11).times = SIDE * SIDE - SIDE;
    CHECK(diagnose(out, IMAGE, seen).id == "thread-index-wrong");
    seen.launches[0].total.global.stores.lanes = SIDE;  // each of them once
    CHECK(diagnose(out, IMAGE, seen).id != "thread-index-wrong");
}

TEST_CASE("what is copied back is what was copied there") {
    inspect::report seen = launched(1, 16, SIDE * SIDE);
    seen.origin = {SIDE * SIDE, 0, 0, true};
    CHECK(diagnose(IMAGE.in.pixels, IMAGE, seen).id == "input-unchanged");
    pixels other = IMAGE.in.pixels;
    other[5] += 1.0f;
    CHECK(diagnose(other, IMAGE, seen).id == "");
}

TEST_CASE("sums of 0 for which no tap is read") {
    const pixels out(SIDE * SIDE, 0.0f);
    inspect::report seen = launched(1, 16, SIDE * SIDE);
    use(seen, "global", "load", 5, 200);
    use(seen, "shared", "store", 5, 200);
    use(seen, "shared", "load", 9, 900);
    CHECK(diagnose(out, IMAGE, seen).id == "nothing-added");
    seen.launches[0].total.constant.lanes = 900;
    CHECK(diagnose(out, IMAGE, seen).id == "");
}

TEST_CASE("everything is wrong from where a short ends, of a method that gives right results below") {
    constexpr int LONG = 70'000, SHORT_END = 32'768;
    const problem_1d large{random_values(LONG, 1), random_values(3, 2)},
        small{random_values(300, 3), random_values(3, 2)};
    past_calls past;
    past.called(small, true);
    past.add("x", small, convolve_serial(small), {});
    past.called(large, true);
    const pixels right = convolve_serial(large);
    pixels out = right;
    for (int x = SHORT_END + 20; x < LONG; x++)
        out[size_t(x)] = float(x % 7);
    CHECK(diagnose(out, large, {}, "x", past).id == "index-too-narrow");
    CHECK(diagnose(out, large, {}, "y", past).id == "");  // which gave nothing yet
    std::copy(&right[50'000], &right[60'000], &out[50'000]);
    CHECK(diagnose(out, large, {}, "x", past).id == "");
}
