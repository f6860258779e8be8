// Lab 20, counted.
#pragma once
#include "counts_07.h"

inline counts counts_20() {
    using questions::variables;
    counts all;
    const auto plane = [](const variables& v, int width, int height) {
        return cells_of_tile(width, height, whole(v, "m"), whole(v, "m"));
    };
    all["20.a"] = [=](const variables& v) {
        const int bw = whole(v, "bw"), bh = whole(v, "bh"), bd = whole(v, "bd");
        return plane(v, bw, bh) * cells_of_row(bd, whole(v, "m")) / (bw * bh * bd);
    };
    all["20.b"] = [=](const variables& v) {
        const int bw = whole(v, "bw"), bh = whole(v, "bh");
        return plane(v, bw, bh) / (bw * bh);
    };
    all["20.c"] = [](const variables& v) {
        const auto met = [&](const char* side) {
            double taps = 0;
            for (int at = 0; at < whole(v, side); at++)
                taps += how_many(at - whole(v, "r"), at + whole(v, "r"),
                                 [&](int from) { return from >= 0 && from < whole(v, side); });
            return taps;
        };
        return met("w") * met("h") * met("d");
    };
    all["20.d"] = [=](const variables& v) {
        const int t = whole(v, "t");
        double of_cubes = 0, of_planes = 0;  // a column of t slices
        for (int slice = 0; slice < cells_of_row(t, whole(v, "m")); slice++)
            of_cubes += plane(v, t, t);
        for (int slice = 0; slice < t; slice++)
            of_planes += plane(v, t, t);
        return of_cubes / of_planes;
    };
    all["20.f"] = [=](const variables& v) {
        double bytes = 0;
        for (int slice = 0; slice < cells_of_row(whole(v, "bd"), whole(v, "m")); slice++)
            bytes += plane(v, whole(v, "bw"), whole(v, "bh")) * sizeof(float);
        return bytes;
    };
    all["20.g"] = [](const variables& v) {
        double blocks = 0;
        for (int y = 0; y < whole(v, "h"); y += 16)
            blocks += how_many(0, whole(v, "w") - 1, [](int x) { return x % 32 == 0; });
        return blocks;
    };
    all["20.h"] = [](const variables& v) {
        constexpr int SLICES = 1000;  // as many outputs of a thread
        double cells = 0;
        for (int z = 0; z < SLICES; z++)
            for (int i = 0; i < whole(v, "h"); i++)
                cells += v.at("w");
        return cells / SLICES;
    };
    all["20.k"] = [](const variables& v) {
        const int z = whole(v, "z"), r = whole(v, "r"), k = whole(v, "k");
        return smallest(z - r, z + r, [&](int output) { return output + k - r == z; });
    };
    return all;
}
