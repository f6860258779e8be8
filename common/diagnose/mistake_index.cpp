// Convolutions with one mistake in an index: of a tap, or of a pixel.
#include <algorithm>
#include <cmath>

#include "diagnose/mistake_workshop.h"

namespace check {

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
    taken_from("every tap is taken from one place too far",
               [=](int64_t i, int64_t j) { return i * row + j + 1; });
    taken_from("every tap is taken from one place too early",
               [=](int64_t i, int64_t j) { return i * row + j - 1; });
    taken_from("the first tap is used for all", [=](int64_t, int64_t) { return 0; });
    taken_from("the middle tap is used for all", [=](int64_t, int64_t) { return ry * row + rx; });
    taken_from("j is added twice in the index of the tap, or never taken from 0",
               [=](int64_t i, int64_t j) { return i * row + j + rx; });
    if (!has_rows()) return;
    const std::string index = "the index of the tap is incomplete: ";
    taken_from(index + "the row of the filter is missing", [=](int64_t, int64_t j) { return j; });
    taken_from(index + "the column of the filter is missing", [=](int64_t i, int64_t) { return i * row; });
    taken_from(index + "the row is never multiplied", [=](int64_t i, int64_t j) { return i + row + j; });
    taken_from(index + "the row is never multiplied", [=](int64_t i, int64_t j) { return i + j; });
    taken_from(index + "i is missing, the middle row is used for all",
               [=](int64_t, int64_t j) { return ry * row + j; });
    taken_from(index + "j is missing, the middle column is used for all",
               [=](int64_t i, int64_t) { return i * row + rx; });
    taken_from(index + "the radius is missing in the row",
               [=](int64_t i, int64_t j) { return (i - ry) * row + j; });
    taken_from(index + "the radius is missing in the column",
               [=](int64_t i, int64_t j) { return i * row + j - rx; });
    taken_from(index + "the second row is used for all", [=](int64_t, int64_t j) { return row + j; });
    for (const int64_t more : {1, -1}) {
        taken_from("every tap is taken from a neighbouring row of the filter",
                   [=](int64_t i, int64_t j) { return (i + more) * row + j; });
        taken_from("rows of the filter are taken to be of another length",
                   [=](int64_t i, int64_t j) { return i * (row + more) + j; });
    }
    taken_from("rows of the filter are taken to be of another length",
               [=](int64_t i, int64_t j) { return i * (2 * rx) + j; });
    taken_from("the row of the filter is counted backwards from its radius",
               [=](int64_t i, int64_t j) { return (i - 2 * ry) * row + j; });
    taken_from("the column of the filter is counted backwards from its radius",
               [=](int64_t i, int64_t j) { return i * row + j - 2 * rx; });
    taken_from("the column is taken away from the row's place",
               [=](int64_t i, int64_t j) { return i * row - j; });
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

void mistake_list::workshop::odd_pixel_indices() {
    const int64_t row = int64_t(width()) * channels(), size = int64_t(in().pixels.size());
    using place = std::function<int64_t(const pixel_index& out, const pixel_index& at)>;
    const bool zero = problem_.border == lab::border::zero;
    const auto read_from = [=, this](const std::string& id, const std::string& cause, const place& index) {
        // Beside the image stands what was never written, or nobody knows what.
        for (const double outside : {NOT_A_NUMBER, 0.0, ANYTHING}) {
            if (std::isinf(outside) && known_.seen && known_.seen->inspected) continue;
            sum_rule rule = right();
            rule.read = [=, this](const pixel_index& out, int i, int j) {
                const pixel_index at = under(out, i, j);
                if (zero && !inside(at)) return 0.0;
                const int64_t k = index(out, at);
                return k >= 0 && k < size ? double(in().pixels[size_t(k)]) : outside;
            };
            add(id, cause, rule);
        }
    };
    if (taps().taps.size() == 1 || !zero) return;
    const std::string wrong = "neighbour-index-wrong";
    const int step = channels();
    for (const int more : {1, -1}) {
        const std::string where = more > 0 ? "x + 1" : "x - 1", late = more > 0 ? " after" : " before";
        read_from("shifted", "every pixel is read from one place" + late + " its own",
                  [=, this](const pixel_index&, const pixel_index& at) { return flat(at) + more; });
        if (step > 1)
            read_from(
                "shifted", "everything is shifted: out[x] holds what belongs to " + where,
                [=, this](const pixel_index&, const pixel_index& at) { return flat(at) + more * step; });
        if (height() > 1)
            read_from("shifted", "every pixel is read from one row" + late + " its own",
                      [=, this](const pixel_index&, const pixel_index& at) { return flat(at) + more * row; });
        if (height() > 1)
            read_from(
                wrong, "rows of the image are taken to be one longer or shorter",
                [=, this](const pixel_index&, const pixel_index& at) { return flat(at) + more * at.y; });
    }
    const std::string index = "the index of the pixel is incomplete: ";
    const auto at_place = [=](int64_t x, int64_t y, int channel) { return y * row + x * step + channel; };
    read_from(
        wrong, index + "j is missing, every tap of a row meets the same pixel",
        [=](const pixel_index& out, const pixel_index& at) { return at_place(out.x, at.y, at.channel); });
    read_from(wrong, index + "x is missing, all threads of a row read the same pixels",
              [=](const pixel_index& out, const pixel_index& at) {
                  return at_place(at.x - out.x, at.y, at.channel);
              });
    read_from("filter-flipped", "neighbours are taken from the other side: x - j where x + j is meant",
              [=](const pixel_index& out, const pixel_index& at) {
                  return at_place(2 * out.x - at.x, at.y, at.channel);
              });
    if (one_dimensional_) return;
    read_from(
        wrong, index + "i is missing, every row of taps meets the same row of pixels",
        [=](const pixel_index& out, const pixel_index& at) { return at_place(at.x, out.y, at.channel); });
    read_from(wrong, index + "y is missing, all rows read the same pixels",
              [=](const pixel_index& out, const pixel_index& at) {
                  return at_place(at.x, at.y - out.y, at.channel);
              });
    read_from(wrong, index + "the row is missing",
              [=](const pixel_index&, const pixel_index& at) { return at_place(at.x, 0, at.channel); });
    read_from(wrong, index + "the column is missing",
              [=](const pixel_index&, const pixel_index& at) { return at_place(0, at.y, at.channel); });
    read_from(
        wrong, index + "the row is added, not multiplied by the length of a row",
        [=](const pixel_index&, const pixel_index& at) { return at.y + row + at.x * step + at.channel; });
    read_from(wrong, index + "the row is never multiplied by the length of a row",
              [=](const pixel_index&, const pixel_index& at) { return at.y + at.x * step + at.channel; });
    read_from(wrong, index + "every row is the second one",
              [=](const pixel_index&, const pixel_index& at) { return at_place(at.x, 1, at.channel); });
    read_from("filter-flipped", "neighbours are taken from the other side: y - i where y + i is meant",
              [=](const pixel_index& out, const pixel_index& at) {
                  return at_place(at.x, 2 * out.y - at.y, at.channel);
              });
    read_from(wrong, "i is used where j is meant: columns move with the rows of taps",
              [=](const pixel_index& out, const pixel_index& at) {
                  return at_place(out.x + at.y - out.y, at.y, at.channel);
              });
    read_from(wrong, "j is used where i is meant: rows move with the columns of taps",
              [=](const pixel_index& out, const pixel_index& at) {
                  return at_place(at.x, out.y + at.x - out.x, at.channel);
              });
}

}  // namespace check
