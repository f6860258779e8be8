// Outputs that are right where they were written: which part was not.
#include "diagnose/diagnose.h"

#include <fmt/format.h>
#include <cmath>
#include <vector>

namespace check {

namespace {

constexpr int SMALLEST_BLOCK = 4, LARGEST_BLOCK = 1024;  // sides of blocks that students launch

/// True if exactly the pixels of the corner [0, width) x [0, height) are right, in all channels.
bool right_exactly_in_corner(const comparison& found, const shape& where, int width, int height) {
    for (size_t k = 0; k < found.wrong.size(); k++) {
        const size_t pixel = k / where.channels;
        const bool in_corner = int(pixel % where.width) < width && int(pixel / where.width) < height;
        if (in_corner == bool(found.wrong[k])) return false;
    }
    return true;
}

/// The corner that holds all right pixels, as width and height; {0, 0} if they do not fill one.
std::pair<int, int> right_corner(const comparison& found, const shape& where) {
    int width = 0, height = 0;
    for (size_t k = 0; k < found.wrong.size(); k++) {
        if (found.wrong[k]) continue;
        const size_t pixel = k / where.channels;
        width = std::max(width, int(pixel % where.width) + 1);
        height = std::max(height, int(pixel / where.width) + 1);
    }
    if (width == 0 || !right_exactly_in_corner(found, where, width, height)) return {0, 0};
    return {width, height};
}

/// True if `covered` of `size` is what whole blocks of some usual side cover, the last one missing.
bool misses_last_block(int covered, int size) {
    const int left = size - covered;
    for (int block = SMALLEST_BLOCK; block <= LARGEST_BLOCK; block *= 2) {
        if (covered % block == 0 && left < block) return true;
    }
    return false;
}

bool power_of_two(int value) {
    return value > 0 && (value & (value - 1)) == 0;
}

/// True if the right corner is as large as one block could be.
bool looks_like_a_block(int width, int height, const shape& where) {
    if (where.one_dimensional)
        return power_of_two(width) && width >= SMALLEST_BLOCK && width <= LARGEST_BLOCK;
    const bool sides = power_of_two(width) && power_of_two(height);
    return sides && width * height >= SMALLEST_BLOCK * SMALLEST_BLOCK && width * height <= LARGEST_BLOCK;
}

/// From the output alone, which must leave only one explanation.
diagnosis explain_by_pattern(int width, int height, const shape& where) {
    const bool fewer_columns = width < where.width;
    const bool fewer_rows = height < where.height;
    const bool last_missing = (!fewer_columns || misses_last_block(width, where.width)) &&
                              (!fewer_rows || misses_last_block(height, where.height));
    const bool first_only = looks_like_a_block(width, height, where);
    if (last_missing == first_only) return {};
    if (first_only) {
        return {"only-first-block",
                "only the first block wrote its part: is blockIdx used, and the grid large enough?", true};
    }
    const std::string remedy = ": round the number of blocks up";
    if (where.one_dimensional)
        return {"grid-rounded-down", "the last, partial block is missing" + remedy, true};
    const std::string which = fewer_columns && fewer_rows ? "right and bottom"
                              : fewer_columns             ? "right"
                                                          : "bottom";
    return {"grid-rounded-down", "the partial blocks at the " + which + " are missing" + remedy, true};
}

/// The channel that alone is right everywhere, -1 if there is none.
int only_right_channel(const comparison& found, const shape& where) {
    int right = -1;
    for (int channel = 0; channel < where.channels; channel++) {
        size_t wrong = 0;
        for (size_t k = channel; k < found.wrong.size(); k += where.channels)
            wrong += found.wrong[k];
        if (wrong == 0 && right >= 0) return -1;
        if (wrong == 0) right = channel;
        if (wrong > 0 && wrong < found.wrong.size() / where.channels) return -1;
    }
    return right;
}

}  // namespace

diagnosis diagnose_unwritten(std::span<const float> out, const comparison& found, const shape& where,
                             const inspect::report& seen) {
    if (found.right() || !all_wrong_are_nan(out, found) || where.depth > 1) return {};
    if (found.wrong_count == out.size()) return {};
    const auto [width, height] = right_corner(found, where);
    if (width > 0 && !seen.inspected) return explain_by_pattern(width, height, where);
    // Where some values are stored more than once, threads that miss the other channels come too.
    const uint64_t written = out.size() - found.wrong_count;
    if (seen.inspected && seen.total().global.stores.lanes > written) return {};
    if (where.channels > 1 && only_right_channel(found, where) >= 0) {
        return {"only-first-channel",
                fmt::format("only channel {} of {} is computed", only_right_channel(found, where),
                            where.channels),
                true};
    }
    return {};
}

}  // namespace check
