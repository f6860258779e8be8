// Lab 14, counted.
#pragma once
#include <algorithm>
#include <vector>

#include "counts_07.h"

inline counts counts_14() {
    using questions::variables;
    counts all;
    all["14.a"] = [](const variables& v) {
        const int h = whole(v, "h"), s = whole(v, "s");
        int each = 0;
        while (each * s < h)
            each++;
        double left = h;
        for (int strip = 0; strip < s - 1; strip++)
            left -= each;
        return left;
    };
    all["14.b"] = [](const variables& v) {
        const int s = whole(v, "s"), r = whole(v, "r"), radius = whole(v, "m") / 2;
        std::vector<int> there(s), filtered(s);  // the slot after which
        int computing = 0, going = 0;
        for (int k = 0; k < s; k++)
            there[k] = k + 1;
        for (int k = 0; k < s; k++) {
            for (int row = k * r; row < std::min((k + 1) * r + radius, s * r); row++)
                computing = std::max(computing, there[row / r]);
            filtered[k] = ++computing;
        }
        for (int k = 0; k < s; k++)
            going = std::max(going, filtered[k]) + 1;
        return double(going);
    };
    all["14.c"] = [](const variables& v) {
        const int s = whole(v, "s"), w = whole(v, "w"), n = whole(v, "n"), radius = whole(v, "m") / 2;
        double bytes = 0;
        for (int strip = 0; strip < s; strip++)
            for (int row = strip * n - radius; row < (strip + 1) * n + radius; row++)
                if (row >= 0 && row < s * n) bytes += w * sizeof(float);
        return bytes;
    };
    all["14.d"] = [](const variables& v) {
        double bytes = 0;
        for (int slot = 0; slot < whole(v, "n"); slot++)
            for (const int way : {0, 1})
                for (int channel = 0; channel < 3; channel++)
                    bytes += (way >= 0) * sizeof(float) * v.at("w") * v.at("h");
        return bytes;
    };
    all["14.e"] = [](const variables& v) {
        const double seconds = 3 * sizeof(float) * v.at("w") * v.at("h") / (v.at("g") * 1e9);
        return 1 / seconds;
    };
    all["14.f"] = [](const variables& v) {
        int frames = 0;
        while (v.at("a") + frames * v.at("q") > frames * v.at("p"))
            frames++;
        return double(frames);
    };
    return all;
}
