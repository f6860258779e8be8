// Convolutions with one mistake in the tests for ghost cells: too many are found, or too few.
#include <algorithm>
#include <cmath>

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
    bool (*takes_as_ghost)(const neighbour&);
};

constexpr char TOO_MANY[] = "ghost-test-wrong", TOO_FEW[] = "ghost-untested";

const ghost_test TESTS[] = {
    {TOO_MANY, "the first {} counts as a ghost cell",
     [](const neighbour& n) { return n.position() <= 0 || n.beyond(); }},
    {TOO_MANY, "the last {} counts as a ghost cell",
     [](const neighbour& n) { return n.below() || n.position() >= n.size - 1; }},
    {TOO_MANY, "the test asks for j alone: neighbours before an output count as ghost cells",
     [](const neighbour& n) { return n.offset < 0 || n.beyond(); }},
    {TOO_MANY, "the test is the wrong way around: what lies after the first {} counts as a ghost cell",
     [](const neighbour& n) { return n.position() > 0 || n.beyond(); }},
    {TOO_MANY, "the test is the wrong way around: what lies before the last {} counts as a ghost cell",
     [](const neighbour& n) { return n.below() || n.position() <= n.size; }},
    {TOO_MANY, "the test is the wrong way around: what lies before the end counts as a ghost cell",
     [](const neighbour& n) { return n.below() || n.position() < n.size; }},
    {TOO_MANY, "a {} is compared with the other side of the image",
     [](const neighbour& n) { return n.below() || n.position() >= n.other_size; }},
    {TOO_MANY, "the test asks for the neighbour on the other side",
     [](const neighbour& n) { return n.out - n.offset < 0 || n.beyond(); }},
    {TOO_MANY, "the test asks for the neighbour on the other side",
     [](const neighbour& n) { return n.below() || n.out - n.offset >= n.size; }},
    {TOO_MANY, "the test for one direction asks for the place in the other",
     [](const neighbour& n) { return n.out + n.other_offset < 0 || n.beyond(); }},
    {TOO_MANY, "the test for one direction asks for the place in the other",
     [](const neighbour& n) { return n.below() || n.out + n.other_offset >= n.size; }},
    {TOO_MANY, "the test for one direction asks for the place in the other",
     [](const neighbour& n) { return n.other_out + n.offset < 0 || n.beyond(); }},
    {TOO_MANY, "the test for one direction asks for the place in the other",
     [](const neighbour& n) { return n.below() || n.other_out + n.offset >= n.size; }},
    {TOO_FEW, "ghost cells before the first {} are not tested",
     [](const neighbour& n) { return n.beyond(); }},
    {TOO_FEW, "ghost cells after the last {} are not tested", [](const neighbour& n) { return n.below(); }},
    {TOO_FEW, "ghost cells next to the last {} are not tested",
     [](const neighbour& n) { return n.below() || n.position() > n.size; }},
    {TOO_FEW, "ghost cells next to the first {} are not tested",
     [](const neighbour& n) { return n.position() < -1 || n.beyond(); }},
};

bool reads_beside_arrays(const inspect::report& seen) {
    return std::any_of(seen.findings.begin(), seen.findings.end(), [](const inspect::finding& one) {
        return one.kind == "out-of-bounds" || one.kind == "row-overrun";
    });
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
    const bool strays = inspected && reads_beside_arrays(*known_.seen);
    for (const bool of_rows : {false, true}) {
        if (of_rows && one_dimensional_) continue;
        const std::string unit = one_dimensional_ ? "element" : of_rows ? "row" : "column";
        for (const ghost_test& test : TESTS) {
            if (all_tested && test.id == TOO_FEW) continue;
            // Outside the image is the next row, or the gap of a pitch, or, on a GPU, anything.
            for (const double outside : {0.0, NOT_A_NUMBER, ANYTHING}) {
                if (inspected && (std::isinf(outside) || (std::isnan(outside) && !strays))) continue;
                sum_rule rule = right();
                rule.read = [this, of_rows, &test, outside](const pixel_index& out, int i, int j) {
                    const pixel_index at = under(out, i, j);
                    const neighbour column{out.x, at.x - out.x, width(), height(), out.y, at.y - out.y};
                    const neighbour row{out.y, at.y - out.y, height(), width(), out.x, at.x - out.x};
                    const auto usual = [](const neighbour& n) { return n.below() || n.beyond(); };
                    if (of_rows ? usual(column) || test.takes_as_ghost(row)
                                : test.takes_as_ghost(column) || usual(row))
                        return 0.0;
                    if (inside(at)) return memory(flat(at));
                    return outside == 0.0 ? memory(flat(at)) : outside;
                };
                add(test.id, about(test.cause, unit), rule);
                found_.back().by_place = test.id == TOO_FEW && (!inspected || strays);
            }
        }
    }
}

}  // namespace check
