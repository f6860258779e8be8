// The lists are sections of addresses inside the functions (mark_kernel() in include/simt/launch.h).
#include "simt/engine/kernel_list.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "simt/engine/symbols.h"

extern "C" {
extern const uintptr_t __start_simt_kernels[] __attribute__((weak));
extern const uintptr_t __stop_simt_kernels[] __attribute__((weak));
extern const uintptr_t __start_simt_callers[] __attribute__((weak));
extern const uintptr_t __stop_simt_callers[] __attribute__((weak));
}

namespace simt {
namespace {

std::set<uintptr_t> kernels_in(const uintptr_t* begin, const uintptr_t* end) {
    std::set<uintptr_t> functions;
    std::for_each(begin, end, [&](uintptr_t inside) { functions.insert(function_begin(inside)); });
    return functions;
}

/// With the bytes of their closures.
std::map<uintptr_t, size_t> callers_in(const uintptr_t* begin, const uintptr_t* end) {
    std::map<uintptr_t, size_t> functions;
    for (const uintptr_t* mark = begin; mark < end; mark += 2)
        functions[function_begin(mark[0])] = mark[1];
    return functions;
}

}  // namespace

bool is_kernel_call(const void* kernel, kernel_caller call, size_t closure_bytes) {
    static const auto& kernels = *new std::set(kernels_in(__start_simt_kernels, __stop_simt_kernels));
    static const auto& callers = *new std::map(callers_in(__start_simt_callers, __stop_simt_callers));
    const auto caller = callers.find(reinterpret_cast<uintptr_t>(call));
    const bool is_kernel = !kernel || kernels.contains(reinterpret_cast<uintptr_t>(kernel));
    return is_kernel && caller != callers.end() && caller->second == closure_bytes;
}

}  // namespace simt
