// SVG of bars and cells. Every number is ours or was checked to be one (graded.cpp).
#include "report/drawings.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/wrong_picture.h"

namespace report {

using check::wrong_picture;

namespace {

/// The cells of one kind: a line of one cell's height for every run.
std::string runs_of(const graded_picture& picture, char kind) {
    std::string path;
    for (size_t y = 0; y < picture.rows.size(); y++) {
        const std::string& row = picture.rows[y];
        for (size_t x = row.find(kind); x != std::string::npos;) {
            const size_t end = std::min(row.find_first_not_of(kind, x), row.size());
            path += fmt::format("M{} {}.5h{}", x, y, end - x);
            x = row.find(kind, end);
        }
    }
    return path;
}

bool has(const graded_picture& picture, char kind) {
    return std::any_of(picture.rows.begin(), picture.rows.end(),
                       [&](const std::string& row) { return row.find(kind) != std::string::npos; });
}

std::string legend(const char* kind, const char* words) {
    return fmt::format(
        "<span class=\"key\"><svg width=\"12\" height=\"12\" aria-hidden=\"true\">"
        "<rect class=\"{}\" width=\"12\" height=\"12\"/></svg> {}</span>",
        kind, words);
}

}  // namespace

std::string share_bar(double share) {
    constexpr double WIDTH = 160;
    const double part = std::clamp(share, 0.0, 1.0);
    return fmt::format(
        "<svg width=\"160\" height=\"12\" viewBox=\"0 0 160 12\" preserveAspectRatio=\"none\" role=\"img\" "
        "aria-label=\"{:.0f} percent\">"
        "<rect class=\"ground\" width=\"160\" height=\"12\"/>"
        "<rect class=\"bar\" width=\"{:.0f}\" height=\"12\"/></svg>",
        100 * part, WIDTH * part);
}

std::string drawing_of(const graded_picture& picture) {
    if (picture.width == 0 || picture.rows.empty()) return "";
    // A single row of cells would be hard to see.
    constexpr double WIDEST = 512, LARGEST_CELL = 24, LEAST_HEIGHT = 24;
    const size_t columns = picture.rows[0].size(), rows = picture.rows.size();
    const double scale = std::min(LARGEST_CELL, WIDEST / double(std::max<size_t>(columns, 1)));
    std::string text = fmt::format(
        "<figure><svg width=\"{:.0f}\" height=\"{:.0f}\" viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" "
        "role=\"img\" aria-label=\"which pixels are wrong\"><rect class=\"right\" width=\"{}\" "
        "height=\"{}\"/>",
        scale * double(columns), std::max(LEAST_HEIGHT, scale * double(rows)), columns, rows, columns, rows);
    for (const auto& [kind, name] :
         {std::pair(wrong_picture::WRONG, "wrong"), std::pair(wrong_picture::NOT_A_NUMBER, "missing")})
        if (has(picture, kind))
            text += fmt::format("<path class=\"{}\" d=\"{}\"/>", name, runs_of(picture, kind));
    text += "</svg><figcaption>";
    if (has(picture, wrong_picture::WRONG)) text += legend("wrong", "wrong");
    if (has(picture, wrong_picture::NOT_A_NUMBER)) text += legend("missing", "no number: never written?");
    if (has(picture, wrong_picture::RIGHT)) text += legend("right", "right");
    const bool single = picture.cell_width == 1 && picture.cell_height == 1;
    text += fmt::format("output of {} x {}", picture.width, picture.height);
    if (!single)
        text += fmt::format(", {} x {} of it in each cell, which shows the worst", picture.cell_width,
                            picture.cell_height);
    return text + "</figcaption></figure>\n";
}

std::string drawing_of(const graded_count& count) {
    constexpr double WIDTH = 320, ROOM = 1.1;
    const double limit = count.at_least ? count.right : std::max(count.right, count.passes_at);
    const double most = ROOM * std::max({count.now, limit, 1e-9});
    const auto at = [&](double value) { return WIDTH * value / most; };
    const auto mark = [&](const char* kind, double value) {
        return fmt::format("<path class=\"{0}\" d=\"M{1:.1f} 0V16\"/>", kind, at(value));
    };
    std::string text = fmt::format(
        "<svg width=\"320\" height=\"16\" viewBox=\"0 0 320 16\" preserveAspectRatio=\"none\" role=\"img\" "
        "aria-label=\"{}\">"
        "<rect class=\"ground\" y=\"3\" width=\"320\" height=\"10\"/>"
        "<rect class=\"{}\" y=\"3\" width=\"{:.1f}\" height=\"10\"/>",
        count.met ? "in its bounds" : "out of its bounds", count.met ? "bar" : "wrong",
        std::max(1.0, at(count.now)));
    text += mark("goal", count.right);
    if (!count.at_least) text += mark("limit", count.passes_at);
    return text + "</svg>";
}

}  // namespace report
