// Lab 07, counted.
#pragma once
#include <set>
#include <utility>

#include "counts_03.h"

/// Pixels that the outputs of a square tile need, far from the edges.
inline double cells_of_tile(int width, int height, int filter_width, int filter_height) {
    std::set<std::pair<int, int>> cells;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (const int i : {0, filter_height - 1})
                for (const int j : {0, filter_width - 1})
                    cells.insert({y + i, x + j});
    int right = 0, bottom = 0;
    for (const auto& [row, column] : cells) {
        bottom = std::max(bottom, row + 1);
        right = std::max(right, column + 1);
    }
    return double(right) * bottom;
}

inline counts counts_07() {
    using questions::variables;
    const auto square = [](const variables& v) {
        return cells_of_tile(whole(v, "tile"), whole(v, "tile"), whole(v, "m"), whole(v, "m"));
    };
    counts all;
    all["07.a"] = [=](const variables& v) {
        double loads = 0;
        for (int output = 0; output < whole(v, "tile") * whole(v, "tile"); output++)
            loads += v.at("m") * v.at("m");
        return loads / square(v);
    };
    all["07.b"] = [=](const variables& v) {
        const double side = v.at("tile") + v.at("m") + 1;
        return side * side - square(v);
    };
    all["07.c"] = [](const variables& v) {
        // The middle of the mask's rows must be row_o.
        return smallest(0, 400, [&](int first) { return first + whole(v, "m") / 2 == whole(v, "row"); });
    };
    all["07.f"] = square;
    all["07.g"] = [=](const variables& v) { return v.at("tile") * v.at("tile") / square(v); };
    all["07.h"] = [](const variables& v) {
        return largest(1, 200, [&](int m) {
            const int tile = whole(v, "tile");
            return m % 2 == 1 && (tile + m - 1) * (tile + m - 1) * 4 <= 48 * 1024;
        });
    };
    all["07.i"] = [](const variables& v) {
        const int tile = whole(v, "tile"), r = whole(v, "r");
        double loads = 0;
        for (int y = 0; y < tile * whole(v, "b"); y += tile)
            for (int x = 0; x < tile * whole(v, "a"); x += tile)
                loads += loaded_by_tile(tile * whole(v, "b"), y, y + tile - 1, r) *
                         loaded_by_tile(tile * whole(v, "a"), x, x + tile - 1, r);
        return loads;
    };
    return all;
}
