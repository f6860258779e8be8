// Lab 16, counted.
#pragma once
#include "counts_07.h"

inline counts counts_16() {
    using questions::variables;
    counts all;
    // Threads of a block that have an output: those whose neighbours are threads of the block, too.
    const auto outputs = [](int width, int height) {
        double found = 0;
        for (int y = 0; y < height; y++)
            found += how_many(0, width - 1, [&](int x) {
                return x - 1 >= 0 && x + 1 < width && y - 1 >= 0 && y + 1 < height;
            });
        return found;
    };
    all["16.a"] = [=](const variables& v) {
        const int bw = whole(v, "bw"), bh = whole(v, "bh"), m = whole(v, "m");
        return cells_of_tile(bw, bh, m, m) / outputs(bw, bh);
    };
    all["16.b"] = [](const variables& v) {
        const int w = whole(v, "w"), h = whole(v, "h");
        double columns = 0, rows = 0;
        for (int x = 0; x < w; x++)
            columns += (x > 0) + (x < w - 1);
        for (int y = 0; y < h; y++)
            rows += how_many(y - 1, y + 1, [&](int from) { return from >= 0 && from < h; });
        return columns * rows;
    };
    const auto moved = [](const variables& v, std::initializer_list<int> images_of_kernels) {
        double bytes = 0;
        for (const int images : images_of_kernels)
            for (int y = 0; y < whole(v, "h"); y++)
                bytes += images * v.at("w") * sizeof(float);
        return bytes;
    };
    all["16.c"] = [=](const variables& v) { return moved(v, {1 + 1, 1 + 1, 1 + 1, 2 + 1}); };
    all["16.k"] = [=](const variables& v) { return moved(v, {1 + 1, 1 + 1}); };
    all["16.d"] = [=](const variables& v) {
        const int bw = whole(v, "bw"), bh = whole(v, "bh");
        return 100 * (bw * bh - outputs(bw, bh)) / outputs(bw, bh);
    };
    all["16.f"] = [](const variables& v) {
        constexpr int SIDE = 32;
        return largest(1, 129, [&](int m) {
            int floats = 0;
            for (int row = 0; row < SIDE + m - 1; row++)
                floats += SIDE + m - 1;
            for (int row = 0; row < SIDE; row++)
                floats += SIDE;
            return m % 2 == 1 && floats * 4 <= whole(v, "kb") * 1024;
        });
    };
    all["16.g"] = [](const variables& v) {
        double width = v.at("t");
        for (int step = 0; step < whole(v, "n"); step++)
            width += whole(v, "m") / 2 * 2;
        return width;
    };
    all["16.h"] = [=](const variables& v) {
        const int bw = whole(v, "bw"), bh = whole(v, "bh");
        return bw * bh - outputs(bw, bh);
    };
    return all;
}
