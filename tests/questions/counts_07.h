// Lab 07, counted.
#pragma once
#include <set>

#include "counts_03.h"

/// Cells that this many outputs in a row need of a filter with this many taps.
inline double cells_of_row(int outputs, int taps) {
    std::set<int> cells;
    for (int output = 0; output < outputs; output++)
        for (int tap = 0; tap < taps; tap++)
            cells.insert(output + tap);
    return double(cells.size());
}

/// Pixels that the outputs of a tile need, far from the edges: rows and columns are independent of each other.
inline double cells_of_tile(int width, int height, int filter_width, int filter_height) {
    return cells_of_row(width, filter_width) * cells_of_row(height, filter_height);
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
    all["07.k"] = [](const variables& v) {
        const int side = whole(v, "tile") + whole(v, "m") - 1;
        double threads = 0;
        for (int y = 0; y < 32; y++)
            threads += how_many(0, 31, [&](int x) {
                int cells = 0;
                for (int row = y; row < side; row += 32)
                    for (int column = x; column < side; column += 32)
                        cells++;
                return cells == 4;
            });
        return threads;
    };
    all["07.m"] = [](const variables& v) {
        const int c = whole(v, "c");
        std::set<int> sectors;
        for (int thread = 0; thread < 32; thread++)
            sectors.insert(((32 * whole(v, "k") + thread) * c + c / 2) * 4 / 32);
        return double(sectors.size());
    };
    return all;
}
