// Tests of the small picture of a wrong output.
#include "check/wrong_picture.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace check;

/// The picture of an output in which these values are wrong, the second ones because they are no numbers.
static wrong_picture drawn(const shape& where, const std::vector<size_t>& wrong,
                           const std::vector<size_t>& missing) {
    std::vector<float> out(where.values(), 1.0f);
    comparison found{std::vector<char>(where.values(), 0)};
    for (const size_t k : wrong)
        found.wrong[k] = 1;
    for (const size_t k : missing)
        found.wrong[k] = 1, out[k] = NAN;
    return picture_of(out, found, where);
}

TEST_CASE("a small output has a character a pixel, whatever its channels") {
    const wrong_picture one = drawn({4, 2}, {1, 7}, {2});
    CHECK(one.rows == std::vector<std::string>{".x?.", "...x"});
    CHECK(one.cell_width == 1);
    const wrong_picture colour = drawn({2, 2, 3}, {5}, {3, 11});
    CHECK(colour.rows == std::vector<std::string>{".x", ".?"});
}

TEST_CASE("a large output is made small, and a single wrong pixel stays") {
    const wrong_picture large = drawn({1000, 101}, {99 * 1000 + 999}, {});
    CHECK(large.cell_width == 16);
    CHECK(large.cell_height == 3);
    REQUIRE(large.rows.size() == 34);
    REQUIRE(large.rows[0].size() == 63);
    CHECK(large.rows[33].find('x') == 62);
    CHECK(large.rows[0].find_first_not_of('.') == std::string::npos);
    const wrong_picture line = drawn({1'000'000, 1, 1, true}, {0}, {999'999});
    CHECK(line.rows.size() == 1);
    CHECK(line.rows[0].size() <= 64);
    CHECK(line.rows[0].front() == 'x');
    CHECK(line.rows[0].back() == '?');
}
