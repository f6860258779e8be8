// What the runners of one launch share: the failure that counts, and the text that kernels print.
#include <cstdio>

#include "simt/engine/runner.h"

namespace simt {

void grid_run::fail(uint64_t block, cudaError_t reason) {
    const std::lock_guard lock(mutex_);
    if (block < failed_block_) {
        failed_block_ = block;
        error = reason;
    }
    // An observer gets to see the other blocks all the same: which of them have already run is a matter of
    // chance, and its report must not depend on that.
    if (!the_observer) stopped = true;
}

bool grid_run::has_failed() {
    const std::lock_guard lock(mutex_);
    return failed_block_ != UINT64_MAX;
}

void grid_run::keep_output(uint64_t block, std::string text) {
    const std::lock_guard lock(mutex_);
    output_.emplace(block, std::move(text));
}

void grid_run::print_output() const {
    for (const auto& [block, text] : output_) {
        fwrite(text.data(), 1, text.size(), stdout);
    }
}

}  // namespace simt
