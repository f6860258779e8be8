// The problems of a benchmark: one input under one filter after another, and whether an output is right.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/sweep.h"
#include "check/compare.h"
#include "check/describe.h"
#include "check/problem.h"

namespace check {

inline void set_input(problem_1d& p, extent input, int) {
    p.in = random_values(input.width, 42);
}
inline void set_input(problem_2d& p, extent input, int channels) {
    p.in = noise_image(input.width, input.height, channels);
}
inline void set_filter(problem_1d& p, extent filter) {
    p.taps = random_values(filter.width, 43);
}
inline void set_filter(problem_2d& p, extent filter) {
    p.filter = random_filter(filter.width, filter.height, filter.width);
}

/// The input is made once for all filters and methods, the truth of a filter once for all methods.
template <class problem>
class workload {
public:
    workload(extent input, int channels) {
        set_input(problem_, input, channels);
        out.resize(shape_of(problem_).values());
        const size_t count = std::min(out.size(), CHECKED_OUTPUTS);
        for (size_t k = 0; k < count; k++)  // evenly spread, the first and the last among them
            sample_.push_back(count == 1 ? 0 : k * (out.size() - 1) / (count - 1));
    }

    void use(extent filter) {
        set_filter(problem_, filter);
        truth_ = {};
    }

    const problem& posed() const { return problem_; }

    /// "" if every sampled value of `out` is right.
    std::string wrong_output() {
        if (truth_.value.empty()) truth_ = convolve_cpu(problem_, sample_);
        for (size_t k = 0; k < sample_.size(); k++) {
            if (std::abs(double(out[sample_[k]]) - truth_.value[k]) <= truth_.bound[k]) continue;
            return "the result is wrong: " + place(sample_[k], shape_of(problem_)) + ": expected " +
                   number(truth_.value[k]) + ", got " + number(out[sample_[k]]);
        }
        return "";
    }

    std::vector<float> out;  // of the last call; every call that returns fills all of it

    // The double-precision truth of every pixel would take longer than the benchmark.
    static constexpr size_t CHECKED_OUTPUTS = 2000;

private:
    problem problem_;
    std::vector<size_t> sample_;
    reference truth_;
};

}  // namespace check
