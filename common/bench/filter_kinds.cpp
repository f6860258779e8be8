// The filters that a benchmark knows by name.
#include <fmt/format.h>
#include <functional>
#include <map>
#include <stdexcept>

#include "bench/workload.h"

namespace bench {

namespace {

using make_filter = std::function<check::filter(size_2d)>;

/// One with the same taps at any size, of width 3.
make_filter only(check::filter (*make)()) {
    return [make](size_2d) { return make(); };
}
/// One that is as wide as it is high.
make_filter square(check::filter (*make)(int)) {
    return [make](size_2d taps) { return make(taps.width); };
}
check::filter gaussian(int side) {
    constexpr double SIDES_A_SIGMA = 6;  // three to either side
    return check::gaussian_filter(side, side / SIDES_A_SIGMA);
}

const std::map<std::string, make_filter>& all_kinds() {
    static const std::map<std::string, make_filter> kinds = {
        {RANDOM_KIND,
         [](size_2d taps) { return check::random_filter(taps.width, taps.height, uint64_t(taps.width)); }},
        {"box", square(check::box_filter)},
        {"gaussian", square(gaussian)},
        {"identity", square(check::identity_filter)},
        {"sobel_x", only(check::sobel_x_filter)},
        {"sobel_y", only(check::sobel_y_filter)},
        {"laplacian", only(check::laplacian_filter)},
        {"sharpen", only(check::sharpen_filter)},
        {"emboss", only(check::emboss_filter)},
        {"edge", only(check::edge_filter)},
        {"gradient", only(check::gradient_filter)},
    };
    return kinds;
}

}  // namespace

std::string why_no_filter(const std::string& kind, size_2d taps) {
    const auto found = all_kinds().find(kind);
    if (found == all_kinds().end()) {
        std::string names;
        for (const auto& [name, make] : all_kinds())
            names += (names.empty() ? "" : ", ") + name;
        return "the kinds of filters are " + names;
    }
    const check::filter made = found->second(taps);
    if (made.width == taps.width && made.height == taps.height) return "";
    return fmt::format("there is none of {}x{} taps; {}x{} is one", taps.width, taps.height, made.width,
                       made.height);
}

check::filter filter_of_kind(const std::string& kind, size_2d taps) {
    const std::string trouble = why_no_filter(kind, taps);
    if (!trouble.empty()) throw std::invalid_argument(fmt::format("--kinds={}: {}", kind, trouble));
    return all_kinds().at(kind)(taps);
}

}  // namespace bench
