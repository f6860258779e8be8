// Convolutions with one mistake in the way to the device and back: sizes in bytes, pitches, textures.
#include <algorithm>

#include "diagnose/mistake_workshop.h"

namespace check {

void mistake_list::workshop::partial_copies() {
    // What was never stored is not missing because of what arrived.
    if (known_.seen &&
        known_.seen->finds([](const inspect::finding& one) { return one.kind == "never-written"; }))
        return;
    // What did not arrive is unset, and unset memory is read; of textures nobody knows.
    if (known_.seen && known_.seen->inspected && known_.seen->total().texture.lanes == 0 &&
        !known_.seen->finds([](const inspect::finding& one) {
            return one.kind == "uninitialised-read" && one.space == "global";
        }))
        return;
    // A count of elements taken as bytes leaves a quarter; the element that is cut in two may be anything.
    constexpr int SHARE = sizeof(float);
    const auto beyond = [](int64_t position, int64_t count) {
        if (position < count / SHARE) return 0.0;
        return position == count / SHARE && count % SHARE != 0 ? ANYTHING : NOT_A_NUMBER;
    };
    const auto arrived = [this, beyond](bool by_rows) {
        sum_rule rule = right();
        rule.read = [this, beyond, by_rows](const pixel_index& out, int i, int j) {
            const int x = out.x + j - radius_x(), y = out.y + i - radius_y();
            const double there = pixel(x, y, out.channel, problem_.border);
            if (!inside(x, y)) return there;
            const int64_t row = int64_t(width()) * channels(), column = int64_t(x) * channels() + out.channel;
            const double lost = by_rows ? beyond(column, row) : beyond(y * row + column, row * height());
            return lost == 0.0 ? there : lost;
        };
        return rule;
    };
    const std::string why = " arrives on the device: a number of elements where bytes are asked for?";
    add("bytes-are-elements", "only a quarter of the input" + why, arrived(false));
    found_.back().by_place = true;
    if (one_dimensional_) return;
    add("bytes-are-elements", "only a quarter of every row of the input" + why, arrived(true));
    found_.back().by_place = true;
}

void mistake_list::workshop::scaled_pitch() {
    // Rows start `pitch` bytes apart; a pitch of as many values leaps four rows of floats at a time.
    constexpr int LEAP = sizeof(float);
    if (one_dimensional_ || height() == 1) return;
    sum_rule reading = right();
    reading.read = [this](const pixel_index& out, int i, int j) {
        const int x = out.x + j - radius_x(), y = out.y + i - radius_y();
        if (!inside(x, y)) return 0.0;
        return LEAP * y < height() ? pixel(x, LEAP * y, out.channel, problem_.border) : ANYTHING;
    };
    const auto stored = [this](const sum_rule& rule) {
        return [this, rule](size_t value) {
            pixel_index out = split(value);
            if (out.y % LEAP != 0) return UNWRITTEN;
            out.y /= LEAP;
            return rule.at(out);
        };
    };
    const std::string why = ": it counts bytes, and is used as a number of values";
    add("pitch-in-elements", "the pitch of the input leaps four rows at a time" + why, reading);
    add("pitch-in-elements", "the pitch of the output leaps four rows at a time" + why, stored(right()));
    add("pitch-in-elements", "the pitch leaps four rows at a time in both images" + why, stored(reading));
}

void mistake_list::workshop::odd_fetches() {
    if (one_dimensional_) return;
    sum_rule mixed = right();
    mixed.read = [this](const pixel_index& out, int i, int j) {
        double sum = 0.0;
        for (const int up : {0, 1}) {
            for (const int left : {0, 1})
                sum += pixel(out.x + j - radius_x() - left, out.y + i - radius_y() - up, out.channel,
                             problem_.border);
        }
        return sum / 4.0;
    };
    add("half-pixel-off", "a texture is fetched half a pixel beside its centres: four neighbours are mixed",
        [this, mixed](size_t value) {
            mistaken_value result = mixed.at(split(value));
            result.bound *= 16.0;  // of the four neighbours, which may cancel
            return result;
        });
    sum_rule swapped = right();
    swapped.read = [this](const pixel_index& out, int i, int j) {
        return pixel(out.y + i - radius_y(), out.x + j - radius_x(), out.channel, problem_.border);
    };
    if (width() * height() > 1)
        add("coordinates-swapped", "x and y are swapped where a pixel is fetched: the column comes first",
            swapped);
    // In an image that was padded, the swapped ones miss the other side's padding.
    swapped.read = [this](const pixel_index& out, int i, int j) {
        return pixel(out.y + i - radius_x(), out.x + j - radius_y(), out.channel, problem_.border);
    };
    if (radius_x() != radius_y())
        add("coordinates-swapped", "x and y are swapped where a pixel is fetched: the column comes first",
            swapped);
}

}  // namespace check
