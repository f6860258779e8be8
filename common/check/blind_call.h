// A call in which the device gets another input than the host: right values then are those of the device's.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "call/worker_process.h"
#include "problem/problem.h"

namespace check {

/// What the device is given instead of one value of the input.
template <class problem_type>
struct blind_problem {
    problem_type of_device;
    size_t place = 0;  // of the value, in the input
    word_swap swap;
    reference truth_of_host, truth_of_device;
};

/// Chooses a value of the input by the seed. None if every one stands elsewhere in the problem as well, or changes no
/// output by more than rounding does.
std::optional<blind_problem<problem_1d>> make_blind(const problem_1d& problem, uint64_t seed);
std::optional<blind_problem<problem_2d>> make_blind(const problem_2d& problem, uint64_t seed);

/// "no kernel computed these values: ..." if the output of such a call is that of the host's input, or is not the
/// device's since what the host answered to the device was changed; "" if it is the device's, or neither: then an
/// ordinary call will tell.
std::string computed_by_host(const blind_problem<problem_1d>& blind, const std::vector<float>& out,
                             const call_result& result);
std::string computed_by_host(const blind_problem<problem_2d>& blind, const std::vector<float>& out,
                             const call_result& result);

}  // namespace check
