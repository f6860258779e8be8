// CUDA C++ to C++ after the preprocessor: all passes in their order.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "simt/rewrite/source.h"

namespace rewrite {

struct options {
    bool inspected = false;  // the build whose accesses are counted
    bool judged = false;     // a student's file, which may not say everything
    bool separate = false;   // nvcc's -rdc=true: kernels may launch kernels
    bool relaxed_constexpr =
        false;  // nvcc's --expt-relaxed-constexpr: the host's constexpr functions are the device's, too
    bool waits_in_kernel = false;          // __syncthreads() is no call
    bool realign = true;                   // keep the columns of what follows an edit
    bool marked = true;                    // host's and device's functions and variables, for tidy_messages
    std::vector<size_t> conversions = {};  // of tidy_messages
};

struct result {
    std::string text;               // empty if there are problems
    std::vector<problem> problems;  // in the order of their lines
};

/// nvcc reads a file twice: with __CUDA_ARCH__ for the device, without for the host. This makes one text of both
/// readings: the device's, with the host's bodies of the host's functions, and both in functions of both sides.
result with_host_bodies(std::string_view device_text, std::string_view host_text);

/// Rewrites the output of g++ -E. Text of system headers and of the CPU
/// backend's own headers passes unchanged.
result rewrite_text(std::string_view text, const options& how);

/// What is left of the compiler's messages.
struct tidied {
    std::string text;
    bool has_problems = false;  // uses that g++ would accept and nvcc refuses
    /// Where device code makes integers of floating-point numbers without a cast, which the text must be
    /// rewritten for once more: tokens of it.
    std::vector<size_t> conversions;
};

/// The compiler's messages about rewritten text, given the text before it was rewritten: drops remarks of g++
/// that point into the backend's headers, says what a wrong launch got and should get, and judges where code of
/// one side uses the other's. Errors are never dropped, warnings all if only errors are wanted.
tidied tidy_messages(std::string_view text, std::string_view preprocessed, bool only_errors = false);

/// Assembly of x86-64, compiled with -fsanitize-coverage=trace-pc, without the calls at the beginning of basic blocks that the
/// inspector does not need: those of functions of one piece where no thread turns back, nor a function begins or ends.
std::string without_quiet_blocks(std::string_view assembly);

}  // namespace rewrite
