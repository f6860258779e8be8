// The fastest convolution there is, for every filter: what a program includes. Link it with what `make fastest` builds.
//
//   out[y][x] = sum over i, j of in[y + i - filter_height / 2][x + j - filter_width / 2] * filter[i][j]
//
// Images are in device memory, `height` rows of `width` floats; ghost cells are 0. The filter is in host memory, its sides are odd.
#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <span>
#include <string>

#include "problem.h"

namespace fastest {

class launcher;
struct pitched_pair;

/// What is worth keeping between calls: the method chosen for one filter and one size of images, and what it has prepared.
/// Memory and kernels belong to the device that was current when the plan was made. One stream at a time may use it.
class plan {
public:
    /// Throws std::invalid_argument if a size is not positive, a side of the filter even, a tap not finite, or if no
    /// method of this name serves the filter on this device; std::runtime_error if a CUDA call fails.
    plan(std::span<const float> filter, const problem& size, const std::string& method = "");
    ~plan();
    plan(const plan&) = delete;
    plan& operator=(const plan&) = delete;

    /// Convolves `in`, an image or as many as the problem says, one behind the other; returns when that is asked for, as a launch
    /// does. `out` and `in` do not overlap. Fastest where both start at multiples of 16 bytes and the width is a multiple of 4:
    /// others are copied first.
    void run(float* out, const float* in, cudaStream_t stream = nullptr);

    /// The method's name, one of methods().
    const std::string& method() const { return method_; }

private:
    problem size_;
    std::string method_;
    std::unique_ptr<launcher> launcher_;
    std::unique_ptr<pitched_pair> copies_;  // of images whose rows are not aligned
};

/// From now on plans are chosen by the times in this file, which `make tune` has written on this device. Throws
/// std::runtime_error if there is no such file or it is none of these.
void use_times_of(const std::string& file);

/// The same with a plan that is made at the first call with this filter and these sizes, and kept.
void conv2d_fastest(float* out, const float* in, std::span<const float> filter, int width, int height,
                    int filter_width, int filter_height);

}  // namespace fastest
