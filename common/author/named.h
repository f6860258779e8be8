// Kernels of a list have names of their own.
#pragma once
#include <algorithm>
#include <stdexcept>
#include <vector>

namespace author {

/// By name. Throws std::runtime_error "WHERE and OTHER have one name" if one comes twice.
template <typename kernel>
void sort_by_name(std::vector<kernel>& all) {
    std::stable_sort(all.begin(), all.end(),
                     [](const kernel& a, const kernel& b) { return a.name < b.name; });
    const auto twice = std::adjacent_find(all.begin(), all.end(),
                                          [](const kernel& a, const kernel& b) { return a.name == b.name; });
    if (twice != all.end())
        throw std::runtime_error(twice->where + " and " + (twice + 1)->where + " have one name");
}

}  // namespace author
