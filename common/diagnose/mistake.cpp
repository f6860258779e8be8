// Convolutions with one mistake in the sum: its taps, its place, its border, its result.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "diagnose/mistake_workshop.h"

namespace check {

mistake_list::mistake_list(const problem_2d& problem, bool one_dimensional, const circumstances& known)
    : workshop_(std::make_unique<workshop>(problem, one_dimensional, known)), all_(workshop_->all()) {}

mistake_list::~mistake_list() = default;

std::vector<mistake> mistake_list::workshop::all() {
    if (problem_.display_scale != 0) {
        display_mistakes();
        return std::move(found_);
    }
    if (!problem_.gradient.empty()) {
        edge_mistakes();
        return std::move(found_);
    }
    if (problem_.is_volume()) {
        volume_mistakes();
        return std::move(found_);
    }
    if (problem_.transform_tile) {
        transform_mistakes();
        return std::move(found_);
    }
    flipped_filters();
    shifted_images();
    misplaced_results([this, rule = right()](const pixel_index& out) { return std::vector{rule.at(out)}; });
    other_borders();
    shortened_loops();
    skipped_borders();
    if (!one_dimensional_) swapped_sides();
    if (!one_dimensional_) taken_as_high();
    if (!one_dimensional_) lost_rows();
    if (!one_dimensional_) ignored_padding();
    if (in().channels > 1) mixed_channels();
    ignored_pitch();
    spoiled_results();
    odd_sums();
    odd_products();
    odd_factors();
    whole_numbers();
    lost_bits();
    odd_numbers();
    other_filter_sizes();
    stale_filters();
    unshifted_fetches();
    if (!one_dimensional_) taken_as_square();
    tile_mistakes();
    unwritten_parts();
    stores_past_rows();
    untested_reads();
    partial_copies();
    scaled_pitch();
    odd_fetches();
    const size_t usual = found_.size();
    odd_tap_indices();
    odd_tap_fetches();
    far_shifts();
    odd_pixel_indices();
    odd_ghost_tests();
    misplaced_cells();
    misplaced_threads();
    const size_t unusual = found_.size();
    wrong_formulas();
    wrong_passes();
    for (size_t k = usual; k < found_.size(); k++)
        found_[k].rank =
            std::max(found_[k].rank, k < unusual ? mistake::rarity::unusual : mistake::rarity::any_token);
    for (mistake& one : found_)
        one.unknown_is_number = reads_no_nan();
    return std::move(found_);
}

void mistake_list::workshop::flipped_filters() {
    const auto flipped = [this](bool in_x, bool in_y) {
        sum_rule rule = right();
        rule.tap = [this, in_x, in_y](int i, int j) {
            const int row = in_y ? taps().height - 1 - i : i;
            const int column = in_x ? taps().width - 1 - j : j;
            return double(taps().taps[size_t(row) * taps().width + column]);
        };
        return rule;
    };
    add("filter-flipped", "the filter is flipped: its last tap is used first", flipped(true, true));
    if (has_rows() && has_columns()) {
        add("filter-flipped", "the filter is flipped left to right", flipped(true, false));
        add("filter-flipped", "the filter is flipped upside down", flipped(false, true));
        sum_rule transposed = right();
        // The flat index of the transposed tap, as [j * width
        // + i] finds it; outside the filter there is nothing.
        transposed.tap = [this](int i, int j) {
            const size_t k = size_t(j) * taps().width + i;
            return k < taps().taps.size() ? double(taps().taps[k]) : NOT_A_NUMBER;
        };
        add("filter-transposed", "the filter is transposed: its rows are used as columns", transposed);
        if (taps().width != taps().height) {
            sum_rule stride = right();
            stride.tap = [this](int i, int j) {
                const size_t k = size_t(i) * taps().height + j;
                return k < taps().taps.size() ? double(taps().taps[k]) : NOT_A_NUMBER;
            };
            add("filter-rows-misread", "rows of the filter are taken to be as long as its height", stride);
        }
    }
    const std::string index = has_rows() ? "[i * M + j] is used where [(i + r) * M + j + r] is meant"
                                         : "[j] is used where [j + r] is meant";
    // What stands before the filter has never been written, or is the 0 of constant memory.
    for (const double before : {NOT_A_NUMBER, 0.0}) {
        sum_rule unshifted = right();
        unshifted.tap = [this, before](int i, int j) {
            const int64_t k = int64_t(i - radius_y()) * taps().width + j - radius_x();
            return k >= 0 ? double(taps().taps[size_t(k)]) : before;
        };
        if (taps().taps.size() > 1)
            add("tap-index-not-shifted", "i and j count from -r and the taps from 0: " + index, unshifted);
    }
    sum_rule centre = right();
    centre.first_i = centre.last_i = radius_y();
    centre.first_j = centre.last_j = radius_x();
    if (taps().taps.size() > 1 && !reads_all_taps())
        add("taps-left-out", "only the middle tap of the filter is used", centre);
}

void mistake_list::workshop::shifted_images() {
    const auto shifted = [this](int dx, int dy) {
        sum_rule rule = right();
        rule.read = [this, dx, dy](const pixel_index& out, int i, int j) {
            return pixel(out.x + dx + j - radius_x(), out.y + dy + i - radius_y(), out.channel,
                         problem_.border);
        };
        return rule;
    };
    add("shifted", "everything is shifted: out[x] holds what belongs to x + 1", shifted(1, 0));
    add("shifted", "everything is shifted: out[x] holds what belongs to x - 1", shifted(-1, 0));
    if (!one_dimensional_) {
        add("shifted", "everything is shifted: row y holds what belongs to row y + 1", shifted(0, 1));
        add("shifted", "everything is shifted: row y holds what belongs to row y - 1", shifted(0, -1));
        add("shifted",
            "everything is shifted by one row and one column: (x, y) holds what belongs to (x + 1, y + "
            "1)",
            shifted(1, 1));
        add("shifted",
            "everything is shifted by one row and one column: (x, y) holds what belongs to (x - 1, y - "
            "1)",
            shifted(-1, -1));
    }
    const std::string radius = "everything is shifted by the radius: ";
    if (radius_x() > 1 || radius_y() > 1) {
        if (radius_x() > 1) {
            add("shifted", radius + "out[x] holds what belongs to x + r", shifted(radius_x(), 0));
            add("shifted", radius + "out[x] holds what belongs to x - r", shifted(-radius_x(), 0));
        }
        if (radius_y() > 1) {
            add("shifted", radius + "row y holds what belongs to row y + r", shifted(0, radius_y()));
            add("shifted", radius + "row y holds what belongs to row y - r", shifted(0, -radius_y()));
        }
        if (has_rows() && has_columns()) {
            add("shifted", radius + "(x, y) holds what belongs to (x + r, y + r)",
                shifted(radius_x(), radius_y()));
            add("shifted", radius + "(x, y) holds what belongs to (x - r, y - r)",
                shifted(-radius_x(), -radius_y()));
        }
    }
}

void mistake_list::workshop::far_shifts() {
    if (known_.seen && known_.seen->inspected && !reads_all_taps()) return;
    const int farthest = 2 * std::max(taps().width, taps().height);
    for (int distance = 2; distance <= farthest; distance++) {
        for (const int sign : {1, -1}) {
            for (const bool of_rows : {false, true}) {
                if (of_rows && one_dimensional_) continue;
                const int by = sign * distance;
                sum_rule rule = right();
                rule.read = [this, by, of_rows](const pixel_index& out, int i, int j) {
                    const pixel_index at = under(out, i, j);
                    return pixel(of_rows ? at.x : at.x + by, of_rows ? at.y + by : at.y, at.channel,
                                 problem_.border);
                };
                add("shifted",
                    fmt::format("everything is shifted: {} holds what belongs to {} {} {}",
                                of_rows ? "row y" : "out[x]", of_rows ? "row y" : "x", sign > 0 ? "+" : "-",
                                distance),
                    rule);
            }
        }
    }
}

void mistake_list::workshop::misplaced_results(
    const std::function<std::vector<mistaken_value>(const pixel_index&)>& result) {
    for (const int step : {1, -1})
        found_.push_back(
            {"thread-index-wrong",
             step > 0 ? "the result of x is written to x + 1" : "the result of x is written to x - 1",
             [this, result, step](size_t value) {
                 const int64_t meant = int64_t(value) - step * channels();
                 if (meant < 0 || meant >= int64_t(in().pixels.size())) return std::vector{UNWRITTEN};
                 return result(split(size_t(meant)));
             }});
}

const std::vector<mistake>& mistake_list::workshop::mistakes_in(problem_2d earlier) {
    earlier_problem_ = std::move(earlier);
    earlier_known_ = {known_.seen, known_.filters, {}};
    earlier_mistakes_ = std::make_unique<mistake_list>(earlier_problem_, one_dimensional_, earlier_known_);
    return earlier_mistakes_->all();
}

void mistake_list::workshop::other_borders() {
    using lab::border;
    const std::string asked = problem_.border == border::zero    ? "0"
                              : problem_.border == border::clamp ? "the nearest value"
                                                                 : "the mirrored image";
    const auto with = [&](const std::string& id, const std::string& given, border mode) {
        if (mode == problem_.border) return;
        sum_rule rule = right();
        rule.read = [this, mode](const pixel_index& out, int i, int j) {
            return pixel(out.x + j - radius_x(), out.y + i - radius_y(), out.channel, mode);
        };
        add(id, "ghost cells are " + given + " where they should be " + asked, rule);
    };
    with("ghost-zero", "0", border::zero);
    // With a radius of 1 a clamped and a mirrored image are the same.
    const bool differ = radius_x() > 1 || radius_y() > 1;
    with("ghost-clamped", differ ? "the nearest value (clamped)" : "the nearest value (clamped or mirrored)",
         border::clamp);
    if (differ) with("ghost-mirrored", "the mirrored image", border::mirror);

    const auto clamped_in_one = [&](bool in_x, const std::string& sides) {
        sum_rule rule = right();
        rule.read = [this, in_x](const pixel_index& out, int i, int j) {
            const int x = out.x + j - radius_x(), y = out.y + i - radius_y();
            return pixel(in_x ? std::min(std::max(x, 0), width() - 1) : x,
                         in_x ? y : std::min(std::max(y, 0), height() - 1), out.channel, border::zero);
        };
        add("ghost-clamped", "ghost cells " + sides + " are the nearest value where they should be 0", rule);
    };
    if (problem_.border == border::zero && has_rows() && has_columns()) {
        clamped_in_one(true, "at the left and the right");
        clamped_in_one(false, "at the top and the bottom");
    }

    // Mirrored around the edge pixel, which then stands there once: -1 -> 1.
    const auto reflected = [](int position, int size) {
        if (size == 1) return 0;
        const int period = 2 * size - 2;
        const int phase = (position % period + period) % period;
        return phase < size ? phase : period - phase;
    };
    sum_rule mirror = right();
    mirror.read = [this, reflected](const pixel_index& out, int i, int j) {
        return pixel(reflected(out.x + j - radius_x(), width()), reflected(out.y + i - radius_y(), height()),
                     out.channel, border::zero);
    };
    add("ghost-mirrored",
        "the image is mirrored without repeating its edge (-1 -> 1) where ghost cells should be " + asked,
        mirror);

    sum_rule wrapped = right();
    wrapped.read = [this](const pixel_index& out, int i, int j) {
        const int x = ((out.x + j - radius_x()) % width() + width()) % width();
        const int y = ((out.y + i - radius_y()) % height() + height()) % height();
        return pixel(x, y, out.channel, border::zero);
    };
    add("ghost-wrapped", "ghost cells come from the opposite side where they should be " + asked, wrapped);
}

bool mistake_list::workshop::reads_all_taps() const {
    const inspect::report* seen = known_.seen;
    if (!seen || !seen->inspected || seen->launches.empty()) return false;
    const uint64_t all = uint64_t(in().pixels.size()) * taps().taps.size();
    // Textures answer for pixels and, where they hold the filter, for taps.
    return taps_read() == all || taps_read() == valid_products() || seen->total().texture.lanes == 2 * all;
}

bool mistake_list::workshop::reads_too_few_taps() const {
    return known_.seen && known_.seen->inspected && taps().column.empty() && taps_read() > 0 &&
           taps_read() < valid_products();
}

uint64_t mistake_list::workshop::taps_read() const {
    return known_.seen ? known_.seen->of("filter").loads.lanes + known_.seen->total().constant.lanes : 0;
}

uint64_t mistake_list::workshop::valid_products() const {
    return uint64_t(inside_taps(problem_));
}

bool mistake_list::workshop::reads_no_nan() const {
    const auto is_missing = [](const inspect::finding& one) { return one.kind == "never-written"; };
    if (!known_.seen || !known_.seen->inspected || known_.seen->total().texture.lanes > 0) return false;
    const std::vector<inspect::finding>& findings = known_.seen->findings;
    return known_.seen->finds(is_missing) &&
           std::all_of(findings.begin(), findings.end(),
                       [&](const auto& one) { return !one.is_error || is_missing(one); });
}

bool mistake_list::workshop::reads_beside_filter() const {
    if (!known_.seen) return false;
    return known_.seen->finds([](const inspect::finding& one) {
        const bool of_filter = one.space == "constant" || one.variable == "filter";
        return one.kind == "index-out-of-array" || (one.kind == "out-of-bounds" && of_filter);
    });
}

bool mistake_list::workshop::has_errors_in_shared_memory() const {
    return known_.seen &&
           known_.seen->finds([](const auto& one) { return one.is_error && one.space == "shared"; });
}

bool mistake_list::workshop::reads_beside_tile() const {
    return known_.seen && known_.seen->finds([](const inspect::finding& one) {
        return one.kind == "out-of-bounds" && one.space == "shared" && one.direction == "load";
    });
}

void mistake_list::workshop::shortened_loops() {
    if (reads_all_taps() || reads_beside_filter()) return;
    const auto cut = [this](int top, int bottom, int left, int right_side) {
        sum_rule rule = right();
        rule.first_i += top;
        rule.last_i -= bottom;
        rule.first_j += left;
        rule.last_j -= right_side;
        return rule;
    };
    const std::string row = one_dimensional_ ? "tap" : "column of taps";
    if (has_columns()) {
        add("taps-left-out", "the last " + row + " is left out: the loop over j ends one too early",
            cut(0, 0, 0, 1));
        add("taps-left-out", "the first " + row + " is left out: the loop over j starts one too late",
            cut(0, 0, 1, 0));
        if (!has_rows())
            add("taps-left-out", "the radius is one too small: the first and the last tap are left out",
                cut(0, 0, 1, 1));
    }
    if (has_rows()) {
        add("taps-left-out", "the last row of taps is left out: the loop over i ends one too early",
            cut(0, 1, 0, 0));
        add("taps-left-out", "the first row of taps is left out: the loop over i starts one too late",
            cut(1, 0, 0, 0));
    }
    if (has_rows() && has_columns()) {
        add("taps-left-out", "the last row and column of taps are left out: both loops end one too early",
            cut(0, 1, 0, 1));
        add("taps-left-out", "the first row and column of taps are left out: both loops start one too late",
            cut(1, 0, 1, 0));
        add("taps-left-out", "the radius is one too small: the outermost taps are left out", cut(1, 1, 1, 1));
    }
    // Loops that start or end at the middle, or at the wrong end.
    const int r = radius_x(), s = radius_y();
    const std::string alone = " of taps alone is used: does a loop start or end in the wrong place?";
    const std::string last =
        " of taps alone is used: is = used where += is meant, or does a loop start too late?";
    const std::string from = " of taps are left out: does a loop start or end in the middle?";
    if (has_columns() && !one_dimensional_) {
        add("one-product-left", "the last column" + last, cut(0, 0, 2 * r, 0));
        add("taps-left-out", "the first column" + alone, cut(0, 0, 0, 2 * r));
        add("taps-left-out", "the middle column" + alone, cut(0, 0, r, r));
    }
    if (has_rows()) {
        add("one-product-left", "the last row" + last, cut(2 * s, 0, 0, 0));
        add("taps-left-out", "the first row" + alone, cut(0, 2 * s, 0, 0));
        add("taps-left-out", "the middle row" + alone, cut(s, s, 0, 0));
    }
    for (const int middle : {0, 1}) {
        if (has_columns() && !one_dimensional_) {
            add("taps-left-out", "the columns before the middle" + from, cut(0, 0, r + middle, 0));
            add("taps-left-out", "the columns after the middle" + from, cut(0, 0, 0, r + middle));
        }
        if (one_dimensional_ && has_columns()) {
            add("taps-left-out",
                "the taps before the middle are left out: does the loop start at 0, or does a test ask for j "
                "alone?",
                cut(0, 0, r + middle, 0));
            add("taps-left-out",
                "the taps after the middle are left out: does the loop end at 0, or does a test ask for j "
                "alone?",
                cut(0, 0, 0, r + middle));
        }
        if (has_rows()) {
            add("taps-left-out", "the rows before the middle" + from, cut(s + middle, 0, 0, 0));
            add("taps-left-out", "the rows after the middle" + from, cut(0, s + middle, 0, 0));
        }
    }
}

void mistake_list::workshop::skipped_borders() {
    if (problem_.border != lab::border::zero || taps().taps.size() == 1) return;
    const auto zero_where = [this](std::function<bool(int x, int y)> skipped) {
        return [this, skipped, rule = right()](size_t value) {
            const pixel_index out = split(value);
            return skipped(out.x, out.y) ? mistaken_value{} : rule.at(out);
        };
    };
    const std::string sum = one_dimensional_
                                ? "where the filter reaches past the first element the sum stays 0"
                                : "where the filter overhangs on the left the sum stays 0";
    if (has_columns()) {
        add("ghost-ends-loop", sum + ": does a ghost cell end the loop (break where continue is meant)?",
            zero_where([this](int x, int) { return x < radius_x(); }));
    }
    if (has_rows()) {
        add("ghost-ends-loop",
            "where the filter overhangs at the top the sum stays 0: does a ghost cell end the loop (break "
            "where "
            "continue is meant)?",
            zero_where([this](int, int y) { return y < radius_y(); }));
    }
    add("overhang-zero",
        one_dimensional_
            ? "where the filter reaches past an end the result is 0: only ghost cells count as 0"
            : "where the filter overhangs the image the result is 0: only ghost cells count as 0",
        zero_where([this](int x, int y) { return overhangs(x, y); }));
}

void mistake_list::workshop::spoiled_results() {
    const auto spoiled = [this](const std::string& id, const std::string& cause,
                                std::function<double(double)> spoil) {
        add(id, cause, [this, rule = right(), spoil](size_t value) {
            mistaken_value result = rule.at(split(value));
            const double centre = spoil(result.value);
            // Slopes of all these are at most 2 where they are
            // not broken by a step, where nothing can be said.
            result.bound = 4.0 * result.bound + std::abs(centre) * 4.0 * UNIT_ROUNDOFF;
            result.value = centre;
            return result;
        });
    };
    const double sum = std::accumulate(taps().taps.begin(), taps().taps.end(), 0.0);
    if (std::abs(sum) > 0.5)
        spoiled("result-divided", "the result is divided by the sum of the taps",
                [sum](double v) { return v / sum; });
    spoiled("added-twice", "the result is added twice: is the kernel launched twice without clearing out?",
            [](double v) { return 2.0 * v; });
    spoiled("sign-wrong", "the sign is wrong", [](double v) { return -v; });
    spoiled("result-clamped", "the result is clamped to 0..255",
            [](double v) { return std::min(std::max(v, 0.0), 255.0); });
    spoiled("result-clamped", "the result is clamped to 0..1",
            [](double v) { return std::min(std::max(v, 0.0), 1.0); });
    spoiled("integer-sum", "the result is cut to whole numbers: somewhere a float becomes an int",
            [](double v) { return std::trunc(v); });
    spoiled("absolute-value", "the absolute value was taken", [](double v) { return std::abs(v); });
    add("sum-starts-wrong", "the sum starts from the pixel instead of 0",
        [this, rule = right()](size_t value) {
            mistaken_value result = rule.at(split(value));
            result.value += in().pixels[value];
            result.bound = 2.0 * (result.bound + std::abs(in().pixels[value]) *
                                                     double(taps().taps.size() + 1) * UNIT_ROUNDOFF);
            return result;
        });
    // Kernels that read taps and stored what came back may have made it of one tap, a 1.
    const bool computed = known_.seen && !known_.out.empty() && known_.seen->origin.values > 0 &&
                          known_.seen->origin.of_host == 0 && !known_.seen->origin.sent_by_host &&
                          known_.seen->of("filter").loads.lanes + known_.seen->total().constant.lanes > 0;
    if (!computed || std::find(taps().taps.begin(), taps().taps.end(), 1.0f) == taps().taps.end())
        add("input-unchanged", "the input came back unchanged", [this](size_t value) {
            return mistaken_value{in().pixels[value], 0.0};
        });
}

}  // namespace check
