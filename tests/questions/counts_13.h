// Lab 13, counted.
#pragma once
#include "counts_07.h"

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
    return all;
}
