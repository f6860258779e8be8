// Which accesses of a block are ordered by its barriers.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "inspect/memory/event.h"
#include "inspect/memory/lane_log.h"

namespace inspect {

inline constexpr uint32_t WARPS = 32;  // of the largest block

// A stamp says who touched a word, from where and when, in one comparable number:
// time 26 | thread 10 | site 24 | flags 4. Zero: nobody. Times count the barriers of a block.
using stamp = uint64_t;
inline constexpr int TIME_SHIFT = 38;
inline constexpr int THREAD_SHIFT = 28;
inline constexpr int STAMP_SITE_SHIFT = 4;
inline constexpr stamp FLAGS = 15;

inline constexpr stamp make_stamp(uint32_t time, uint32_t thread, uint32_t site = 0) {
    return stamp{time} << TIME_SHIFT | stamp{thread} << THREAD_SHIFT | stamp{site} << STAMP_SITE_SHIFT;
}
inline constexpr uint32_t time_of(stamp s) {
    return static_cast<uint32_t>(s >> TIME_SHIFT);
}
inline constexpr uint32_t thread_of(stamp s) {
    return s >> THREAD_SHIFT & 1023;
}
inline constexpr uint32_t site_of_stamp(stamp s) {
    return s >> STAMP_SITE_SHIFT & SITE_MASK;
}

using thread_times = std::vector<uint32_t>;  // by thread of a block

/// Time within a block: it passes at barriers, and where a thread's own doings must be told apart.
class block_clock {
public:
    void start_block();
    void block_synchronised();
    /// These lanes of the warp waited for each other; `live` are all that have not returned.
    void warp_synchronised(uint32_t warp, uint32_t lanes, uint32_t live);
    /// These neighbouring threads, whole warps, waited for each other.
    void threads_synchronised(uint32_t first, uint32_t threads);

    /// What threads did before these times is ordered before what this one does from now on.
    void acquire(uint32_t thread, const thread_times& until);
    /// What it has acquired so far; null: nothing.
    std::shared_ptr<const thread_times> acquired_by(uint32_t thread) const {
        return acquired.empty() ? nullptr : acquired[thread];
    }

    /// Lets time pass without ordering anything.
    void tick() { time++; }

    uint32_t now() const { return time; }
    /// The last time at which all lanes of the warp waited for each other; 0: never.
    uint32_t warp_barrier_of(uint32_t warp) const { return warp_barrier[warp]; }
    /// The lowest stamp that the last barrier of the block does not order before everything that happens now.
    stamp barrier() const { return last_barrier; }
    /// True if what `thread` did at `when` is ordered before what `current` does now;
    /// both of the running block.
    bool is_ordered(uint32_t when, uint32_t thread, uint32_t current) const;

private:
    uint32_t time = 1;
    stamp last_barrier = 0;
    uint32_t warp_barrier[WARPS] = {};  // the last time at which all lanes of the warp waited for each other
    // With partial masks: by warp, [lane][other] the time before which `other`
    // is ordered before `lane`; else empty.
    std::vector<uint32_t> pairs[WARPS];
    std::vector<std::shared_ptr<thread_times>> acquired;  // by thread; empty until somebody acquires
};

}  // namespace inspect
