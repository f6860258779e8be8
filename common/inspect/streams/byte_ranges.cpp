// Sets of addresses, as ranges.
#include "inspect/streams/byte_ranges.h"

#include <algorithm>

namespace inspect {

void add_range(byte_ranges& to, const byte_range& one) {
    if (!to.empty() && to.back().end == one.begin)
        to.back().end = one.end;
    else
        to.push_back(one);
}

byte_ranges ranges_of_rows(uintptr_t begin, size_t pitch, size_t width, size_t height) {
    if (pitch == width || height <= 1) return {{begin, begin + width * height}};
    byte_ranges rows;
    for (size_t row = 0; row < height; row++)
        rows.push_back({begin + row * pitch, begin + row * pitch + width});
    return rows;
}

byte_range common_bytes(const byte_ranges& a, const byte_ranges& b) {
    for (auto one = a.begin(), other = b.begin(); one != a.end() && other != b.end();) {
        const byte_range both = {std::max(one->begin, other->begin), std::min(one->end, other->end)};
        if (!both.empty()) return both;
        if (one->end < other->end)
            ++one;
        else
            ++other;
    }
    return {};
}

}  // namespace inspect
