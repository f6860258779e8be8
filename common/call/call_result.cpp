// The time of a launch that was repeated.
#include <algorithm>

#include "call/worker_process.h"

namespace check {

double call_result::median_kernel_ms() const {
    if (kernel_ms.empty()) return 0;
    std::vector<double> sorted = kernel_ms;
    std::sort(sorted.begin(), sorted.end());
    const size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

}  // namespace check
