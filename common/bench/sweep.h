// What a benchmark measures: sizes and filters, the usual ones or those that were asked for.
#pragma once
#include <vector>

#include "bench/bench.h"
#include "call/worker_process.h"

namespace bench {

/// Width and height of an image in pixels or of a filter in taps; an array and its filter have height 1.
struct size_2d {
    int width = 0, height = 0;
};

struct sweep {
    /// Every filter on every input of this size.
    struct series {
        size_2d input;
        std::vector<size_2d> filters;
    };
    std::vector<series> inputs;
    std::vector<std::string> kinds;  // of each filter
    check::call_options timing;
    /// Calls of each point before the one that is timed: the result is checked, and copies are timed.
    int calls_before = 1;
    size_t points_of_a_method() const;
};

/// The sweep of a lab in one or two dimensions: the sources' sizes on a GPU, small ones on the CPU backend,
/// which runs every thread one after another; with `map` the filter widths and heights of van
/// Werkhoven's figures 2 to 8. `lengths`, `images`, `filters` and `kinds`, where given, stand for its own.
/// Throws std::invalid_argument naming the value and what it must be.
sweep sweep_for(bool gpu, bool two_dimensional, const options& asked);

}  // namespace bench
