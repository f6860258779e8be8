// Barriers of blocks, warps and parts of warps.
#include "inspect/memory/block_clock.h"

#include <algorithm>

namespace inspect {

namespace {

/// What comes before either. True if that is more than came before the first.
bool join(thread_times& times, const thread_times& other) {
    bool is_more = false;
    for (size_t who = 0; who < times.size(); who++) {
        is_more |= other[who] > times[who];
        times[who] = std::max(times[who], other[who]);
    }
    return is_more;
}

}  // namespace

void block_clock::start_block() {
    time = 1;
    last_barrier = make_stamp(time, 0);
    std::fill(std::begin(warp_barrier), std::end(warp_barrier), 0);
    for (auto& table : pairs)
        table.clear();
    acquired.clear();
}

void block_clock::acquire(uint32_t thread, const thread_times& until) {
    if (acquired.empty()) acquired.resize(WARPS * LANES);
    // A copy: moments keep what was known then.
    auto known = acquired[thread] ? std::make_shared<thread_times>(*acquired[thread])
                                  : std::make_shared<thread_times>(WARPS * LANES);
    if (!join(*known, until)) return;
    acquired[thread] = std::move(known);
    time++;
}

void block_clock::block_synchronised() {
    time++;
    last_barrier = make_stamp(time, 0);
}

void block_clock::warp_synchronised(uint32_t warp, uint32_t lanes, uint32_t live) {
    time++;
    if ((live & ~lanes) == 0) {
        warp_barrier[warp] = time;
        return;
    }
    std::vector<uint32_t>& table = pairs[warp];
    if (table.empty()) table.resize(LANES * LANES);
    for (uint32_t other = 0; other < LANES; other++) {
        // Who is ordered before one of the lanes is now ordered before all of them.
        uint32_t known = 0;
        if (lanes >> other & 1) {
            known = time;
        } else {
            for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
                known = std::max(known, table[__builtin_ctz(rest) * LANES + other]);
            }
        }
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            table[__builtin_ctz(rest) * LANES + other] = known;
        }
    }
}

void block_clock::threads_synchronised(uint32_t first, uint32_t threads) {
    time++;
    thread_times until(WARPS * LANES);
    for (uint32_t t = first; t < first + threads; t++) {
        until[t] = time;
        if (const auto known = acquired_by(t)) join(until, *known);
    }
    for (uint32_t t = first; t < first + threads; t++)
        acquire(t, until);
}

bool block_clock::is_ordered(uint32_t when, uint32_t thread, uint32_t current) const {
    if (when < time_of(last_barrier)) return true;
    if (thread == current) return true;
    if (!acquired.empty() && acquired[current] && when < (*acquired[current])[thread]) return true;
    const uint32_t warp = thread / LANES;
    if (current / LANES != warp) return false;
    if (when < warp_barrier[warp]) return true;
    const std::vector<uint32_t>& table = pairs[warp];
    return !table.empty() && when < table[current % LANES * LANES + thread % LANES];
}

}  // namespace inspect
