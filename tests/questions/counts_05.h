// Lab 05, counted.
#pragma once
#include <set>

#include "counts_01.h"

/// Cells that some tap of n1 x n2 outputs meets outside.
inline double ghost_cells(int n1, int n2, int m1, int m2) {
    double cells = 0;
    for (int y = -(m1 / 2); y < n1 + m1 / 2; y++)
        cells +=
            how_many(-(m2 / 2), n2 + m2 / 2 - 1, [&](int x) { return x < 0 || x >= n2 || y < 0 || y >= n1; });
    return cells;
}

/// Taps inside the image, over all outputs; the rows' and the columns' are independent of each other.
inline double taps_inside(int n1, int n2, int m1, int m2) {
    double taps = 0;
    const double of_a_row = taps_inside(n2, m2);
    for (int y = 0; y < n1; y++)
        taps += of_a_row * how_many(-(m1 / 2), m1 / 2, [&](int i) { return y + i >= 0 && y + i < n1; });
    return taps;
}

inline counts counts_05() {
    using questions::variables;
    counts all;
    all["05.a"] = [](const variables& v) {
        return ghost_cells(whole(v, "n"), whole(v, "n"), whole(v, "m"), whole(v, "m"));
    };
    all["05.b"] = [](const variables& v) {
        double multiplications = 0;
        for (int y = 0; y < whole(v, "n"); y++)
            for (int x = 0; x < whole(v, "n"); x++)
                multiplications += v.at("m") * v.at("m");
        return multiplications;
    };
    all["05.c"] = [](const variables& v) {
        return taps_inside(whole(v, "n"), whole(v, "n"), whole(v, "m"), whole(v, "m"));
    };
    all["05.d"] = [](const variables& v) {
        return ghost_cells(whole(v, "n1"), whole(v, "n2"), whole(v, "m1"), whole(v, "m2"));
    };
    all["05.e"] = [](const variables& v) {
        double multiplications = 0;
        for (int y = 0; y < whole(v, "n1"); y++)
            for (int x = 0; x < whole(v, "n2"); x++)
                multiplications += v.at("m1") * v.at("m2");
        return multiplications;
    };
    all["05.f"] = [](const variables& v) {
        return taps_inside(whole(v, "n1"), whole(v, "n2"), whole(v, "m1"), whole(v, "m2"));
    };
    all["05.g"] = [](const variables& v) {
        const int w = whole(v, "w"), h = whole(v, "h"), m = 2 * whole(v, "r") + 1;
        double tested = 0, padded = 0;
        for (int y = 0; y < h; y++)
            for (int i = -(m / 2); i <= m / 2; i++)
                for (int x = 0; x < w; x++) {
                    padded += m;
                    if (y + i < 0 || y + i >= h) continue;
                    tested += how_many(-(m / 2), m / 2, [&](int j) { return x + j >= 0 && x + j < w; });
                }
        return (padded - tested) / padded;
    };
    all["05.h"] = [](const variables& v) {
        const int b = whole(v, "b"), r = whole(v, "r"), width = 1024;
        double sectors = 0;
        for (int i = -r; i <= r; i++)
            for (int j = -r; j <= r; j++) {
                std::set<int> touched;
                for (int lane = 0; lane < 32; lane++)
                    touched.insert(((96 + lane / b + i) * width + 512 + lane % b + j) * 4 / 32);
                sectors += double(touched.size());
            }
        return sectors;
    };
    all["05.i"] = [](const variables& v) {
        // A kernel that takes no time at all leaves the transfers.
        const double kernel_ms = 0;
        return v.at("cpu") / (kernel_ms + v.at("copy"));
    };
    all["05.j"] = [](const variables& v) {
        double bytes = 0;
        for (int y = 0; y < whole(v, "y"); y++)
            bytes += v.at("pitch");
        for (int x = 0; x < whole(v, "x"); x++)
            bytes += v.at("c") * sizeof(float);
        return bytes + (v.at("c") - 1) * sizeof(float);
    };
    all["05.m"] = [](const variables& v) {
        const int m = 2 * whole(v, "r") + 1;
        return taps_inside(whole(v, "h"), whole(v, "w"), m, m);
    };
    return all;
}
