// What earlier calls of a run left behind: filters that may
// still lie in constant memory, and cases that rule causes out.
#pragma once
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "inspect/report/report.h"
#include "problem/problem.h"

namespace check {

/// Filters in the order in which calls brought them; `fresh` where the process began with this call.
struct past_filter {
    std::vector<float> taps;
    bool fresh = false;
};

struct past_suspects;  // diagnose.cpp

/// A call that returned, right or wrong.
struct past_case {
    std::string method;
    problem_2d problem;
    bool one_dimensional = false;
    std::vector<float> out;
    inspect::report seen;     // without lines and variables
    size_t calls_before = 0;  // calls of the run before this one
    /// Mistakes that could be made here, and which of them explain it: made by diagnose() when it is asked for.
    mutable std::shared_ptr<past_suspects> suspects = {};
};

class past_calls {
public:
    /// Once for every call, in order, before add() of its case; `alive`: the process still is.
    void called(const problem_1d& problem, bool alive) { called(problem.taps, alive); }
    void called(const problem_2d& problem, bool alive) { called(problem.filter.taps, alive); }
    void called(const std::vector<float>& taps, bool alive);
    /// The last call asked the same once more, and is not told: it left constant memory as the one before did.
    void forget_last() { filters_.pop_back(); }
    void add(const std::string& method, const problem_1d& problem, const std::vector<float>& out,
             const inspect::report& seen);
    void add(const std::string& method, const problem_2d& problem, const std::vector<float>& out,
             const inspect::report& seen);

    /// Filters of the calls before call number `calls_before`, oldest first, since the process began.
    std::vector<const past_filter*> filters_before(size_t calls_before) const;
    /// Filters before the running call, the last one that was announced.
    std::vector<const past_filter*> filters_before_this() const;
    const std::list<past_case>& cases() const { return cases_; }
    /// Products that looking for the causes of a method's wrong outputs has cost: counted by diagnose().
    double& searched(const std::string& method) const { return searched_[method]; }
    double searched_in_all() const {
        double sum = 0;
        for (const auto& [method, products] : searched_)
            sum += products;
        return sum;
    }

private:
    void keep(past_case one);

    std::vector<past_filter> filters_;
    std::list<past_case> cases_;
    mutable std::map<std::string, double> searched_;
    bool fresh_ = true;
};

/// A row of pixels: what a 1D problem is in two dimensions.
problem_2d as_row(const problem_1d& problem);

}  // namespace check
