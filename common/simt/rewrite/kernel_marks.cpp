// Kernels are put on the list of what may be launched, with the most threads of a block that they say.
#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

/// The first argument of __launch_bounds__ in what stands before the kernel's parameters; empty without one.
std::string most_threads(const source& file, const function& f) {
    for (size_t i = f.first; i != NONE && i < f.parameters; i = file.next(i)) {
        if (!file.is(i, "__launch_bounds__")) continue;
        const size_t open = file.next(i), first = file.next(open);
        const size_t end = file.end_of_item(first, file.partner(open));
        return first == end ? "" : file.join(first, file.previous(end));
    }
    return "";
}

}  // namespace

void mark_kernels(source& file, const function_table& functions) {
    for (const function& f : functions.functions) {
        if (!f.is_global || f.body == NONE) continue;
        const std::string most = most_threads(file, f);
        file.insert_after(f.body,
                          " ::simt::mark_kernel" + (most.empty() ? "" : "<size_t(" + most + ")>") + "();");
    }
}

}  // namespace rewrite
