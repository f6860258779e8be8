// Lab 13, counted.
#pragma once
#include <set>

#include "counts_07.h"

/// Chunks of four floats, whole ones, that hold the pixels under m taps of these columns; the first column begins one.
inline double chunks_of_row(int columns, int m) {
    std::set<int> chunks;
    for (int x = -(m / 2); x < columns + m / 2; x++)
        chunks.insert((x + 1000) / 4);
    return double(chunks.size());
}

inline counts counts_13() {
    using questions::variables;
    counts all;
    all["13.a"] = [](const variables& v) {
        return largest(1, 20000, [&](int w) {
            return w % 2 == 1 && (32 * whole(v, "n") + w - 1) * (8 + whole(v, "h") - 1) * 4 <= 48 * 1024;
        });
    };
    all["13.b"] = [](const variables& v) {
        return largest(1, whole(v, "most"),
                       [&](int each) { return each * whole(v, "bx") * whole(v, "by") <= whole(v, "regs"); });
    };
    all["13.c"] = [](const variables& v) {
        const int n = whole(v, "n");
        return cells_of_tile(32 * n, 8, whole(v, "fw"), whole(v, "fh")) / (32 * n * 8);
    };
    all["13.d"] = [](const variables& v) {
        double all_reads = 0, for_outputs = 0;
        for (int top = 0; top < whole(v, "h"); top += 8)
            for (int left = 0; left < whole(v, "w"); left += 256)
                for (int y = top; y < top + 8; y++) {
                    all_reads += 256 * v.at("m") * v.at("m");
                    for_outputs += v.at("m") * v.at("m") * how_many(left, left + 255, [&](int x) {
                                       return x < whole(v, "w") && y < whole(v, "h");
                                   });
                }
        return for_outputs / all_reads;
    };
    all["13.h"] = [](const variables& v) {
        const int f = whole(v, "f");
        return largest(1, 100, [&](int n) { return (16 * n + f - 1) * (32 + f - 1) * 4 <= 48 * 1024; });
    };
    all["13.j"] = [](const variables& v) {
        const int m = whole(v, "m");
        return cells_of_tile(32, 8, m, m) / 256 / (cells_of_tile(256, 8, m, m) / 2048);
    };
    all["13.k"] = [](const variables& v) {
        const int f = whole(v, "f"), bytes = (32 * whole(v, "n") + f - 1) * (8 + f - 1) * 4 + 1024;
        return smallest(0, whole(v, "k") * 1024, [&](int left) {
            const int taken = whole(v, "k") * 1024 - left;
            return taken % bytes == 0 && taken / bytes * 256 <= 2048;
        });
    };
    all["13.l"] = [](const variables& v) {
        double requests = 0;
        for (int tap = 0; tap < whole(v, "m") * whole(v, "m"); tap++)
            for (int n = 0; n < whole(v, "n"); n++)
                requests++;
        return requests;
    };
    all["13.m"] = [](const variables& v) {
        const int rows = whole(v, "rows"), b = whole(v, "b"), m = whole(v, "m"), columns = 4;
        double bytes = 0;
        for (int first = 0; first < m; first += b)
            for (int row = first; row < first + rows + b - 1; row++)
                bytes += 16 * chunks_of_row(columns, m);
        return bytes / (columns * rows * m * m);
    };
    all["13.o"] = [](const variables& v) {
        const int rows = whole(v, "rows") * whole(v, "warps"), m = whole(v, "m");
        double bytes = 0;
        for (int row = -(m / 2); row < rows + m / 2; row++)
            bytes += 16 * chunks_of_row(128, m);
        return bytes;
    };
    all["13.p"] = [](const variables& v) {
        std::set<int> read;
        double products = 0;
        for (int output = 0; output < whole(v, "rows"); output++)
            for (int of_filter = 0; of_filter < whole(v, "b"); of_filter++, products++)
                read.insert(output + of_filter);
        return double(read.size()) / products;
    };
    all["13.q"] = [](const variables& v) {
        return largest(1, 1000, [&](int height) {
            const int rows = 4 * whole(v, "rows") + height - 1;
            return height % 2 == 1 && rows * 16 * chunks_of_row(128, 43) <= whole(v, "k") * 1024;
        });
    };
    return all;
}
