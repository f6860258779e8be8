// Lab 15, counted.
#pragma once
#include "counts.h"

inline counts counts_15() {
    using questions::variables;
    counts all;
    all["15.a"] = [](const variables& v) {
        double taps = 0, factors = 0;
        for (int i = 0; i < whole(v, "h"); i++) {
            factors += 1;
            taps += how_many(1, whole(v, "w"), [](int) { return true; });
        }
        factors += how_many(1, whole(v, "w"), [](int) { return true; });
        return taps / factors;
    };
    all["15.b"] = [](const variables& v) {
        const int w = whole(v, "w"), r = whole(v, "m") / 2;
        double loads = 0;
        for (int x = 0; x < w; x++)
            loads += how_many(x - r, x + r, [&](int from) { return from >= 0 && from < w; });
        return loads * whole(v, "h");
    };
    all["15.c"] = [](const variables& v) {
        const int b = whole(v, "b");
        return largest(1, 129, [&](int m) {
            int floats = 0;
            for (int row = 0; row < b + m - 1; row++)
                floats += (b + m - 1) + b;
            return m % 2 == 1 && floats * 4 <= 48 * 1024;
        });
    };
    all["15.d"] = [](const variables& v) {
        const int bw = whole(v, "bw"), bh = whole(v, "bh"), m = whole(v, "m");
        double sums = 0;
        for (int row = 0; row < bh + m - 1; row++)
            sums += bw;
        return sums / (bw * bh);
    };
    all["15.f"] = [](const variables& v) {
        const int w = whole(v, "w"), h = whole(v, "h");
        return largest(1, 100, [&](int terms) { return terms * (w + h) <= w * h; });
    };
    all["15.h"] = [](const variables& v) {
        const int bw = whole(v, "bw"), bh = whole(v, "bh");
        double sums = 0;
        for (int row = 0; row < bh; row++)
            sums += cells_of_row(bw, whole(v, "m"));
        return sums / (bw * bh);
    };
    all["15.i"] = [](const variables& v) {
        double accesses = 0;
        for (int term = 0; term < whole(v, "k"); term++)
            for (int y = 0; y < whole(v, "h"); y++)
                accesses += v.at("w") * (term == 0 ? 1 : 1 + 1);
        return accesses - v.at("w") * v.at("h");
    };
    all["15.k"] = [](const variables& v) {
        double roundings = 0;
        for (int i = 0; i < whole(v, "m"); i++)
            roundings += whole(v, "m") - 1 - 1;  // a product of a row's sum, and that row's in the column's
        return roundings - 2;
    };
    return all;
}
