// Lab 12, counted.
#pragma once
#include "counts_11.h"

inline counts counts_12() {
    using questions::variables;
    counts all;
    all["12.a"] = [](const variables& v) {
        return cells_of_tile(whole(v, "bx") * whole(v, "n"), whole(v, "by"), whole(v, "fw"), whole(v, "fh")) *
               sizeof(float);
    };
    all["12.b"] = [](const variables& v) {
        const int n = whole(v, "n"), f = whole(v, "f");
        return cells_of_tile(32 * n, 16, f, f) / (32 * n * 16);
    };
    all["12.c"] = [](const variables& v) {
        // What a row twice as long adds has no halo at its sides.
        const int b = whole(v, "b"), f = whole(v, "f");
        return (cells_of_tile(1024, b, f, f) - cells_of_tile(512, b, f, f)) / (512 * b);
    };
    all["12.d"] = [](const variables& v) {
        double blocks = 0;
        for (int x = 0; x < whole(v, "w"); x += 32 * whole(v, "n"))
            blocks++;
        return blocks;
    };
    all["12.g"] = [](const variables& v) {
        return cells_of_tile(16 * 4, 16, whole(v, "fw"), whole(v, "fh")) * sizeof(float) - 48 * 1024 / 2;
    };
    all["12.h"] = [](const variables& v) {
        return smallest(whole(v, "from"), 2000, [&](int width) {
            return passes(16 * whole(v, "n") + width - 1) == 1 && width % 2 == 1;
        });
    };
    all["12.i"] = [](const variables& v) {
        double cycles = 0;
        const int reads = 1000 * 32, multiply_adds = reads * whole(v, "k");
        for (int read = 0; read < reads; read += 32)
            cycles++;
        return multiply_adds / (cycles * v.at("f"));
    };
    all["12.j"] = [](const variables& v) {
        const int fw = whole(v, "fw"), fh = whole(v, "fh");
        return cells_of_tile(whole(v, "bx") * whole(v, "n"), whole(v, "by"), fw, fh) - fw * fh;
    };
    all["12.l"] = [](const variables& v) {
        double blocks = 0;
        for (int y = 0; y < 32 * whole(v, "b") + whole(v, "t"); y += 32)
            for (int x = 0; x < whole(v, "w"); x += 32 * whole(v, "n"))
                blocks++;
        return blocks;
    };
    all["12.m"] = [](const variables& v) {
        const int row = 16 * whole(v, "n") + whole(v, "f") - 1;
        return smallest(row, 1000, [](int pitch) { return pitch % 32 == 16 && passes(pitch) == 1; }) *
               (16 + whole(v, "f") - 1) * sizeof(float);
    };
    return all;
}
