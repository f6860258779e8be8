// Mutants: a solution with one token, operand or statement changed.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace author {

struct mutant {
    /// "relation_3fa81c": its operator, and a number made of the operator, of the changed lines and of how often
    /// the same change stands above it. So it stays what it is while other lines change.
    std::string id;
    std::string change;                      // the operator: "relation", "barrier", ...
    std::string region;                      // the region it lies in, "02.3", or "-"
    int line = 0;                            // the first that it changes
    std::vector<std::string> before, after;  // the changed lines, without comments; nothing is left if empty
    std::string text;                        // of the whole file, with the lines at their numbers
};

/// All mutants of a solution, in the order of their lines. No two have the same text.
std::vector<mutant> mutants_of(const std::filesystem::path& solution);

/// "03.2  41  relation  if (x >= n) return;  ->  if (x > n) return;"
std::string to_line(const mutant& what);

/// A few of a lab's in their order, the same every time: as large a part of every region's, and there of every
/// operator's, as of all, and all of a smaller sample's.
std::vector<mutant> sample_of(const std::vector<mutant>& all, const std::string& lab, size_t count);

}  // namespace author
