// Lab 06, counted.
#pragma once
#include "counts.h"

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
    return all;
}
