// Lengths of gradients with one mistake in the steps after the filter, or in the filter.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <unordered_map>

#include "diagnose/mistake_workshop.h"

namespace check {

/// A number made of the gradients at a pixel, and how much of their error (the length of it) it may have.
struct measure {
    double value = 0, slope = 1;
};

namespace {

constexpr double OF_A_LENGTH = 8 * UNIT_ROUNDOFF;  // squares, their sum, a root (problem/edges.cpp)

measure length_of(const std::vector<double>& gradients) {
    double squares = 0;
    for (const double one : gradients)
        squares += one * one;
    return {std::sqrt(squares), 1};
}
measure sum_of(const std::vector<double>& gradients) {
    double sum = 0;
    for (const double one : gradients)
        sum += std::abs(one);
    return {sum, std::sqrt(double(gradients.size()))};
}
measure square_of(const std::vector<double>& gradients) {
    const double length = length_of(gradients).value;
    return {length * length, 2 * length + 1};
}
measure root_of_length(const std::vector<double>& gradients) {
    const double length = length_of(gradients).value;
    return {std::sqrt(length), length > 0 ? 1 / std::sqrt(length) : 1};
}
measure longest_of(const std::vector<double>& gradients) {
    measure longest;
    for (const double one : gradients)
        longest.value = std::max(longest.value, std::abs(one));
    return longest;
}
measure shortest_of(const std::vector<double>& gradients) {
    measure shortest{std::abs(gradients.front()), 1};
    for (const double one : gradients)
        shortest.value = std::min(shortest.value, std::abs(one));
    return shortest;
}

}  // namespace

/// The steps after the filter, with everything that can go wrong in them exchangeable.
struct mistake_list::workshop::edge_rule {
    std::function<mistaken_value(const pixel_index&)> filtered;  // of pixels outside of the image, too
    std::vector<filter> gradient;
    measure (*given)(const std::vector<double>&) = length_of;     // what is stored
    measure (*compared)(const std::vector<double>&) = length_of;  // with the threshold
    enum class keep { from_threshold, below_threshold, all } kept = keep::from_threshold;
    double threshold = 0;
    /// What gradient number `which` of an output takes for the pixel beside it; empty for the right one.
    std::function<mistaken_value(size_t which, const pixel_index& out, int dx, int dy)> neighbour;

    std::vector<mistaken_value> at(const pixel_index& out) const {
        std::vector<double> values;
        double errors = 0;
        for (size_t which = 0; which < gradient.size(); which++) {
            const filter& one = gradient[which];
            double sum = 0, error = 0;
            for (int i = 0; i < one.height; i++) {
                for (int j = 0; j < one.width; j++) {
                    const double tap = one.taps[size_t(i) * one.width + j];
                    if (tap == 0) continue;
                    const int dx = j - one.width / 2, dy = i - one.height / 2;
                    const mistaken_value pixel = neighbour ? neighbour(which, out, dx, dy)
                                                           : filtered({out.x + dx, out.y + dy, out.channel});
                    if (pixel.is_unknown()) return {UNKNOWN};
                    sum += tap * pixel.value;
                    error += std::abs(tap) * (pixel.bound + double(one.taps.size()) * UNIT_ROUNDOFF *
                                                                (std::abs(pixel.value) + pixel.bound));
                }
            }
            values.push_back(sum);
            errors += error * error;
        }
        const double length = length_of(values).value;
        const double error =
            std::sqrt(errors) + OF_A_LENGTH * length + std::sqrt(2.0 * std::numeric_limits<float>::min());
        const auto measured = [&](measure (*by)(const std::vector<double>&)) {
            const measure one = by(values);
            return mistaken_value{one.value, error * one.slope + OF_A_LENGTH * one.value};
        };
        const mistaken_value value = measured(given), decides = measured(compared);
        if (kept == keep::all) return {value};
        if (std::isnan(decides.value)) return {value, mistaken_value{}};  // it reaches nothing
        if (std::abs(decides.value - threshold) <= decides.bound) return {value, mistaken_value{}};
        const bool reaches = decides.value > threshold;
        return {reaches == (kept == keep::from_threshold) ? value : mistaken_value{}};
    }
};

mistake_list::workshop::edge_rule mistake_list::workshop::right_edges() const {
    edge_rule rule;
    rule.gradient = problem_.gradient;
    rule.threshold = problem_.threshold;
    rule.filtered = remembered([this, sum = right()](size_t value) { return sum.at(split(value)); });
    return rule;
}

/// Of a function of flat indices: one of places, with ghost cells as the problem has them, that computes none twice.
std::function<mistaken_value(const pixel_index&)> mistake_list::workshop::remembered(
    std::function<mistaken_value(size_t)> value_at) const {
    const auto known = std::make_shared<std::unordered_map<size_t, mistaken_value>>();
    return [this, known, value_at = std::move(value_at)](const pixel_index& at) {
        const int x = lab::border_index(at.x, width(), problem_.border);
        const int y = lab::border_index(at.y, height(), problem_.border);
        if (x < 0 || y < 0) return mistaken_value{};
        const size_t value = size_t(flat({x, y, at.channel}));
        const auto found = known->find(value);
        return found != known->end() ? found->second : known->emplace(value, value_at(value)).first->second;
    };
}

void mistake_list::workshop::add(const std::string& id, const std::string& cause, const edge_rule& rule) {
    found_.push_back({id, cause, [this, rule](size_t value) { return rule.at(split(value)); }});
}

void mistake_list::workshop::edge_mistakes() {
    const edge_rule meant = right_edges();
    const auto with = [&](const std::string& id, const std::string& cause, const auto& change) {
        edge_rule rule = meant;
        change(rule);
        add(id, cause, rule);
    };
    using keep = edge_rule::keep;
    if (problem_.border == lab::border::zero && taps().taps.size() > 1)
        with("ghost-not-zero",
             "the filtered image goes on where the image ends: its ghost cells hold what the filter still "
             "reaches there",
             [&](edge_rule& rule) {
                 rule.filtered = [sum = right()](const pixel_index& at) { return sum.at(at); };
             });
    for (size_t k = 0; k < problem_.gradient.size() && problem_.gradient.size() > 1; k++) {
        const std::string name = problem_.gradient[k].name;
        if (!loads_all_gradients())
            with("step-left-out", "the length is that of " + name + " alone",
                 [&](edge_rule& rule) { rule.gradient = {problem_.gradient[k]}; });
        with("step-left-out", "the length is that of " + name + " twice",
             [&](edge_rule& rule) { rule.gradient.assign(2, problem_.gradient[k]); });
    }
    const auto without_sizes = [](filter& one) {
        for (float& tap : one.taps)
            tap = float((tap > 0) - (tap < 0));
    };
    with("product-wrong", "the taps of the gradient are taken without their sizes: all as 1 or -1",
         [&](edge_rule& rule) { std::ranges::for_each(rule.gradient, without_sizes); });
    for (size_t k = 0; k < problem_.gradient.size(); k++)
        with("product-wrong",
             "the taps of " + problem_.gradient[k].name + " are taken without their sizes: all as 1 or -1",
             [&](edge_rule& rule) { without_sizes(rule.gradient[k]); });
    with("threshold-wrong", "lengths below the threshold are kept: nothing is compared with it",
         [](edge_rule& rule) { rule.kept = keep::all; });
    with("threshold-wrong", "the threshold is turned round: what reaches it is 0, what does not is kept",
         [](edge_rule& rule) { rule.kept = keep::below_threshold; });
    with("threshold-wrong", "the threshold is compared with each gradient, not with the length",
         [](edge_rule& rule) { rule.compared = longest_of; });
    with("threshold-wrong", "both gradients have to reach the threshold, not the length",
         [](edge_rule& rule) { rule.compared = shortest_of; });
    with("threshold-wrong", "the square of the length is compared with the threshold, not with its square",
         [](edge_rule& rule) { rule.compared = square_of; });
    with("threshold-wrong", "the length is compared with the square of the threshold",
         [](edge_rule& rule) { rule.compared = root_of_length; });
    with("length-wrong",
         "the absolute values of the gradients are added: the length is the root of the sum of squares",
         [](edge_rule& rule) { rule.given = rule.compared = sum_of; });
    with("length-wrong", "the square of the length is stored: the root is missing",
         [](edge_rule& rule) { rule.given = rule.compared = square_of; });
    with("length-wrong", "the longer gradient is stored: the length is the root of the sum of squares",
         [](edge_rule& rule) { rule.given = rule.compared = longest_of; });

    misplaced_results([meant](const pixel_index& out) { return meant.at(out); });

    // What goes wrong in the filter shows in the edges of what it gives.
    problem_2d filtered = problem_;
    filtered.gradient.clear();
    for (const mistake& one : mistakes_in(std::move(filtered))) {
        edge_rule rule = meant;
        rule.filtered = remembered([&one](size_t value) {
            const std::vector<mistaken_value> values = one.values_at(value);
            return values.size() == 1 ? values.front() : UNKNOWN;
        });
        add(one.id, "in the filtered image: " + one.cause, rule);
        found_.back().rank = one.rank;
    }
    for (size_t k = 0; k < problem_.gradient.size(); k++)
        odd_gradient_taps(k);
    wrong_steps();
}

/// One token is wrong where gradients find their pixels, one of them or all, or where the last step finds a gradient.
void mistake_list::workshop::wrong_steps() {
    const bool chained = known_.seen && known_.seen->launches.size() > 1;
    if (!chained || channels() > 1 || problem_.border != lab::border::zero) return;
    const edge_rule meant = right_edges();
    variables sizes{};
    sizes[WIDTH] = width(), sizes[HEIGHT] = height();
    const int64_t pixels = int64_t(width()) * height();
    const auto filtered_at = [meant, this, pixels](int64_t place) {
        return place >= 0 && place < pixels ? meant.filtered(split(size_t(place))) : UNKNOWN;
    };
    const formula from_x("x + jm"), from_y("y + im"), place("from_y * width + from_x"),
        inside("from_x >= 0 && from_x < width && from_y >= 0 && from_y < height");
    for (size_t last = 0; last <= problem_.gradient.size(); last++) {
        const bool of_all = last == problem_.gradient.size();
        const std::string name = of_all ? "the gradients" : problem_.gradient[last].name;
        const auto add_step = [&](const std::string& id, const std::string& cause, const auto& neighbour) {
            edge_rule rule = meant;
            rule.neighbour = [=](size_t which, const pixel_index& out, int dx, int dy) {
                const bool right = !of_all && which != last;
                return right ? meant.filtered({out.x + dx, out.y + dy, 0}) : neighbour(out, dx, dy);
            };
            add(id, name + cause, rule);
            found_.back().rank = mistake::rarity::any_token;
        };
        const auto add_all = [&](const char* text, const std::string& id, auto part) {
            for (const formula& changed : changes_of_once(text)) {
                std::array<formula, 4> of = {from_x, from_y, inside, place};
                of[part] = changed;
                add_step(
                    id, ": as if it were " + changed.text() + ", where " + formula(text).text() + " is meant",
                    [=](const pixel_index& out, int dx, int dy) {
                        variables v = sizes;
                        v[X] = out.x, v[Y] = out.y, v[MIDDLE_J] = dx, v[MIDDLE_I] = dy;
                        v[FROM_X] = of[0].of(v), v[FROM_Y] = of[1].of(v);
                        if (!of[2].of(v)) return mistaken_value{};
                        return filtered_at(of[3].of(v));
                    });
            }
        };
        add_all("x + jm", "neighbour-index-wrong", 0);
        add_all("y + im", "neighbour-index-wrong", 1);
        add_all("from_x >= 0 && from_x < width && from_y >= 0 && from_y < height", "ghost-test-wrong", 2);
        add_all("from_y * width + from_x", "neighbour-index-wrong", 3);
        for (const formula& changed : changes_of_once("y * width + x")) {
            const auto place_of = [=](const pixel_index& out) {
                variables v = sizes;
                v[X] = out.x, v[Y] = out.y;
                return changed.of(v);
            };
            add_step("neighbour-index-wrong",
                     ": taken from another output, as if its index were " + changed.text(),
                     [=, this](const pixel_index& out, int dx, int dy) {
                         const int64_t from = place_of(out);
                         if (from < 0 || from >= pixels) return UNKNOWN;
                         const pixel_index other = split(size_t(from));
                         return meant.filtered({other.x + dx, other.y + dy, 0});
                     });
            const auto sources = std::make_shared<std::vector<int>>(size_t(pixels), -1);
            for (int k = 0; k < pixels; k++) {
                const int64_t to = place_of(split(size_t(k)));
                if (to < 0 || to >= pixels) continue;
                int& source = (*sources)[size_t(to)];
                source = source == -1 ? k : -2;
            }
            add_step("thread-index-wrong",
                     ": stored beside its place, as if its index were " + changed.text(),
                     [=, this](const pixel_index& out, int dx, int dy) {
                         const int from = (*sources)[size_t(flat(out))];
                         if (from < 0) return from == -1 ? UNWRITTEN : UNKNOWN;
                         const pixel_index other = split(size_t(from));
                         return meant.filtered({other.x + dx, other.y + dy, 0});
                     });
            if (!of_all) continue;
            edge_rule rule = meant;
            rule.filtered = remembered([=](size_t value) {
                const int from = (*sources)[value];
                return from == -1 ? UNWRITTEN : filtered_at(from);
            });
            add("thread-index-wrong",
                "the filtered image is stored beside its place, as if its index were " + changed.text(),
                rule);
            found_.back().rank = mistake::rarity::any_token;
        }
    }
}

/// True if the last kernel of a chain loads as many pixels as all gradients have: one of them may be 0, but none is
/// left out.
bool mistake_list::workshop::loads_all_gradients() const {
    if (!known_.seen || known_.seen->launches.size() <= problem_.gradient.size()) return false;
    return known_.seen->launches.back().total.global.loads.lanes ==
           problem_.gradient.size() * in().pixels.size();
}

/// One tap of a gradient has another sign, another size or another place, or is left out.
void mistake_list::workshop::odd_gradient_taps(size_t which) {
    const filter& meant = problem_.gradient[which];
    const int width = meant.width + 2, height = meant.height + 2;  // room for taps that leave it by one
    filter roomy{width, height, std::vector<float>(size_t(width) * height), meant.name};
    const auto place = [=](int dx, int dy) { return size_t(dy + height / 2) * width + dx + width / 2; };
    const auto tap_of = [&](int dx, int dy) {
        return meant.taps[size_t(dy + meant.height / 2) * meant.width + dx + meant.width / 2];
    };
    const auto each_place = [&](const auto& use) {
        for (int dy = -(meant.height / 2); dy <= meant.height / 2; dy++)
            for (int dx = -(meant.width / 2); dx <= meant.width / 2; dx++)
                use(dx, dy);
    };
    each_place([&](int dx, int dy) { roomy.taps[place(dx, dy)] = tap_of(dx, dy); });
    const auto with = [&](const std::string& id, const std::string& cause, const auto& change) {
        edge_rule rule = right_edges();
        rule.gradient[which] = roomy;
        change(rule.gradient[which].taps);
        add(id, meant.name + cause, rule);
        found_.back().rank = mistake::rarity::unusual;
    };
    each_place([&](int dx, int dy) {
        const float tap = tap_of(dx, dy);
        if (tap == 0) return;
        const std::string of = fmt::format(" at ({}, {})", dx, dy);
        const size_t own = place(dx, dy);
        with("sign-wrong", ": the pixel" + of + " has the wrong sign", [&](auto& taps) { taps[own] = -tap; });
        with("taps-left-out", ": the pixel" + of + " is left out", [&](auto& taps) { taps[own] = 0; });
        for (const float size : {1.0f, 2.0f, 3.0f})
            if (size != std::abs(tap))
                with("product-wrong", ": the pixel" + of + " is taken times another number",
                     [&](auto& taps) { taps[own] = std::copysign(size, tap); });
        for (const auto& [x, y] : std::set<std::pair<int, int>>{
                 {dx - 1, dy}, {dx + 1, dy}, {dx, dy - 1}, {dx, dy + 1}, {-dx, dy}, {dx, -dy}, {dy, dx}}) {
            if (x == dx && y == dy) continue;
            with("neighbour-index-wrong", ": the pixel" + of + fmt::format(" is taken from ({}, {})", x, y),
                 [&, to = place(x, y)](auto& taps) {
                     taps[own] -= tap;
                     taps[to] += tap;
                 });
        }
    });
}

}  // namespace check
