// Convolutions with one mistake in an index: of a tap, or of a pixel.
#include <algorithm>
#include <cmath>
#include <set>

#include "diagnose/mistake_workshop.h"

namespace check {

namespace {

constexpr size_t MOST_SINGLE_TAPS = 100;  // of a filter, that are tried as the only one

}  // namespace

void mistake_list::workshop::odd_tap_indices() {
    if (taps().taps.size() == 1) return;
    using place = std::function<int64_t(int64_t i, int64_t j)>;  // of tap (i, j), both from 0
    const int64_t row = taps().width, rx = radius_x(), ry = radius_y();
    const auto taken_from = [this](const std::string& cause, const place& index) {
        // Outside of the filter stands what was never written, or 0 in constant memory.
        for (const double outside : {NOT_A_NUMBER, 0.0, ANYTHING}) {
            sum_rule rule = right();
            rule.tap = [this, index, outside](int i, int j) {
                const int64_t k = index(i, j);
                return k >= 0 && k < int64_t(taps().taps.size()) ? double(taps().taps[size_t(k)]) : outside;
            };
            add("tap-index-wrong", cause, rule);
        }
    };
    const std::string index = "the index of the tap is wrong: ";
    for (const int64_t more : {1, -1}) {
        const std::string where = more > 0 ? "one place too far" : "one place too early";
        taken_from("every tap is taken from " + where,
                   [=](int64_t i, int64_t j) { return i * row + j + more; });
    }
    if (taps().taps.size() <= MOST_SINGLE_TAPS) {
        for (int64_t k = 0; k < int64_t(taps().taps.size()); k++)
            taken_from("one tap is used for all", [=](int64_t, int64_t) { return k; });
    }
    // i and j are counted from 0 here; who counts them from -r writes i + r.
    const auto columns_from = [&](const std::string& cause,
                                  std::function<int64_t(int64_t i, int64_t j)> column) {
        taken_from(index + cause, [=](int64_t i, int64_t j) { return i * row + column(i, j); });
    };
    columns_from("the radius is missing in the column", [=](int64_t, int64_t j) { return j - rx; });
    columns_from("the radius is there twice in the column", [=](int64_t, int64_t j) { return j + rx; });
    columns_from("the radius is taken away in the column", [=](int64_t, int64_t j) { return j - 2 * rx; });
    columns_from("j is missing, the middle column is used for all", [=](int64_t, int64_t) { return rx; });
    columns_from("the column is missing", [](int64_t, int64_t) { return 0; });
    columns_from("j is taken away", [=](int64_t, int64_t j) { return 2 * rx - j; });
    columns_from("j and the radius are multiplied", [=](int64_t, int64_t j) { return (j - rx) * rx; });
    if (!has_rows()) return;
    columns_from("i is used where j is meant", [](int64_t i, int64_t) { return i; });
    columns_from("i is used where j is meant, and no radius", [=](int64_t i, int64_t) { return i - ry; });

    const auto rows_from = [&](const std::string& cause,
                               std::function<int64_t(int64_t i, int64_t j)> its_row) {
        taken_from(index + cause, [=](int64_t i, int64_t j) { return its_row(i, j) * row + j; });
    };
    rows_from("the row of the filter is missing", [](int64_t, int64_t) { return 0; });
    rows_from("the second row is used for all", [](int64_t, int64_t) { return 1; });
    rows_from("i is missing, the middle row is used for all", [=](int64_t, int64_t) { return ry; });
    rows_from("the radius is missing in the row", [=](int64_t i, int64_t) { return i - ry; });
    rows_from("the radius is there twice in the row", [=](int64_t i, int64_t) { return i + ry; });
    rows_from("i is taken away", [=](int64_t i, int64_t) { return 2 * ry - i; });
    rows_from("i and the radius are multiplied", [=](int64_t i, int64_t) { return (i - ry) * ry; });
    rows_from("j is used where i is meant", [](int64_t, int64_t j) { return j; });
    rows_from("j is used where i is meant, and no radius", [=](int64_t, int64_t j) { return j - rx; });
    for (const int64_t more : {1, -1})
        rows_from("the next row is used", [=](int64_t i, int64_t) { return i + more; });

    // Numbers that stand where the length of a row is meant, 2 r + 1.
    for (const int64_t length : std::set<int64_t>{0, 1, 2, rx, rx + 1, 2 * rx, 2 * rx + 2, rx + 3, 2 * rx - 1,
                                                  3 * rx + 1, 2 * rx + 1 + rx, 2 * (rx + 1)}) {
        if (length != row)
            taken_from("rows of the filter are taken to be of another length",
                       [=](int64_t i, int64_t j) { return i * length + j; });
    }
    taken_from(index + "the row is added to its length, not multiplied by it",
               [=](int64_t i, int64_t j) { return i + row + j; });
    taken_from(index + "the row is divided by its length, not multiplied by it",
               [=](int64_t i, int64_t j) { return i / row + j; });
    taken_from(index + "row and column are multiplied", [=](int64_t i, int64_t j) { return i * row * j; });
    taken_from(index + "only a part of the row is multiplied by its length",
               [=](int64_t i, int64_t j) { return i - ry + ry * row + j; });
    taken_from(index + "only a part of the row is multiplied by its length",
               [=](int64_t i, int64_t j) { return i * 2 * rx + 1 + j; });
}

void mistake_list::workshop::odd_tap_fetches() {
    const bool inspected = known_.seen && known_.seen->inspected;
    if (one_dimensional_ || taps().taps.size() == 1) return;
    if (inspected && known_.seen->total().texture.lanes == 0) return;
    struct tap_place {
        int i, j;
    };
    const auto fetched_from = [this](const std::string& cause, std::function<tap_place(int i, int j)> place) {
        for (const bool clamped : {false, true}) {
            sum_rule rule = right();
            rule.tap = [this, clamped, place](int i, int j) {
                const tap_place at = place(i, j);
                const int row = std::clamp(at.i, 0, taps().height - 1);
                const int column = std::clamp(at.j, 0, taps().width - 1);
                if (!clamped && (row != at.i || column != at.j)) return 0.0;
                return double(taps().taps[size_t(row) * taps().width + column]);
            };
            add("tap-index-wrong", cause, rule);
        }
    };
    const int rx = radius_x(), ry = radius_y();
    for (const int more : {1, -1}) {
        const std::string late = more > 0 ? "after" : "before";
        fetched_from("every tap is fetched from the column " + late + " its own", [=](int i, int j) {
            return tap_place{i, j + more};
        });
        fetched_from("every tap is fetched from the row " + late + " its own", [=](int i, int j) {
            return tap_place{i + more, j};
        });
        fetched_from("the radius is missing or there twice in the column of the tap", [=](int i, int j) {
            return tap_place{i, j + more * rx};
        });
        fetched_from("the radius is missing or there twice in the row of the tap", [=](int i, int j) {
            return tap_place{i + more * ry, j};
        });
    }
    fetched_from("the column of the tap is counted backwards from its radius", [=](int i, int j) {
        return tap_place{i, j - 2 * rx};
    });
    fetched_from("the row of the tap is counted backwards from its radius", [=](int i, int j) {
        return tap_place{i - 2 * ry, j};
    });
    fetched_from("i is used where j is meant for the column of the tap", [=](int i, int) {
        return tap_place{i, i - ry + rx};
    });
    fetched_from("j is used where i is meant for the row of the tap", [=](int, int j) {
        return tap_place{j - rx + ry, j};
    });
    fetched_from("j is missing for the column of the tap", [=](int i, int) { return tap_place{i, rx}; });
    fetched_from("i is missing for the row of the tap", [=](int, int j) { return tap_place{ry, j}; });
}

namespace {

/// A use of a pixel: of output (x, y), tap (j, i) counted from the middle, and the values of a pixel.
struct pixel_use {
    int64_t x, y, j, i, channel, step;
    int64_t row;  // values of a row
};

/// Where it is taken from: a row, and a value of that row.
struct value_place {
    int64_t y, value;
};

struct wrong_pixel {
    const char *id, *cause;
    value_place (*at)(const pixel_use& u);
    enum { ALWAYS, ROWS, CHANNELS } needs = ROWS;  // what there must be for it to be a mistake
};

constexpr char WRONG[] = "neighbour-index-wrong";

const wrong_pixel PIXELS[] = {
    {"shifted", "every pixel is read from one place after its own",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, (u.x + u.j) * u.step + u.channel + 1};
     },
     wrong_pixel::ALWAYS},
    {"shifted", "every pixel is read from one place before its own",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, (u.x + u.j) * u.step + u.channel - 1};
     },
     wrong_pixel::ALWAYS},
    {"shifted", "everything is shifted: out[x] holds what belongs to x + 1",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, (u.x + u.j + 1) * u.step + u.channel};
     },
     wrong_pixel::CHANNELS},
    {"shifted", "everything is shifted: out[x] holds what belongs to x - 1",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, (u.x + u.j - 1) * u.step + u.channel};
     },
     wrong_pixel::CHANNELS},
    {WRONG, "j is missing in the index of the pixel: every tap of a row meets the same pixel",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, u.x * u.step + u.channel};
     },
     wrong_pixel::ALWAYS},
    {WRONG, "x is missing in the index of the pixel: all threads of a row read the same pixels",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, u.j * u.step + u.channel};
     },
     wrong_pixel::ALWAYS},
    {WRONG, "x is missing in the index of the pixel, and its channel",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, u.j * u.step};
     },
     wrong_pixel::CHANNELS},
    {"filter-flipped", "neighbours are taken from the other side: x - j where x + j is meant",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, (u.x - u.j) * u.step + u.channel};
     },
     wrong_pixel::ALWAYS},
    {WRONG, "x is taken away in the index of the pixel",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, (u.j - u.x) * u.step + u.channel};
     },
     wrong_pixel::ALWAYS},
    {WRONG, "x and j are multiplied in the index of the pixel",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, u.x * u.j * u.step + u.channel};
     },
     wrong_pixel::ALWAYS},
    {WRONG, "j is added to the number of channels, not multiplied by it",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, u.x * u.step + u.channel + u.j + u.step};
     },
     wrong_pixel::CHANNELS},
    {WRONG, "j is divided by the number of channels, not multiplied by it",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, u.x * u.step + u.channel + u.j / u.step};
     },
     wrong_pixel::CHANNELS},
    {WRONG, "j is missing: every tap of a row meets the next pixel",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, (u.x + 1) * u.step + u.channel};
     },
     wrong_pixel::ALWAYS},
    {WRONG, "y is used where x is meant: columns move with the rows",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, (u.y + u.j) * u.step + u.channel};
     }},
    {WRONG, "i is used where j is meant: columns move with the rows of taps",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, (u.x + u.i) * u.step + u.channel};
     }},
    {WRONG, "the column is missing in the index of the pixel",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, u.channel};
     }},
    {"shifted", "every pixel is read from one row after its own",
     [](const pixel_use& u) {
         return value_place{u.y + u.i + 1, (u.x + u.j) * u.step + u.channel};
     }},
    {"shifted", "every pixel is read from one row before its own",
     [](const pixel_use& u) {
         return value_place{u.y + u.i - 1, (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "i is missing in the index of the pixel: every row of taps meets the same row of pixels",
     [](const pixel_use& u) {
         return value_place{u.y, (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "y is missing in the index of the pixel: all rows read the same pixels",
     [](const pixel_use& u) {
         return value_place{u.i, (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "the row is missing in the index of the pixel",
     [](const pixel_use& u) {
         return value_place{0, (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "every row is the second one",
     [](const pixel_use& u) {
         return value_place{1, (u.x + u.j) * u.step + u.channel};
     }},
    {"filter-flipped", "neighbours are taken from the other side: y - i where y + i is meant",
     [](const pixel_use& u) {
         return value_place{u.y - u.i, (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "y is taken away in the index of the pixel",
     [](const pixel_use& u) {
         return value_place{u.i - u.y, (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "y and i are multiplied in the index of the pixel",
     [](const pixel_use& u) {
         return value_place{u.y * u.i, (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "x is used where y is meant: rows move with the columns",
     [](const pixel_use& u) {
         return value_place{u.x + u.i, (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "j is used where i is meant: rows move with the columns of taps",
     [](const pixel_use& u) {
         return value_place{u.y + u.j, (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "the column stands where the row is meant",
     [](const pixel_use& u) {
         return value_place{u.x + u.j, (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "the row stands where the column is meant",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, (u.y + u.i) * u.step + u.channel};
     }},
    {WRONG, "the column is taken away in the index of the pixel",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, -(u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "row and column are multiplied in the index of the pixel",
     [](const pixel_use& u) {
         return value_place{0, (u.y + u.i) * u.row * ((u.x + u.j) * u.step + u.channel)};
     }},
    {WRONG, "only y is multiplied by the length of a row, and i is not",
     [](const pixel_use& u) {
         return value_place{u.y, u.i + (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "only i is multiplied by the length of a row, and y is not",
     [](const pixel_use& u) {
         return value_place{u.i, u.y + (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "the row is added to the length of a row, not multiplied by it",
     [](const pixel_use& u) {
         return value_place{0, u.y + u.i + u.row + (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "the row is divided by the length of a row, not multiplied by it",
     [](const pixel_use& u) {
         return value_place{0, (u.y + u.i) / u.row + (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "the row is never multiplied by the length of a row",
     [](const pixel_use& u) {
         return value_place{0, u.y + u.i + (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "rows of the image are taken to be one longer",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, u.y + u.i + (u.x + u.j) * u.step + u.channel};
     }},
    {WRONG, "rows of the image are taken to be one shorter",
     [](const pixel_use& u) {
         return value_place{u.y + u.i, -u.y - u.i + (u.x + u.j) * u.step + u.channel};
     }},
};

}  // namespace

void mistake_list::workshop::odd_pixel_indices() {
    if (taps().taps.size() == 1) return;
    // Where a tile is read, cells stand beside their place or come from elsewhere: mistake_cells.cpp.
    const bool fetched = known_.seen && known_.seen->total().texture.lanes > 0;
    const bool tiled = known_.seen && known_.seen->total().shared.loads.lanes > 0 && !one_dimensional_;
    const auto fetched_from = [&](const wrong_pixel& wrong) {
        sum_rule rule = right();
        rule.read = [this, &wrong](const pixel_index& out, int i, int j) {
            const pixel_index at = under(out, i, j);
            const value_place from = wrong.at({out.x, out.y, at.x - out.x, at.y - out.y, 0, 1, width()});
            return pixel(int(from.value), int(from.y), 0, problem_.border);
        };
        add(wrong.id, wrong.cause, rule);
    };
    for (const wrong_pixel& wrong : PIXELS)
        if (fetched && !tiled && channels() == 1 && wrong.needs != wrong_pixel::CHANNELS) fetched_from(wrong);
    if (problem_.border != lab::border::zero) return;
    const int64_t row = int64_t(width()) * channels(), size = int64_t(in().pixels.size());
    const bool inspected = known_.seen && known_.seen->inspected;
    const bool overruns = inspected && known_.seen->finds([](const inspect::finding& one) {
        return one.kind == "row-overrun";
    });
    const bool strays = inspected && known_.seen->finds([](const auto& one) {
        return one.direction == "load" && (one.kind == "out-of-bounds" || one.kind == "row-overrun");
    });
    // Beside the image stands what was never written, or nobody knows what; so it does in the gap of a pitch.
    const auto read_from = [&](const wrong_pixel& wrong, double outside, bool gaps) {
        sum_rule rule = right();
        rule.read = [=, this, &wrong](const pixel_index& out, int i, int j) {
            const pixel_index at = under(out, i, j);
            if (!inside(at)) return 0.0;
            const value_place from =
                wrong.at({out.x, out.y, at.x - out.x, at.y - out.y, out.channel, channels(), row});
            if (gaps && (from.value < 0 || from.value >= row)) return outside;
            const int64_t k = from.y * row + from.value;
            return k >= 0 && k < size ? double(in().pixels[size_t(k)]) : outside;
        };
        add(wrong.id, wrong.cause, rule);
    };
    for (const wrong_pixel& wrong : PIXELS) {
        if (wrong.needs == wrong_pixel::ROWS && one_dimensional_) continue;
        if (tiled && wrong.id == WRONG) continue;
        if (wrong.needs == wrong_pixel::CHANNELS && channels() == 1) continue;
        for (const bool gaps : {false, true}) {
            if (gaps && !overruns) continue;
            read_from(wrong, NOT_A_NUMBER, gaps);
            read_from(wrong, 0.0, gaps);
            if (strays || !inspected) read_from(wrong, ANYTHING, gaps);
        }
    }
}

}  // namespace check
