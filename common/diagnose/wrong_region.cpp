// How far the damage extends.
#include "diagnose/wrong_region.h"

#include <fmt/format.h>
#include <algorithm>
#include <vector>

namespace check {

namespace {

/// Pixels x_begin .. x_end-1, y_begin .. y_end-1.
struct rectangle {
    int x_begin, x_end, y_begin, y_end;
    size_t pixels() const { return size_t(x_end - x_begin) * (y_end - y_begin); }
    bool contains(int x, int y) const { return x >= x_begin && x < x_end && y >= y_begin && y < y_end; }
};

/// A set of pixels of an image.
struct region {
    int width, height;
    std::vector<char> member;

    bool contains(int x, int y) const { return member[size_t(y) * width + x]; }
    size_t count() const { return size_t(std::count(member.begin(), member.end(), 1)); }

    rectangle bounds() const {
        rectangle around{width, 0, height, 0};
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                if (!contains(x, y)) continue;
                around.x_begin = std::min(around.x_begin, x);
                around.x_end = std::max(around.x_end, x + 1);
                around.y_begin = std::min(around.y_begin, y);
                around.y_end = std::max(around.y_end, y + 1);
            }
        }
        return around;
    }

    bool is_rectangle() const { return count() == bounds().pixels(); }

    region complement() const {
        region other = *this;
        for (char& pixel : other.member)
            pixel = !pixel;
        return other;
    }
};

/// "row 3", "the first 2 rows", "the last 24 columns", "rows 3-5"; "the last 24" of a 1D output.
std::string stretch(int begin, int end, int size, const std::string& unit) {
    const int count = end - begin;
    const std::string plural = unit.empty() ? "" : unit + "s";
    const auto with = [](const std::string& text, const std::string& word) {
        return word.empty() ? text : text + " " + word;
    };
    if (count == 1 && begin == 0) return with("the first", unit);
    if (count == 1 && end == size) return with("the last", unit);
    if (begin == 0) return with(fmt::format("the first {}", count), plural);
    if (end == size) return with(fmt::format("the last {}", count), plural);
    const std::string name = unit.empty() ? "element" : unit;
    if (count == 1) return fmt::format("{} {}", name, begin);
    return fmt::format("{}s {}-{}", name, begin, end - 1);
}

std::string name_rectangle(const rectangle& what, const shape& where) {
    if (where.one_dimensional) return stretch(what.x_begin, what.x_end, where.width, "");
    const bool all_columns = what.x_begin == 0 && what.x_end == where.width;
    const bool all_rows = what.y_begin == 0 && what.y_end == where.height;
    if (all_columns && !all_rows) return stretch(what.y_begin, what.y_end, where.height, "row");
    if (all_rows && !all_columns) return stretch(what.x_begin, what.x_end, where.width, "column");
    return fmt::format("x {}-{} y {}-{}", what.x_begin, what.x_end - 1, what.y_begin, what.y_end - 1);
}

/// The smallest r so that every member lies within r of the image's border, -1 if the middle is a member too.
int border_width(const region& wrong) {
    int widest = 0;
    for (int y = 0; y < wrong.height; y++) {
        for (int x = 0; x < wrong.width; x++) {
            if (!wrong.contains(x, y)) continue;
            const int from_sides = std::min(x, wrong.width - 1 - x);
            const int from_ends = wrong.height == 1 ? from_sides : std::min(y, wrong.height - 1 - y);
            widest = std::max(widest, std::min(from_sides, from_ends) + 1);
        }
    }
    const int shorter = wrong.height == 1 ? wrong.width : std::min(wrong.width, wrong.height);
    return 3 * widest <= shorter ? widest : -1;
}

size_t frame_pixels(const region& wrong, int r) {
    const size_t inner_height = wrong.height == 1 ? 1 : size_t(wrong.height - 2 * r);
    return wrong.member.size() - size_t(wrong.width - 2 * r) * inner_height;
}

/// The largest power of two T so that all members stand next
/// to a multiple of T, 0 if there is none that says much.
int block_edge(const region& wrong, int within) {
    for (int block = 256; block >= 8 * within; block /= 2) {
        const auto near = [&](int position) {
            return position % block < within || position % block >= block - within;
        };
        bool fits = block < std::max(wrong.width, wrong.height);
        for (int y = 0; fits && y < wrong.height; y++) {
            for (int x = 0; fits && x < wrong.width; x++) {
                if (wrong.contains(x, y)) fits = near(x) || (wrong.height > 1 && near(y));
            }
        }
        if (fits) return block;
    }
    return 0;
}

std::string name_region(const region& wrong, const shape& where) {
    const rectangle around = wrong.bounds();
    if (wrong.count() == 1)
        return "this " + std::string(where.one_dimensional ? "element" : "pixel") + " alone";
    if (wrong.is_rectangle()) return name_rectangle(around, where);
    const region right = wrong.complement();
    const int frame = border_width(wrong);
    const bool at_border = frame > 0 && wrong.count() == frame_pixels(wrong, frame);
    const std::string unit = where.one_dimensional ? "element" : "pixel";
    if (at_border && where.one_dimensional) {
        return frame == 1 ? "the first and the last" : fmt::format("the first {0} and the last {0}", frame);
    }
    if (at_border)
        return frame == 1 ? "the outermost pixels"
                          : fmt::format("the outermost {} pixels on every side", frame);
    if (right.is_rectangle()) return "everything but " + name_rectangle(right.bounds(), where);
    if (frame > 0) return fmt::format("all of them within {} of the border", frame);
    for (int within = 1; within <= 4; within++) {
        const int block = block_edge(wrong, within);
        if (block == 0) continue;
        return fmt::format("all of them within {} {}{} of a multiple of {}", within, unit,
                           within == 1 ? "" : "s", block);
    }
    if (around.pixels() < wrong.member.size()) return "all of them in " + name_rectangle(around, where);
    return "";
}

/// Which of `parts`, channels or slices, have a wrong value; part_of tells that of a value.
template <class function>
std::vector<int> wrong_parts(const comparison& found, int parts, const function& part_of) {
    std::vector<char> wrong(size_t(parts), false);
    for (size_t k = 0; k < found.wrong.size(); k++)
        wrong[part_of(k)] |= found.wrong[k];
    std::vector<int> numbers;
    for (int part = 0; part < parts; part++)
        if (wrong[size_t(part)]) numbers.push_back(part);
    return numbers;
}

shape slice_of(shape where) {
    where.height = where.slice_height();
    where.depth = 1;
    return where;
}

/// "3", "1, 2 and 4", "0 to 7".
std::string join(const std::vector<int>& numbers) {
    const bool in_a_row = numbers.size() > 2 && numbers.back() - numbers.front() + 1 == int(numbers.size());
    if (in_a_row) return fmt::format("{} to {}", numbers.front(), numbers.back());
    std::string text;
    for (size_t k = 0; k < numbers.size(); k++) {
        const char* separator = k == 0 ? "" : k + 1 == numbers.size() ? " and " : ", ";
        text += fmt::format("{}{}", separator, numbers[k]);
    }
    return text;
}

}  // namespace

std::string wrong_region(const comparison& found, const shape& where) {
    const size_t values = found.wrong.size();
    if (found.right()) return "";
    if (found.wrong_count == values)
        return values == 1 ? "the only value is wrong" : fmt::format("all {} are wrong", values);
    const std::string text =
        fmt::format("{} of {} {} wrong", found.wrong_count, values, found.wrong_count == 1 ? "is" : "are");

    // A pixel has its channels, and a place in a slice its slices. A volume has one channel.
    const bool volume = where.depth > 1;
    const size_t places = size_t(where.width) * where.slice_height();
    const int parts = volume ? where.depth : where.channels;
    const std::vector<int> named =
        wrong_parts(found, parts, [&](size_t k) { return volume ? k / places : k % size_t(where.channels); });
    region wrong{where.width, where.slice_height(), std::vector<char>(places)};
    for (size_t k = 0; k < values; k++)
        wrong.member[volume ? k % places : k / where.channels] |= found.wrong[k];
    // Words about places hold only if a wrong one is wrong in each of the parts that are named.
    const bool whole = wrong.count() * named.size() == found.wrong_count;
    std::string words =
        whole && wrong.count() < wrong.member.size() ? name_region(wrong, slice_of(where)) : "";
    if (int(named.size()) < parts) {
        const std::string part = volume ? "slice" : "channel";
        const std::string which = part + (named.size() == 1 ? " " : "s ") + join(named);
        const bool everywhere = whole && wrong.count() == wrong.member.size();
        words = everywhere                                   ? which + " everywhere"
                : words.empty()                              ? "all of them in " + which
                : volume || words.starts_with("all of them") ? words + " of " + which
                                                             : which + " of " + words;
    } else if (volume && !words.empty()) {
        words += " of every slice";
    }
    return words.empty() ? text : text + ": " + words;
}

}  // namespace check
