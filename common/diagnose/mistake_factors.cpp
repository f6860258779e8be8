// Convolutions with one mistake where the filter is given as a column times a row: in the sum along rows, or in that
// of these sums.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "diagnose/mistake_workshop.h"

namespace check {

namespace {

/// The formulas of two kernels, one for the sums along rows, one for those of their sums along columns.
enum pass_part { FROM, IS_INSIDE, WHERE, FACTOR, FIRST, MORE, PASS_PARTS };
struct pass_formula {
    const char *text, *id, *sentence;
};
constexpr pass_formula PASSES[2][PASS_PARTS] = {
    {{"x + j - filter_width / 2", "neighbour-index-wrong", "along rows pixels are taken from other columns"},
     {"from_x >= 0 && from_x < width", "ghost-test-wrong", "the test for ghost cells along rows is wrong"},
     {"y * width + from_x", "neighbour-index-wrong", "the index of a pixel is wrong"},
     {"j", "tap-index-wrong", "the index of a tap of the row is wrong"},
     {"0", "", "the loop over the row begins elsewhere"},
     {"j < filter_width", "", "the loop over the row ends elsewhere"}},
    {{"y + i - filter_height / 2", "neighbour-index-wrong", "along columns sums are taken from other rows"},
     {"from_y >= 0 && from_y < height", "ghost-test-wrong",
      "the test for ghost cells along columns is wrong"},
     {"from_y * width + x", "neighbour-index-wrong", "the index of a sum of a row is wrong"},
     {"filter_width + i", "tap-index-wrong", "the index of a tap of the column is wrong"},
     {"0", "", "the loop over the column begins elsewhere"},
     {"i < filter_height", "", "the loop over the column ends elsewhere"}}};

}  // namespace

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

/// One token is wrong in one of two kernels, of which the second adds up what the first one has stored.
void mistake_list::workshop::wrong_passes() {
    const bool two = known_.seen && known_.seen->launches.size() == 2 && !taps().column.empty();
    if (!two || channels() > 1 || problem_.border != lab::border::zero) return;
    variables sizes{};
    sizes[WIDTH] = width(), sizes[HEIGHT] = height();
    sizes[FILTER_WIDTH] = taps().width, sizes[FILTER_HEIGHT] = taps().height;
    std::vector<float> factors = taps().row;
    factors.insert(factors.end(), taps().column.begin(), taps().column.end());
    const int64_t pixels = int64_t(width()) * height();
    using pass = std::vector<formula>;
    using memory_of = std::function<mistaken_value(int64_t place)>;
    const auto sum_of = [sizes, factors, pixels](const pass& of, bool along_row, const pixel_index& out,
                                                 const memory_of& memory) {
        variables v = sizes;
        v[X] = out.x, v[Y] = out.y;
        const variable tap = along_row ? J : I, from = along_row ? FROM_X : FROM_Y;
        mistaken_value sum;
        double magnitude = 0;
        int64_t rounds = 0;
        for (v[tap] = of[FIRST].of(v); of[MORE].of(v); v[tap]++) {
            if (rounds++ > 2 * int64_t(factors.size())) return UNKNOWN;
            v[from] = of[FROM].of(v);
            if (!of[IS_INSIDE].of(v)) continue;
            const int64_t place = of[WHERE].of(v), factor = of[FACTOR].of(v);
            if (place < 0 || place >= pixels || factor < 0 || factor >= int64_t(factors.size()))
                return UNKNOWN;
            const mistaken_value value = memory(place);
            if (value.is_unknown()) return UNKNOWN;
            const double product = factors[size_t(factor)] * value.value;
            sum.value += product;
            sum.bound += std::abs(factors[size_t(factor)]) * value.bound;
            magnitude += std::abs(product) + sum.bound;
        }
        sum.bound +=
            double(rounds + 1) * UNIT_ROUNDOFF * 1.001 * magnitude + std::numeric_limits<float>::min();
        return sum;
    };
    pass right[2];
    for (const int which : {0, 1})
        for (const pass_formula& one : PASSES[which])
            right[which].emplace_back(one.text);
    const auto in_rows = [this](int64_t place) { return mistaken_value{in().pixels[size_t(place)], 0.0}; };
    // Of a place of the sums: the output that it is stored for, or -1 and -2 for nobody and several.
    using origin = std::function<int64_t(int64_t place)>;
    const auto add_passes = [&](const std::string& id, const std::string& cause, const pass& rows,
                                const pass& columns, const origin& stored_for) {
        const auto sums = std::make_shared<std::unordered_map<int64_t, mistaken_value>>();
        add(id, cause, [=, this](size_t value) {
            return sum_of(columns, false, split(value), [&](int64_t place) {
                const int64_t whose = stored_for ? stored_for(place) : place;
                if (whose < 0) return whose == -1 ? UNWRITTEN : UNKNOWN;
                const auto known = sums->find(whose);
                if (known != sums->end()) return known->second;
                return sums->emplace(whose, sum_of(rows, true, split(size_t(whose)), in_rows)).first->second;
            });
        });
    };
    for (const int which : {0, 1}) {
        for (int k = 0; k < PASS_PARTS; k++) {
            const pass_formula& part = PASSES[which][k];
            for (const formula& changed : changes_of_once(part.text)) {
                pass wrong[2] = {right[0], right[1]};
                wrong[which][size_t(k)] = changed;
                std::string id = part.id;
                if (id.empty()) {
                    const bool other = changed.text().find(which ? "width" : "height") != std::string::npos;
                    variables v = sizes;
                    int64_t rounds = 0;
                    const variable tap = which ? I : J;
                    const int64_t due = which ? taps().height : taps().width;
                    for (v[tap] = wrong[which][FIRST].of(v); rounds <= due && wrong[which][MORE].of(v);
                         v[tap]++)
                        rounds++;
                    id = other          ? "filter-taken-as-square"
                         : rounds == 0  ? "nothing-added"
                         : rounds > due ? "taps-too-many"
                                        : "taps-left-out";
                }
                add_passes(id, std::string(part.sentence) + ": as if it were " + changed.text(), wrong[0],
                           wrong[1], {});
            }
        }
    }
    for (const formula& changed : changes_of_once("y * width + x")) {
        const auto owners = std::make_shared<std::vector<int64_t>>(size_t(pixels), -1);
        for (int64_t k = 0; k < pixels; k++) {
            variables v = sizes;
            v[X] = k % width(), v[Y] = k / width();
            const int64_t to = changed.of(v);
            if (to < 0 || to >= pixels) continue;
            int64_t& owner = (*owners)[size_t(to)];
            owner = owner == -1 ? k : -2;
        }
        add_passes("thread-index-wrong",
                   "sums of rows are stored beside their place: as if it were " + changed.text(), right[0],
                   right[1], [owners](int64_t place) { return (*owners)[size_t(place)]; });
    }
}

}  // namespace check
