// The first function of the launch's name that a thread enters is its kernel.
#include "inspect/watch/kernel_name.h"

#include <mutex>
#include <string_view>

#include "simt/engine/symbols.h"

namespace inspect {

namespace {

constexpr int MOST_CANDIDATES = 16;  // before the kernel come the copies of its arguments

std::mutex mutex;  // threads of several blocks
std::string wanted, found;

/// "n::blur<3, v<int>>" -> "blur".
std::string_view last_name(std::string_view text) {
    if (text.ends_with('>')) {
        int depth = 0;
        size_t i = text.size();
        do {
            i--;
            depth += (text[i] == '>') - (text[i] == '<');
        } while (i > 0 && depth > 0);
        text = text.substr(0, i);
    }
    while (text.ends_with(' '))
        text.remove_suffix(1);
    const size_t scope = text.find_last_of(":.> ");
    return scope == std::string_view::npos ? text : text.substr(scope + 1);
}

}  // namespace

void look_for_kernel(const simt::launch_info& launch) {
    found.clear();
    wanted = last_name(launch.name);
    kernel_candidates = launch.kernel == nullptr ? MOST_CANDIDATES : 0;
}

void consider_kernel(uintptr_t instruction) {
    const std::lock_guard lock(mutex);
    if (kernel_candidates == 0) return;
    kernel_candidates--;
    const std::string name = simt::function_name(reinterpret_cast<const void*>(instruction));
    if (last_name(name) != wanted) return;
    found = name;
    kernel_candidates = 0;
}

std::string kernel_name_of(const simt::launch_info& launch) {
    kernel_candidates = 0;
    return launch.kernel == nullptr && !found.empty() ? found : launch.name;
}

}  // namespace inspect
