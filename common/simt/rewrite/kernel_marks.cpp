// Kernels are put on the list of what may be launched.
#include "simt/rewrite/passes.h"

namespace rewrite {

void mark_kernels(source& file, const function_table& functions) {
    for (const function& f : functions.functions) {
        if (f.is_global && f.body != NONE) file.insert_after(f.body, " ::simt::mark_kernel();");
    }
}

}  // namespace rewrite
