// What a benchmark measures: sizes and filters, the usual ones or those that were asked for.
#include "bench/sweep.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "bench/workload.h"

namespace bench {

namespace {

constexpr int LARGEST_SIDE = 16384;        // of an image, as of one that is read from a file
constexpr int LONGEST_ARRAY = 1 << 28;     // 1 GB of floats
constexpr int LARGEST_FILTER_SIDE = 1023;  // nothing above it is convolved tap by tap

/// A number without anything before or after it, 0 if the text is none.
int number_in(const std::string& text) {
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stopped == end ? value : 0;
}

/// "7x33"; one number is both sides.
size_2d size_in(const std::string& text) {
    const size_t cross = text.find('x');
    if (cross == std::string::npos) return {number_in(text), number_in(text)};
    return {number_in(text.substr(0, cross)), number_in(text.substr(cross + 1))};
}

[[noreturn]] void refuse(const std::string& option, const std::string& value, const std::string& must) {
    throw std::invalid_argument(fmt::format("{}={}: {}", option, value, must));
}

std::vector<size_2d> lengths_in(const std::vector<std::string>& list) {
    std::vector<size_2d> lengths;
    for (const std::string& text : list) {
        const int length = number_in(text);
        if (length < 1 || length > LONGEST_ARRAY)
            refuse("--lengths", text, fmt::format("a length is a number from 1 to {}", LONGEST_ARRAY));
        lengths.push_back({length, 1});
    }
    return lengths;
}

std::vector<size_2d> images_in(const std::vector<std::string>& list) {
    std::vector<size_2d> images;
    for (const std::string& text : list) {
        const size_2d size = size_in(text);
        const bool fits =
            std::min(size.width, size.height) >= 1 && std::max(size.width, size.height) <= LARGEST_SIDE;
        if (!fits) {
            refuse("--images", text,
                   fmt::format("an image is WIDTHxHEIGHT pixels, 1x1 to {0}x{0}", LARGEST_SIDE));
        }
        images.push_back(size);
    }
    return images;
}

std::vector<size_2d> filters_in(const std::vector<std::string>& list, bool two_dimensional) {
    std::vector<size_2d> filters;
    for (const std::string& text : list) {
        const size_2d taps = two_dimensional ? size_in(text) : size_2d{number_in(text), 1};
        const auto right = [](int side) { return side >= 1 && side <= LARGEST_FILTER_SIDE && side % 2 == 1; };
        if (!right(taps.width) || !right(taps.height)) {
            const std::string sides = fmt::format("odd, from 1 to {}", LARGEST_FILTER_SIDE);
            refuse("--filters", text,
                   two_dimensional ? "a filter is WIDTHxHEIGHT taps or one number for both, " + sides
                                   : "a filter in one dimension is a number of taps, " + sides);
        }
        filters.push_back(taps);
    }
    return filters;
}

std::vector<size_2d> squares(const std::vector<int>& sides) {
    std::vector<size_2d> all;
    for (int side : sides)
        all.push_back({side, side});
    return all;
}

/// Every filter at every length.
sweep rows_sweep(bool gpu) {
    const std::vector<int> lengths =
        gpu ? std::vector{1 << 16, 1 << 20, 1 << 24} : std::vector{1 << 14, 1 << 17};
    const std::vector<int> taps = gpu ? std::vector{3, 5, 9, 17, 33, 65, 129, 255} : std::vector{3, 9, 33};
    sweep what;
    for (int length : lengths) {
        what.inputs.push_back({{length, 1}, {}});
        for (int count : taps)
            what.inputs.back().filters.push_back({count, 1});
    }
    return what;
}

/// 512 and 1024 are Beukman's images, 1920 x 1080 Ichimura's, 4096 Camerino's and van Werkhoven's, who shows
/// that 7 x 33 and 33 x 7 taps are different problems.
sweep images_sweep(bool gpu) {
    sweep what;
    if (!gpu) {
        std::vector<size_2d> filters = squares({3, 5, 9});
        filters.push_back({5, 9});
        what.inputs = {{{256, 256}, filters}, {{512, 512}, filters}};
        return what;
    }
    const std::vector<size_2d> few = squares({3, 5, 9, 27});
    std::vector<size_2d> filters = squares({3, 5, 7, 9, 11, 13, 17, 21, 27, 33, 43});
    for (const size_2d& taps : {size_2d{7, 33}, {33, 7}, {43, 7}})
        filters.push_back(taps);
    what.inputs = {{{512, 512}, few}, {{1024, 1024}, few}, {{1920, 1080}, filters}, {{4096, 4096}, filters}};
    return what;
}

/// Every width with every height. 33 is the width at which blocks of 16 threads have no bank conflicts; 41 by
/// 43 taps are the least that do not fit a block of 32 x 32 threads with four outputs each.
sweep map_sweep(bool gpu) {
    const std::vector<int> sides =
        gpu ? std::vector{7, 11, 15, 23, 27, 31, 33, 41, 43} : std::vector{7, 15, 33};
    sweep what;
    what.inputs.push_back({gpu ? size_2d{4096, 4096} : size_2d{256, 256}, {}});
    for (int height : sides) {
        for (int width : sides)
            what.inputs.back().filters.push_back({width, height});
    }
    return what;
}

check::call_options timing_for(bool gpu) {
    constexpr double TIMEOUT_SECONDS = 120;
    if (!gpu) return {0, 3, TIMEOUT_SECONDS};
    return {3, 20, TIMEOUT_SECONDS};
}

constexpr int MOST_CALLS = 1000;

/// Throws std::invalid_argument if there is no such kind of filter, or none of this size.
std::vector<std::string> kinds_in(const sweep& what, bool two_dimensional,
                                  const std::vector<std::string>& list) {
    if (list.empty()) return {RANDOM_KIND};
    for (const std::string& kind : list) {
        if (!two_dimensional && kind != RANDOM_KIND)
            refuse("--kinds", kind, "a filter in one dimension is random");
        for (const sweep::series& one : what.inputs) {
            for (const size_2d& taps : one.filters) {
                const std::string trouble = why_no_filter(kind, taps);
                if (!trouble.empty()) refuse("--kinds", kind, trouble);
            }
        }
    }
    return list;
}

/// The filters that every image has if others are asked for: those of the last, which has all.
std::vector<size_2d> filters_of(const sweep& what) {
    return what.inputs.back().filters;
}

}  // namespace

size_t sweep::points_of_a_method() const {
    size_t points = 0;
    for (const series& one : inputs)
        points += one.filters.size() * kinds.size();
    return points;
}

sweep sweep_for(bool gpu, bool two_dimensional, const options& asked) {
    if (asked.map && !two_dimensional)
        throw std::invalid_argument("--map: a filter in one dimension has no height");
    if (!asked.images.empty() && !two_dimensional)
        throw std::invalid_argument(fmt::format("--images={}: this lab has arrays, which are --lengths",
                                                fmt::join(asked.images, ",")));
    if (!asked.lengths.empty() && two_dimensional)
        throw std::invalid_argument(fmt::format("--lengths={}: this lab has images, which are --images",
                                                fmt::join(asked.lengths, ",")));

    sweep what = asked.map ? map_sweep(gpu) : two_dimensional ? images_sweep(gpu) : rows_sweep(gpu);
    what.timing = timing_for(gpu);
    what.timing.pinned = asked.pinned;
    if (asked.calls < 0 || asked.calls > MOST_CALLS)
        refuse("--calls", std::to_string(asked.calls), fmt::format("a number from 1 to {}", MOST_CALLS));
    what.calls_before = asked.calls > 0 ? asked.calls - 1 : asked.map ? 0 : 1;
    if (!asked.images.empty() || !asked.lengths.empty()) {
        const std::vector<size_2d> filters = filters_of(what);
        what.inputs.clear();
        for (const size_2d& size : two_dimensional ? images_in(asked.images) : lengths_in(asked.lengths))
            what.inputs.push_back({size, filters});
    }
    if (!asked.filters.empty()) {
        for (sweep::series& one : what.inputs)
            one.filters = filters_in(asked.filters, two_dimensional);
    }
    what.kinds = kinds_in(what, two_dimensional, asked.kinds);
    return what;
}

}  // namespace bench
