// What a program must do: an interpreter in lock step, written from CUDA's documentation and without a look at
// the inspector.
#pragma once
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "program.h"

namespace fuzz {

struct count {
    uint64_t lanes = 0, requests = 0;
    uint64_t cost = 0;  // sectors; shared: wavefronts; constant: different addresses
    bool operator==(const count&) const = default;
};

/// A mistake: `other_line` is the other half of a race.
struct fault {
    std::string kind, variable;
    int line = 0, other_line = 0;
    auto operator<=>(const fault&) const = default;
};

struct outcome {
    std::map<std::string, std::vector<int64_t>> values;  // by array
    std::map<std::string, count> counts;                 // by "kernel array direction"
    std::set<fault> faults;
    /// What goes before some of them: a reference beyond the array, where it is made.
    std::set<fault> may_be_told;
    /// Per array the lowest and highest element that was touched, where `count` did not stop it.
    std::map<int, std::pair<int, int>> touched;
    std::string refused;  // why this program is none that can be decided, "" if it can
};

/// With `is_open` arrays have no end: for `touched`.
outcome run(const program& what, bool is_open);

}  // namespace fuzz
