// Lab 03, counted.
#pragma once
#include <set>

#include "counts.h"

/// Elements of an array that the tile of these outputs loads.
inline double loaded_by_tile(int n, int first, int last, int r) {
    return how_many(first - r, last + r, [&](int x) { return x >= 0 && x < n; });
}

/// Loads of a kernel without a tile for these outputs.
inline double loaded_by_taps(int n, int first, int last, int r) {
    double loads = 0;
    for (int x = first; x <= last; x++)
        loads += loaded_by_tile(n, x, x, r);
    return loads;
}

inline counts counts_03() {
    using questions::variables;
    counts all;
    all["03.a"] = [](const variables& v) {
        const int tile = whole(v, "tile"), n = tile * whole(v, "k");
        double loads = 0;
        for (int begin = 0; begin < n; begin += tile)
            loads += loaded_by_tile(n, begin, begin + tile - 1, whole(v, "r"));
        return loads;
    };
    all["03.b"] = [](const variables& v) {
        const int tile = whole(v, "tile"), r = whole(v, "r"), n = 9 * tile;
        return loaded_by_taps(n, 4 * tile, 5 * tile - 1, r) / loaded_by_tile(n, 4 * tile, 5 * tile - 1, r);
    };
    all["03.c"] = [](const variables& v) {
        const int tile = whole(v, "tile"), r = whole(v, "r"), n = 9 * tile;
        return loaded_by_taps(n, 8 * tile, n - 1, r) / loaded_by_tile(n, 8 * tile, n - 1, r);
    };
    all["03.d"] = [](const variables& v) {
        const int n = 256 * whole(v, "k") + whole(v, "s"), blocks = (n + 255) / 256;
        return how_many(0, blocks * 256 - 1, [&](int i) { return i >= n; });
    };
    all["03.e"] = [](const variables& v) {
        const int n = 64 * whole(v, "k") + whole(v, "s"), last = (n - 1) / 64;
        std::set<int> stored;
        for (int thread = 0; thread < 64; thread++)
            if (last * 64 + thread < n) stored.insert(thread);
        return how_many(0, whole(v, "r") - 1, [&](int cell) { return stored.count(cell) == 0; });
    };
    all["03.f"] = [](const variables& v) {
        return largest(0, 20000, [&](int r) { return (whole(v, "tile") + 2 * r) * 4 <= 48 * 1024; });
    };
    all["03.g"] = [](const variables& v) {
        return largest(0, 20000, [&](int r) {
            const int of_a_block = (256 + 2 * r) * 4 + 1024, blocks = whole(v, "k") * 1024 / of_a_block;
            return blocks * 256 >= 2048;
        });
    };
    all["03.h"] = [](const variables& v) {
        double blocks = 0;
        for (int begin = 0; begin < whole(v, "n"); begin += whole(v, "t"))
            blocks++;
        return blocks;
    };
    all["03.i"] = [](const variables& v) {
        std::set<int> outputs;  // of block 1
        for (int x = 0; x < 3 * whole(v, "t"); x++)
            if (x / whole(v, "t") == 1) outputs.insert(x);
        return double(outputs.size());
    };
    all["03.j"] = [](const variables& v) {
        const int t = whole(v, "t"), r = whole(v, "m") / 2;
        std::set<int> cells;
        for (int x = t; x < 2 * t; x++)
            for (int j = -r; j <= r; j++)
                cells.insert(x + j);
        return double(cells.size() * sizeof(float));
    };
    all["03.m"] = [](const variables& v) {
        const int apart = whole(v, "p") * whole(v, "q");
        double most = 0;
        for (int bank = 0; bank < 32; bank++)
            most = std::max(most, how_many(0, 31, [&](int thread) { return thread * apart % 32 == bank; }));
        return most * whole(v, "t");
    };
    return all;
}
