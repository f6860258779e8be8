// Lab 11, counted.
#pragma once
#include <map>
#include <set>

#include "counts_07.h"

/// Passes of one load by a warp of 16 x 2 threads from a tile whose rows are `pitch` floats apart.
inline int passes(int pitch) {
    std::map<int, std::set<int>> words;  // by bank
    for (int lane = 0; lane < 32; lane++) {
        const int word = lane / 16 * pitch + lane % 16;
        words[word % 32].insert(word);
    }
    size_t most = 0;
    for (const auto& [bank, of_bank] : words)
        most = std::max(most, of_bank.size());
    return int(most);
}

inline counts counts_11() {
    using questions::variables;
    counts all;
    all["11.a"] = [](const variables& v) {
        return smallest(whole(v, "n"), 2000, [](int f) { return f % 2 == 1 && passes(16 + f - 1) == 1; });
    };
    all["11.b"] = [](const variables& v) {
        const int side = 16 + whole(v, "f") - 1;
        return side * 4 *
               smallest(side, 1000, [](int pitch) { return pitch % 32 == 16 && passes(pitch) == 1; });
    };
    all["11.d"] = [](const variables& v) {
        double loads = 0;
        for (int output = 0; output < 16 * 16; output++)
            loads += v.at("m") * v.at("m");
        return loads / cells_of_tile(16, 16, whole(v, "m"), whole(v, "m"));
    };
    all["11.e"] = [](const variables& v) {
        const int b = whole(v, "b"), m = whole(v, "m");
        return cells_of_tile(b, b, m, m) / (b * b);
    };
    all["11.g"] = [](const variables& v) {
        return largest(1, 1000, [&](int f) {
            const double row = smallest(15 + f, 2000, [](int pitch) { return pitch % 32 == 16; });
            return f % 2 == 1 && row * (15 + whole(v, "h")) * 4 <= 48 * 1024;
        });
    };
    all["11.i"] = [](const variables& v) {
        double left = 132;
        for (int y = 0; y < 32 * whole(v, "b") + whole(v, "t"); y += 32)
            for (int x = 0; x < 32 * whole(v, "a") + whole(v, "s"); x += 32)
                left--;
        return left;
    };
    all["11.j"] = [](const variables& v) {
        const int m = whole(v, "m");
        const double square = cells_of_tile(16, 16, m, m);
        return (cells_of_tile(32, 8, m, m) - square) / square;
    };
    all["11.l"] = [](const variables& v) {
        const int rows_apart = 32 * whole(v, "q") + 32 / whole(v, "e");
        std::map<int, int> threads;  // by bank; all want different words
        int most = 0;
        for (int lane = 0; lane < 32; lane++)
            most = std::max(most, ++threads[(lane / 8 * rows_apart + lane % 8) % 32]);
        return double(most) * whole(v, "t");
    };
    return all;
}
