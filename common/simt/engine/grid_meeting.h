// Where the blocks of a cooperative launch wait for each other.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

namespace simt {

class grid_meeting {
public:
    void begin(uint64_t blocks);
    /// Waits until every block has come; the last one calls `when_all_are_there` before anybody goes on. False if one
    /// never will, because it has ended.
    bool arrive(const std::function<void()>& when_all_are_there);
    /// A block has ended.
    void leave();

private:
    std::mutex mutex_;
    std::condition_variable turned_;
    uint64_t blocks_ = 0, waiting_ = 0, ended_ = 0, turn_ = 0;
    bool is_hopeless() const { return waiting_ > 0 && ended_ > 0 && waiting_ + ended_ >= blocks_; }
};

}  // namespace simt
