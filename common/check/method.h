// A method: one way to convolve that a student's file offers.
// Checks, demo, benchmark and inspection all run methods.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "call/worker_process.h"
#include "problem/problem.h"

namespace check {

/// The contract leaves it to the file how many threads a block has.
inline constexpr int ANY_BLOCK = 1024;

/// Every method defined at namespace scope of a lab's check file registers itself, in order of definition.
struct method_1d {
    using run_function = std::function<call_result(worker_process&, const call_options&, std::span<float> out,
                                                   const problem_1d&)>;
    method_1d(std::string name, run_function run);
    /// A method that only checks run; it stays out of demo, benchmark and inspection.
    static method_1d unlisted(std::string name, run_function run, int block = ANY_BLOCK);
    std::string name;  // as tables and charts show it: "basic"
    run_function run;
    int block = ANY_BLOCK;  // threads of a block, where the contract says how many

private:
    method_1d() = default;
};

struct method_2d {
    using run_function = std::function<call_result(worker_process&, const call_options&, std::span<float> out,
                                                   const problem_2d&)>;
    /// Makes of any problem, in place, one that the method takes: of separable filters, say.
    using pose_function = void (*)(problem_2d&);
    method_2d(std::string name, run_function run, int channels = 1, pose_function pose = nullptr);
    static method_2d unlisted(std::string name, run_function run, int channels = 1);
    std::string name;
    run_function run;
    int channels = 1;  // 3 for a method that works on colour
    int block = ANY_BLOCK;
    pose_function pose = nullptr;  // none: it takes every problem as it is
    /// What demo, benchmark and inspection ask the method instead of this problem.
    problem_2d posed(problem_2d problem) const {
        if (pose) pose(problem);
        return problem;
    }

private:
    method_2d() = default;
};

/// The serial loop of the sources, on this machine's processor and without a worker: a method of every lab
/// that stands in neither list below.
inline constexpr char SERIAL[] = "serial";
/// "serial loop on the CPU", or what the worker runs on.
std::string device_of(const std::string& method, worker_process& worker);

const std::vector<const method_1d*>& methods_1d();
const std::vector<const method_2d*>& methods_2d();

/// "serial, naive, padded, pitched": all methods of this lab.
std::string method_names();

/// What a list of names chooses, the serial loop first, then in the lab's order. An empty list chooses all
/// of the lab, and the serial loop as well if that is usual.
struct chosen_methods {
    bool by_name = true;  // false for an empty list
    std::vector<const method_1d*> rows;
    std::vector<const method_2d*> images;
    std::string unknown;  // the first name that no method of this lab has
};
chosen_methods choose_methods(const std::vector<std::string>& names, bool serial_is_usual);

}  // namespace check
