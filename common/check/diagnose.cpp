// The likeliest cause of a wrong output.
#include "check/diagnose.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "check/compare.h"
#include "check/mistake.h"
#include "check/unwritten.h"

namespace check {

namespace {

/// Wrong values that a cause must explain. One agreement can be chance.
constexpr size_t ENOUGH_EVIDENCE = 2;

bool matches(float out, const mistaken_value& alternative) {
    if (std::isnan(alternative.value)) return std::isnan(out);
    return std::abs(double(out) - alternative.value) <= alternative.bound;
}

/// How the values of an output agree with what a mistake gives.
struct agreement {
    size_t numbers = 0;  // wrong values explained by a number other than 0
    size_t zeros = 0, nans = 0;
    size_t right_numbers = 0;  // right values other than 0

    /// Zeros and NaN have many causes: they count where numbers beside them agree as well.
    bool convincing() const {
        const size_t evidence = numbers + (right_numbers > 0 ? zeros : 0) + (numbers > 0 ? nans : 0);
        return evidence >= ENOUGH_EVIDENCE || (evidence > 0 && right_numbers >= ENOUGH_EVIDENCE);
    }
};

/// True if the mistake gives every value of the output, wrong ones first: most mistakes are ruled out by the
/// first value.
bool explains(const mistake& cause, std::span<const float> out, const comparison& found) {
    agreement agreed;
    for (const bool wrong : {true, false}) {
        for (size_t k = wrong ? found.first : 0; k < out.size(); k++) {
            if (bool(found.wrong[k]) != wrong) continue;
            const std::vector<mistaken_value> given = cause.values_at(k);
            const auto same = std::find_if(given.begin(), given.end(),
                                           [&](const auto& value) { return matches(out[k], value); });
            if (same == given.end()) return false;
            const bool nan = std::isnan(same->value);
            const bool zero = !nan && std::abs(same->value) <= same->bound;
            if (wrong) (nan ? agreed.nans : zero ? agreed.zeros : agreed.numbers)++;
            if (!wrong && !nan && !zero) agreed.right_numbers++;
        }
    }
    return agreed.convincing();
}

/// What the counts alone settle.
std::string diagnose_launches(std::span<const float> out, const inspect::report& seen) {
    if (!seen.inspected) return "";
    if (seen.launches.empty()) return "no kernel was launched";
    const inspect::memory_traffic global = seen.total().global;
    if (global.stores.lanes + global.atomics.lanes == 0) return "no thread wrote anything to global memory";
    // A clean report rules out that the kernel computed with unset memory.
    const bool all_nan = std::all_of(out.begin(), out.end(), [](float value) { return std::isnan(value); });
    if (all_nan && seen.clean() && global.stores.lanes >= out.size()) {
        return "the kernel stored its results, but none reached the host: is out copied back, after the "
               "kernel?";
    }
    return "";
}

std::string diagnose_values(std::span<const float> out, const comparison& found, const problem_2d& problem,
                            bool one_dimensional) {
    std::string cause;
    const mistake_list known(problem, one_dimensional);
    for (const mistake& candidate : known.all()) {
        if (!explains(candidate, out, found)) continue;
        if (!cause.empty())
            return "";  // two causes give the same numbers here: say nothing rather than guess
        cause = candidate.cause;
    }
    return cause;
}

std::string diagnose(std::span<const float> out, const problem_2d& problem, const shape& where,
                     const inspect::report& seen) {
    const comparison found = compare(out, convolve_cpu(problem));
    if (found.right()) return "";
    const std::string launches = diagnose_launches(out, seen);
    if (!launches.empty()) return launches;
    const std::string unwritten =
        diagnose_unwritten(out, found, where, problem.filter.width / 2, problem.filter.height / 2, seen);
    const std::string values = diagnose_values(out, found, problem, where.one_dimensional);
    if (!unwritten.empty() && !values.empty()) return "";
    return unwritten.empty() ? values : unwritten;
}

}  // namespace

std::string diagnose(std::span<const float> out, const problem_2d& problem, const inspect::report& seen) {
    return diagnose(out, problem, shape_of(problem), seen);
}

std::string diagnose(std::span<const float> out, const problem_1d& problem, const inspect::report& seen) {
    problem_2d row;
    row.in = {problem.n(), 1, 1, problem.in};
    row.filter = {int(problem.taps.size()), 1, problem.taps, ""};
    return diagnose(out, row, shape_of(problem), seen);
}

}  // namespace check
