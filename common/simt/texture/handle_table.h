// Objects that kernels name by a number: textures and surfaces.
#pragma once
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>

namespace simt {

/// Hands out handles, one more than a place. Places are used again as late as possible, so that a destroyed object is
/// found out. Made once and never destroyed, see allocations.cpp.
template <class object>
class handle_table {
public:
    static constexpr size_t MOST = 1 << 16;

    /// Null if it was never there or is removed. From any thread.
    const object* find(unsigned long long handle) const {
        if (handle == 0 || handle > MOST) return nullptr;
        return places_[handle - 1].load(std::memory_order_acquire);
    }
    /// Its handle, or 0 if there are MOST already.
    unsigned long long add(std::unique_ptr<object> added) {
        const std::lock_guard lock(mutex_);
        size_t place = first_unused_;
        if (first_unused_ < MOST) {
            first_unused_++;
        } else {
            if (returned_.empty()) return 0;
            place = returned_.front();
            returned_.pop_front();
        }
        places_[place].store(added.release(), std::memory_order_release);
        return place + 1;
    }
    /// Any number is taken without complaint, as by the real runtime.
    void remove(unsigned long long handle) {
        const std::lock_guard lock(mutex_);
        if (!find(handle)) return;
        delete places_[handle - 1].exchange(nullptr);
        returned_.push_back(handle - 1);
    }
    void remove_all() {
        for (size_t handle = 1; handle <= first_unused_; handle++)
            remove(handle);
    }
    size_t size() {
        const std::lock_guard lock(mutex_);
        return first_unused_ - returned_.size();
    }

private:
    std::mutex mutex_;
    std::deque<size_t> returned_;
    size_t first_unused_ = 0;
    std::atomic<object*> places_[MOST] = {};
};

}  // namespace simt
