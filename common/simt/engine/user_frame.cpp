// Walks the stack, from the inside out.
#include <unwind.h>

#include <string_view>

#include "simt/engine/far_device.h"
#include "simt/engine/symbols.h"

namespace simt {
namespace {

/// Names as the compiler mangles them: the backend, what the compiler calls of it, what the labs include, and the C++
/// library.
constexpr std::string_view OWN_PREFIXES[] = {
    "_ZN4simt", "_ZNK4simt", "_ZZN4simt", "simt_", "__tsan_", "__sanitizer_",  "_ZN7inspect",   "_ZN3lab",
    "_ZNK3lab", "_ZZN3lab",  "_ZSt",      "_ZNSt", "_ZNKSt",  "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};

/// "cudaMalloc", or its template cudaMalloc<float>: "_Z10cudaMallocIf...".
/// A student's function has other parameters.
bool is_runtime_call(std::string_view mangled) {
    if (!mangled.starts_with("_Z")) return mangled.starts_with("cuda") || mangled.starts_with("cufft");
    size_t length = 0, at = 2;
    for (; at < mangled.size() && mangled[at] >= '0' && mangled[at] <= '9'; at++)
        length = 10 * length + (mangled[at] - '0');
    const bool is_template = at + length < mangled.size() && mangled[at + length] == 'I';
    return is_template && mangled.substr(at).starts_with("cuda");
}

bool is_own_code(std::string_view mangled) {
    for (const std::string_view prefix : OWN_PREFIXES) {
        if (mangled.starts_with(prefix)) return true;
    }
    return is_runtime_call(mangled);
}

struct search {
    uintptr_t from = 0, found = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* frame, void* argument) {
    auto& state = *static_cast<search*>(argument);
    int before = 0;
    uintptr_t pc = _Unwind_GetIPInfo(frame, &before);
    if (before) pc++;  // an interrupted instruction, not a return address: locate() looks one byte before
    if (state.from) {  // the handler's own frames
        if (pc != state.from + 1 && pc != state.from) return _URC_NO_REASON;
        state.from = 0;
    }
    const std::string_view name = mangled_name(reinterpret_cast<void*>(pc - 1));
    if (name.empty() || is_own_code(name)) return _URC_NO_REASON;
    state.found = pc;
    return _URC_END_OF_STACK;
}

}  // namespace

uintptr_t user_frame(uintptr_t interrupted) {
    if (!interrupted && !current_block && asked_from()) return asked_from();
    search state = {interrupted, 0};
    _Unwind_Backtrace(visit, &state);
    return state.found;
}

}  // namespace simt
