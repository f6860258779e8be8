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
        const int p = 16 * whole(v, "k") + whole(v, "r");
        int nearest = 0;
        for (int one = 16384; one <= 32768; one += 16)
            if (std::abs(p - one) < std::abs(p - nearest)) nearest = one;
        return nearest;
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
        // Four roundings an addition: three products along a row; two for what the parts leave out.
        double of_split = 0, of_floats = 0;
        for (int product = 0; product < 3 * (whole(v, "w") + whole(v, "h") + 2); product++)
            of_split += 4;
        for (int i = 0; i < whole(v, "h"); i++)
            of_floats += whole(v, "w");
        return of_floats / of_split;
    };
    return all;
}
