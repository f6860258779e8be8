// Sets of addresses, as ranges.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace inspect {

struct byte_range {
    uintptr_t begin = 0, end = 0;
    bool empty() const { return begin >= end; }
};

/// In order, and apart.
using byte_ranges = std::vector<byte_range>;

/// Adds one that begins at or after the end of the last.
void add_range(byte_ranges& to, const byte_range& one);
/// Rows, a pitch apart.
byte_ranges ranges_of_rows(uintptr_t begin, size_t pitch, size_t width, size_t height);
/// The first bytes that both have; empty if there are none.
byte_range common_bytes(const byte_ranges& a, const byte_ranges& b);

}  // namespace inspect
