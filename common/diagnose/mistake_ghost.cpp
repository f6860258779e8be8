// Convolutions with one mistake in the tests for ghost cells: too many are found, or too few.
#include <algorithm>
#include <cmath>
#include <vector>

#include "diagnose/launch_tile.h"
#include "diagnose/mistake_workshop.h"

namespace check {

namespace {

/// A neighbour in one direction: the output it is for, how far it is away, and the sizes of the image.
struct neighbour {
    int out, offset, size, other_size, other_out, other_offset;
    int position() const { return out + offset; }
    bool below() const { return position() < 0; }
    bool beyond() const { return position() >= size; }
};

struct ghost_test {
    const char *id, *cause;
    std::function<bool(const neighbour&)> takes_as_ghost;
};

constexpr char TOO_MANY[] = "ghost-test-wrong", TOO_FEW[] = "ghost-untested";

/// What a test may ask for in the place of the neighbour.
struct asked_place {
    const char* cause;
    int (*of)(const neighbour&);
};

const asked_place PLACES[] = {
    {"the test asks for the neighbour on the other side",
     [](const neighbour& n) { return n.out - n.offset; }},
    {"the test asks for the output, not for its neighbour", [](const neighbour& n) { return n.out; }},
    {"the test asks for the tap, not for the neighbour", [](const neighbour& n) { return n.offset; }},
    {"the test for one direction asks for the place in the other",
     [](const neighbour& n) { return n.out + n.other_offset; }},
    {"the test for one direction asks for the place in the other",
     [](const neighbour& n) { return n.other_out + n.offset; }},
    {"the test for one direction asks for the place in the other",
     [](const neighbour& n) { return n.other_out + n.other_offset; }},
};

const ghost_test TESTS[] = {
    {TOO_MANY, "the first {} counts as a ghost cell",
     [](const neighbour& n) { return n.position() <= 0 || n.beyond(); }},
    {TOO_MANY, "the last {} counts as a ghost cell",
     [](const neighbour& n) { return n.below() || n.position() >= n.size - 1; }},
    {TOO_MANY, "the test is the wrong way around: what lies after the first {} counts as a ghost cell",
     [](const neighbour& n) { return n.position() > 0 || n.beyond(); }},
    {TOO_MANY, "the test is the wrong way around: what lies before the last {} counts as a ghost cell",
     [](const neighbour& n) { return n.below() || n.position() <= n.size; }},
    {TOO_MANY, "the test is the wrong way around: what lies before the end counts as a ghost cell",
     [](const neighbour& n) { return n.below() || n.position() < n.size; }},
    {TOO_MANY, "a {} is compared with the other side of the image",
     [](const neighbour& n) { return n.below() || n.position() >= n.other_size; }},
    {TOO_MANY, "the first two {}s count as ghost cells",
     [](const neighbour& n) { return n.position() <= 1 || n.beyond(); }},
    {TOO_MANY, "the last two {}s count as ghost cells",
     [](const neighbour& n) { return n.below() || n.position() >= n.size - 2; }},
    {TOO_MANY, "the test is the wrong way around: what lies within the image counts as a ghost cell",
     [](const neighbour& n) { return n.position() >= 0; }},
    {TOO_FEW, "ghost cells of {}s are not tested", [](const neighbour&) { return false; }},
    {TOO_FEW, "ghost cells before the first {} are not tested",
     [](const neighbour& n) { return n.beyond(); }},
    {TOO_FEW, "ghost cells after the last {} are not tested", [](const neighbour& n) { return n.below(); }},
    {TOO_FEW, "ghost cells next to the last {} are not tested",
     [](const neighbour& n) { return n.below() || n.position() > n.size; }},
    {TOO_FEW, "ghost cells next to the first {} are not tested",
     [](const neighbour& n) { return n.position() < -1 || n.beyond(); }},
};

/// True if pixels are read beside the image. Whoever stores or reads taps there has tests for no ghost cells.
bool reads_beside_image(const inspect::report& seen) {
    return seen.finds([](const inspect::finding& one) {
        return (one.kind == "out-of-bounds" || one.kind == "row-overrun") && one.direction != "store" &&
               one.variable != "filter";
    });
}

std::vector<ghost_test> all_tests() {
    std::vector<ghost_test> tests(std::begin(TESTS), std::end(TESTS));
    for (const asked_place& place : PLACES) {
        tests.push_back(
            {TOO_MANY, place.cause, [&](const neighbour& n) { return place.of(n) < 0 || n.beyond(); }});
        tests.push_back(
            {TOO_MANY, place.cause, [&](const neighbour& n) { return n.below() || place.of(n) >= n.size; }});
        tests.push_back({TOO_MANY, place.cause,
                         [&](const neighbour& n) { return place.of(n) < 0 || place.of(n) >= n.size; }});
    }
    return tests;
}

/// The words with "element", "column" or "row" in the place of {}.
std::string about(const char* words, const std::string& unit) {
    std::string text = words;
    const size_t place = text.find("{}");
    return place == std::string::npos ? text : text.replace(place, 2, unit);
}

}  // namespace

void mistake_list::workshop::odd_ghost_tests() {
    if (problem_.border != lab::border::zero) return;
    const bool inspected = known_.seen && known_.seen->inspected;
    const bool all_tested = inspected && loads_as_many_as_right(problem_, *known_.seen);
    const bool strays = inspected && reads_beside_image(*known_.seen);
    const auto add_test = [&](const ghost_test& test, bool of_rows, const std::string& cause, double outside,
                              double beyond) {
        sum_rule rule = right();
        rule.read = [=, this](const pixel_index& out, int i, int j) {
            const pixel_index at = under(out, i, j);
            const neighbour column{out.x, at.x - out.x, width(), height(), out.y, at.y - out.y};
            const neighbour row{out.y, at.y - out.y, height(), width(), out.x, at.x - out.x};
            const auto usual = [](const neighbour& n) { return n.below() || n.beyond(); };
            if (of_rows ? usual(column) || test.takes_as_ghost(row)
                        : test.takes_as_ghost(column) || usual(row))
                return 0.0;
            if (inside(at)) return memory(flat(at));
            const double next = outside == 0.0 ? memory(flat(at)) : outside;
            return outside == 0.0 && std::isnan(next) ? beyond : next;
        };
        add(test.id, cause, rule);
        found_.back().by_place = strays || (test.id == TOO_FEW && !inspected);
    };
    for (const bool of_rows : {false, true}) {
        if (of_rows && one_dimensional_) continue;
        const std::string unit = one_dimensional_ ? "element" : of_rows ? "row" : "column";
        for (const ghost_test& test : all_tests()) {
            if (all_tested && test.id == TOO_FEW) continue;
            const std::string cause = about(test.cause, unit);
            // Outside the image is the next row, or the gap of a pitch; beyond its memory is anything.
            add_test(test, of_rows, cause, 0.0, NOT_A_NUMBER);
            if (strays || !inspected) {
                add_test(test, of_rows, cause, 0.0, ANYTHING);
                add_test(test, of_rows, cause, NOT_A_NUMBER, NOT_A_NUMBER);
                add_test(test, of_rows, cause, ANYTHING, ANYTHING);
            }
        }
    }
}

}  // namespace check
