// Judges many mutants at once.
#pragma once
#include <string>
#include <vector>

#include "author/mutants/mutants.h"
#include "author/mutants/verdicts.h"

namespace author {

struct judged_lab {
    std::string key;  // "05_conv2d_naive"
    std::vector<mutant> mutants;
    std::vector<verdict> verdicts;  // of each
};

/// Fills the verdicts of all labs, `jobs` at a time, and says on stderr how far it is. A mutant's checks end
/// with the first that it loses, unless its whole report is asked for. Verdicts that
/// build/mutants/LAB/verdicts.csv has are taken from there. Works in the repository's root. Throws
/// std::runtime_error if not even a solution compiles.
void judge_mutants(std::vector<judged_lab>& labs, unsigned jobs, bool whole);

}  // namespace author
