// Which causes are true of a mutant: what its diagnosis is held against. Written by hand, from what the
// mutants are, never from what was named.
#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "author/mutants/mutants.h"

namespace author {

/// A line of true_causes.txt: REGIONS OPERATORS | CHANGE | CAUSES
///   05.3,06.2 index | ...in[... + 1]... -> ... | shifted
/// REGIONS: "05.3", or "05" for all of the lab, or "*". OPERATORS: "index,sign", or "*". CHANGE is the old
/// lines, " -> " and the new ones, where "..." stands for any text. CAUSES: ids of diagnose/causes.h, each of
/// which is true of these mutants; "nothing" if none is.
struct true_cause {
    std::set<std::string> regions, operators;
    std::string change;
    std::set<std::string> causes;
};

/// The lines of a file but for empty ones and those that begin with #. Throws std::runtime_error
/// "FILE:LINE: trouble" on another form and on ids that nobody knows.
std::vector<true_cause> read_true_causes(const std::filesystem::path& file);

enum class naming { unjudged, unnamed, right, wrong };

/// What the named causes, ids with blanks between, are worth: right if all are true by the first line that
/// fits the mutant of this lab; unjudged if none fits.
naming judge_naming(const std::string& named, const mutant& one, const std::string& lab,
                    const std::vector<true_cause>& known);

}  // namespace author
