// What the tests of counts share: comparing traffic with figures worked out by hand.
#pragma once
#include "expect.h"

using inspect::report;
using inspect::traffic;

inline float *d_out, *d_in;  // device memory that the kernels under test use

/// `cost` is the sum of sectors and wavefronts.
inline void expect_traffic(const char* name, const char* what, const traffic& seen, uint64_t lanes,
                           uint64_t requests, uint64_t cost) {
    const uint64_t seen_cost = seen.sectors + seen.wavefronts;
    const auto numbers = [](uint64_t a, uint64_t b, uint64_t c) {
        return std::to_string(a) + " lanes " + std::to_string(b) + " requests cost " + std::to_string(c);
    };
    expect(seen.lanes == lanes && seen.requests == requests && seen_cost == cost,
           std::string(name) + ": " + what + " " + numbers(lanes, requests, cost) + ", got " +
               numbers(seen.lanes, seen.requests, seen_cost));
}

/// As above, where the cost of the requests is not what is tested.
inline void expect_requests(const char* name, const traffic& seen, uint64_t lanes, uint64_t requests) {
    expect_traffic(name, "loads", seen, lanes, requests, seen.sectors + seen.wavefronts);
}

template <class code>
inspect::counts total(const code& run) {
    return inspected(run).total();
}

/// Runs the cases with device memory that is set up for them; returns main()'s result.
inline int check_counts(std::initializer_list<void (*)()> cases) {
    inspect::begin();
    d_out = device<float>(1 << 18);
    d_in = device<float>(1 << 18);
    return run_cases(cases);
}
