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

/// Row-major, so that the same event of all lanes lies in one row and is compared at once.
/// Lanes that have logged the same number of events so far write into the same row;
/// in a warp that did not diverge all rows are uniform.
class lane_log {
public:
    lane_log() : words(new uint32_t[2 * LOG_CAPACITY * LANES]()) {}

    uint32_t* keys(uint32_t row) { return &words[row * LANES]; }
    uint32_t* offsets(uint32_t row) { return &words[(LOG_CAPACITY + row) * LANES]; }

    /// Continues the column of a lane.
    void open(uint32_t lane) {
        next = &words[rows[lane] * LANES + lane];
        end = &words[LOG_ROWS * LANES];
    }
    /// Remembers how far the open column has come.
    void close(uint32_t lane) { rows[lane] = static_cast<uint32_t>(next - words.get()) / LANES; }

    bool is_full() const { return next >= end; }
    void push(uint32_t key, uint32_t offset) {
        next[0] = key;
        next[LOG_CAPACITY * LANES] = offset;
        next += LANES;
    }
    /// Takes the last event back if it is a call: nothing has happened in it.
    bool take_back_call() {
        if (next < words.get() + LANES || space_of(next[-int{LANES}]) != space::call_begins) return false;
        next -= LANES;
        return true;
    }

private:
    uint32_t* next = nullptr;
    uint32_t* end = nullptr;
    std::unique_ptr<uint32_t[]> words;

public:
    uint32_t rows[LANES] = {};  // events logged, by lane
};

}  // namespace inspect
