// Marks all answers, and tells what came of it.
#include "questions/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "call/plain_text.h"

namespace questions {
namespace {

/// At most `most` characters of a text in UTF-8, one column each.
std::string shortened(const std::string& text, size_t most) {
    size_t at = 0;
    for (size_t count = 0; at < text.size() && count < most; count++)
        at += std::max<size_t>(1, check::character_length(std::string_view(text).substr(at)));
    return at < text.size() ? text.substr(0, at) + "..." : text;
}

std::string padded(std::string text, size_t columns) {
    text.resize(std::max(text.size(), columns), ' ');
    return text;
}

}  // namespace

const char* in_words(verdict is) {
    switch (is) {
        case verdict::right:
            return "right";
        case verdict::wrong:
            return "wrong";
        case verdict::unreadable:
            return "cannot be read";
        case verdict::kept:
            return "kept";
        case verdict::empty:
            break;
    }
    return "empty";
}

int report::points() const {
    int sum = 0;
    for (const result_line& line : lines)
        sum += line.points;
    return sum;
}

int report::of() const {
    int sum = 0;
    for (const result_line& line : lines)
        sum += line.of;
    return sum;
}

int report::to_read() const {
    int sum = 0;
    for (const result_line& line : lines)
        sum += line.is == verdict::kept ? line.of : 0;
    return sum;
}

report mark_all(const std::string& lab, const std::vector<question>& all, const answers& given) {
    report result{lab, given.name, {}};
    for (const auto& one : given.given)
        if (std::none_of(all.begin(), all.end(),
                         [&](const question& asked) { return asked.id == one.first; }))
            throw std::runtime_error("'" + shortened(one.first, 20) +
                                     "' is no question of this lab: they are " +
                                     (all.empty() ? "none" : all.front().id + " to " + all.back().id));
    for (const question& which : all) {
        const auto found = given.given.find(which.id);
        const std::string answer = found == given.given.end() ? "" : found->second;
        const marked done = mark(which, variant_of(which, given.name), answer);
        result.lines.push_back({which.id, answer, done.note, done.is,
                                done.is == verdict::right ? which.points : 0, which.points});
    }
    return result;
}

std::string as_text(const report& what) {
    std::string text;
    for (const result_line& line : what.lines) {
        std::string told = "  " + padded(line.id, 6) + padded(in_words(line.is), 15);
        if (!line.answer.empty()) told += padded(shortened(line.answer, 24), 28);
        if (!line.note.empty()) told += shortened(line.note, 26);
        told.erase(told.find_last_not_of(' ') + 1);
        text += told + "\n";
    }
    text +=
        "\n" + std::to_string(what.points()) + " of " + std::to_string(what.of()) + " points for questions";
    if (what.to_read() > 0) text += ", " + std::to_string(what.to_read()) + " wait for your instructor";
    return text + "\n";
}

std::string as_json(const report& what) {
    nlohmann::ordered_json json = {{"lab", what.lab},           {"name", what.name},
                                   {"points", what.points()},   {"of", what.of()},
                                   {"to_read", what.to_read()}, {"questions", nlohmann::json::array()}};
    for (const result_line& line : what.lines)
        json["questions"].push_back({{"id", line.id},
                                     {"verdict", in_words(line.is)},
                                     {"answer", line.answer},
                                     {"note", line.note},
                                     {"points", line.points},
                                     {"of", line.of}});
    return json.dump(2) + "\n";
}

}  // namespace questions
