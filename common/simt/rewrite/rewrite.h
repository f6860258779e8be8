// CUDA C++ to C++ after the preprocessor: all passes in their order.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "simt/rewrite/source.h"

namespace rewrite {

struct options {
    bool inspected = false;  // the build whose accesses are counted
    bool realign = true;     // keep the columns of what follows an edit
};

struct result {
    std::string text;               // empty if there are problems
    std::vector<problem> problems;  // in the order of their lines
};

/// Rewrites the output of g++ -E. Text of system headers and of the CPU
/// backend's own headers passes unchanged.
result rewrite_text(std::string_view text, const options& how);

/// The compiler's messages about rewritten text: drops remarks of g++ that point into the backend's headers,
/// and says what a wrong launch got and should get. Errors are never dropped.
std::string tidy_messages(std::string_view text);

}  // namespace rewrite
