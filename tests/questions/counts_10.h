// Lab 10, counted.
#pragma once
#include "counts_07.h"

/// Fetches of a kernel with one for every tap of every pixel, and how many of them lie outside of the image.
struct fetches {
    double all = 0, ghosts = 0;
};
inline fetches fetched(int w, int h, int r) {
    fetches made;
    for (int y = 0; y < h; y++)
        for (int i = -r; i <= r; i++)
            for (int x = 0; x < w; x++) {
                made.all += 2 * r + 1;
                made.ghosts += how_many(
                    -r, r, [&](int j) { return x + j < 0 || x + j >= w || y + i < 0 || y + i >= h; });
            }
    return made;
}

inline counts counts_10() {
    using questions::variables;
    counts all;
    all["10.a"] = [](const variables& v) {
        const double of_image = fetched(whole(v, "w"), whole(v, "h"), whole(v, "r")).all;
        return of_image + of_image;
    };
    all["10.b"] = [](const variables& v) {
        return fetched(whole(v, "w"), whole(v, "h"), whole(v, "r")).ghosts;
    };
    all["10.c"] = [](const variables& v) {
        double texels = 0;
        for (int y = 0; y < 8 * whole(v, "b") + whole(v, "t"); y += 8)
            for (int x = 0; x < 32 * whole(v, "a") + whole(v, "s"); x += 32)
                for (int row = -whole(v, "r"); row < 8 + whole(v, "r"); row++)
                    texels += how_many(-whole(v, "r"), 31 + whole(v, "r"), [](int) { return true; });
        return texels;
    };
    all["10.e"] = [](const variables& v) {
        double texels = 0;
        for (int y = 0; y < whole(v, "n"); y++)
            texels += v.at("n") * v.at("m") * v.at("m");
        return texels / (v.at("t") / 1000) / 1e9;
    };
    all["10.f"] = [](const variables& v) {
        // Walk to the right and turn at the edge.
        int pixel = 0, step = 1;
        for (int x = 0; x < whole(v, "w") + whole(v, "k"); x++)
            if (pixel + step < 0 || pixel + step >= whole(v, "w"))
                step = -step;
            else
                pixel += step;
        return double(pixel);
    };
    all["10.g"] = [](const variables& v) {
        return cells_of_tile(32, 8, whole(v, "m"), whole(v, "m")) * sizeof(float);
    };
    all["10.k"] = [](const variables& v) {
        const double w = v.at("w"), at = -v.at("k") / w;
        return smallest(0, int(w) - 1, [&](int x) { return x / w <= -at && -at < (x + 1) / w; });
    };
    all["10.l"] = [](const variables& v) {
        const double of_a_rounding = std::ldexp(1.0, -whole(v, "b"));
        double width = 1;
        while (2 * of_a_rounding * width < 0.5)
            width++;
        return width;
    };
    all["10.n"] = [](const variables& v) {
        return cells_of_tile(32, 8, whole(v, "m"), whole(v, "m")) / (32 * 8);
    };
    return all;
}
