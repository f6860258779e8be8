// Lab 19, counted.
#pragma once
#include "counts_07.h"

inline counts counts_19() {
    using questions::variables;
    counts all;
    const auto both_ways = [](const variables& v, auto&& one_copy) {
        double sum = 0;
        for (int from = 0; from < whole(v, "n"); from++)
            for (int to = 0; to < whole(v, "n"); to++)
                if (std::abs(from - to) == 1) sum += one_copy();
        return sum;
    };
    all["19.a"] = [=](const variables& v) {
        return both_ways(v, [&] {
            double bytes = 0;
            for (int row = 0; row < whole(v, "r"); row++)
                bytes += whole(v, "w") * sizeof(float);
            return bytes;
        });
    };
    all["19.b"] = [](const variables& v) {
        const int s = whole(v, "s"), r = whole(v, "r");
        return 100.0 * how_many(0, s - 1, [&](int row) { return row - r >= 0 && row + r < s; }) / s;
    };
    all["19.c"] = [=](const variables& v) {
        double copies = 0;
        for (int pass = 0; pass + 1 < whole(v, "p"); pass++)
            copies += both_ways(v, [] { return 1; });
        return copies;
    };
    all["19.e"] = [](const variables& v) {
        const double microseconds = 1000 * v.at("t");
        return microseconds / (microseconds / v.at("n") + v.at("e"));
    };
    all["19.f"] = [](const variables& v) {
        const long a = whole(v, "a"), e = whole(v, "e"), h = whole(v, "h"), r = whole(v, "r");
        // n times the nanoseconds of an interior, so that all are whole.
        return largest(1, 10'000, [&](int n) { return a * (h - 2 * r * n) >= 1000 * e * n; });
    };
    // Row 0 after k passes depends on this far a row of the image.
    const auto reach = [](int k, int r) {
        int farthest = 0;
        for (int pass = 0; pass < k; pass++)
            farthest += r;
        return farthest;
    };
    all["19.g"] = [=](const variables& v) { return reach(whole(v, "k"), whole(v, "r")); };
    all["19.h"] = [=](const variables& v) {
        double rows = 0;
        for (int left = 0; left < whole(v, "k"); left++)  // passes after this one
            rows += 2 * reach(left, whole(v, "r"));
        return rows;
    };
    all["19.j"] = [](const variables& v) {
        const int h = whole(v, "h"), n = whole(v, "n");
        const auto rows = [&](int k) { return (k + 1) * h / n - k * h / n; };
        int shortest = h;
        for (int k = 0; k < n; k++)
            shortest = std::min(shortest, rows(k));
        return how_many(0, n - 1, [&](int k) { return rows(k) == shortest + 1; });
    };
    all["19.n"] = [](const variables& v) {
        double bytes = 0;
        for (int row = 0; row < whole(v, "r"); row++)
            bytes += whole(v, "w") * sizeof(float);
        return bytes / (v.at("b") * 1e9) * 1e6;
    };
    return all;
}
