// A call in which the device gets another input than the host: right values then are those of the device's.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "call/worker_process.h"
#include "problem/problem.h"

namespace check {

/// What the host is given in place of a problem, and what the device has of it where the key is a call's change_key.
/// Neither has the problem's own values: 1, say, which a host may send as a factor as well.
template <class problem_type>
struct blind_problem {
    uint64_t key = 0;
    problem_type of_host, of_device;
};

problem_1d as_on_device(problem_1d problem, uint64_t key);
problem_2d as_on_device(problem_2d problem, uint64_t key);

/// Chooses a key by the seed. None if every value of the input is 0: then nothing changes.
std::optional<blind_problem<problem_1d>> make_blind(const problem_1d& problem, uint64_t seed);
std::optional<blind_problem<problem_2d>> make_blind(const problem_2d& problem, uint64_t seed);

/// "no kernel computed these values: ..." if in such a call the host may have told the device what so many outputs
/// should be, once it had read what arrived there; another sentence if it passed the input as arguments; "" if neither. Of few outputs a host can tell that unnoticed: who
/// does so once is not believed in any check.
std::string told_by_host(size_t outputs, const changes_seen& seen);

/// "no kernel computed these values: ..." if values in the output of such a call are the host's; "" if all are the device's,
/// or what is wrong is nobody's. Says nothing of a function whose ordinary output is wrong as well.
std::string computed_by_host(const blind_problem<problem_1d>& blind, const std::vector<float>& out,
                             const changes_seen& seen);
std::string computed_by_host(const blind_problem<problem_2d>& blind, const std::vector<float>& out,
                             const changes_seen& seen);

}  // namespace check
