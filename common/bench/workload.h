// The problems of a benchmark: one input under one filter after another, and whether an output is right.
#pragma once
#include <string>
#include <vector>

#include "bench/sweep.h"
#include "problem/compare.h"
#include "problem/problem.h"

namespace bench {

inline void set_input(check::problem_1d& p, size_2d input, int) {
    p.in = check::random_values(input.width, 42);
}
inline void set_input(check::problem_2d& p, size_2d input, int channels) {
    p.in = check::noise_image(input.width, input.height, channels);
}
/// The kind of filter that stands for all: what a kernel costs does not hang on the taps.
inline constexpr char RANDOM_KIND[] = "random";
/// A sentence if there is no such filter; it names those that there are.
std::string why_no_filter(const std::string& kind, size_2d taps);
/// Throws std::invalid_argument with that sentence.
check::filter filter_of_kind(const std::string& kind, size_2d taps);

inline void set_filter(check::problem_1d& p, const std::string&, size_2d filter) {
    p.taps = check::random_values(filter.width, 43);
}
inline void set_filter(check::problem_2d& p, const std::string& kind, size_2d filter) {
    p.filter = filter_of_kind(kind, filter);
}

/// The input is made once for all filters and methods, the truth of a filter once for all methods.
template <class problem>
class workload {
public:
    workload(size_2d input, int channels) { set_input(problem_, input, channels); }

    /// `pose` makes of this problem one that a method takes; none: it stays as it is.
    void use(size_2d filter, const std::string& kind, void (*pose)(problem&) = nullptr) {
        set_filter(problem_, kind, filter);
        if (pose) pose(problem_);
        out.resize(check::shape_of(problem_).values());
        sample_ = check::spread_places(out.size(), CHECKED_OUTPUTS);
        truth_ = {};
    }

    const problem& posed() const { return problem_; }

    /// "" if every sampled value of `out` is right.
    std::string wrong_output() {
        if (truth_.value.empty()) truth_ = check::convolve_cpu(problem_, sample_);
        const std::string wrong = check::first_wrong_at(sample_, out, truth_, check::shape_of(problem_));
        return wrong.empty() ? "" : "the result is wrong: " + wrong;
    }

    std::vector<float> out;  // of the last call; every call that returns fills all of it

    // The double-precision truth of every pixel would take longer than the benchmark.
    static constexpr size_t CHECKED_OUTPUTS = 2000;

private:
    problem problem_;
    std::vector<size_t> sample_;
    check::reference truth_;
};

}  // namespace bench
