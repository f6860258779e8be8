// Blocks come, and go on together.
#include "simt/engine/grid_meeting.h"

namespace simt {

void grid_meeting::begin(uint64_t blocks) {
    const std::lock_guard lock(mutex_);
    blocks_ = blocks;
    waiting_ = ended_ = 0;
}

bool grid_meeting::arrive(const std::function<void()>& when_all_are_there) {
    std::unique_lock lock(mutex_);
    waiting_++;
    if (waiting_ == blocks_) {
        when_all_are_there();
        waiting_ = 0;
        turn_++;
        turned_.notify_all();
        return true;
    }
    const uint64_t mine = turn_;
    if (is_hopeless()) turned_.notify_all();
    turned_.wait(lock, [&] { return turn_ != mine || is_hopeless(); });
    return turn_ != mine;
}

void grid_meeting::leave() {
    const std::lock_guard lock(mutex_);
    ended_++;
    if (is_hopeless()) turned_.notify_all();
}

}  // namespace simt
