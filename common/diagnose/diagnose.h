// The likeliest cause of a wrong output, where the output itself or the inspector shows it.
#pragma once
#include <set>
#include <span>
#include <string>
#include <vector>

#include "diagnose/past_calls.h"
#include "inspect/report/report.h"
#include "problem/compare.h"
#include "problem/problem.h"

namespace check {

struct diagnosis {
    std::string id;            // one of causes.h, "" if nothing is known
    std::string text;          // one sentence with this case's numbers
    bool from_output = false;  // the values alone show it; false: the inspector's findings or counts do
    std::vector<std::string> stands_for = {};  // gists of all mistakes that explain the output
    std::string shown_by = {};  // another case, in words, whose numbers these are; "": this one's own
    std::set<std::string> kernels = {};  // that the case launched, by name, instances of a template as one
};

/// Empty where no known mistake explains every value of the output, or two do that are not the same. `seen`
/// adds what the inspector knows of the launches; an empty report will do. Cases of the same `method` in the
/// past rule out what would have spoiled them in another way.
diagnosis diagnose(std::span<const float> out, const problem_1d& problem, const inspect::report& seen,
                   const std::string& method = "", const past_calls& past = {});
diagnosis diagnose(std::span<const float> out, const problem_2d& problem, const inspect::report& seen,
                   const std::string& method = "", const past_calls& past = {});

/// True if the case launched one of the kernels of which the cause was told, as far as that is known.
bool concerns(const diagnosis& cause, const inspect::report& seen);

/// True if the newest of these cases denies a cause that was told of an earlier one of its method: it would have been
/// spoiled in another way.
bool is_denied(const diagnosis& cause, const past_calls& past);

/// What the inspector's findings and counts settle by themselves.
std::vector<diagnosis> diagnose_findings(std::span<const float> out, const comparison& found,
                                         const problem_2d& problem, const shape& where,
                                         const inspect::report& seen);

/// What counts and findings say where nothing else named a cause. In words that hold for many mistakes.
diagnosis diagnose_counts(std::span<const float> out, const comparison& found, const problem_2d& problem,
                          const shape& where, const inspect::report& seen);

/// What it says that one pass alone is right and several are not.
diagnosis diagnose_passes(const inspect::report& seen);

/// What large sizes say where smaller ones were right: that everything is wrong from where the type of an index ends.
diagnosis diagnose_ends(std::span<const float> out, const comparison& found, const shape& where);

/// <<<threads, blocks>>>, as it may be: as many blocks as a block usually has threads, and no whole warps in a block.
diagnosis exchanged_launch(const inspect::launch& one);

/// What the sizes of a launch say where its results are right, beside those of earlier calls.
diagnosis diagnose_launch(const inspect::report& seen, const past_calls& past);

/// What a kernel stores beside its memory because threads store that have no output: all of them, or all but those that
/// are outside in both directions.
diagnosis diagnose_stray_stores(const shape& where, const inspect::report& seen);

/// What loads of taps say where every sum has more than the filter.
diagnosis diagnose_number_of_taps(std::span<const float> out, const comparison& found,
                                  const problem_2d& problem, const shape& where, const inspect::report& seen);

/// A cause if every wrong value of an image is NaN and the right ones form a known pattern, which nothing else than the
/// output must explain: where the launch is known, mistake_coverage.cpp says more.
diagnosis diagnose_unwritten(std::span<const float> out, const comparison& found, const shape& where,
                             const inspect::report& seen);

}  // namespace check
