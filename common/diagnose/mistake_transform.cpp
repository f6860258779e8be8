// Convolutions by Fourier transforms with one mistake around them.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "diagnose/mistake_workshop.h"

namespace check {

namespace {

/// Where pixels lie in planes along a row or a column: `outputs` of a plane, the first one in cell `before`.
struct way {
    int side, outputs, before;
    bool operator<(const way& other) const {
        return std::tie(side, outputs, before) < std::tie(other.side, other.outputs, other.before);
    }

    /// The pixel (or ghost cell) `step` cells from the one of output k, around the torus of its plane.
    int pixel(int k, int step) const {
        const int cell = (k % outputs + before + step % side + side) % side;
        return k / outputs * outputs + cell - before;
    }
};

}  // namespace

/// What one plane is too small for, and where a tile takes outputs that see the opposite edge.
void mistake_list::workshop::odd_planes() {
    const planes all = planes_of(problem_);
    const bool is_one = *problem_.transform_tile == 0;
    const auto ways = [&](int side, int outputs, int taps) {
        const int radius = taps / 2;
        std::set<way> some;
        if (is_one) {
            for (int missing = 0; missing <= radius; missing++)
                some.insert({std::max(1, outputs + radius - missing), outputs, 0});
            some.insert({side, outputs, 0});
            return some;
        }
        for (const int more : {0, 1, radius, taps - 1})
            for (const int before : {0, radius})
                some.insert({side, std::min(outputs + more, side), before});
        return some;
    };
    const std::string cause =
        is_one ? "ghost cells come from the opposite side: has the plane room for those of one edge?"
               : "outputs at the edges of a tile see its opposite edge: which of a tile's cells are right?";
    constexpr size_t MOST = 12;  // ways of either direction with each other
    const std::set<way> across = ways(all.width, all.out_width, taps().width),
                        down = ways(all.height, all.out_height, taps().height);
    for (const way& x : across) {
        for (const way& y : down) {
            const bool both = across.size() * down.size() <= MOST * MOST;
            if (!both && x.side != all.width && y.side != all.height) continue;
            sum_rule rule = right();
            rule.read = [this, x, y](const pixel_index& out, int i, int j) {
                return pixel(x.pixel(out.x, j - radius_x()), y.pixel(out.y, i - radius_y()), out.channel,
                             lab::border::zero);
            };
            add("ghost-wrapped", cause, rule);
        }
    }
}

/// The filter beside its place, and planes whose rows are misread.
void mistake_list::workshop::odd_places_in_planes() {
    const planes all = planes_of(problem_);
    const bool is_one = *problem_.transform_tile == 0;
    const int left = is_one ? 0 : radius_x(), above = is_one ? 0 : radius_y();
    const way x{all.width, all.out_width, left}, y{all.height, all.out_height, above};
    const auto has_room = [all](int i, int j) { return i < all.height && j < all.width; };
    const auto read_from = [=, this](int dx, int dy) {
        sum_rule rule = right();
        rule.read = [=, this](const pixel_index& out, int i, int j) {
            if (!has_room(i, j)) return 0.0;
            return pixel(x.pixel(out.x, j - radius_x() + dx), y.pixel(out.y, i - radius_y() + dy),
                         out.channel, lab::border::zero);
        };
        return rule;
    };
    if (radius_x() + radius_y() > 0) {
        add("shifted",
            "everything is shifted by half a filter: the filter's middle belongs into the first cell of a "
            "plane",
            read_from(radius_x(), radius_y()));
        add("shifted",
            "everything is shifted by half a filter: in which cell of a plane is the first output?",
            read_from(-radius_x(), -radius_y()));
        sum_rule quarter = right();
        quarter.first_i = radius_y();
        quarter.first_j = radius_x();
        add("taps-left-out",
            "the taps before the filter's middle are left out: they come in at a plane's other edges",
            quarter);
    }
    if (!is_one || all.width == width()) return;
    const way row{all.width, all.width, 0}, column{all.height, all.height, 0};
    sum_rule misread = right();
    misread.read = [=, this](const pixel_index& out, int i, int j) {
        if (!has_room(i, j)) return 0.0;
        const int cell = out.y * width() + out.x;
        return pixel(row.pixel(cell % all.width, j - radius_x()),
                     column.pixel(cell / all.width, i - radius_y()), out.channel, lab::border::zero);
    };
    add("padding-ignored", "rows of the plane are taken to be as long as those of the image", misread);
}

/// What should be divided by the cells of a plane, and is not, or by something else.
void mistake_list::workshop::odd_scales() {
    const planes all = planes_of(problem_);
    std::set<double> factors = {1.0};
    const auto times = [&](double factor, const std::string& cause) {
        if (!factors.insert(factor).second) return;
        add("transform-not-divided", cause, [factor, rule = right(), this](size_t value) {
            const mistaken_value sum = rule.at(split(value));
            const double product = factor * sum.value;
            return mistaken_value{product, factor * sum.bound + 4 * UNIT_ROUNDOFF * std::abs(product)};
        });
    };
    const std::string there_and_back = "transforms there and back multiply by the cells of a plane, ";
    times(all.cells(), there_and_back + "and nothing divides");
    times(all.height, there_and_back + "and only its width is divided by");
    times(all.width, there_and_back + "and only its height is divided by");
    times(1.0 / all.cells(), there_and_back + "and they are divided by twice");
    times(1.0 / all.count, there_and_back + "of one: those of all are divided by");
    times(double(all.cells()) / double(in().pixels.size()),
          there_and_back + "and the image's pixels are divided by");
}

void mistake_list::workshop::transform_mistakes() {
    flipped_filters();
    odd_planes();
    odd_places_in_planes();
    odd_scales();
    const double cells = planes_of(problem_).cells();
    for (const double factor : {1.0, cells, 1.0 / cells}) {
        add("step-left-out",
            "no output has more than one pixel in it: are both transforms multiplied, and the product "
            "transformed back?",
            [factor, this](size_t value) {
                const double product = factor * in().pixels[value];
                return mistaken_value{product, std::max(1.0, factor) * error_of_transforms_};
            });
    }
}

}  // namespace check
