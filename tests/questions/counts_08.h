// Lab 08, counted.
#pragma once
#include "counts_07.h"

/// The cells of a tile, swept by a block in steps of its own size: `look(lanes)` for every warp that has work.
template <class Look>
void sweep(int cells_x, int cells_y, int block_x, int block_y, const Look& look) {
    for (int top = 0; top < cells_y; top += block_y)
        for (int left = 0; left < cells_x; left += block_x)
            for (int warp = 0; warp < block_x * block_y; warp += 32) {
                const double lanes = how_many(warp, warp + 31, [&](int thread) {
                    return left + thread % block_x < cells_x && top + thread / block_x < cells_y;
                });
                if (lanes > 0) look(lanes);
            }
}

inline counts counts_08() {
    using questions::variables;
    counts all;
    all["08.a"] = [](const variables& v) {
        const int m = whole(v, "m");
        double requests = 0;
        sweep(32, 8, 32, 8, [&](double) { requests++; });
        for (int y = 0; y < 8 + m - 1; y++)
            requests += how_many(0, 32 + m - 2, [&](int x) {
                const int own_x = x - m / 2, own_y = y - m / 2;
                return own_x < 0 || own_x >= 32 || own_y < 0 || own_y >= 8;
            });
        return requests;
    };
    all["08.b"] = [](const variables& v) {
        double requests = 0;
        sweep((32 + whole(v, "m") - 1) * (8 + whole(v, "m") - 1), 1, 256, 1, [&](double) { requests++; });
        return requests;
    };
    all["08.c"] = [](const variables& v) {
        double requests = 0;
        sweep(32 + whole(v, "m") - 1, 8 + whole(v, "m") - 1, 32, 8, [&](double) { requests++; });
        return requests;
    };
    all["08.d"] = [](const variables& v) {
        const int side = 16 + whole(v, "m") - 1;
        double busy = 0, places = 0;
        sweep(side, side, 16, 16, [&](double lanes) { busy += lanes; });
        for (int top = 0; top < side; top += 16)
            for (int left = 0; left < side; left += 16)
                places += 256;
        return busy / places;
    };
    all["08.e"] = [](const variables& v) {
        const int bw = whole(v, "bw"), bh = whole(v, "bh"), m = whole(v, "m");
        double uses = 0;
        for (int output = 0; output < bw * bh; output++)
            uses += m * m;
        return uses / cells_of_tile(bw, bh, m, m);
    };
    all["08.f"] = [](const variables& v) {
        return largest(1, 300, [&](int m) {
            const int side = whole(v, "b") + m - 1;
            return m % 2 == 1 && side * side * 4 <= whole(v, "k") * 1024;
        });
    };
    all["08.g"] = [](const variables& v) {
        const int b = whole(v, "b"), n = b * whole(v, "k"), r = whole(v, "r");
        const double of_a_block = cells_of_tile(b, b, 2 * r + 1, 2 * r + 1);
        double said = 0, made = 0;
        for (int y = 0; y < n; y += b)
            for (int x = 0; x < n; x += b) {
                said += of_a_block;
                made += loaded_by_tile(n, y, y + b - 1, r) * loaded_by_tile(n, x, x + b - 1, r);
            }
        return said - made;
    };
    all["08.h"] = [](const variables& v) {
        const int b = whole(v, "b"), r = whole(v, "m") / 2;
        double cells = 0;
        for (int y = -r; y < b + r; y++)
            cells += how_many(-r, b + r - 1, [&](int x) { return x < 0 || x >= b || y < 0 || y >= b; });
        return cells;
    };
    all["08.i"] = [](const variables& v) {
        const double before = v.at("t1") * 1e-3, after = v.at("t2") * 1e-3;
        return (after - before) / before;
    };
    all["08.l"] = [](const variables& v) {
        const int b = whole(v, "b"), h = whole(v, "h"), m = whole(v, "m");
        return cells_of_tile(b, h, m, m) / (b * h);
    };
    all["08.m"] = [](const variables& v) {
        const int b = whole(v, "b"), m = whole(v, "m");
        double multiply_adds = 0;
        for (int output = 0; output < b * b; output++)
            multiply_adds += m * m;
        return multiply_adds / (cells_of_tile(b, b, m, m) - b * b);
    };
    all["08.n"] = [](const variables& v) {
        const int r = whole(v, "m") / 2;
        double cells = 1;
        for (int y = -r; y < 8 + r; y++)
            cells += how_many(-r, 31 + r, [&](int x) {
                const bool beside = x < 0 || x >= 32, above = y < 0 || y >= 8;
                return (beside && above) || (x < 0 && y == 0) || (y < 0 && x == 0);
            });
        return cells;
    };
    all["08.p"] = [](const variables& v) {
        double kernels = 1;
        for (int width = 0; width < whole(v, "a"); width++)
            kernels += whole(v, "b");
        return kernels;
    };
    return all;
}
