// A table in a handout: recorded times of some methods for some filters.
#pragma once
#include <string>
#include <vector>

namespace author {

/// A row for each filter of `filters` ("3x3,7x33", width x height; height 1 in 1D) and a column for each of
/// `methods` ("05_conv2d_naive/naive"): milliseconds of the kernel, "-" where none is recorded. `image` is
/// "4096x4096", in 1D "16777216x1"; `measured` the folder of the recorded files. Throws std::runtime_error
/// naming a word that cannot be read, a column or a file that is missing.
std::string times_table(const std::string& measured, const std::string& image, const std::string& filters,
                        const std::vector<std::string>& methods);

}  // namespace author
