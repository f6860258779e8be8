// Lab 06, counted.
#pragma once
#include <set>

#include "../support/read_back.h"
#include "author/regions.h"
#include "counts.h"

/// The kernel's time that Beukman's table 1 has for a method.
inline double published_ms(const std::string& method) {
    const table rows = read_csv(author::read_text("data/published/beukman_table1_gtx1060.csv"));
    for (const auto& row : rows)
        if (row[0] == method) return std::stod(row[4]);
    return __builtin_nan("");
}

inline counts counts_06() {
    using questions::variables;
    counts all;
    all["06.a"] = [](const variables& v) {
        return largest(1, 1000,
                       [&](int side) { return side % 2 == 1 && side * side * 4 <= whole(v, "k") * 1024; });
    };
    all["06.b"] = [](const variables& v) {
        double with_filter = 0, without = 0;
        for (int request = 0; request < 9 * 1000; request++) {
            without += v.at("s");
            with_filter += v.at("s") + 1;
        }
        return (with_filter - without) / with_filter;
    };
    all["06.d"] = [](const variables& v) {
        const double second = 1, before = v.at("t1") * 1e-6, after = v.at("t2") * 1e-6;
        return (second / after) / (second / before);  // calls a second
    };
    all["06.e"] = [](const variables& v) {
        const double second = 1000;
        return (second / (v.at("k2") + v.at("copy"))) / (second / (v.at("k1") + v.at("copy")));
    };
    all["06.f"] = [](const variables& v) {
        double gigabytes = 0;
        for (int processor = 0; processor < whole(v, "p"); processor++)
            gigabytes += v.at("clock") * v.at("loads") / v.at("all") * sizeof(float);
        return gigabytes;
    };
    all["06.j"] = [](const variables& v) {
        double time = v.at("l");
        for (int y = 0; y < whole(v, "k"); y++)
            for (int x = 0; x < whole(v, "k"); x++)
                time += v.at("t") - v.at("l");  // a piece of 256 x 256
        return time;
    };
    all["06.l"] = [](const variables&) { return published_ms("Naive") - published_ms("Constant"); };
    all["06.m"] = [](const variables& v) {
        const int m = whole(v, "m");
        double passes = 0;
        for (int i = 0; i < m; i++)
            for (int k = 0; k < m; k++) {
                std::set<int> addresses;
                for (int thread = 0; thread < 32; thread++)
                    addresses.insert(i * m + (k + thread) % m);
                passes += double(addresses.size());
            }
        return passes;
    };
    all["06.n"] = [](const variables& v) {
        const int r = whole(v, "r");
        double addresses = 0;
        for (int step = 0; step <= 2 * r; step++) {
            std::set<int> wanted;
            for (int x = 0; x < 32; x++) {
                const int j = std::max(-r, -x) + step;
                if (j <= r) wanted.insert(j);
            }
            addresses += double(wanted.size());
        }
        return addresses;
    };
    all["06.o"] = [](const variables& v) {
        const double taps = v.at("rate") * 1e12 / sizeof(float), operations_of_a_tap = 2;
        return taps * operations_of_a_tap / (v.at("peak") * 1e12);
    };
    return all;
}
