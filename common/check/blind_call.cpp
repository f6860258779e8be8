// Changes the input as the worker will, and compares with what both inputs give.
#include "check/blind_call.h"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <random>
#include <vector>

#include "problem/compare.h"
#include "problem/describe.h"

namespace check {
namespace {

const std::string VERDICT = "no kernel computed these values: ";

/// A function may launch and copy after it has read from the device: for its numbers and addresses so many bytes ...
constexpr uint64_t NEWS_BORNE = 768;
/// ... and so many for each output, which are too few to tell what it should be.
constexpr uint64_t NEWS_AN_OUTPUT = 1;

/// So many arguments of kernels may happen to be values of the input.
constexpr uint64_t ARGUMENTS_BORNE = 64;

std::vector<float>& input_of(problem_1d& problem) {
    return problem.in;
}
std::vector<float>& input_of(problem_2d& problem) {
    return problem.in.pixels;
}
/// What a function gets besides the input.
std::vector<float> others_of(const problem_1d& problem) {
    return problem.taps;
}
std::vector<float> others_of(const problem_2d& problem) {
    const filter& f = problem.filter;
    if (f.column.empty()) return f.taps;
    std::vector<float> factors = f.column;
    factors.insert(factors.end(), f.row.begin(), f.row.end());
    return factors;
}

template <class problem_type>
problem_type changed(problem_type problem, uint64_t key, const std::vector<float>& others) {
    std::vector<uint32_t> kept;
    for (const float value : others)
        kept.push_back(std::bit_cast<uint32_t>(value));
    const changed_words changed(key, std::move(kept));
    for (float& value : input_of(problem))
        value = std::bit_cast<float>(changed.of(std::bit_cast<uint32_t>(value)));
    return problem;
}

template <class problem_type>
std::optional<blind_problem<problem_type>> blind(problem_type problem, uint64_t seed) {
    std::mt19937_64 keys(seed);
    const auto next = [&] { return keys() | 1; };
    // Here taps change as well: a method may pass on something else in their place, and then the device's process, which
    // keeps what the call passes, knows nothing of them.
    blind_problem<problem_type> made{next(), changed(std::move(problem), next(), {}), {}};
    made.of_device = changed(made.of_host, made.key, others_of(made.of_host));
    if (input_of(made.of_device) == input_of(made.of_host)) return std::nullopt;
    return made;
}

template <class problem_type>
std::string by_host(const blind_problem<problem_type>& blind, const std::vector<float>& out,
                    const changes_seen& seen) {
    const reference truth = convolve_cpu(blind.of_device);
    const comparison found = compare(out, truth);
    if (found.right()) return "";
    if (seen.words == 0) return VERDICT + "the device was never given the input";
    const std::string changed = "the input was changed on its way to the device, ";
    const reference hosts = convolve_cpu(blind.of_host);
    if (compare(out, hosts).right()) return VERDICT + changed + "and they do not show it";
    bool any = false;
    for (size_t k = 0; k < out.size() && !any; k++)
        any = found.wrong[k] && out[k] != 0 && hosts.allows(k, out[k]);
    if (!any) return "";
    return VERDICT + changed +
           "and not all of them show it: " + first_wrong(out, truth, found, shape_of(blind.of_device));
}

}  // namespace

problem_1d as_on_device(problem_1d problem, uint64_t key) {
    const std::vector<float> others = others_of(problem);
    return changed(std::move(problem), key, others);
}
problem_2d as_on_device(problem_2d problem, uint64_t key) {
    const std::vector<float> others = others_of(problem);
    return changed(std::move(problem), key, others);
}

std::optional<blind_problem<problem_1d>> make_blind(const problem_1d& problem, uint64_t seed) {
    return blind(problem, seed);
}
std::optional<blind_problem<problem_2d>> make_blind(const problem_2d& problem, uint64_t seed) {
    return blind(problem, seed);
}

std::string told_by_host(size_t outputs, const changes_seen& seen) {
    if (seen.arguments > ARGUMENTS_BORNE)
        return fmt::format(
            "the input came to the kernel among its arguments, {} values, where no loads are counted",
            seen.arguments);
    if (seen.news <= NEWS_BORNE + outputs * NEWS_AN_OUTPUT) return "";
    return VERDICT +
           fmt::format("after it had read from the device the host told it {} bytes of its own", seen.news);
}

std::string computed_by_host(const blind_problem<problem_1d>& blind, const std::vector<float>& out,
                             const changes_seen& seen) {
    return by_host(blind, out, seen);
}
std::string computed_by_host(const blind_problem<problem_2d>& blind, const std::vector<float>& out,
                             const changes_seen& seen) {
    return by_host(blind, out, seen);
}

}  // namespace check
