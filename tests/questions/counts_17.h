// Lab 17, counted.
#pragma once
#include "counts.h"

inline counts counts_17() {
    using questions::variables;
    counts all;
    all["17.a"] = [](const variables& v) {
        const int w = whole(v, "w"), r = whole(v, "m") / 2;
        return smallest(w, 3 * w, [&](int plane) {
            for (int x = 0; x < w; x++)
                for (int j = -r; j <= r; j++) {
                    const bool is_pixel = x + j >= 0 && x + j < w;
                    if (!is_pixel && (x + j + plane) % plane < w) return false;
                }
            return true;
        });
    };
    // Those that are not the conjugate of one that was counted before, row by row: column k mirrors column -k.
    const auto waves = [](const variables& v) {
        const int w = whole(v, "w");
        return whole(v, "h") * how_many(0, w - 1, [&](int k) { return k <= (w - k) % w || k == 0; });
    };
    all["17.b"] = waves;
    all["17.c"] = [](const variables& v) {
        const int reach = whole(v, "t") - (whole(v, "m") - 1);
        double tiles = 0;
        for (int y = 0; y < whole(v, "s"); y += reach)
            for (int x = 0; x < whole(v, "s"); x += reach)
                tiles++;
        return tiles;
    };
    all["17.d"] = [](const variables& v) {
        const int t = whole(v, "t"), r = whole(v, "m") / 2;
        const double whole_side = how_many(0, t - 1, [&](int x) { return x - r >= 0 && x + r < t; });
        return 100 * whole_side * whole_side / (t * t);
    };
    all["17.e"] = [](const variables& v) {
        double of_taps = 0, of_transforms = 0;
        for (int tap = 0; tap < whole(v, "m") * whole(v, "m"); tap++)
            of_taps += 2;
        for (int digit = 0; digit < whole(v, "k"); digit++)
            of_transforms += 3 * 2.5;
        return of_taps / of_transforms;
    };
    all["17.f"] = [=](const variables& v) { return waves(v) * (8 + 8); };
    all["17.g"] = [](const variables& v) {
        const double plane[] = {v.at("a"), v.at("b"), v.at("c"), 0},
                     taps[] = {v.at("p"), v.at("q"), v.at("r")};
        double sum = 0;
        for (int j = 0; j < 3; j++)
            sum += taps[j] * plane[(3 + j - 1) % 4];
        return sum;
    };
    return all;
}
