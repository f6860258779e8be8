// Lines that stand under a failed case.
#include "check/failure_lines.h"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "diagnose/launch_tile.h"

namespace check {

namespace {

constexpr size_t MOST_FINDINGS = 3;
constexpr size_t MOST_SOURCE_LINES = 2;

std::string describe_traffic(const inspect::line_traffic& line) {
    const inspect::traffic& seen = line.seen;
    const std::string noun = line.direction == "store"    ? "store"
                             : line.direction == "atomic" ? "atomic"
                                                          : "load";
    std::string ratio;
    if (line.space == "global")
        ratio = fmt::format(", {:.2f} sectors per request", seen.sectors_per_request());
    if (line.space == "shared")
        ratio = fmt::format(", {:.2f} wavefronts per request", seen.wavefronts_per_request());
    return fmt::format("{}{} {}{} of {}{}", location(line.file, line.line), seen.lanes, noun,
                       seen.lanes == 1 ? "" : "s", line.variable, ratio);
}

}  // namespace

std::string location(const std::string& file, int line) {
    if (file.empty() || line <= 0) return "";
    return fmt::format("{}:{}: ", std::filesystem::path(file).filename().string(), line);
}

std::string trouble_line(const call_result& result) {
    const std::string threw = "threw: ";
    if (result.place.empty() || !result.trouble.starts_with(threw)) return result.trouble;
    const std::string text = result.trouble.substr(threw.size());
    const size_t end = text.find(": "), colon = text.rfind(':', end == std::string::npos ? end : end - 1);
    const bool has_place = end != std::string::npos && colon != std::string::npos && colon + 1 < end &&
                           text.find_first_not_of("0123456789", colon + 1) == end;
    return threw + result.place + ": " + (has_place ? text.substr(end + 2) : text);
}

void tell_tile_cells(inspect::report& seen, const problem_2d& problem) {
    const int row = tile_row_cells(seen, problem);
    if (row == 0) return;
    const std::regex element("element ([0-9]+) of dynamic shared memory");
    for (inspect::finding& one : seen.findings) {
        std::smatch found;
        if (!std::regex_search(one.text, found, element)) continue;
        const uint64_t cell = std::stoull(found[1]);
        one.text = found.prefix().str() + found[0].str() +
                   fmt::format(" (row {}, column {} of the tile)", cell / row, cell % row) +
                   found.suffix().str();
    }
}

void append(std::vector<std::string>& lines, const std::vector<std::string>& more) {
    lines.insert(lines.end(), more.begin(), more.end());
}

std::vector<std::string> inspector_lines(const inspect::report& seen) {
    std::vector<const inspect::finding*> errors;
    for (const inspect::finding& found : seen.findings) {
        if (found.is_error) errors.push_back(&found);
    }
    // A stray access often causes races as well; it is the one to mend first.
    std::stable_partition(errors.begin(), errors.end(),
                          [](const auto* found) { return found->kind != "race"; });
    if (errors.size() > MOST_FINDINGS) errors.resize(MOST_FINDINGS);

    std::vector<std::string> lines;
    for (const inspect::finding* found : errors) {
        std::string line = "inspector: " + location(found->file, found->line) + found->text;
        const bool elsewhere = found->other_line != found->line || found->other_file != found->file;
        const bool is_told =
            found->text.find("line " + std::to_string(found->other_line)) != std::string::npos;
        if (found->other_line > 0 && elsewhere && !is_told) {
            const std::string other = location(found->other_file, found->other_line);
            line += " (with " + other.substr(0, other.size() - 2) + ")";
        }
        lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> lines_behind(const counted_accesses& what, const inspect::report& seen) {
    std::vector<inspect::line_traffic> causes;
    for (const inspect::line_traffic& line : seen.lines()) {
        if (what.include(line)) causes.push_back(line);
    }
    std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) {
        return a.seen.sectors + a.seen.wavefronts > b.seen.sectors + b.seen.wavefronts;
    });
    std::vector<std::string> lines;
    for (const inspect::line_traffic& line : causes) {
        if (lines.size() == MOST_SOURCE_LINES) break;
        lines.push_back("inspector: " + describe_traffic(line));
    }
    return lines;
}

std::vector<std::string> printed_lines(const std::string& printed, size_t most) {
    std::istringstream stream(printed);
    std::vector<std::string> lines;
    size_t count = 0;
    for (std::string line; std::getline(stream, line); count++) {
        if (count < most) lines.push_back("printed: " + line);
    }
    if (count > most) lines.back() += fmt::format("   (and {} more lines)", count - most);
    return lines;
}

}  // namespace check
