// The lists are sections of addresses inside the functions (mark_kernel() in include/simt/launch.h, spin() in execution.h).
#include "simt/engine/kernel_list.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

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

/// Where a direct call that may stand here goes; 0 if it is another instruction.
uintptr_t target_of_call(std::span<const uint8_t> code, size_t at) {
    const auto here = reinterpret_cast<uintptr_t>(code.data() + at);
#if defined(__x86_64__)
    int32_t distance;
    if (code[at] != 0xe8 || at + 1 + sizeof distance > code.size()) return 0;
    std::memcpy(&distance, &code[at + 1], sizeof distance);
    return here + 1 + sizeof distance + distance;
#elif defined(__aarch64__)
    uint32_t word;
    if (at % sizeof word != 0 || at + sizeof word > code.size()) return 0;
    std::memcpy(&word, &code[at], sizeof word);
    return word >> 26 == 0x25 ? here + int64_t(int32_t(word << 6) >> 6) * 4 : 0;
#else
    return 0;
#endif
}

/// `depth`: so many calls may lie between, which are in line where the compiler optimises.
const void* kernel_called_from(uintptr_t function, int depth) {
    const std::span<const uint8_t> code = code_of_function(function);
    for (size_t at = 0; at < code.size(); at++) {
        const uintptr_t target = target_of_call(code, at);
        if (target == 0) continue;
        if (kernels().contains(target)) return reinterpret_cast<const void*>(target);
        const void* further = depth > 0 ? kernel_called_from(target, depth - 1) : nullptr;
        if (further) return further;
    }
    return nullptr;
}

}  // namespace

const void* kernel_called_by(kernel_caller call) {
    static auto& known = *new std::map<kernel_caller, const void*>;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    const auto [entry, is_new] = known.emplace(call, nullptr);
    if (is_new) entry->second = kernel_called_from(reinterpret_cast<uintptr_t>(call), 2);
    return entry->second;
}

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
