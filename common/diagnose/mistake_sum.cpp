// Convolutions with one mistake in what the sum is made of: its products, its beginning, how they are added.
#include <algorithm>
#include <cmath>

#include "diagnose/launch_tile.h"
#include "diagnose/mistake_workshop.h"

namespace check {

void mistake_list::workshop::odd_sums() {
    if (taps().taps.size() == 1) return;
    const auto last_product = [this](bool of_row) {
        return [this, of_row](size_t value) {
            const pixel_index out = split(value);
            sum_rule rule = right();
            // The last tap that meets a pixel: kernels skip ghost cells, or add 0 for them.
            const auto ghost = [&](int i, int j) {
                const pixel_index at = under(out, i, j);
                return problem_.border == lab::border::zero && !inside(at);
            };
            if (of_row) {
                while (rule.last_i > 0 && ghost(rule.last_i, radius_x()))
                    rule.last_i--;
                rule.first_i = rule.last_i;
                return rule.at(out);
            }
            while (rule.last_i > 0 && ghost(rule.last_i, radius_x()))
                rule.last_i--;
            while (rule.last_j > 0 && ghost(rule.last_i, rule.last_j))
                rule.last_j--;
            rule.first_i = rule.last_i;
            rule.first_j = rule.last_j;
            return rule.at(out);
        };
    };
    // Where taps beside the filter are read, products have other reasons to be missing.
    if (reads_beside_filter()) return;
    // A loop that starts at its end reads one tap for a sum; one that forgets reads all, unless the compiler leaves out
    // what is forgotten.
    const uint64_t outputs = in().pixels.size();
    const uint64_t inner = uint64_t(std::max(0, width() - radius_x())) * std::max(0, height() - radius_y());
    const bool counted = known_.seen && known_.seen->inspected;
    const uint64_t read =
        counted ? known_.seen->of("filter").loads.lanes + known_.seen->total().constant.lanes : 0;
    const bool one_each = counted && (read == outputs || read == inner * uint64_t(channels()));
    const std::string overwritten =
        "only the last product is left in the sum: is = used where += is meant, or does the loop start too "
        "late?";
    const std::string lost = one_each ? "one-product-left" : "sum-overwritten";
    add(lost, overwritten, last_product(false));
    // Where ghost cells lie in a tile or a padded image, the last product may be 0.
    sum_rule last = right();
    last.first_i = last.last_i;
    last.first_j = last.last_j;
    add(lost, overwritten, last);
    if (has_rows()) {
        const std::string anew = "the sum begins anew in every row of taps";
        add("sum-overwritten", anew, last_product(true));
        last.first_j = 0;
        add("sum-overwritten", anew, last);
    }
}

void mistake_list::workshop::odd_products() {
    if (taps().taps.size() == 1) return;
    const bool zero = problem_.border == lab::border::zero;
    // What is added for a tap and the pixel under it; of ghost cells too where no test skips them.
    const auto made_of = [&](const std::string& cause, bool ghosts,
                             std::function<double(double tap, double pixel)> product) {
        add("product-wrong", cause, [this, ghosts, product](size_t value) {
            const pixel_index out = split(value);
            mistaken_value sum;
            double magnitude = 0.0;
            for (int i = 0; i < taps().height; i++) {
                for (int j = 0; j < taps().width; j++) {
                    const pixel_index at = under(out, i, j);
                    if (!ghosts && !inside(at)) continue;
                    const double tap = taps().taps[size_t(i) * taps().width + j];
                    const double part = product(tap, pixel(at.x, at.y, at.channel, problem_.border));
                    sum.value += part;
                    magnitude += std::abs(part) + std::abs(tap);
                }
            }
            sum.bound = double(2 * taps().taps.size()) * UNIT_ROUNDOFF * magnitude;
            return sum;
        });
    };
    const bool reads_taps =
        known_.seen && (known_.seen->of("filter").loads.lanes > 0 ||
                        known_.seen->total().texture.lanes > in().pixels.size() * taps().taps.size() ||
                        known_.seen->constant_of(taps().taps.size() * sizeof(float)).lanes > 0);
    for (const bool ghosts : {false, true}) {
        if (!ghosts && !zero) continue;
        // One tap for all may be 1; who takes it has read it.
        if (!reads_taps)
            made_of("pixels are added up without their taps", ghosts, [](double, double p) { return p; });
        made_of("taps are added up without the pixels under them", ghosts,
                [](double t, double) { return t; });
        made_of("pixels and taps are added, not multiplied", ghosts,
                [](double t, double p) { return t + p; });
        made_of("taps are divided by pixels", ghosts, [](double t, double p) { return t / p; });
        made_of("pixels are divided by taps", ghosts, [](double t, double p) { return p / t; });
    }
}

/// Where two numbers of fp16 are asked for, one is used.
void mistake_list::workshop::lost_bits() {
    if (problem_.fp16_parts < 2) return;
    sum_rule rule = right();
    rule.fp16_parts = 1;
    add("bits-lost",
        "the values are as exact as fp16, not as two parts of it: do pixels and taps both have a part 1, and "
        "do all "
        "products with one of them come to the sum?",
        rule);
}

/// Pixels, taps or sums lose what stands behind their point.
void mistake_list::workshop::whole_numbers() {
    const std::string on_its_way = ": somewhere a float becomes an int";
    sum_rule of_taps = right(), of_pixels = right();
    of_taps.tap = [this](int i, int j) {
        return std::trunc(double(taps().taps[size_t(i) * taps().width + j]));
    };
    of_pixels.read = [this](const pixel_index& out, int i, int j) {
        const pixel_index at = under(out, i, j);
        return std::trunc(pixel(at.x, at.y, at.channel, problem_.border));
    };
    add("integer-sum", "taps are cut to whole numbers" + on_its_way, of_taps);
    add("integer-sum", "pixels are cut to whole numbers" + on_its_way, of_pixels);
    add("integer-sum", "the sum is cut to a whole number with every tap: is it an int?",
        [this](size_t value) {
            const pixel_index out = split(value);
            double sum = 0.0;
            for (int i = 0; i < taps().height; i++) {
                for (int j = 0; j < taps().width; j++) {
                    const pixel_index at = under(out, i, j);
                    const double tap = taps().taps[size_t(i) * taps().width + j];
                    const double next = sum + tap * pixel(at.x, at.y, at.channel, problem_.border);
                    const double doubt = 4.0 * UNIT_ROUNDOFF * (std::abs(sum) + std::abs(next));
                    // So near to a whole number that rounding decides.
                    if (std::trunc(next - doubt) != std::trunc(next + doubt)) return UNKNOWN;
                    sum = std::trunc(next);
                }
            }
            return mistaken_value{sum, 0.0};
        });
}

/// The right value and an unknown number times the pattern; what the output has tells the number.
void mistake_list::workshop::add_scaled(const std::string& id, const std::string& cause,
                                        std::function<mistaken_value(size_t)> pattern,
                                        bool (*possible)(double)) {
    constexpr size_t MOST_LOOKED_AT = 100;
    const sum_rule rule = right();
    double number = 0.0, doubt = 0.0, most = 0.0;
    size_t looked_at = 0;
    for (size_t k = 0; k < known_.out.size() && looked_at < MOST_LOOKED_AT; k++) {
        if (std::isnan(known_.out[k])) continue;
        const mistaken_value meant = rule.at(split(k)), part = pattern(k);
        const double more = known_.out[k] - meant.value;
        if (std::abs(more) <= meant.bound) continue;
        looked_at++;
        if (!(std::abs(part.value) > most)) continue;
        most = std::abs(part.value);
        number = more / part.value;
        doubt = (2.0 * meant.bound + std::abs(number) * part.bound + std::abs(more) * UNIT_ROUNDOFF) / most;
    }
    if (most == 0.0 || !possible(number)) return;
    add(id, cause, [this, rule, pattern, number, doubt](size_t value) {
        mistaken_value result = rule.at(split(value));
        const mistaken_value part = pattern(value);
        result.value += number * part.value;
        result.bound = 2.0 * (result.bound + doubt * std::abs(part.value) + std::abs(number) * part.bound +
                              std::abs(result.value) * UNIT_ROUNDOFF);
        return result;
    });
}

/// Another number than 0 in all ghost cells, or in those of one side.
void mistake_list::workshop::other_ghost_cells() {
    const bool loads_none =
        known_.seen && known_.seen->inspected && loads_as_many_as_right(problem_, *known_.seen);
    const auto add_sides = [&](const std::string& where,
                               bool (*is_ghost)(const image& in, const pixel_index& at)) {
        add_scaled(
            "ghost-not-zero", "ghost cells" + where + " hold a number other than 0",
            [this, is_ghost](size_t value) {
                const pixel_index out = split(value);
                mistaken_value sum;
                for (int i = 0; i < taps().height; i++) {
                    for (int j = 0; j < taps().width; j++) {
                        const double tap = taps().taps[size_t(i) * taps().width + j];
                        if (!is_ghost(in(), under(out, i, j))) continue;
                        sum.value += tap;
                        sum.bound += double(taps().taps.size()) * UNIT_ROUNDOFF * std::abs(tap);
                    }
                }
                return sum;
            },
            [](double) { return true; });
        // In an image that begins with equal pixels the nearest one is such a number too.
        if (where.empty() || loads_none) return;
        sum_rule rule = right();
        rule.read = [this, is_ghost](const pixel_index& out, int i, int j) {
            const pixel_index at = under(out, i, j);
            const lab::border mode = is_ghost(in(), at) ? lab::border::clamp : lab::border::zero;
            return pixel(at.x, at.y, at.channel, mode);
        };
        add("ghost-clamped", "ghost cells" + where + " are the nearest value where they should be 0", rule);
    };
    add_sides("", [](const image& in, const pixel_index& at) {
        return at.x < 0 || at.x >= in.width || at.y < 0 || at.y >= in.height;
    });
    const std::string unit = one_dimensional_ ? "element" : "column";
    add_sides(" before the first " + unit, [](const image&, const pixel_index& at) { return at.x < 0; });
    add_sides(" after the last " + unit,
              [](const image& in, const pixel_index& at) { return at.x >= in.width; });
    if (one_dimensional_) return;
    add_sides(" above the first row", [](const image&, const pixel_index& at) { return at.y < 0; });
    add_sides(" below the last row",
              [](const image& in, const pixel_index& at) { return at.y >= in.height; });
}

/// A thread has several outputs, the rows and columns of a tile in steps of its block, and clears its sum for the
/// first of them alone.
void mistake_list::workshop::uncleared_sums() {
    if (!known_.seen || !known_.seen->inspected || known_.seen->launches.size() != 1) return;
    const inspect::launch& launch = known_.seen->launches.front();
    const int block_x = int(launch.block[0]), block_y = int(launch.block[1]);
    constexpr int NOBODY = -1;
    for (const auto& [tile_x, tile_y] : possible_tiles()) {
        if (tile_x <= block_x && tile_y <= block_y) continue;
        // The thread's output before this one, in the order of its loops.
        const auto before = [=, this, tile_x = tile_x, tile_y = tile_y](const pixel_index& out) {
            const int column = out.x % tile_x, row = out.y % tile_y;
            if (column >= block_x) return pixel_index{out.x - block_x, out.y, out.channel};
            if (row < block_y) return pixel_index{NOBODY, 0, 0};
            const int columns = std::min(tile_x, width() - (out.x - column));
            const int last = column + (columns - 1 - column) / block_x * block_x;
            return pixel_index{out.x - column + last, out.y - block_y, out.channel};
        };
        add("sum-starts-wrong",
            "every sum goes on from that of the thread's output before it: does it start from 0?",
            [this, before, rule = right()](size_t value) {
                mistaken_value result = rule.at(split(value));
                const pixel_index other = before(split(value));
                if (other.x == NOBODY) return result;
                const double sum = known_.out[size_t(flat(other))];
                result.value += sum;
                result.bound = 2.0 * (result.bound + double(taps().taps.size()) * UNIT_ROUNDOFF *
                                                         (std::abs(sum) + std::abs(result.value)));
                return result;
            });
    }
}

void mistake_list::workshop::odd_numbers() {
    if (known_.out.empty()) return;
    const auto any = [](double) { return true; };
    add_scaled(
        "sum-starts-wrong", "the same number is added to every result: does the sum start from 0?",
        [](size_t) {
            return mistaken_value{1.0, 0.0};
        },
        any);
    // A variable that nobody has set may hold what the thread before left there.
    add("sum-starts-wrong", "every sum goes on from that of another thread: does it start from 0?",
        [this, rule = right()](size_t value) {
            if (value % size_t(width() * channels()) < size_t(channels())) return UNKNOWN;
            const double before = known_.out[value - size_t(channels())];
            mistaken_value result = rule.at(split(value));
            result.value += before;
            result.bound = 2.0 * (result.bound + double(taps().taps.size()) * UNIT_ROUNDOFF *
                                                     (std::abs(before) + std::abs(result.value)));
            return result;
        });
    uncleared_sums();
    if (taps().taps.size() == 1) return;
    if (problem_.border == lab::border::zero) other_ghost_cells();
    // The next tap in constant memory or behind the filter is the same for all.
    const auto beyond = [this](int i, int j) {
        return [this, i, j](size_t value) {
            const pixel_index at = under(split(value), i, j);
            return mistaken_value{pixel(at.x, at.y, at.channel, problem_.border), 0.0};
        };
    };
    if (one_dimensional_) {
        add_scaled("taps-too-many", "the sum goes on past the last tap: does the loop end one too late?",
                   beyond(0, taps().width), any);
        add_scaled("taps-too-many", "the sum begins before the first tap: does the loop start one too early?",
                   beyond(0, -1), any);
    }
}

}  // namespace check
