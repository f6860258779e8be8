// Outputs that are right where they were written: which part was not.
#include "check/unwritten.h"

#include <cmath>
#include <vector>

namespace check {

namespace {

constexpr int SMALLEST_BLOCK = 4, LARGEST_BLOCK = 1024;  // sides of blocks that students launch

bool all_wrong_are_nan(std::span<const float> out, const comparison& found) {
    for (size_t k = 0; k < out.size(); k++) {
        if (found.wrong[k] && !std::isnan(out[k])) return false;
    }
    return true;
}

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

std::string product(unsigned blocks, unsigned threads) {
    return std::to_string(blocks) + " x " + std::to_string(threads) + " = " +
           std::to_string(blocks * threads);
}

/// What the only launch says about a corner that was computed: its grid is too small, or is not used.
std::string explain_by_launch(int width, int height, const shape& where, const inspect::launch& launch) {
    const int threads_x = int(launch.grid[0] * launch.block[0]);
    const int threads_y = int(launch.grid[1] * launch.block[1]);
    const bool short_x = width < where.width && width == threads_x;
    const bool short_y = height < where.height && height == threads_y;
    const std::string unit = where.one_dimensional ? " elements" : " columns";
    if (short_x) {
        return "the grid is too small: " + product(launch.grid[0], launch.block[0]) + " threads for " +
               std::to_string(where.width) + unit + "; round the number of blocks up";
    }
    if (short_y) {
        return "the grid is too small: " + product(launch.grid[1], launch.block[1]) + " threads for " +
               std::to_string(where.height) + " rows; round the number of blocks up";
    }
    const bool first_square = width == where.width && height == where.width && height < threads_y;
    if (first_square && !where.one_dimensional) {
        return "only as many rows are written as the image is wide: is y compared with the width?";
    }
    const bool one_block = width == std::min(where.width, int(launch.block[0])) &&
                           height == std::min(where.height, int(launch.block[1]));
    if (one_block && (launch.grid[0] > 1 || launch.grid[1] > 1)) {
        return "every block computes what belongs to block 0: blockIdx is not used";
    }
    return "";
}

/// The same from the output alone, which must leave only one explanation.
std::string explain_by_pattern(int width, int height, const shape& where) {
    const bool fewer_columns = width < where.width;
    const bool fewer_rows = height < where.height;
    const bool last_missing = (!fewer_columns || misses_last_block(width, where.width)) &&
                              (!fewer_rows || misses_last_block(height, where.height));
    const bool first_only = looks_like_a_block(width, height, where);
    if (last_missing == first_only) return "";
    if (first_only)
        return "only the first block wrote its part: is blockIdx used, and the grid large enough?";
    if (where.one_dimensional) return "the last, partial block is missing: round the number of blocks up";
    const std::string which = fewer_columns && fewer_rows ? "right and bottom"
                              : fewer_columns             ? "right"
                                                          : "bottom";
    return "the partial blocks at the " + which + " are missing: round the number of blocks up";
}

/// True if exactly the values whose whole filter lies inside the image are right.
bool right_exactly_inside(const comparison& found, const shape& where, int radius_x, int radius_y) {
    bool any_inside = false;
    for (size_t k = 0; k < found.wrong.size(); k++) {
        const int x = int(k / where.channels % where.width);
        const int y = int(k / where.channels / where.width);
        const bool inside =
            x >= radius_x && x < where.width - radius_x && y >= radius_y && y < where.height - radius_y;
        if (inside == bool(found.wrong[k])) return false;
        any_inside = any_inside || inside;
    }
    return any_inside;
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

std::string diagnose_unwritten(std::span<const float> out, const comparison& found, const shape& where,
                               int radius_x, int radius_y, const inspect::report& seen) {
    if (found.right() || !all_wrong_are_nan(out, found)) return "";
    if (found.wrong_count == out.size()) return "";
    const auto [width, height] = right_corner(found, where);
    if (width > 0) {
        const bool one_launch = seen.inspected && seen.launches.size() == 1;
        return one_launch ? explain_by_launch(width, height, where, seen.launches[0])
                          : explain_by_pattern(width, height, where);
    }
    if (where.channels > 1 && only_right_channel(found, where) >= 0) {
        return "only channel " + std::to_string(only_right_channel(found, where)) + " of " +
               std::to_string(where.channels) + " is computed";
    }
    // Reads outside the image give NaN as well; only the number of stores tells a skipped pixel from a
    // spoiled one.
    const bool skipped = seen.inspected && seen.total().global.stores.lanes + found.wrong_count == out.size();
    if (skipped && right_exactly_inside(found, where, radius_x, radius_y)) {
        return where.one_dimensional ? "elements whose filter reaches past an end are never written"
                                     : "pixels whose filter overhangs the image are never written";
    }
    return "";
}

}  // namespace check
