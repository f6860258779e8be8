// A lower bound on the time of a launch on a named GPU: what its counts cost at the machine's peaks.
#pragma once
#include <string>
#include <vector>

#include "check/modes/occupancy.h"
#include "inspect/report/report.h"
#include "problem/problem.h"

namespace check {

/// The GPUs of a file like data/gpus.csv, in its order.
/// Throws std::runtime_error naming file, line and value.
std::vector<gpu_facts> read_gpus(const std::string& path);

/// The GPU with this key or part of this name, whatever its
/// case. Throws std::invalid_argument that lists the keys.
const gpu_facts& find_gpu(const std::vector<gpu_facts>& gpus, const std::string& wanted);

/// Microseconds that parts of a GPU need at least for a launch, each as if it were alone: no part is faster
/// than its peak, so the launch takes at least as long as the slowest one.
struct time_bound {
    double memory_us = 0;  // device memory: every element touched crosses it once
    double arithmetic_us =
        0;  // a multiplication and an addition for every tap inside the image, or of its two factors
    double shared_us = 0;  // shared memory: a wavefront a clock and multiprocessor
    double cache_us = 0;   // first-level cache: 128 bytes, four sectors, a clock and multiprocessor
    double us() const;
    std::string slowest() const;
};

/// `problem` is what these launches compute together. Of memory the elements of in, filter and out count as often as
/// the sketch saw them touched at all, or else their sizes.
time_bound bound_of(const std::vector<const inspect::launch*>& launches, const problem_2d& problem,
                    const gpu_facts& gpu);

/// Registers a thread of kernels, from what nvcc -Xptxas -v prints: the name as launches have it, without
/// parameters, and the largest number of the kernels with this name.
struct kernel_registers {
    std::string kernel;
    int registers = 0;
};
std::vector<kernel_registers> read_registers(const std::string& text);

/// Occupancy and bound of every launch in words, two or three lines each, always labelled as a bound; launches that are
/// alike together. Of several kernels nobody knows who does which share of the arithmetic.
std::string text_of_bounds(const inspect::report& seen, const problem_2d& problem, const gpu_facts& gpu,
                           const std::vector<kernel_registers>& registers);

}  // namespace check
