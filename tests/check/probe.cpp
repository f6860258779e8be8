// The case that is asked to tell mistakes apart: what a method takes, several blocks, and no more than is quickly done.
#include "check/probe.h"

#include <doctest/doctest.h>

using namespace check;

namespace {

constexpr uint64_t SEED = 42;

inspect::report launched(unsigned grid_x, unsigned grid_y, unsigned block_x, unsigned block_y) {
    inspect::report seen;
    inspect::launch one;
    one.grid[0] = grid_x, one.grid[1] = grid_y, one.grid[2] = 1;
    one.block[0] = block_x, one.block[1] = block_y, one.block[2] = 1;
    seen.launches = {one};
    return seen;
}

problem_2d asked(int filter_width, int filter_height) {
    return {ramp_image(4, 3), random_filter(filter_width, filter_height, SEED)};
}

}  // namespace

TEST_CASE("a probe is several blocks, the last of them in part, whose filter has no symmetry") {
    const auto probe = probe_of(asked(3, 1), launched(1, 1, 16, 8), SEED);
    REQUIRE(probe);
    CHECK(probe->in.width > 2 * 16);
    CHECK(probe->in.width % 16 != 0);
    CHECK(probe->in.height > 2 * 8);
    CHECK(probe->in.height % 8 != 0);
    CHECK(probe->filter.width == 9);
    CHECK(probe->filter.height == 3);
    CHECK(probe->border == lab::border::zero);
    const auto row = probe_of(problem_1d{{1, 2, 3}, {1, 1, 1}}, launched(1, 1, 256, 1), SEED);
    REQUIRE(row);
    CHECK(row->n() > 2 * 256);
    CHECK(row->taps.size() == 9);
}

TEST_CASE("a method that takes square filters is asked for one, and for as many taps as it was") {
    const auto square = probe_of(asked(3, 3), launched(1, 1, 16, 16), SEED);
    REQUIRE(square);
    CHECK(square->filter.width == 9);
    CHECK(square->filter.height == 9);
    const auto high = probe_of(asked(1, 9), launched(1, 1, 16, 16), SEED);
    REQUIRE(high);
    CHECK(high->filter.width == 3);
    CHECK(high->filter.height == 9);
    problem_2d factors = asked(3, 3);
    factors.filter = separable_filter(3, 3, SEED);
    CHECK(!probe_of(factors, launched(1, 1, 16, 16), SEED)->filter.column.empty());
    problem_2d edges = asked(3, 3);
    find_edges(edges);
    CHECK(probe_of(edges, launched(1, 1, 16, 16), SEED)->gradient == edges.gradient);
    problem_2d transformed = asked(3, 3);
    transformed.transform_tile = 0;
    CHECK(probe_of(transformed, launched(1, 1, 16, 16), SEED)->transform_tile == 0);
    transformed.transform_tile = 8;  // too small for the filter of 9 x 9
    CHECK(probe_of(transformed, launched(1, 1, 16, 16), SEED)->transform_tile == 18);
}

TEST_CASE("no probe where nothing ran, or where it would take long") {
    CHECK(!probe_of(asked(3, 3), {}, SEED));
    CHECK(!probe_of(asked(99, 99), launched(1, 1, 32, 32), SEED));
    CHECK(!probe_of(problem_1d{{1, 2, 3}, random_values(9999, SEED)}, launched(1, 1, 256, 1), SEED));
}

TEST_CASE("a probe that took fewer blocks than it should grows") {
    const problem_2d probe = *probe_of(asked(3, 1), launched(1, 1, 16, 8), SEED);
    CHECK(!wider_probe(probe, launched(3, 3, 16, 8), SEED));
    const auto wider = wider_probe(probe, launched(1, 3, 16, 8), SEED);
    REQUIRE(wider);
    CHECK(wider->in.width > 3 * probe.in.width);
    CHECK(wider->in.height == probe.in.height);
    CHECK(wider->filter == probe.filter);
    const problem_1d row{random_values(517, SEED), random_values(5, SEED)};
    CHECK(wider_probe(row, launched(2, 1, 512, 1), SEED)->n() > 2 * 512);
    CHECK(!wider_probe(row, launched(3, 1, 256, 1), SEED));
}

TEST_CASE("of several passes the first is asked alone") {
    problem_2d passes = asked(3, 3);
    CHECK(!has_passes(passes));
    passes.passes = 3;
    CHECK(has_passes(passes));
    CHECK(!probe_of(passes, launched(1, 1, 16, 16), SEED));
    const problem_2d first = first_pass_of(passes);
    CHECK(first.passes == 1);
    CHECK(first.in.pixels == passes.in.pixels);
    CHECK(!has_passes(problem_1d{{1, 2, 3}, {1, 1, 1}}));
}
