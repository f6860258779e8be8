// Lab 01, counted.
#pragma once
#include <set>
#include <vector>

#include "counts.h"

/// The outputs of an array with this filter, ghost cells 0.
inline std::vector<double> convolved(const std::vector<double>& in, const std::vector<double>& filter) {
    const int n = int(in.size()), r = int(filter.size()) / 2;
    std::vector<double> out(in.size());
    for (int x = 0; x < n; x++)
        for (int j = -r; j <= r; j++)
            if (x + j >= 0 && x + j < n) out[size_t(x)] += filter[size_t(j + r)] * in[size_t(x + j)];
    return out;
}

inline double sum_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum;
}

/// Taps of all outputs that lie inside.
inline double taps_inside(int n, int m) {
    return sum_of(convolved(std::vector<double>(size_t(n), 1), std::vector<double>(size_t(m), 1)));
}

inline counts counts_01() {
    using questions::variables;
    counts all;
    all["01.a"] = [](const variables& v) {
        return sum_of(convolved({v.at("a"), v.at("b"), v.at("c"), v.at("d"), v.at("e")}, {2, 1, 4}));
    };
    all["01.b"] = [](const variables& v) {
        return convolved({v.at("a"), v.at("b"), v.at("c"), v.at("d"), v.at("e"), v.at("f"), v.at("g")},
                         {3, 4, 5, 4, 3})[0];
    };
    all["01.d"] = [](const variables& v) {
        std::vector<double> in;
        for (int k = 0; k < 100; k++)
            in.push_back(v.at("p") * k + v.at("q"));
        return convolved(in, {-0.5, 0, 0.5})[57];
    };
    all["01.e"] = [](const variables& v) {
        const int n = int(v.at("n")), r = int(v.at("m")) / 2;
        std::set<int> ghosts;
        for (int x = 0; x < n; x++)
            for (int j = -r; j <= r; j++)
                if (x + j < 0 || x + j >= n) ghosts.insert(x + j);
        return double(ghosts.size());
    };
    all["01.f"] = [](const variables& v) {
        double multiplications = 0;
        for (int x = 0; x < int(v.at("n")); x++)
            for (int j = 0; j < int(v.at("m")); j++)
                multiplications++;
        return multiplications;
    };
    all["01.g"] = [](const variables& v) { return taps_inside(int(v.at("n")), int(v.at("m"))); };
    all["01.h"] = [](const variables& v) {
        const int n = int(v.at("n")), r = int(v.at("r"));
        std::set<int> warps;
        for (int x = 0; x < n; x++)
            if (x - r < 0 || x + r >= n) warps.insert(x / 32);
        return double(warps.size());
    };
    all["01.i"] = [](const variables& v) {
        const int n = int(256 * v.at("k") + v.at("s")), blocks = (n + 255) / 256;
        return how_many(0, 256 * blocks - 1, [&](int x) { return x >= n; });
    };
    all["01.j"] = [](const variables& v) {
        const int r = int(v.at("r")), first = 320;
        double sectors = 0;
        for (int j = -r; j <= r; j++) {
            std::set<int> touched;
            for (int lane = 0; lane < 32; lane++)
                touched.insert((first + lane + j) * 4 / 32);
            sectors += double(touched.size());
        }
        return sectors;
    };
    all["01.l"] = [](const variables& v) {
        // A second's worth of bytes, spent tap by tap.
        const double bytes_of_a_tap = 2 * 4, operations_of_a_tap = 2;
        const double taps = v.at("rate") * 1e12 / bytes_of_a_tap;
        return taps * operations_of_a_tap / (v.at("peak") * 1e12);
    };
    all["01.n"] = [](const variables& v) {
        const std::vector<double> in = {v.at("a"), v.at("b"), v.at("c"), v.at("d"), v.at("e")};
        return convolved(in, {0, 1, 0})[2] + convolved(in, {1, 0, 0})[2] +
               convolved(in, {1.0 / 3, 1.0 / 3, 1.0 / 3})[2];
    };
    all["01.o"] = [](const variables& v) {
        const int r = whole(v, "r"), x = 320;
        double sectors = 0;
        for (int j = -r; j <= r; j++) {
            std::set<int> touched;
            for (int lane = 0; lane < 32; lane++)
                if (x + lane + j >= 0) touched.insert((j + r) * 4 / 32);
            sectors += double(touched.size());
        }
        return sectors;
    };
    all["01.p"] = [](const variables& v) {
        const int n = whole(v, "n"), r = whole(v, "r");
        double accesses = 0;
        for (int x = 0; x < n; x++) {
            accesses += 1;  // out[x] = 0
            accesses += how_many(-r, r, [&](int j) { return x + j >= 0 && x + j < n; }) * (1 + 1);
        }
        return accesses;
    };
    all["01.q"] = [](const variables& v) {
        const auto ms = [&](double taps) {
            return v.at("b") + (taps - 255) * (v.at("b") - v.at("a")) / (255 - 129);
        };
        double too_few = 255, enough = 1e5;
        for (int step = 0; step < 100; step++) {
            const double between = (too_few + enough) / 2;
            (ms(between) < v.at("c") ? too_few : enough) = between;
        }
        return enough;
    };
    return all;
}
