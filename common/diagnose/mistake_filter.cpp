// Convolutions with one mistake in the taps that the kernel meets: other sizes, filters of other calls.
#include <fmt/format.h>
#include <algorithm>
#include <cstring>

#include "diagnose/mistake_workshop.h"

namespace check {

namespace {

constexpr int LARGEST_FIXED_RADIUS = 40;  // of radii and limits that are written into kernels
constexpr int MOST_TAPS = 16384;          // of constant memory
constexpr int LONGEST_ROW = 127;          // of the largest odd square that fits there

/// Constant memory as the calls of a process leave it, byte for byte; it begins as zeros.
class constant_memory {
public:
    void copy(const std::vector<float>& taps, size_t bytes, size_t offset = 0) {
        bytes = std::min(bytes, taps.size() * sizeof(float));
        if (bytes_.size() < offset + bytes) bytes_.resize(offset + bytes);
        if (bytes > 0) std::memcpy(&bytes_[offset], taps.data(), bytes);
    }
    void copy(const std::vector<float>& taps) { copy(taps, taps.size() * sizeof(float)); }

    std::vector<float> first(size_t count) const {
        std::vector<float> taps(count);
        std::memcpy(taps.data(), bytes_.data(), std::min(bytes_.size(), count * sizeof(float)));
        return taps;
    }

private:
    std::vector<char> bytes_;
};

}  // namespace

/// The sum with other taps in place of the filter's, [i * row + j]; 0 beyond them.
sum_rule mistake_list::workshop::with_taps(std::vector<float> held, int row) const {
    sum_rule rule = right();
    // Shared by the copies of the rule.
    const auto shared = std::make_shared<const std::vector<float>>(std::move(held));
    rule.tap = [shared, row](int i, int j) {
        const size_t k = size_t(i) * row + j;
        return k < shared->size() ? double((*shared)[k]) : 0.0;
    };
    return rule;
}

void mistake_list::workshop::other_filter_sizes() {
    if (reads_all_taps() || (!one_dimensional_ && taps().width != taps().height)) return;
    for (int radius = 0; radius <= LARGEST_FIXED_RADIUS; radius++) {
        if (radius == radius_x() || (!one_dimensional_ && radius > radius_x())) continue;
        const int size = 2 * radius + 1;
        sum_rule rule = right();
        rule.last_i = one_dimensional_ ? 0 : size - 1;
        rule.last_j = size - 1;
        rule.tap = [this, size](int i, int j) {
            const size_t k = size_t(i) * size + j;
            return k < taps().taps.size() ? double(taps().taps[k]) : NOT_A_NUMBER;
        };
        rule.read = [this, radius](const pixel_index& out, int i, int j) {
            return pixel(out.x + j - radius, one_dimensional_ ? 0 : out.y + i - radius, out.channel,
                         problem_.border);
        };
        const auto taps_of = [&](int side) {
            return one_dimensional_ ? fmt::format("{}", side) : fmt::format("{} x {}", side, side);
        };
        add("filter-size-ignored",
            fmt::format(
                "the sum runs over {} taps, the filter has {}: is the radius half its size, or a size "
                "written into the kernel?",
                taps_of(size), taps_of(taps().width)),
            rule);
    }
}

void mistake_list::workshop::stale_filters() {
    const std::vector<float>& mine = taps().taps;
    if (mine.size() > MOST_TAPS) return;
    const auto held = [&](const std::string& id, const std::string& cause, const constant_memory& memory,
                          int row) {
        std::vector<float> seen = memory.first(size_t(taps().height - 1) * row + taps().width);
        if (row == taps().width && std::memcmp(seen.data(), mine.data(), mine.size() * sizeof(float)) == 0)
            return;
        // Rows that are all 0 but the first fit every length.
        const bool empty = std::all_of(seen.begin() + std::min(row, int(seen.size())), seen.end(),
                                       [](float tap) { return tap == 0.0f; });
        if (row != taps().width && empty) return;
        add(id, cause, with_taps(std::move(seen), row));
    };
    constant_memory late, once, same_size, quarter, next_place, next_byte;
    size_t last_size = 0;
    const auto call = [&](const std::vector<float>& filter, bool mine_too) {
        if (filter.size() > MOST_TAPS) return;  // refused, or answered in another way
        if (!mine_too) late.copy(filter);
        if (last_size == 0) once.copy(filter);
        if (filter.size() != last_size) same_size.copy(filter);
        last_size = filter.size();
        quarter.copy(filter, filter.size());
        next_place.copy(filter, filter.size() * sizeof(float), sizeof(float));
        next_byte.copy(filter, filter.size() * sizeof(float), 1);
    };
    for (const past_filter* before : known_.filters)
        call(before->taps, false);
    call(mine, true);
    const int row = taps().width;
    held("filter-copied-late",
         "the taps are those of the call before: is the filter copied before the launch?", late, row);
    held("filter-not-copied", "the taps are those of the first call: is the filter copied in every call?",
         once, row);
    held("filter-not-copied",
         "the taps are those of an earlier filter of the same size: is the filter copied in every call?",
         same_size, row);
    // Of a short filter one tap arrives, which is all that sums over cells that nobody has stored may have as well.
    if (!has_errors_in_shared_memory())
        held("bytes-are-elements",
             "only a quarter of the taps arrives on the device: a number of elements where bytes are asked "
             "for?",
             quarter, row);
    if (!reads_too_few_taps())
        held("filter-misplaced",
             "every tap is read one place before where it lies: is the index 1 too small, or were the taps "
             "copied behind the first place?",
             next_place, row);
    held("filter-misplaced",
         "the taps start at the second byte of constant memory: is the fourth argument an offset?", next_byte,
         row);
    for (size_t most = 16; most < mine.size(); most *= 2) {
        constant_memory cut;
        cut.copy(mine, most * sizeof(float));
        held("filter-cut-short", fmt::format("only the first {} taps arrive on the device", most), cut, row);
    }
    constant_memory whole = late;
    whole.copy(mine);
    for (int other = has_rows() ? 1 : LONGEST_ROW + 1; other <= LONGEST_ROW; other++) {
        if (other == row || other == taps().height) continue;
        held("filter-rows-misread",
             fmt::format("rows of the filter are taken to be {} tap{} long, not {}", other,
                         other == 1 ? "" : "s", row),
             whole, other);
    }
}

void mistake_list::workshop::unshifted_fetches() {
    if (one_dimensional_ || taps().taps.size() == 1) return;
    for (const bool clamped : {false, true}) {
        sum_rule rule = right();
        rule.tap = [this, clamped](int i, int j) {
            const int row = i - radius_y(), column = j - radius_x();
            if (!clamped && (row < 0 || column < 0)) return 0.0;
            return double(taps().taps[size_t(std::max(row, 0)) * taps().width + std::max(column, 0)]);
        };
        add("tap-index-not-shifted",
            "i and j count from -r and the taps from 0: (i, j) is fetched where (i + r, j + r) is meant",
            rule);
    }
}

void mistake_list::workshop::taken_as_square() {
    if (taps().width == taps().height) return;
    // A filter of one row or column looks the same under many mistakes.
    const bool telling = has_rows() && has_columns();
    const std::string square_id = telling ? "filter-taken-as-square" : "",
                      swapped_id = telling ? "radii-swapped" : "";
    const auto reading_from = [this](int up, int left) {
        sum_rule rule = right();
        rule.read = [this, up, left](const pixel_index& out, int i, int j) {
            return pixel(out.x + j - left, out.y + i - up, out.channel, problem_.border);
        };
        return rule;
    };
    const std::string square = ": right for square filters only";
    add(square_id, "rows are counted with the radius of the columns" + square,
        reading_from(radius_x(), radius_x()));
    add(square_id, "columns are counted with the radius of the rows" + square,
        reading_from(radius_y(), radius_y()));
    add(swapped_id, "the radii are swapped: half the width is used up and down" + square,
        reading_from(radius_x(), radius_y()));
    sum_rule exchanged = right();  // as many rows as it has columns, each as long as it has rows
    exchanged.last_i = taps().width - 1;
    exchanged.last_j = taps().height - 1;
    exchanged.tap = [this](int i, int j) { return double(taps().taps[size_t(i) * taps().height + j]); };
    exchanged.read = [this](const pixel_index& out, int i, int j) {
        return pixel(out.x + j - radius_y(), out.y + i - radius_x(), out.channel, problem_.border);
    };
    add(telling ? "filter-sides-swapped" : "", "width and height of the filter are exchanged" + square,
        exchanged);
    if (taps().width < taps().height) {
        sum_rule rule = right();
        rule.last_i = taps().width - 1;
        add(square_id, "the filter is taken to be as high as it is wide" + square, rule);
    }
}

}  // namespace check
