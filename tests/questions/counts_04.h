// Lab 04, counted.
#pragma once
#include <set>

#include "counts_03.h"

/// Loads from global memory of the outputs first .. last, which are a tile, where only the halo goes there.
inline double loaded_past_tile(int n, int first, int last, int r) {
    double loads = loaded_by_tile(n, first, last, 0);
    for (int x = first; x <= last; x++)
        loads +=
            how_many(x - r, x + r, [&](int at) { return at >= 0 && at < n && (at < first || at > last); });
    return loads;
}

inline counts counts_04() {
    using questions::variables;
    counts all;
    all["04.a"] = [](const variables& v) {
        const int tile = whole(v, "tile"), n = tile * whole(v, "k");
        double loads = 0;
        for (int begin = 0; begin < n; begin += tile)
            loads += loaded_past_tile(n, begin, begin + tile - 1, whole(v, "r"));
        return loads;
    };
    all["04.b"] = [](const variables& v) {
        const int tile = whole(v, "tile"), n = 9 * tile;
        return smallest(1, 200, [&](int r) {
            return loaded_past_tile(n, 4 * tile, 5 * tile - 1, r) >
                   2 * loaded_by_tile(n, 4 * tile, 5 * tile - 1, r);
        });
    };
    all["04.c"] = [](const variables& v) {
        const int tile = whole(v, "tile"), r = whole(v, "r"), x = 100 * tile + 5;
        return how_many(x - r, x + r, [&](int at) { return at / tile != x / tile; });
    };
    all["04.d"] = [](const variables& v) {
        const int r = whole(v, "r");
        return how_many(0, 31, [&](int warp) {
            for (int j = -r; j <= r; j++) {
                const double inside =
                    how_many(32 * warp, 32 * warp + 31, [&](int x) { return x + j >= 0 && x + j < 1024; });
                if (inside > 0 && inside < 32) return true;
            }
            return false;
        });
    };
    all["04.j"] = [](const variables& v) {
        int threads = 0;
        for (int begin = 0; begin < whole(v, "n"); begin += whole(v, "t"))
            for (int x = begin; x < begin + whole(v, "t"); x++)
                threads++;
        return threads;
    };
    all["04.e"] = [](const variables& v) {
        std::set<int> cells;
        for (int x = whole(v, "t"); x < 2 * whole(v, "t"); x++)
            cells.insert(x);
        return double(cells.size() * sizeof(float));
    };
    all["04.f"] = [](const variables& v) {
        return largest(1, 20000, [&](int taps) {
            return taps % 2 == 1 && (whole(v, "tile") + taps - 1) * 4 <= 48 * 1024;
        });
    };
    all["04.h"] = [](const variables& v) {
        double bytes = 0;
        for (int block = 0; block < whole(v, "sms") * whole(v, "blocks"); block++)
            bytes += 256 * sizeof(float);
        return bytes / 1024;
    };
    return all;
}
