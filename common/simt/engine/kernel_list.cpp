// The lists are sections of addresses inside the functions (mark_kernel() in include/simt/launch.h).
#include "simt/engine/kernel_list.h"

#include <algorithm>
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

std::set<uintptr_t> begins_of(const uintptr_t* begin, const uintptr_t* end) {
    std::set<uintptr_t> functions;
    std::for_each(begin, end, [&](uintptr_t inside) { functions.insert(function_begin(inside)); });
    return functions;
}

}  // namespace

bool is_kernel_call(const void* kernel, kernel_caller call) {
    static const auto& kernels = *new std::set(begins_of(__start_simt_kernels, __stop_simt_kernels));
    static const auto& callers = *new std::set(begins_of(__start_simt_callers, __stop_simt_callers));
    const bool is_kernel = !kernel || kernels.contains(reinterpret_cast<uintptr_t>(kernel));
    return is_kernel && callers.contains(reinterpret_cast<uintptr_t>(call));
}

}  // namespace simt
