// The merge of the lanes' logs: a fast path for rows in which all lanes agree, a general one for divergence.
#include "inspect/watch/warp_merge.h"

#include <algorithm>

#include "simt/engine/wide_vectors.h"

namespace inspect {

namespace {

constexpr uint32_t EXHAUSTED = 0xffffffffu;
constexpr uint32_t DEEPEST = 255;  // calls beyond it count as equally deep; 64 KB of stack allow few more

/// Lanes with something in their log, and how much.
struct column_heights {
    uint32_t lanes = 0, shortest = LOG_CAPACITY, tallest = 0;
};

column_heights heights_of(const lane_log& log) {
    column_heights heights;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (log.rows[lane] == 0) continue;
        heights.lanes |= 1u << lane;
        heights.shortest = std::min(heights.shortest, log.rows[lane]);
        heights.tallest = std::max(heights.tallest, log.rows[lane]);
    }
    return heights;
}

bool same_depth(uint32_t lanes, const uint32_t* depth) {
    const uint32_t first = depth[__builtin_ctz(lanes)];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if ((lanes >> lane & 1) && depth[lane] != first) return false;
    }
    return true;
}

/// Handles rows in which all these lanes logged the same event; returns the first row where they differ.
WITH_WIDE_VECTORS uint32_t merge_uniform_rows(lane_log& log, const column_heights& heights, uint32_t* depth,
                                              request_sink& sink) {
    uint32_t counts[LANES];  // all ones for a lane that takes part
    for (uint32_t lane = 0; lane < LANES; lane++) {
        counts[lane] = heights.lanes >> lane & 1 ? ~0u : 0u;
    }
    const uint32_t first = __builtin_ctz(heights.lanes);
    for (uint32_t row = 0; row < heights.shortest; row++) {
        const event* events = log.row(row);
        const uint32_t key = events[first].key;
        uint32_t difference = 0, offsets[LANES];
        for (uint32_t lane = 0; lane < LANES; lane++) {
            difference |= (events[lane].key ^ key) & counts[lane];
            offsets[lane] = events[lane].offset;
        }
        if (difference != 0) return row;
        switch (space_of(key)) {
            case space::loop_edge:
                sink.turn(heights.lanes);
                break;
            case space::call_begins:
                for (uint32_t lane = 0; lane < LANES; lane++)
                    depth[lane] += heights.lanes >> lane & 1;
                break;
            case space::call_ends:
                for (uint32_t lane = 0; lane < LANES; lane++)
                    depth[lane] -= heights.lanes >> lane & 1;
                break;
            default:
                sink.request(key, heights.lanes, offsets);
        }
    }
    return heights.shortest;
}

/// What lanes that went different ways do next, each of them.
struct next_events {
    uint32_t order[LANES], keys[LANES], offsets[LANES];
};

/// The lanes whose event comes first, and of these the ones that do the same as the lowest; none if all are exhausted.
WITH_WIDE_VECTORS uint32_t first_together(const next_events& next) {
    uint32_t lowest = EXHAUSTED, here = 0, together = 0;
    for (uint32_t lane = 0; lane < LANES; lane++)
        lowest = std::min(lowest, next.order[lane]);
    if (lowest == EXHAUSTED) return 0;
    for (uint32_t lane = 0; lane < LANES; lane++)
        here |= uint32_t{next.order[lane] == lowest} << lane;
    const uint32_t key = next.keys[__builtin_ctz(here)];
    for (uint32_t lane = 0; lane < LANES; lane++)
        together |= uint32_t{next.keys[lane] == key} << lane;
    return here & together;
}

/// Merges lanes that went different ways.
class divergent_merge {
public:
    divergent_merge(lane_log& log, uint32_t held, uint32_t lanes, uint32_t row, uint32_t* depth)
        : log(log), held(held), depth(depth) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            cursor[lane] = lanes >> lane & 1 ? row : 0;
            seek_event(lane);
        }
    }

    void run(request_sink& sink) {
        while (!must_wait) {
            // One instruction may touch several memories or sizes (a generic pointer):
            // those are separate requests.
            const uint32_t together = first_together(next);
            if (together == 0) return;
            const uint32_t key = next.keys[__builtin_ctz(together)];
            const bool is_call = space_of(key) == space::call_begins;
            if (space_of(key) == space::loop_edge) {
                sink.turn(together);
            } else if (!is_call) {
                sink.request(key, together, next.offsets);
            }
            for (uint32_t rest = together; rest != 0; rest &= rest - 1) {
                const uint32_t lane = __builtin_ctz(rest);
                cursor[lane]++;
                depth[lane] += is_call;
                seek_event(lane);
            }
        }
    }

    /// Moves what was not consumed to the front of the log.
    void keep_rest() {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            const uint32_t rest = log.rows[lane] - cursor[lane];
            for (uint32_t i = 0; cursor[lane] > 0 && i < rest; i++)
                log.row(i)[lane] = log.row(i + cursor[lane])[lane];
            log.rows[lane] = rest;
        }
    }

private:
    /// Passes returns; notes where the lane's next event stands in the common order. A call stands where it is
    /// made: lanes that are there early wait for those that join them.
    void seek_event(uint32_t lane) {
        for (; cursor[lane] < log.rows[lane]; cursor[lane]++) {
            const event& now = log.row(cursor[lane])[lane];
            if (space_of(now.key) == space::call_ends) {
                depth[lane]--;
                continue;
            }
            const uint32_t after_deeper = DEEPEST - std::min(depth[lane], DEEPEST);
            next.order[lane] = after_deeper << SITE_BITS | (now.key & SITE_MASK);
            next.keys[lane] = now.key;
            next.offsets[lane] = now.offset;
            return;
        }
        next.order[lane] = EXHAUSTED;
        if (held >> lane & 1) must_wait = true;
    }

    lane_log& log;
    const uint32_t held;
    uint32_t* depth;
    uint32_t cursor[LANES];
    next_events next{};
    bool must_wait = false;
};

}  // namespace

void merge_warp(lane_log& log, uint32_t held, uint32_t (&depth)[LANES], request_sink& sink) {
    const column_heights heights = heights_of(log);
    if (heights.lanes == 0) return;
    uint32_t row = 0;
    const bool held_lanes_are_here = (held & ~heights.lanes) == 0;
    if (held_lanes_are_here && same_depth(heights.lanes, depth)) {
        row = merge_uniform_rows(log, heights, depth, sink);
        if (row == heights.tallest) {
            std::fill(std::begin(log.rows), std::end(log.rows), 0);
            return;
        }
    }
    divergent_merge merge(log, held, heights.lanes, row, depth);
    merge.run(sink);
    merge.keep_rest();
}

}  // namespace inspect
