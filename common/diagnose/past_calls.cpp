// What earlier calls of a run left behind.
#include "diagnose/past_calls.h"

#include <algorithm>

namespace check {

namespace {

constexpr size_t MOST_CASES = 6;              // of one method; the newest replace the oldest
constexpr double MOST_COMPUTED_AGAIN = 3e6;   // of one case: to compute it again must cost next to nothing
constexpr size_t MOST_TAPS_KEPT = 4'000'000;  // of all filters together

}  // namespace

void past_calls::called(const std::vector<float>& taps, bool alive) {
    size_t kept = taps.size();
    for (const past_filter& one : filters_)
        kept += one.taps.size();
    // Without its beginning the story of constant memory is told as if the process had begun later.
    if (kept > MOST_TAPS_KEPT) filters_.back().taps.clear();
    filters_.push_back({taps, fresh_});
    fresh_ = !alive;
}

void past_calls::add(const std::string& method, const problem_1d& problem, const std::vector<float>& out,
                     const inspect::report& seen) {
    keep({method, as_row(problem), true, out, seen, filters_.size() - 1});
}

void past_calls::add(const std::string& method, const problem_2d& problem, const std::vector<float>& out,
                     const inspect::report& seen) {
    keep({method, problem, false, out, seen, filters_.size() - 1});
}

void past_calls::keep(past_case one) {
    const double products = double(one.out.size()) * double(one.problem.filter.taps.size());
    if (products > MOST_COMPUTED_AGAIN) return;
    for (inspect::launch& launch : one.seen.launches) {
        launch.lines.clear();
        launch.variables.clear();
    }
    const auto same = [&](const past_case& other) { return other.method == one.method; };
    if (size_t(std::count_if(cases_.begin(), cases_.end(), same)) >= MOST_CASES)
        cases_.erase(std::find_if(cases_.begin(), cases_.end(), same));
    cases_.push_back(std::move(one));
}

std::vector<const past_filter*> past_calls::filters_before(size_t calls_before) const {
    std::vector<const past_filter*> since;
    if (calls_before >= filters_.size() || filters_[calls_before].fresh) return since;
    for (size_t k = calls_before; k-- > 0;) {
        since.push_back(&filters_[k]);
        if (filters_[k].fresh) break;
    }
    std::reverse(since.begin(), since.end());
    return since;
}

std::vector<const past_filter*> past_calls::filters_before_this() const {
    return filters_.empty() ? std::vector<const past_filter*>{} : filters_before(filters_.size() - 1);
}

problem_2d as_row(const problem_1d& problem) {
    problem_2d row;
    row.in = {problem.n(), 1, 1, problem.in};
    row.filter = {int(problem.taps.size()), 1, problem.taps, ""};
    return row;
}

}  // namespace check
