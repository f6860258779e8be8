// Diagnosis: outputs of wrong convolutions, written as
// students would write them, are named; anything else is not.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "diagnose/diagnose.h"
#include "problem/compare.h"

using namespace check;
using lab::border;

namespace {

using pixels = std::vector<float>;
/// The value under tap (i, j), both from -r, of the output pixel (x, y, c) times that tap.
using product = std::function<float(const problem_2d&, int x, int y, int c, int i, int j)>;

float in_at(const problem_2d& p, int x, int y, int c, border mode = border::zero) {
    const int column = lab::border_index(x, p.in.width, mode), row = lab::border_index(y, p.in.height, mode);
    if (column < 0 || row < 0) return 0.0f;
    return p.in.pixels[(size_t(row) * p.in.width + column) * p.in.channels + c];
}

float tap_at(const problem_2d& p, int i, int j) {
    return p.filter.taps[size_t(i + p.filter.height / 2) * p.filter.width + j + p.filter.width / 2];
}

float flat_at(const problem_2d& p, int64_t position) {
    return position >= 0 && position < int64_t(p.in.pixels.size()) ? p.in.pixels[size_t(position)] : NAN;
}

pixels run(const problem_2d& p, const product& term) {
    const int rx = p.filter.width / 2, ry = p.filter.height / 2;
    pixels out(p.in.pixels.size(), NAN);
    for (int y = 0; y < p.in.height; y++) {
        for (int x = 0; x < p.in.width; x++) {
            for (int c = 0; c < p.in.channels; c++) {
                float sum = 0.0f;
                for (int i = -ry; i <= ry; i++) {
                    for (int j = -rx; j <= rx; j++)
                        sum += term(p, x, y, c, i, j);
                }
                out[(size_t(y) * p.in.width + x) * p.in.channels + c] = sum;
            }
        }
    }
    return out;
}

pixels right(const problem_2d& p) {
    return convolve_serial(p);
}

problem_2d noise(int width, int height, int taps_x, int taps_y, int channels = 1,
                 border mode = border::zero) {
    return {noise_image(width, height, channels, 3), random_filter(taps_x, taps_y, 4), mode};
}

std::string cause(const pixels& out, const problem_2d& p) {
    return diagnose(out, p, {}).text;
}
bool names(const pixels& out, const problem_2d& p, const std::string& words) {
    const std::string text = cause(out, p);
    if (text.find(words) == std::string::npos) MESSAGE("diagnosed: " << text);
    return text.find(words) != std::string::npos;
}

inspect::report one_launch(unsigned grid_x, unsigned grid_y, unsigned block_x, unsigned block_y,
                           uint64_t stores) {
    inspect::report seen;
    seen.inspected = true;
    inspect::launch launch;
    launch.grid[0] = grid_x, launch.grid[1] = grid_y, launch.grid[2] = 1;
    launch.block[0] = block_x, launch.block[1] = block_y, launch.block[2] = 1;
    launch.total.global.stores.lanes = stores;
    seen.launches.push_back(launch);
    return seen;
}

}  // namespace

TEST_CASE("right outputs have no cause") {
    for (const problem_2d& p :
         {noise(37, 23, 5, 3), noise(1, 1, 3, 3), noise(9, 9, 3, 3, 3, border::mirror)}) {
        CHECK(cause(right(p), p) == "");
    }
}

TEST_CASE("two parts of fp16 of which one is used") {
    problem_2d p = noise(37, 23, 5, 3);
    p.fp16_parts = 2;
    problem_2d short_pixels = p;
    for (float& pixel : short_pixels.in.pixels)
        pixel = std::round(pixel * 1024) / 1024;
    CHECK(names(right(short_pixels), p, "as exact as fp16"));
    CHECK(cause(right(p), p) == "");
}

TEST_CASE("numbers that fp16 does not have") {
    problem_2d p = noise(37, 23, 5, 3);
    pixels out = right(p);
    out[7] = INFINITY;
    const inspect::report seen = one_launch(3, 2, 16, 16, out.size());
    CHECK(diagnose(out, p, seen).id != "fp16-overflow");
    p.fp16_parts = 1;
    CHECK(diagnose(out, p, seen).id == "fp16-overflow");
    out[7] = 1;
    CHECK(diagnose(out, p, seen).id != "fp16-overflow");
    inspect::report never_came = seen;
    never_came.origin.values = never_came.origin.of_host = out.size();
    CHECK(diagnose(pixels(out.size(), NAN), p, never_came).id == "out-not-copied");
}

TEST_CASE("flipped, transposed and mutilated filters") {
    const problem_2d p = noise(37, 23, 5, 5);
    CHECK(names(run(p, [](auto& p, int x, int y, int c, int i,
                          int j) { return in_at(p, x + j, y + i, c) * tap_at(p, -i, -j); }),
                p, "flipped: its last tap"));
    CHECK(names(run(p, [](auto& p, int x, int y, int c, int i,
                          int j) { return in_at(p, x + j, y + i, c) * tap_at(p, i, -j); }),
                p, "flipped left to right"));
    CHECK(names(run(p, [](auto& p, int x, int y, int c, int i,
                          int j) { return in_at(p, x + j, y + i, c) * tap_at(p, -i, j); }),
                p, "flipped upside down"));
    CHECK(names(run(p, [](auto& p, int x, int y, int c, int i,
                          int j) { return in_at(p, x + j, y + i, c) * tap_at(p, j, i); }),
                p, "transposed"));
    CHECK(names(run(p, [](auto& p, int x, int y, int c, int i,
                          int j) { return i || j ? 0 : in_at(p, x, y, c) * tap_at(p, 0, 0); }),
                p, "only the middle tap"));
}

TEST_CASE("loops that leave out taps") {
    const problem_2d p = noise(37, 23, 5, 7);
    const auto without = [&](std::function<bool(int, int)> left_out) {
        return run(p, [left_out](auto& p, int x, int y, int c, int i, int j) {
            return left_out(i, j) ? 0.0f : in_at(p, x + j, y + i, c) * tap_at(p, i, j);
        });
    };
    CHECK(names(without([](int, int j) { return j == 2; }), p, "last column of taps"));
    CHECK(names(without([](int i, int) { return i == 3; }), p, "last row of taps"));
    CHECK(names(without([](int i, int j) { return i == 3 || j == 2; }), p, "both loops end one too early"));
    CHECK(names(without([](int i, int j) { return std::abs(i) == 3 || std::abs(j) == 2; }), p,
                "radius is one too small"));
    CHECK(names(without([](int, int j) { return j == -2; }), p, "starts one too late"));
    CHECK(cause(without([](int i, int j) { return i == 1 && j == 0; }), p) == "");
}

TEST_CASE("taps that are indexed from the middle") {
    const problem_1d p{random_values(300, 1), random_values(7, 2)};
    pixels out(300);
    for (int x = 0; x < 300; x++) {
        for (int j = -3; j <= 3; j++) {
            if (x + j >= 0 && x + j < 300) out[x] += p.in[x + j] * (j < 0 ? NAN : p.taps[j]);
        }
    }
    CHECK(diagnose(out, p, {}).text ==
          "i and j count from -r and the taps from 0: [j] is used where [j + r] is meant");
}

TEST_CASE("borders that are skipped") {
    const problem_2d p = noise(37, 23, 5, 3);
    pixels stopped = right(p), hollow = right(p);
    for (int y = 0; y < 23; y++) {
        for (int x = 0; x < 37; x++) {
            if (x < 2) stopped[y * 37 + x] = 0;
            if (x < 2 || x >= 35 || y < 1 || y >= 22) hollow[y * 37 + x] = 0;
        }
    }
    CHECK(names(stopped, p, "does a ghost cell end the loop"));
    CHECK(names(hollow, p, "only ghost cells count as 0"));
    hollow[0] = 1;
    CHECK(cause(hollow, p) == "");
}

TEST_CASE("shifted images") {
    const problem_2d p = noise(37, 23, 5, 5);
    const auto shifted = [&](int dx, int dy) {
        return run(p, [=](auto& p, int x, int y, int c, int i, int j) {
            return in_at(p, x + j + dx, y + i + dy, c) * tap_at(p, i, j);
        });
    };
    CHECK(names(shifted(1, 0), p, "belongs to x + 1"));
    CHECK(names(shifted(0, -1), p, "row y - 1"));
    CHECK(names(shifted(2, 2), p, "shifted by the radius: (x, y) holds what belongs to (x + r, y + r)"));
    CHECK(names(shifted(-2, 0), p, "x - r"));
    CHECK(cause(shifted(3, 0), p) == "everything is shifted: out[x] holds what belongs to x + 3");
    CHECK(cause(shifted(17, 0), p) == "");  // not a mistake we know
}

TEST_CASE("results written beside their place") {
    const problem_2d p = noise(37, 23, 3, 3);
    const pixels truth = right(p);
    pixels out(truth.size(), NAN);
    for (size_t k = 0; k + 1 < truth.size(); k++)
        out[k + 1] = truth[k];
    CHECK(names(out, p, "written to x + 1"));
}

TEST_CASE("one border for another") {
    for (border asked : {border::zero, border::clamp, border::mirror}) {
        for (border given : {border::zero, border::clamp, border::mirror}) {
            if (asked == given) continue;
            const problem_2d p = noise(37, 23, 5, 5, 1, asked);
            const pixels out = run(p, [given](auto& p, int x, int y, int c, int i, int j) {
                return in_at(p, x + j, y + i, c, given) * tap_at(p, i, j);
            });
            const std::string word = given == border::zero    ? "are 0"
                                     : given == border::clamp ? "clamped"
                                                              : "are the mirrored image";
            CHECK(names(out, p, word));
        }
    }
    // With radius 1 a clamped and a mirrored image are the same image.
    const problem_2d p = noise(37, 23, 3, 3);
    CHECK(names(run(p, [](auto& p, int x, int y, int c, int i,
                          int j) { return in_at(p, x + j, y + i, c, border::clamp) * tap_at(p, i, j); }),
                p, "clamped or mirrored"));
}

TEST_CASE("rows that run into each other") {
    const problem_2d p = noise(37, 23, 3, 3);
    const auto unguarded = [&](bool rows) {
        return run(p, [rows](auto& p, int x, int y, int, int i, int j) {
            if (rows && (y + i < 0 || y + i >= p.in.height)) return 0.0f;
            const int64_t position = int64_t(y + i) * p.in.width + x + j;
            if (rows && (position < 0 || position >= int64_t(p.in.pixels.size()))) return 0.0f;
            return flat_at(p, position) * tap_at(p, i, j);
        });
    };
    CHECK(names(unguarded(true), p, "x is not tested"));
    CHECK(names(unguarded(false), p, "nothing is tested"));
}

TEST_CASE("width and height swapped") {
    const problem_2d p = noise(37, 23, 3, 3);
    problem_2d tall = p;
    std::swap(tall.in.width, tall.in.height);
    CHECK(names(right(tall), p, "swapped everywhere"));
    const problem_2d high = noise(23, 37, 3, 3);
    const auto read_as = [](bool transposed) {
        return [transposed](const problem_2d& p, int x, int y, int, int i, int j) {
            if (x + j < 0 || x + j >= p.in.width || y + i < 0 || y + i >= p.in.height) return 0.0f;
            const int64_t position =
                transposed ? int64_t(x + j) * p.in.height + y + i : int64_t(y + i) * p.in.height + x + j;
            return flat_at(p, position) * tap_at(p, i, j);
        };
    };
    CHECK(names(run(p, read_as(false)), p, "[y * height + x]"));
    CHECK(names(run(high, read_as(false)), high, "[y * height + x]"));
    CHECK(names(run(p, read_as(true)), p, "read transposed"));
    const pixels truth = right(p);
    pixels out(truth.size());
    for (int y = 0; y < 23; y++) {
        for (int x = 0; x < 37; x++)
            out[x * 23 + y] = truth[y * 37 + x];
    }
    CHECK(names(out, p, "output is written transposed"));
}

TEST_CASE("rows of the wrong length, in memory that threads overwrite") {
    // Written in the order of the threads, or against it: any order must be recognised.
    for (const bool backwards : {false, true}) {
        for (auto [width, height] : {std::pair{37, 23}, {23, 37}, {4, 3}}) {
            const problem_2d p = noise(width, height, 3, 3);
            pixels out(p.in.pixels.size(), NAN);
            for (int k = 0; k < width * height; k++) {
                const int thread = backwards ? width * height - 1 - k : k;
                const int x = thread % width, y = thread / width;
                float sum = 0.0f;
                for (int i = -1; i <= 1; i++) {
                    for (int j = -1; j <= 1; j++) {
                        if (x + j < 0 || x + j >= width || y + i < 0 || y + i >= height) continue;
                        sum += flat_at(p, int64_t(y + i) * height + x + j) * tap_at(p, i, j);
                    }
                }
                const size_t place = size_t(y) * height + x;
                if (place < out.size()) out[place] = sum;
            }
            CHECK(names(out, p, "swapped in the index: rows are taken to be " + std::to_string(height)));
        }
    }
}

TEST_CASE("a padded image read by the rows of the other") {
    for (border mode : {border::zero, border::clamp, border::mirror}) {
        const problem_2d p = noise(37, 23, 5, 3, 1, mode);
        std::vector<float> padded;
        for (int y = -1; y < 24; y++) {
            for (int x = -2; x < 39; x++)
                padded.push_back(in_at(p, x, y, 0, mode));
        }
        const pixels out = run(p, [&](auto& p, int x, int y, int, int i, int j) {
            return padded[size_t(y + 1 + i) * 37 + x + 2 + j] * tap_at(p, i, j);
        });
        CHECK(names(out, p, "rows of the padded image are taken to be 37 long, and are 41"));
    }
}

TEST_CASE("channels") {
    const problem_2d p = noise(17, 11, 3, 3, 3);
    const auto from = [&](std::function<int(int)> channel) {
        return run(p, [channel](auto& p, int x, int y, int c, int i, int j) {
            return in_at(p, x + j, y + i, channel(c)) * tap_at(p, i, j);
        });
    };
    CHECK(names(from([](int) { return 0; }), p, "computed from channel 0"));
    CHECK(names(from([](int c) { return 2 - c; }), p, "order is reversed"));
    CHECK(names(run(p,
                    [](auto& p, int x, int y, int c, int i, int j) {
                        if (x + j < 0 || x + j >= p.in.width || y + i < 0 || y + i >= p.in.height)
                            return 0.0f;
                        return flat_at(p, (int64_t(y + i) * p.in.width + x) * 3 + c + j) * tap_at(p, i, j);
                    }),
                p, "moves by one value"));
    pixels first_only = right(p);
    for (size_t k = 0; k < first_only.size(); k++) {
        if (k % 3 != 0) first_only[k] = NAN;
    }
    CHECK(names(first_only, p, "only channel 0 of 3"));
}

TEST_CASE("an ignored pitch") {
    const problem_2d p = noise(45, 31, 3, 3, 3);
    constexpr int ROW = 45 * 3, PITCH = 256;  // 540 bytes are rounded up to 1024
    std::vector<float> device(size_t(PITCH) * 31, NAN);
    for (int y = 0; y < 31; y++) {
        for (int k = 0; k < ROW; k++)
            device[size_t(y) * PITCH + k] = p.in.pixels[size_t(y) * ROW + k];
    }
    const auto read_dense = [&](auto& p, int x, int y, int c, int i, int j) {
        if (x + j < 0 || x + j >= p.in.width || y + i < 0 || y + i >= p.in.height) return 0.0f;
        return device[size_t(y + i) * ROW + (x + j) * 3 + c] * tap_at(p, i, j);
    };
    CHECK(names(run(p, read_dense), p,
                "pitch of the input is ignored: rows on the device start 256 floats apart, not 135"));
    const auto written_dense = [&](const pixels& results) {
        std::vector<float> out(size_t(PITCH) * 31, NAN);
        for (size_t k = 0; k < results.size(); k++)
            out[k] = results[k];
        pixels copied;
        for (int y = 0; y < 31; y++)
            copied.insert(copied.end(), &out[size_t(y) * PITCH], &out[size_t(y) * PITCH] + ROW);
        return copied;
    };
    CHECK(names(written_dense(right(p)), p, "pitch of the output is ignored"));
    CHECK(names(written_dense(run(p, read_dense)), p, "pitch is ignored in both"));
}

TEST_CASE("spoiled results") {
    problem_2d p = noise(37, 23, 3, 3);
    const auto spoiled = [&](std::function<float(float)> spoil) {
        pixels out = right(p);
        for (float& value : out)
            value = spoil(value);
        return out;
    };
    CHECK(names(spoiled([](float v) { return 2 * v; }), p, "added twice"));
    CHECK(names(spoiled([](float v) { return -v; }), p, "sign"));
    CHECK(names(spoiled([](float v) { return std::min(std::max(v, 0.0f), 1.0f); }), p, "clamped to 0..1"));
    CHECK(names(spoiled([](float v) { return float(int(v)); }), p, "whole numbers"));
    CHECK(names(p.in.pixels, p, "the input came back"));
    CHECK(cause(spoiled([](float) { return 0.0f; }), p) == "");
    p.filter = {3, 3, {1, 2, 1, 2, 4, 3, 1, 2, 1}, ""};
    CHECK(names(spoiled([](float v) { return v / 17; }), p, "divided by the sum"));
}

TEST_CASE("blocks that are missing, told from the launch") {
    const problem_1d p{random_values(1000, 1), random_values(5, 2)};
    const pixels truth = convolve_serial(p);
    const auto written = [&](size_t count) {
        pixels out(1000, NAN);
        std::copy(truth.begin(), truth.begin() + count, out.begin());
        return out;
    };
    CHECK(diagnose(written(992), p, one_launch(31, 1, 32, 1, 992)).text ==
          "the grid is too small: 31 x 32 = 992 threads for 1000 elements; round the number of blocks up");
    CHECK(diagnose(written(256), p, one_launch(4, 1, 256, 1, 1024)).text ==
          "every block computes what belongs to block 0: blockIdx is not used");
    CHECK(diagnose(written(300), p, one_launch(4, 1, 256, 1, 300)).text == "");
    CHECK(diagnose(pixels(1000, NAN), p, one_launch(4, 1, 256, 1, 0)).text ==
          "no thread wrote anything to global memory");
    inspect::report stored = one_launch(4, 1, 256, 1, 1000);
    CHECK(diagnose(pixels(1000, NAN), p, stored).text.find("none reached the host") != std::string::npos);
    stored.findings.push_back(
        {"uninitialised-read", true, "reads in[0], which was never written", "", 0, 0, "", 0, 1});
    CHECK(diagnose(pixels(1000, NAN), p, stored).text == "");
    inspect::report nothing;
    nothing.inspected = true;
    CHECK(diagnose(pixels(1000, NAN), p, nothing).text == "no kernel was launched");
}

TEST_CASE("blocks that are missing, told from the output alone") {
    const problem_1d p{random_values(1000, 1), random_values(5, 2)};
    const pixels truth = convolve_serial(p);
    const auto written = [&](size_t count) {
        pixels out(1000, NAN);
        std::copy(truth.begin(), truth.begin() + count, out.begin());
        return diagnose(out, p, {}).text;
    };
    CHECK(written(992) == "the last, partial block is missing: round the number of blocks up");
    CHECK(written(128) ==
          "only the first block wrote its part: is blockIdx used, and the grid large enough?");
    CHECK(written(512) == "");  // one block of 512, or all but the last
    CHECK(written(333) == "");
    CHECK(written(0) == "");

    const problem_2d q = noise(37, 23, 3, 3);
    pixels out = right(q);
    for (int y = 0; y < 23; y++) {
        for (int x = 32; x < 37; x++)
            out[y * 37 + x] = NAN;
    }
    CHECK(cause(out, q) == "the partial blocks at the right are missing: round the number of blocks up");
    out = right(q);
    for (int y = 0; y < 23; y++) {
        for (int x = 0; x < 37; x++) {
            if (x >= 8 || y >= 8) out[y * 37 + x] = NAN;
        }
    }
    CHECK(cause(out, q).find("only the first block") == 0);
}

TEST_CASE("a guard that takes every image to be square") {
    const problem_2d p = noise(5, 50, 3, 3);
    pixels out = right(p);
    std::fill(out.begin() + 25, out.end(), NAN);
    CHECK(diagnose(out, p, one_launch(1, 7, 32, 8, 25)).text ==
          "only as many rows are written as the image is wide: is y compared with the width?");
}

TEST_CASE("pixels that are skipped where the filter overhangs") {
    const problem_2d p = noise(37, 23, 5, 3);
    pixels out = right(p);
    uint64_t stores = 0;
    for (int y = 0; y < 23; y++) {
        for (int x = 0; x < 37; x++) {
            const bool inside = x >= 2 && x < 35 && y >= 1 && y < 22;
            stores += inside;
            if (!inside) out[y * 37 + x] = NAN;
        }
    }
    CHECK(diagnose(out, p, one_launch(3, 2, 16, 16, stores)).text ==
          "pixels whose filter overhangs the image are never written");
    // The same NaNs, but every pixel was stored: the border was read from outside the image.
    CHECK(diagnose(out, p, one_launch(3, 2, 16, 16, 37 * 23)).text == "");
}

TEST_CASE("one dimension") {
    const problem_1d p{random_values(300, 1), random_values(7, 2)};
    problem_1d reversed = p;
    std::reverse(reversed.taps.begin(), reversed.taps.end());
    CHECK(diagnose(convolve_serial(reversed), p, {}).text ==
          "the filter is flipped: its last tap is used first");
    problem_1d shorter = p;
    shorter.taps.back() = 0;
    CHECK(diagnose(convolve_serial(shorter), p, {}).text ==
          "the last tap is left out: the loop over j ends one too early");
    // in[x + j + 1], tested against the ends: the truth of one element more, without its first.
    problem_1d longer = p;
    longer.in.push_back(0);
    pixels moved = convolve_serial(longer);
    moved.erase(moved.begin());
    CHECK(diagnose(moved, p, {}).text == "everything is shifted: out[x] holds what belongs to x + 1");
    const problem_1d short_one{{1, 2, 3}, {1, 2, 4}};
    CHECK(diagnose(pixels{14, 20, 7}, short_one, {}).text ==
          "");  // one wrong value of three could be anything
}

TEST_CASE("a cause must explain the right values too") {
    const problem_2d p = noise(37, 23, 5, 3);
    problem_2d flipped = p;
    std::reverse(flipped.filter.taps.begin(), flipped.filter.taps.end());
    pixels half = right(p);
    const pixels wrong = right(flipped);
    std::copy(wrong.begin() + 400, wrong.end(), half.begin() + 400);
    CHECK(cause(half, p) == "");
}

TEST_CASE("garbage has no cause") {
    for (uint64_t seed = 0; seed < 40; seed++) {
        const int width = 1 + int(seed * 7 % 19), height = 1 + int(seed * 5 % 13),
                  channels = seed % 3 == 0 ? 3 : 1;
        const problem_2d p =
            noise(width, height, 1 + 2 * int(seed % 3), 1 + 2 * int(seed % 4), channels, border(seed % 3));
        const size_t size = p.in.pixels.size();
        CHECK(cause(random_values(size, 1000 + seed), p) == "");
        CHECK(cause(pixels(size, NAN), p) == "");
        CHECK(cause(pixels(size, 0.0f), p) == "");
        CHECK(cause(pixels(size, INFINITY), p) == "");
        pixels holes = right(p);
        for (size_t k = 0; k < size; k += 3)
            holes[k] = 7.5f;
        CHECK(cause(holes, p) == "");
        // A known mistake with one value that does not fit is not that mistake.
        pixels almost = right(p);
        for (float& value : almost)
            value = -value;
        almost[size / 2] += 0.01f;
        CHECK(cause(almost, p) == "");
    }
}
