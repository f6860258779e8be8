// Lab 18, counted.
#pragma once
#include "counts_07.h"

inline counts counts_18() {
    using questions::variables;
    counts all;
    constexpr int SIDE = 16;
    // Matrices side by side until the last of SIDE outputs has all of its pixels.
    const auto matrices = [](int m) {
        return smallest(1, 99, [&](int n) { return n * SIDE >= SIDE - 1 + m; });
    };
    all["18.a"] = [=](const variables& v) {
        double products = 0;
        for (int down = 0; down < whole(v, "b"); down++)
            for (int across = 0; across < whole(v, "a"); across++)
                for (int i = 0; i < whole(v, "m"); i++)
                    products += matrices(whole(v, "m"));
        return products;
    };
    all["18.b"] = [=](const variables& v) {
        const int m = whole(v, "m");
        double taps = 0, numbers = 0;
        for (int x = 0; x < SIDE; x++)
            for (int k = 0; k < matrices(m) * SIDE; k++) {
                taps += k - x >= 0 && k - x < m;
                numbers++;
            }
        return 100 * taps / numbers;
    };
    all["18.c"] = [](const variables& v) {
        const int m = whole(v, "m");
        return cells_of_tile(64, 32, m, m) / (64 * 32);
    };
    all["18.d"] = [](const variables& v) {
        // Of 11 bits: every 16th number.
        const int p = whole(v, "p");
        double left = p;
        for (int near = 16384; near <= 32768; near += 16)
            if (std::fabs(p - near) < std::fabs(left)) left = p - near;
        return left;
    };
    all["18.g"] = [](const variables& v) {
        return smallest(-20, 20, [&](int k) { return v.at("p") * std::ldexp(1.0, k) >= 8192; });
    };
    all["18.i"] = [](const variables& v) {
        return largest(1, 2000, [&](int m) {
            int bytes = 64 * 32 * 4;
            for (int row = 0; row < 32 + m - 1; row++)
                bytes += 80 * 2;
            return m % 2 == 1 && bytes <= whole(v, "kb") * 1024;
        });
    };
    all["18.k"] = [](const variables& v) {
        const int w = whole(v, "w");
        return smallest(1, 999, [&](int h) { return h % 2 == 1 && 12 * (w + h + 2) < w * h; });
    };
    return all;
}
