// Measured numbers inside sentences: each is written by `make readme` from recorded data.
//   <!--= percent 1 - 05.fast:naive / 05:naive for all -->14 to 24<!--/--> %      a value, or the least to the largest
//   <!--? 05.fast:naive below 05:naive for all -->                               a claim that the sentence makes
// The first word of a value says how it is written: ms (three digits that count), percent (of a share, whole), times (a
// ratio), mean (the same of several ratios), .0 .1 .2 .3 (so many decimals), or verdict, whose formula is a claim: "yes",
// "no" or "for 3 of 8" filters. Formulas are those of formulas.h; a claim compares two, with `below` or
// `above`, for every filter. What is not recorded yet reads "(not measured yet)". Students get the sentences without
// the marks (common/build/release.sh).
#pragma once
#include <string>
#include <vector>

#include "author/recorded_data.h"

namespace author {

/// A value with its marks: how it is written, its formula, what stands between them now.
inline constexpr const char* QUOTED_VALUE = R"(<!--= (\S+)\s+([^<>]*?)\s*-->[^<]*<!--/-->)";

/// The text with its values made anew. Throws std::runtime_error naming a formula that cannot be read.
std::string with_values(const std::string& text, recorded_data& data);

/// The claims of a text that its data does not bear out, each as a sentence with the numbers; what is not recorded
/// yet breaks none.
std::vector<std::string> broken_claims(const std::string& text, recorded_data& data);

}  // namespace author
