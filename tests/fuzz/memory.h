// The model's memory: bytes, what was written, who used what when.
#pragma once
#include <cstdint>
#include <vector>

#include "model.h"

namespace fuzz {

enum class direction : uint8_t { load, store, atomic };

/// One use of a byte.
struct use {
    int thread = 0, block = 0, epoch = 0, warp_epoch = 0;  // epochs: barriers passed
    direction how{};
    uint8_t value = 0;  // stored
    int line = 0;
};

class memory {
public:
    explicit memory(const array& what, bool is_open);

    /// Bytes that may lie around the array while it has no end.
    static constexpr int MARGIN = 1 << 10, OPEN = 1 << 16;

    const array& owner;
    std::vector<uint8_t> bytes, written;
    int lowest = 1 << 30, highest = -1;  // bytes touched

    bool holds(int offset, int width) const;
    int64_t get(int offset, scalar as) const;
    void put(int offset, scalar as, int64_t value);
    void forget();  // shared memory of the next block
    void note(int offset, int width, use seen);
    /// Races among what was noted, which is then dropped.
    void find_races(std::set<fault>& found);
    bool was_written(int offset, int width) const;

private:
    int at(int offset) const { return offset + margin; }
    int margin;
    std::vector<std::vector<use>> uses;  // by byte
};

/// The request of lanes with these offsets, each `width` bytes.
uint64_t sectors(const std::vector<int>& offsets, int width);
uint64_t atomic_sectors(std::vector<int> offsets, int width);
/// By lane, -1: takes no part.
uint64_t wavefronts(const std::vector<int>& offsets, int width, direction how);
uint64_t addresses(const std::vector<int>& offsets);

}  // namespace fuzz
