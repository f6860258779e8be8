// Convolutions with one mistake in where values lie: rows, columns, channels, the pitch.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/mistake_workshop.h"

namespace check {

void mistake_list::workshop::swapped_sides() {
    if (width() == height() && !has_columns()) return;
    if (width() != height()) {
        add("width-height-swapped",
            fmt::format(
                "width and height are swapped everywhere: the image is taken to be {} wide and {} high",
                height(), width()),
            [this](size_t value) {
                const size_t place = value / channels();
                return swapped_image().at(
                    {int(place % height()), int(place / height()), int(value % channels())});
            });
        add("width-height-swapped",
            "rows of the image are read as if they were as long as its height: [y * height + x]",
            read_as_high());
    }
    const sum_rule transposed = reading_at([this](const pixel_index& at) {
        return (int64_t(at.x) * height() + at.y) * channels() + at.channel;
    });
    add("image-transposed", "the image is read transposed: [x * height + y]", transposed);
    add("image-transposed", "the output is written transposed: [x * height + y]", [this](size_t value) {
        const size_t place = value / channels();
        return right().at({int(place / height()), int(place % height()), int(value % channels())});
    });
}

void mistake_list::workshop::taken_as_high() {
    if (width() == height()) return;
    const auto values_at = [this, rule = read_as_high()](size_t value) {
        const int channel = int(value % channels());
        const int64_t place = int64_t(value / channels());
        std::vector<mistaken_value> written;
        // Those rows y in which place - y * height is a column.
        const int64_t first = std::max<int64_t>(0, (place - width() + height()) / height());
        for (int64_t y = first; y < height() && y * height() <= place; y++)
            written.push_back(rule.at({int(place - y * height()), int(y), channel}));
        if (written.empty()) written.push_back(UNWRITTEN);
        return written;
    };
    found_.push_back({"width-height-swapped",
                      fmt::format("width and height are swapped in the index: rows are taken to be {} long, "
                                  "[y * height + x], and are {}",
                                  height(), width()),
                      values_at, false});
}

void mistake_list::workshop::ignored_padding() {
    if (!has_columns()) return;
    sum_rule rule = right();
    const int row = width() + 2 * radius_x();
    rule.read = [this, row](const pixel_index& out, int i, int j) {
        const int64_t position = int64_t(out.y + i) * width() + out.x + j;
        return pixel(int(position % row) - radius_x(), int(position / row) - radius_y(), out.channel,
                     problem_.border);
    };
    add("padding-ignored",
        fmt::format("rows of the padded image are taken to be {} long, and are {}", width(), row), rule);
}

void mistake_list::workshop::lost_rows() {
    if (problem_.border != lab::border::zero || !has_columns() || height() == 1) return;
    const auto unguarded = [this](bool test_rows) {
        sum_rule rule = right();
        rule.read = [this, test_rows](const pixel_index& out, int i, int j) {
            const pixel_index at = under(out, i, j);
            const int64_t position = flat(at);
            const bool outside = position < 0 || position >= int64_t(in().pixels.size());
            if (test_rows && (at.y < 0 || at.y >= height() || outside)) return 0.0;
            return memory(position);
        };
        return rule;
    };
    add("ghost-row-wrap", "x is not tested against the ends of a row: reads run into the neighbouring row",
        unguarded(true));
    add("ghost-row-wrap",
        "nothing is tested: reads at the border run into neighbouring rows and out of the image",
        unguarded(false));
    sum_rule by_position = right();
    by_position.read = [this](const pixel_index& out, int i, int j) {
        const pixel_index at = under(out, i, j);
        const int64_t position = int64_t(at.y) * width() + at.x;
        if (position < 0 || position >= int64_t(width()) * height()) return 0.0;
        return memory(position * channels() + out.channel);
    };
    add("ghost-row-wrap", "only the flat index is tested, not x and y: reads run over the ends of rows",
        by_position);
}

void mistake_list::workshop::mixed_channels() {
    const auto reading = [this](std::function<int(int)> source) {
        sum_rule rule = right();
        rule.read = [this, source](const pixel_index& out, int i, int j) {
            const pixel_index at = under(out, i, j);
            return pixel(at.x, at.y, source(at.channel), problem_.border);
        };
        return rule;
    };
    const int count = channels();
    add("channels-mixed", "channels are mixed: every channel is computed from channel 0",
        reading([](int) { return 0; }));
    add("channels-mixed", "channels are mixed: their order is reversed",
        reading([count](int channel) { return count - 1 - channel; }));
    sum_rule neighbour = right();
    neighbour.read = [this](const pixel_index& out, int i, int j) {
        const pixel_index at = under(out, i, j);
        return inside(at) ? memory(flat({out.x, at.y, at.channel}) + j - radius_x()) : 0.0;
    };
    add("channels-mixed",
        fmt::format("channels are mixed: a step of j moves by one value, not by one pixel of {} values",
                    count),
        neighbour);
    const sum_rule planes = reading_at(
        [this](const pixel_index& at) { return (int64_t(at.channel) * height() + at.y) * width() + at.x; });
    add("channels-mixed", "channels are mixed: the interleaved image is read as one plane for each channel",
        planes);
    const sum_rule rows = reading_at([this](const pixel_index& at) {
        return int64_t(at.y) * width() + int64_t(at.x) * channels() + at.channel;
    });
    add("channels-mixed", "channels are mixed: a row is taken to have width values, it has width * channels",
        rows);
    const auto channel_after_channel = [this](size_t value) {
        const int64_t row = int64_t(width()) * channels();
        const int y = int(int64_t(value) / row);
        const int64_t inside_row = int64_t(value) % row;
        const sum_rule rule = reading_at(
            [this, row](const pixel_index& at) { return at.y * row + int64_t(at.channel) * width() + at.x; });
        return rule.at({int(inside_row % width()), y, int(inside_row / width())});
    };
    add("channels-mixed",
        "channels are mixed: a row is taken to hold all of one channel, then all of the next",
        channel_after_channel);
    sum_rule all = right();
    add("channels-mixed", "channels are mixed: the sum runs over all channels", [this, all](size_t value) {
        const pixel_index out = split(value);
        mistaken_value sum;
        for (int channel = 0; channel < channels(); channel++) {
            const mistaken_value part = all.at({out.x, out.y, channel});
            sum.value += part.value;
            sum.bound += part.bound * (1 + channels());
        }
        return sum;
    });
}

void mistake_list::workshop::ignored_pitch() {
    // What cudaMallocPitch rounds rows up to, on GPUs and on the CPU backend.
    constexpr size_t PITCH_BYTES = 512;
    const int64_t row = int64_t(width()) * channels();
    const int64_t pitch =
        int64_t((row * sizeof(float) + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES / sizeof(float));
    if (pitch == row || height() == 1) return;
    constexpr int64_t GAP = -1;  // between rows: outside of the image
    const sum_rule reading = reading_at([this, row, pitch](const pixel_index& at) {
        const int64_t position = flat(at);
        return position % pitch < row ? position / pitch * row + position % pitch : GAP;
    });
    const auto unpitched_write = [this, row, pitch](const sum_rule& rule) {
        return [this, row, pitch, rule](size_t value) {
            const int64_t written = int64_t(value) / row * pitch + int64_t(value) % row;
            if (written >= row * height()) return UNWRITTEN;
            return rule.at(split(size_t(written)));
        };
    };
    const std::string gap = fmt::format("rows on the device start {} floats apart, not {}", pitch, row);
    add("pitch-ignored", "the pitch of the input is ignored: " + gap, reading);
    add("pitch-ignored", "the pitch of the output is ignored: " + gap, unpitched_write(right()));
    add("pitch-ignored", "the pitch is ignored in both images: " + gap, unpitched_write(reading));
}

sum_rule mistake_list::workshop::read_as_high() const {
    return reading_at([this](const pixel_index& at) {
        return (int64_t(at.y) * height() + at.x) * channels() + at.channel;
    });
}

sum_rule mistake_list::workshop::swapped_image() const {
    sum_rule rule = right();
    rule.read = [this](const pixel_index& out, int i, int j) {
        const pixel_index at = under(out, i, j);
        if (at.x < 0 || at.x >= height() || at.y < 0 || at.y >= width()) return 0.0;
        return memory((int64_t(at.y) * height() + at.x) * channels() + at.channel);
    };
    return rule;
}

}  // namespace check
