// Lab 12, counted.
#pragma once
#include "counts_07.h"

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
    return all;
}
