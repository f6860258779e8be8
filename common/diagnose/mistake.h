// Convolutions with one mistake in them: what a kernel that makes it would give.
#pragma once
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "diagnose/past_calls.h"
#include "problem/problem.h"

namespace check {

/// A value that a kernel with a mistake gives, and how far rounding may take it. NaN where it read or left
/// unwritten memory; an infinite bound where nobody can know it.
struct mistaken_value {
    double value = 0.0, bound = 0.0;

    bool is_unknown() const { return std::isinf(bound) || std::isinf(value); }
    /// True if a kernel that gives this may have left `out`.
    bool gives(float out) const {
        if (is_unknown()) return true;
        if (std::isnan(value)) return std::isnan(out);
        return std::abs(double(out) - value) <= bound;
    }
};

struct mistake {
    std::string id;  // one of causes.h; "" for one that is never told, and only keeps others from being told
    std::string cause;  // "the filter is flipped: its last tap is used first"
    /// Of a flat index of the output. Several where threads write the same place: the last one wins,
    /// whichever that is.
    std::function<std::vector<mistaken_value>(size_t)> values_at;
    /// The mistake is known by the places where it leaves NaN, not by numbers.
    bool by_place = false;
    /// As many stores were counted as it has: where it leaves NaN and 0 tells it, too.
    bool counted = false;
    /// Told only where no mistake of an earlier rank gives the same values. Usual ones are a way to think; in unusual
    /// ones one token is wrong, which may be any.
    enum class rarity { usual, unusual, any_token } rank = rarity::usual;
    /// What nobody can know is no NaN: nothing was read that had none, and so NaN stands where nothing was stored.
    bool unknown_is_number = false;

    bool may_give(const mistaken_value& value, float out) const {
        return value.gives(out) && !(unknown_is_number && value.is_unknown() && std::isnan(out));
    }
};

/// What is known of a call beside its problem and its output.
struct circumstances {
    const inspect::report* seen = nullptr;    // null or empty: nothing
    std::vector<const past_filter*> filters;  // of the calls before it, since its process began
    std::span<const float> out;               // of this call, or empty
};

/// Every mistake that could change something in a problem; problem and circumstances must outlive the list.
class mistake_list {
public:
    mistake_list(const problem_2d& problem, bool one_dimensional, const circumstances& known);
    ~mistake_list();
    const std::vector<mistake>& all() const { return all_; }

private:
    class workshop;
    std::unique_ptr<workshop> workshop_;  // what the functions of all_ refer to
    std::vector<mistake> all_;
};

}  // namespace check
