// Problems, places and numbers in words.
#pragma once
#include <string>

#include "problem/compare.h"
#include "problem/problem.h"

namespace check {

/// "n = 1000, filter of 5 taps, noise"; small problems list their values.
std::string describe(const problem_1d& problem);
/// "37x23 pixels, random 5x3, border clamp, noise"; of a volume "37x23x5 voxels".
std::string describe(const problem_2d& problem);

/// "element 33", "pixel (x=33, y=6)", "pixel (x=33, y=6) channel 2" or "voxel (x=33, y=6, z=2)".
std::string place(size_t value, const shape& where);

/// At most `digits` significant digits: "57", "0.71", "nan".
std::string number(double value, int digits = 4);

/// "zero", "clamp", "mirror".
std::string border_name(lab::border mode);

}  // namespace check
