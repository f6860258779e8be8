// A method: one way to convolve that a student's file offers. Checks, demo, benchmark and inspection all run
// methods.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "check/problem.h"
#include "check/worker_process.h"

namespace check {

/// Every method defined at namespace scope of a lab's check file registers itself, in order of definition.
struct method_1d {
    using run_function = std::function<call_result(worker_process&, const call_options&, std::span<float> out,
                                                   const problem_1d&)>;
    method_1d(std::string name, run_function run);
    /// A method that only checks run; it stays out of demo, benchmark and inspection.
    static method_1d unlisted(std::string name, run_function run);
    std::string name;  // as tables and charts show it: "basic"
    run_function run;

private:
    method_1d() = default;
};

struct method_2d {
    using run_function = std::function<call_result(worker_process&, const call_options&, std::span<float> out,
                                                   const problem_2d&)>;
    method_2d(std::string name, run_function run, int channels = 1);
    static method_2d unlisted(std::string name, run_function run, int channels = 1);
    std::string name;
    run_function run;
    int channels = 1;  // 3 for a method that works on colour

private:
    method_2d() = default;
};

const std::vector<const method_1d*>& methods_1d();
const std::vector<const method_2d*>& methods_2d();

}  // namespace check
