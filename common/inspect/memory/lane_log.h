// What the 32 lanes of the running warp did, one column a lane, until the warp is merged.
#pragma once
#include <cstdint>
#include <memory>

#include "inspect/memory/event.h"

namespace inspect {

inline constexpr uint32_t LANES = 32;
inline constexpr uint32_t ALL_LANES = 0xffffffffu;
// 512 events a lane keep a log of 128 KB, which stays in the second-level cache, and let a lane run for long.
inline constexpr uint32_t LOG_ROWS = 512;
// One row more is for an event before which the lane must not wait.
inline constexpr uint32_t LOG_CAPACITY = LOG_ROWS + 1;

// From one row to the next: those of the lanes, and a cache line more, for rows 256 bytes apart would all lie in a quarter of
// the first-level cache.
inline constexpr uint32_t ROW_EVENTS = LANES + 8;

/// What a lane logs: an event_key(), and an offset in the memory of its space.
struct event {
    uint32_t key, offset;
};

/// Row-major, so that the same event of all lanes lies in one row and is compared at once.
/// Lanes that have logged the same number of events so far write into the same row;
/// in a warp that did not diverge all rows are uniform.
class lane_log {
public:
    lane_log() : log(new log_row[LOG_CAPACITY]()) {}

    event* row(uint32_t number) { return log[number].events; }

    /// Continues the column of a lane.
    void open(uint32_t lane) {
        next = &row(rows[lane])[lane];
        end = row(LOG_ROWS);
    }
    /// Remembers how far the open column has come.
    void close(uint32_t lane) { rows[lane] = static_cast<uint32_t>(next - row(0)) / ROW_EVENTS; }

    bool is_full() const { return next >= end; }
    void push(uint32_t key, uint32_t offset) {
        *next = {key, offset};
        next += ROW_EVENTS;
    }
    /// Takes the last event back if it is a call: nothing has happened in it.
    bool take_back_call() {
        if (next < row(1) || space_of(next[-int{ROW_EVENTS}].key) != space::call_begins) return false;
        next -= ROW_EVENTS;
        return true;
    }

private:
    event* next = nullptr;
    event* end = nullptr;
    /// From a cache line on: eight lanes share one.
    struct alignas(64) log_row {
        event events[ROW_EVENTS];
    };
    std::unique_ptr<log_row[]> log;

public:
    uint32_t rows[LANES] = {};  // events logged, by lane
};

}  // namespace inspect
