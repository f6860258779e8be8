// What make inspectNN runs: sizes that were asked for, or those of a case that failed.
#include "check/modes/inspect_problems.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "diagnose/launch_tile.h"

namespace check {

namespace {

constexpr int64_t MOST_DRAWN = 1 << 17;  // pixels of an image that is made larger for its pictures

/// "basic: n = 1000, filter of 9 taps, random values"; short filters list their taps.
bool read_row(const std::string& subject, inspect_wishes& wishes) {
    static const std::regex ROW(R"(^([^:]+): n = (\d+), filter (?:of (\d+) taps|([-+.\de ]+)),[^]*)");
    std::smatch part;
    if (!std::regex_match(subject, part, ROW)) return false;
    wishes.subject = subject;
    std::string taps = part[3];
    if (taps.empty()) {
        std::istringstream words(part[4]);
        int count = 0;
        for (std::string word; words >> word;)
            count++;
        taps = std::to_string(count);
    }
    wishes.methods = {part[1]};
    wishes.lengths = {part[2]};
    wishes.filters = {taps};
    return true;
}

/// "naive: 33x7 pixels, filter random 3x3, border zero, random values"; a filter with a name of its own is 3x3.
bool read_image(const std::string& subject, inspect_wishes& wishes) {
    static const std::regex IMAGE(R"(^([^:]+): (\d+x\d+) pixels[^,]*, filter ([^,]*), border (\w+),[^]*)");
    static const std::regex SIZE(R"(\d+x\d+)");
    std::smatch part, size;
    if (!std::regex_match(subject, part, IMAGE)) return false;
    wishes.subject = subject;
    const std::string filter = part[3], border = part[4];
    wishes.methods = {part[1]};
    wishes.images = {part[2]};
    wishes.filters = {std::regex_search(filter, size, SIZE) ? size.str() : "3"};
    wishes.border = border == "clamp"    ? lab::border::clamp
                    : border == "mirror" ? lab::border::mirror
                                         : lab::border::zero;
    return true;
}

/// Without the blanks that they begin with.
std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream >> std::ws, line);)
        lines.push_back(line);
    return lines;
}

}  // namespace

inspect_wishes failing_case(const std::string& report) {
    std::ifstream file(report);
    const auto json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object()) throw std::invalid_argument("CASE=1: there is no report yet: make the lab first");
    std::vector<std::string> told = lines_of(json.value("start_with", ""));
    for (const auto& check : json.value("checks", nlohmann::json::array())) {
        if (check.value("passed", true)) continue;
        for (const std::string message : check.value("messages", nlohmann::json::array()))
            told.push_back(message.substr(0, message.find('\n')));
    }
    for (const std::string& line : told) {
        inspect_wishes wishes;
        if (read_row(line, wishes) || read_image(line, wishes)) return wishes;
    }
    throw std::invalid_argument(
        "CASE=1: no check of the last report names a case that failed: choose by IMAGES=, LENGTHS= and "
        "FILTERS=");
}

bench::size_2d with_middle_block(bench::size_2d input, const inspect::report& seen,
                                 const problem_2d& problem) {
    if (seen.launches.empty() || problem.is_volume()) return input;
    const output_tile tile = tile_of(seen.launches[0], problem);
    const auto three = [](int side, int of_tile) {
        return std::max(side, 3 * of_tile - std::min(of_tile, 3));
    };
    const bool whole_image = tile.width >= input.width && tile.height >= input.height && !tile.has_halo;
    // Of one block that has the whole image no more is known than its threads.
    const int width = whole_image ? int(seen.launches[0].block[0]) : tile.width,
              height = whole_image ? int(seen.launches[0].block[1]) : tile.height;
    const bench::size_2d wanted{three(input.width, width),
                                input.height == 1 ? 1 : three(input.height, height)};
    return int64_t{wanted.width} * wanted.height > MOST_DRAWN ? input : wanted;
}

}  // namespace check
