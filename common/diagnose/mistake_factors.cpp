// Convolutions with one mistake where the filter is given as a column times a row: in the sum along rows, or in that
// of these sums.
#include <algorithm>

#include "diagnose/mistake_workshop.h"

namespace check {

void mistake_list::workshop::odd_factors() {
    const filter& given = taps();
    if (given.column.empty() || given.taps.size() == 1) return;
    using factor = std::function<double(int k)>;
    // Beyond one of them stands the other, or anything.
    const auto of = [](const std::vector<float>& taps, int distance) -> factor {
        return [&taps, distance](int k) {
            const int at = k + distance;
            return at >= 0 && at < int(taps.size()) ? double(taps[size_t(at)]) : ANYTHING;
        };
    };
    const factor column = of(given.column, 0), row = of(given.row, 0);
    const factor one = [](int) { return 1.0; };
    const auto with = [this](const std::string& id, const std::string& cause, const factor& down,
                             const factor& across) {
        sum_rule rule = right();
        rule.tap = [down, across](int i, int j) { return down(i) * across(j); };
        add(id, cause, rule);
    };
    // Two passes that skip ghost cells tell by the taps they read whether one of them reads none.
    const uint64_t of_rows = valid_taps(width(), radius_x()) * height() * uint64_t(channels());
    const uint64_t of_columns = valid_taps(height(), radius_y()) * width() * uint64_t(channels());
    const bool reads_both = taps_read() == of_rows + of_columns;
    const bool reads_row = reads_both || taps_read() != of_columns,
               reads_column = reads_both || taps_read() != of_rows;
    if (!reads_both) {
        with("product-wrong", "pixels are added up along the rows without the taps of the row", column, one);
        with("product-wrong", "sums of rows are added up without the taps of the column", one, row);
    }
    for (const int step : {1, -1}) {
        const std::string where = step > 0 ? "one place too far" : "one place too early";
        with("tap-index-wrong", "taps of the row are taken from " + where, column, of(given.row, step));
        with("tap-index-wrong", "taps of the column are taken from " + where, of(given.column, step), row);
    }
    const auto first = [](const std::vector<float>& taps) -> factor {
        return [tap = double(taps.front())](int) { return tap; };
    };
    if (reads_row) with("tap-index-wrong", "one tap of the row is used for all", column, first(given.row));
    if (reads_column)
        with("tap-index-wrong", "one tap of the column is used for all", first(given.column), row);
    with("tap-index-wrong", "taps of the column are read where those of the row lie", of(given.row, 0), row);
    with("tap-index-wrong", "taps of the row are read where those of the column lie", column,
         of(given.column, 0));

    const auto only = [](int place) -> factor { return [place](int k) { return double(k == place); }; };
    with("wrong-array",
         "pixels are summed along the columns, not the sums of their rows: does the second sum read those?",
         column, only(radius_x()));
    with("wrong-array",
         "the sums of rows come out, and no sum along the columns: is the right array stored and copied?",
         only(radius_y()), row);
    last_products_of_factors();
    odd_row_sums();
}

/// Row sums that are read from beside their place, or that start from something else than 0.
void mistake_list::workshop::odd_row_sums() {
    const auto read_at = [this](const std::string& id, const std::string& cause, int64_t pitch, int step) {
        add(id, cause, [this, pitch, step](size_t value) {
            const pixel_index out = split(value);
            mistaken_value sum;
            for (int i = 0; i < taps().height; i++) {
                const int row = out.y + i - radius_y();
                const int64_t place = row * pitch + out.x + step;
                if (row < 0 || row >= height()) continue;
                if (place < 0 || place >= int64_t(width()) * height()) return UNKNOWN;
                sum_rule of_row = right();
                of_row.first_i = of_row.last_i = radius_y();
                of_row.tap = [this, i](int, int j) {
                    return double(taps().column[size_t(i)]) * double(taps().row[size_t(j)]);
                };
                const mistaken_value part =
                    of_row.at({int(place % width()), int(place / width()), out.channel});
                sum.value += part.value;
                sum.bound += part.bound + double(taps().height) * UNIT_ROUNDOFF * std::abs(part.value);
            }
            return sum;
        });
    };
    if (width() != height())
        read_at("width-height-swapped",
                "rows of the row sums are read as if they were as long as the image is high", height(), 0);
    for (const int step : {1, -1})
        read_at("shifted", "sums of rows are stored or read one place beside their own", width(), step);

    const bool tiled = known_.seen && known_.seen->total().shared.stores.lanes > 0;
    add_scaled(
        "sum-starts-wrong", "the same number is added to every sum of a row: does it start from 0?",
        [this, tiled](size_t value) {
            mistaken_value sum;
            for (int i = 0; i < taps().height; i++) {
                const double tap = taps().column[size_t(i)];
                const pixel_index at = under(split(value), i, radius_x());
                if (!tiled && !inside(at)) continue;
                sum.value += tap;
                sum.bound += double(taps().height) * UNIT_ROUNDOFF * std::abs(tap);
            }
            return sum;
        },
        [](double) { return true; });
}

/// Products replace the sum of a row, or sums of rows that of a column: the last that is no ghost cell is left.
void mistake_list::workshop::last_products_of_factors() {
    if (problem_.border != lab::border::zero) return;
    for (const bool of_row : {true, false}) {
        add("sum-overwritten",
            of_row ? "only the last product of every row is left in its sum: is = used where += is meant?"
                   : "only the last sum of a row is left in every column: is = used where += is meant?",
            [this, of_row](size_t value) {
                const pixel_index out = split(value);
                sum_rule rule = right();
                if (of_row)
                    rule.first_j = rule.last_j = std::min(rule.last_j, width() - 1 - out.x + radius_x());
                else
                    rule.first_i = rule.last_i = std::min(rule.last_i, height() - 1 - out.y + radius_y());
                return rule.at(out);
            });
    }
}

}  // namespace check
