// Cuts what is overwritten, joins what continues.
#include "simt/memory/range_names.h"

#include <algorithm>
#include <iterator>

namespace simt {

void range_names::assign(uintptr_t begin, uintptr_t end, const std::string& name) {
    auto next = ranges.lower_bound(begin);
    if (next != ranges.begin()) {
        named_range& before = std::prev(next)->second;
        if (before.end > end) ranges[end] = {end, before.end, before.name};
        before.end = std::min(before.end, begin);
    }
    next = ranges.lower_bound(begin);
    while (next != ranges.end() && next->first < end) {
        const named_range covered = next->second;
        next = ranges.erase(next);
        if (covered.end > end) next = ranges.insert({end, {end, covered.end, covered.name}}).first;
    }
    if (name.empty() || begin >= end) return;
    if (next != ranges.begin()) {
        named_range& before = std::prev(next)->second;
        if (before.end == begin && before.name == name) {
            before.end = end;
            return;
        }
    }
    ranges[begin] = {begin, end, name};
}

std::vector<named_range> range_names::within(uintptr_t begin, uintptr_t end) const {
    std::vector<named_range> found;
    auto next = ranges.upper_bound(begin);
    if (next != ranges.begin() && std::prev(next)->second.end > begin) --next;
    for (; next != ranges.end() && next->first < end; ++next) {
        const named_range& one = next->second;
        found.push_back({std::max(one.begin, begin), std::min(one.end, end), one.name});
    }
    return found;
}

}  // namespace simt
