// Lab 09, counted.
#pragma once
#include <set>

#include "counts_07.h"

inline counts counts_09() {
    using questions::variables;
    counts all;
    all["09.a"] = [](const variables& v) {
        double accesses = 1;
        for (int i = 0; i < whole(v, "m"); i++)
            for (int j = 0; j < whole(v, "m"); j++)
                accesses += 1 + 1;
        return accesses;
    };
    all["09.b"] = [](const variables& v) {
        return largest(1, 300, [&](int m) {
            return m % 2 == 1 && (32 + m - 1) * (32 + m - 1) * 4 <= whole(v, "k") * 1024;
        });
    };
    all["09.c"] = [](const variables& v) {
        double left = 64 * 1024;
        for (int tap = 0; tap < whole(v, "m") * whole(v, "m"); tap++)
            left -= sizeof(float);
        return left;
    };
    all["09.d"] = [](const variables& v) {
        return largest(1, 1024, [&](int m) { return m % 2 == 1 && (32 + m - 1) * whole(v, "rows") <= 1024; });
    };
    all["09.e"] = [](const variables& v) {
        const int r = whole(v, "r");
        double idle = 0;
        for (int begin = 0; begin < 32 + 2 * r; begin += 8)
            idle += how_many(begin, begin + 7, [&](int row) { return row >= r && row < r + 32; }) == 0;
        return idle;
    };
    all["09.f"] = [](const variables& v) {
        const int m = whole(v, "m");
        double loads = 0;
        for (int output = 0; output < 32 * 32; output++)
            loads += m * m;
        return loads / cells_of_tile(32, 32, m, m);
    };
    all["09.g"] = [](const variables& v) {
        return largest(1, 5000, [&](int taps) {
            return taps % 2 == 1 && 32 * (32 + taps - 1) * 4 <= whole(v, "k") * 1024;
        });
    };
    all["09.j"] = [](const variables& v) {
        double requests = 0;
        for (int first = 0; first < 32 * 32; first += 32)  // outputs of a warp
            requests += whole(v, "m") * whole(v, "m");
        return requests;
    };
    all["09.k"] = [](const variables& v) {
        const int width = 32 + whole(v, "m") - 1;
        std::set<int> warps;
        for (int thread = 0; thread < 8 * width; thread++)
            if (thread % width < 32) warps.insert(thread / 32);
        return double(warps.size()) * v.at("m") * v.at("m");
    };
    all["09.l"] = [](const variables& v) {
        const int side = 32 + whole(v, "m") - 1, warps = (8 * side + 31) / 32;
        const int bytes = side * side * 4 + 1024;
        return bytes * largest(1, 64, [&](int blocks) {
                   return blocks * warps <= 64 && blocks * bytes <= whole(v, "k") * 1024;
               });
    };
    all["09.m"] = [](const variables& v) {
        const double kernel_ms = 0;
        return v.at("cpu") / (kernel_ms + v.at("c"));
    };
    return all;
}
