// Lab 02, counted.
#pragma once
#include <set>

#include "counts.h"

inline counts counts_02() {
    using questions::variables;
    counts all;
    all["02.a"] = [](const variables& v) {
        const int n = whole(v, "n"), r = whole(v, "r");
        double loads = 0;
        for (int x = 0; x < n; x++)
            for (int j = -r; j <= r; j++)
                if (x + j >= 0 && x + j < n) loads += 1 + 1;  // an element and a tap
        return loads;
    };
    all["02.b"] = [](const variables& v) {
        const int bytes = 1024 * whole(v, "k");
        return largest(1, bytes,
                       [&](int taps) { return taps % 2 == 1 && taps * int(sizeof(float)) <= bytes; });
    };
    all["02.c"] = [](const variables& v) {
        const int m = whole(v, "m");
        double passes = 0;
        for (int step = 0; step < m; step++) {
            std::set<int> addresses;
            for (int x = 640; x < 672; x++)
                addresses.insert((x + step) % m);
            passes += double(addresses.size());
        }
        return passes;
    };
    all["02.d"] = [](const variables& v) {
        const int n = 32 * whole(v, "k"), r = whole(v, "r");
        double requests = 0;
        for (int warp = 0; warp < n; warp += 32)
            for (int j = -r; j <= r; j++)
                requests +=
                    how_many(warp, warp + 31, [&](int x) { return x < n && x + j >= 0 && x + j < n; }) > 0;
        return requests;
    };
    all["02.f"] = [](const variables& v) {
        const int declared = whole(v, "size"), copied = declared + whole(v, "more");
        return how_many(0, 4 * copied - 1, [&](int byte) { return byte >= 4 * declared; });
    };
    all["02.j"] = [](const variables& v) {
        double kernels = 0, reported = 0;
        for (int launch = 0; launch < 20; launch++) {
            kernels += v.at("t");
            reported += v.at("c") + v.at("t");
        }
        return (reported - kernels) / kernels;
    };
    return all;
}
