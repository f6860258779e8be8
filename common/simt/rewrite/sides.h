// Host and device: which side a piece of code runs on, and marks by which the compiler tells who uses what.
//
// Only the compiler knows which overload, constructor or operator a piece of code means. So every function and
// variable of one side is declared deprecated, with a mark for a reason; g++ then remarks on each use of it, and
// messages.cpp drops what is right and reports what is not.
#pragma once
#include "simt/rewrite/functions.h"
#include "simt/rewrite/source.h"

namespace rewrite {

enum class side {
    outside,  // of functions
    host,
    device,
    both,           // __host__ __device__
    both_template,  // the same, and what it calls may depend on its types
};

/// Which side every token runs on.
class side_map {
public:
    side_map(const source& file, const function_table& functions);
    side of(size_t i) const;

private:
    const function_table& functions_;
    std::vector<side> known_;  // of parts of functions, else outside
};

/// What a mark says of the marked.
inline constexpr std::string_view MARK_BEGIN = "simt: ";
inline constexpr std::string_view HOST_FUNCTION = "host function", CONSTEXPR_FUNCTION = "constexpr function",
                                  DEVICE_FUNCTION = "device function", KERNEL = "kernel";
inline constexpr std::string_view HOST_VARIABLE = "host variable", HOST_CONSTANT = "host constant",
                                  DEVICE_VARIABLE = "device variable", DEVICE_ARRAY = "device array",
                                  CONSTANT_MEMORY = "constant memory";
inline constexpr std::string_view LIBRARY = "library";    // a function of C
inline constexpr std::string_view BUILT_IN = "built-in";  // of kernels, as the headers in simt/include say

/// Puts the marks. `relaxed`: constexpr functions, which both sides may use, need none.
void mark_sides(source& file, const function_table& functions, bool relaxed);

}  // namespace rewrite
