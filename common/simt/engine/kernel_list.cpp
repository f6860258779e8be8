// The lists are sections of addresses inside the functions (mark_kernel() in include/simt/launch.h, spin() in execution.h).
#include "simt/engine/kernel_list.h"

#include <algorithm>
#include <map>

#include "simt/engine/limits.h"
#include "simt/engine/symbols.h"

extern "C" {
extern const uintptr_t __start_simt_kernels[] __attribute__((weak));
extern const uintptr_t __stop_simt_kernels[] __attribute__((weak));
extern const uintptr_t __start_simt_callers[] __attribute__((weak));
extern const uintptr_t __stop_simt_callers[] __attribute__((weak));
extern const char __start_simt_waits[] __attribute__((weak));
extern const char __stop_simt_waits[] __attribute__((weak));
}

namespace simt {
namespace {

/// The functions of a list, and the number that each has.
std::map<uintptr_t, size_t> functions_in(const uintptr_t* begin, const uintptr_t* end) {
    std::map<uintptr_t, size_t> functions;
    for (const uintptr_t* mark = begin; mark < end; mark += 2)
        functions[function_begin(mark[0])] = mark[1];
    return functions;
}

/// With the most threads that they want in a block, or 0.
const std::map<uintptr_t, size_t>& kernels() {
    static const auto& all = *new std::map(functions_in(__start_simt_kernels, __stop_simt_kernels));
    return all;
}
/// With the bytes of their closures.
const std::map<uintptr_t, size_t>& callers() {
    static const auto& all = *new std::map(functions_in(__start_simt_callers, __stop_simt_callers));
    return all;
}

}  // namespace

bool has_waiting_loops() {
    return &__start_simt_waits[0] != &__stop_simt_waits[0];
}

bool is_kernel_call(const void* kernel, kernel_caller call, size_t closure_bytes) {
    const auto caller = callers().find(reinterpret_cast<uintptr_t>(call));
    const bool is_kernel = !kernel || kernels().contains(reinterpret_cast<uintptr_t>(kernel));
    return is_kernel && caller != callers().end() && caller->second == closure_bytes;
}

int most_threads_of(const void* kernel) {
    const auto found = kernels().find(reinterpret_cast<uintptr_t>(kernel));
    const bool says = found != kernels().end() && found->second != 0;
    return says ? int(std::min<size_t>(found->second, MAX_THREADS_PER_BLOCK)) : MAX_THREADS_PER_BLOCK;
}

}  // namespace simt
