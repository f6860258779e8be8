// Which submissions to one lab have much in common: evidence for a person to look at, never a penalty.
#pragma once
#include <string>
#include <vector>

namespace grade {

struct named_source {
    std::string student, text;
};

/// Two sources, by their places in the list, the larger place last.
struct similar_pair {
    size_t one, other;
    size_t common;                            // fingerprints of both (fingerprints.h)
    double share;                             // of the fingerprints of the one that has fewer
    std::vector<int> lines_one, lines_other;  // where they stand, in order
};

/// Measured on the workbook's right kernels: independent ones share up to 0.27, descendants of one 0.49 and
/// more.
constexpr double MUCH_IN_COMMON = 0.4;
/// Less is a few lines, whatever their share.
constexpr size_t FEWEST_IN_COMMON = 8;

/// All pairs above both bounds, the largest share first. What also stands in `given` (skeleton, handout) is
/// no evidence, nor is what more than half of a class of ten and more has written.
std::vector<similar_pair> similar_pairs(const std::vector<named_source>& all,
                                        const std::vector<std::string>& given);

/// One page with these pairs side by side, what they share marked; it loads and runs nothing. At most 100
/// pairs are shown, and says so if there are more.
std::string similarity_html(const std::string& lab, const std::vector<named_source>& all,
                            const std::vector<similar_pair>& pairs);

}  // namespace grade
