// Comparison of an output with the truth. Nothing here prints: every function returns what it found.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "problem/problem.h"

namespace check {

/// How the values of a flat output lie: [(y * width + x) * channels + channel]. A 1D output has height 1. The rows of a
/// volume are those of `depth` slices, one slice after another.
struct shape {
    int width = 0, height = 1, channels = 1;
    bool one_dimensional = false;  // decides between "element 33" and "pixel (x=33, y=6)"
    int depth = 1;                 // more than 1: "voxel (x=33, y=6, z=2)"
    int slice_height() const { return height / depth; }
    size_t values() const { return size_t(width) * height * channels; }
};
shape shape_of(const problem_1d& problem);
shape shape_of(const problem_2d& problem);

/// Which values of an output are wrong.
struct comparison {
    std::vector<char> wrong;  // one entry a value
    size_t wrong_count = 0;
    size_t first = 0;  // the first wrong value in reading order, if there is one
    bool right() const { return wrong_count == 0; }
};

/// A value is right if it lies within its bound of the truth; NaN never does.
/// Throws std::invalid_argument if the sizes differ.
comparison compare(std::span<const float> out, const reference& truth);

/// No wrong value is a number: nothing that was written is wrong.
bool all_wrong_are_nan(std::span<const float> out, const comparison& found);

/// "" or `pixel (x=33, y=6): expected 0.71, got nan (never written?)`; with channels `pixel (x=33, y=6)
/// channel 2: ...`.
std::string first_wrong(std::span<const float> out, const reference& truth, const comparison& found,
                        const shape& where);

/// Up to `most` places of `values`, evenly spread, the first and the last among them.
std::vector<size_t> spread_places(size_t values, size_t most);

/// The same as first_wrong where `truth` was computed for the values at `places` alone.
std::string first_wrong_at(std::span<const size_t> places, std::span<const float> out, const reference& truth,
                           const shape& where);

/// Largest |out - truth|; NaN if any value is.
double max_error(std::span<const float> out, const reference& truth);

}  // namespace check
