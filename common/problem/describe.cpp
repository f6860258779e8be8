// Problems, places and numbers in words.
#include "problem/describe.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <set>

namespace check {

namespace {

constexpr size_t FEW = 10;         // values that may be listed ...
constexpr size_t SHORT_TEXT = 48;  // ... if they take no more room than this

/// "3 4 5", or "" if the list would be long.
std::string list(const std::vector<float>& values) {
    if (values.size() > FEW) return "";
    std::string text;
    for (float value : values)
        text += (text.empty() ? "" : " ") + number(value);
    return text.size() <= SHORT_TEXT ? text : "";
}

constexpr size_t ENOUGH_VALUES = 1000;  // to see whether they repeat

/// True for what random_values gives: multiples of 2^-23 in [-1, 1), hardly two of them equal.
bool is_random(const std::vector<float>& values) {
    for (float value : values) {
        if (value < -1.0f || value >= 1.0f || std::trunc(value * 0x1p23f) != value * 0x1p23f) return false;
    }
    const size_t looked_at = std::min(values.size(), ENOUGH_VALUES);
    const std::set<float> distinct(values.begin(), values.begin() + std::ptrdiff_t(looked_at));
    return 10 * distinct.size() > 9 * looked_at;
}

bool is_ramp(const image& in) {
    for (int y = 0; y < in.height; y++) {
        for (int x = 0; x < in.width; x++) {
            if (in.pixels[size_t(y) * in.width + x] != float(x + 1000 * y)) return false;
        }
    }
    return true;
}

/// "33x7", of a volume "33x7x5".
std::string sides(int width, int height, int depth, bool volume) {
    return volume ? fmt::format("{}x{}x{}", width, height / depth, depth)
                  : fmt::format("{}x{}", width, height);
}

/// What the pixels are, told from the pixels: a check need not name its input.
std::string describe_values(const image& in) {
    const std::vector<float>& pixels = in.pixels;
    if (!list(pixels).empty()) return "in = " + list(pixels);
    if (std::all_of(pixels.begin(), pixels.end(), [&](float value) { return value == pixels[0]; })) {
        return "every pixel " + number(pixels[0]);
    }
    if (std::count(pixels.begin(), pixels.end(), 0.0f) + 1 == std::ptrdiff_t(pixels.size())) {
        const auto impulse =
            std::find_if(pixels.begin(), pixels.end(), [](float value) { return value != 0.0f; });
        const shape where{in.width, in.height, in.channels, in.height == 1, in.depth};
        return "zeros but for " + place(size_t(impulse - pixels.begin()), where) + " = " + number(*impulse);
    }
    if (in.channels == 1 && in.depth == 1 && is_ramp(in))
        return in.height == 1 ? "in[x] = x" : "in[y][x] = x + 1000 y";
    if (is_random(pixels)) return "random values";
    const auto [smallest, largest] = std::minmax_element(pixels.begin(), pixels.end());
    return "values from " + number(*smallest, 3) + " to " + number(*largest, 3);
}

}  // namespace

std::string number(double value, int digits) {
    if (std::isnan(value)) return "nan";  // printf may say "-nan"
    return fmt::format("{:.{}g}", value, digits);
}

std::string place(size_t value, const shape& where) {
    if (where.one_dimensional) return fmt::format("element {}", value);
    const size_t pixel = value / where.channels;
    const size_t x = pixel % where.width, row = pixel / where.width;
    if (where.depth > 1)
        return fmt::format("voxel (x={}, y={}, z={})", x, row % where.slice_height(),
                           row / where.slice_height());
    std::string text = fmt::format("pixel (x={}, y={})", x, row);
    if (where.channels > 1) text += fmt::format(" channel {}", value % where.channels);
    return text;
}

std::string border_name(lab::border mode) {
    switch (mode) {
        case lab::border::zero:
            return "zero";
        case lab::border::clamp:
            return "clamp";
        case lab::border::mirror:
            return "mirror";
    }
    return "?";
}

std::string describe(const problem_1d& problem) {
    const image row{problem.n(), 1, 1, problem.in};
    const std::string taps = list(problem.taps);
    const std::string filter =
        taps.empty() ? fmt::format("filter of {} taps", problem.taps.size()) : "filter " + taps;
    return fmt::format("n = {}, {}, {}", problem.n(), filter, describe_values(row));
}

std::string describe(const problem_2d& problem) {
    const image& in = problem.in;
    const filter& f = problem.filter;
    const std::string channels = in.channels > 1 ? fmt::format(" of {} channels", in.channels) : "";
    const std::string name = f.name.empty() ? sides(f.width, f.height, f.depth, problem.is_volume()) : f.name;
    const std::string taps = list(f.taps).empty() ? "" : " (" + list(f.taps) + ")";
    const std::string edges =
        problem.gradient.empty() ? "" : ", edges of at least " + number(problem.threshold);
    const std::string display =
        problem.display_scale == 0 ? "" : ", displayed at scale " + number(problem.display_scale);
    const std::string parts = problem.fp16_parts == 0   ? ""
                              : problem.fp16_parts == 1 ? ", in fp16"
                                                        : ", in two parts of fp16";
    const std::string transforms =
        !problem.transform_tile ? ""
        : *problem.transform_tile == 0
            ? ", by Fourier transforms"
            : fmt::format(", by Fourier transforms of {0}x{0} cells", *problem.transform_tile);
    const std::string passes = problem.passes == 1 ? "" : fmt::format(", {} passes", problem.passes);
    return fmt::format("{} {}{}, filter {}{}, border {}{}{}{}{}{}, {}",
                       sides(in.width, in.height, in.depth, problem.is_volume()),
                       problem.is_volume() ? "voxels" : "pixels", channels, name, taps,
                       border_name(problem.border), passes, edges, display, parts, transforms,
                       describe_values(in));
}

}  // namespace check
