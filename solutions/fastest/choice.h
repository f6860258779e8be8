// Which method serves a filter best: by times that `make tune` measured on this device, and by a rule without them.
#pragma once
#include <istream>
#include <string>
#include <vector>

#include "problem.h"

namespace fastest {

/// One line of a tuning file: what a method took for a problem.
struct measured_time {
    std::string method;
    problem size;
    double ms;
};

/// Whether a result is as accurate as asked for: beside a loop in float, if that was asked for.
bool is_accurate(const problem& size, double error, double loop_error);

/// Reads a file that `make tune` has written: CSV with a header, lines of # left out; rows that are not accurate are not
/// taken. Throws std::runtime_error, naming the line, if it is none.
std::vector<measured_time> read_times(std::istream& in);

/// The names of the methods, the most promising first. Measured: for each method the least measured filter that is as wide and
/// as high, over the image that is nearest in size. Methods that were not measured come behind, in the rule's order.
/// A method in the list may still not serve the filter.
std::vector<std::string> ranked_methods(const problem& size, const std::vector<measured_time>& measured);

}  // namespace fastest
