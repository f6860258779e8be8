// What the runners of one launch share: the failure that counts, the text that kernels print, the launches that they
// ask for.
#include <algorithm>

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

std::string grid_run::output() const {
    std::string all;
    for (const auto& [block, text] : output_)
        all += text;
    return all;
}

void grid_run::keep_child(uint64_t block, child_launch child) {
    const std::lock_guard lock(mutex_);
    children_[block].push_back(std::move(child));
}

std::vector<child_launch> grid_run::take_children() {
    std::vector<child_launch> all;
    for (auto& [block, children] : children_)
        std::move(children.begin(), children.end(), std::back_inserter(all));
    children_.clear();
    std::stable_partition(all.begin(), all.end(), [](const child_launch& child) {
        return child.config.stream != cudaStreamTailLaunch;
    });
    return all;
}

}  // namespace simt
