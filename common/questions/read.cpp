// Reads a file of questions.
#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "questions/expression.h"
#include "questions/mark.h"
#include "questions/question.h"
#include "questions/text.h"

namespace questions {
namespace {

std::vector<std::string> split(const std::string& text, const std::string& at) {
    std::vector<std::string> parts;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(at, begin), text.size());
        parts.push_back(trimmed(text.substr(begin, end - begin)));
        begin = end + at.size();
    }
    return parts;
}

/// "n 1000..9999", "w 32..256 by 32" or "tile 8|16|32".
drawn read_drawn(const std::string& text) {
    constexpr double MOST = 100000;  // values of a range
    const size_t blank = text.find(' ');
    if (blank == std::string::npos) throw std::runtime_error("'" + text + "' names no values");
    drawn result{text.substr(0, blank), {}, text};
    const std::string values = trimmed(text.substr(blank));
    const size_t dots = values.find("..");
    if (dots == std::string::npos) {
        for (const std::string& value : split(values, "|"))
            result.values.push_back(evaluate(value, {}));
        return result;
    }
    const auto range = split(values.substr(dots + 2), " by ");
    const double step = range.size() > 1 ? evaluate(range[1], {}) : 1;
    const double first = evaluate(values.substr(0, dots), {}), last = evaluate(range[0], {});
    if (!(step > 0) || !(last >= first) || (last - first) / step > MOST)
        throw std::runtime_error("'" + values + "' is no range of 1 to 100000 values");
    for (double value = first; value <= last; value += step)
        result.values.push_back(value);
    return result;
}

std::vector<drawn> read_draws(const std::string& text) {
    std::vector<drawn> result;
    for (const std::string& one : split(text, ","))
        result.push_back(read_drawn(one));
    return result;
}

void set(question& into, const std::string& key, const std::string& value) {
    const std::pair<const char*, std::string question::*> texts[] = {
        {"text", &question::text},   {"unit", &question::unit}, {"key", &question::key},
        {"right", &question::right}, {"why", &question::why},   {"model", &question::model}};
    const std::pair<const char*, std::vector<std::string> question::*> lists[] = {
        {"wrong", &question::wrong}, {"option", &question::options}, {"digest", &question::digests}};
    for (const auto& [name, member] : texts)
        if (key == name) {
            into.*member = value;
            return;
        }
    for (const auto& [name, member] : lists)
        if (key == name) {
            (into.*member).push_back(value);
            return;
        }
    if (key == "draw" || key == "at") {
        (key == "draw" ? into.draw : into.at) = read_draws(value);
    } else if (key == "let") {
        const auto sides = split(value, " = ");
        if (sides.size() != 2) throw std::runtime_error("let: NAME = EXPRESSION, not '" + value + "'");
        into.let.emplace_back(sides[0], sides[1]);
    } else if (key == "tolerance") {
        into.tolerance = evaluate(value, {});
    } else if (key == "points") {
        into.points = int(evaluate(value, {}));
    } else {
        throw std::runtime_error("'" + key + "' is no key of a question");
    }
}

void finish(question& one) {
    if (one.text.empty()) throw std::runtime_error("question " + one.id + " has no text");
    const bool marked = !one.key.empty() || !one.digests.empty();
    if (marked) one.what = one.at.empty() ? asks_for::number : asks_for::formula;
    if (!one.right.empty()) {
        one.options = one.wrong;
        one.options.push_back(one.right);
        std::sort(one.options.begin(), one.options.end());
    }
    if (!one.options.empty()) one.what = asks_for::letter;
    if (one.options.size() > MOST_OPTIONS)
        throw std::runtime_error("question " + one.id + " has more than " + std::to_string(MOST_OPTIONS) +
                                 " sentences to choose from");
    if (!one.digests.empty() && one.digests.size() != size_t(variants(one)))
        throw std::runtime_error("question " + one.id + " has " + std::to_string(one.digests.size()) +
                                 " digests, not " + std::to_string(variants(one)));
}

}  // namespace

std::string shown_unit(const question& which) {
    return which.unit.substr(0, which.unit.find('|'));
}

std::vector<question> read_questions(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error(file.string() + ": cannot be read");
    const std::string lab = file.filename().string().substr(0, 2);
    std::vector<question> all;
    std::string line, key, value;
    int number = 0;
    const auto keep = [&] {
        if (!key.empty()) set(all.back(), key, value);
        key.clear();
    };
    try {
        while (std::getline(in, line)) {
            number++;
            if (line.starts_with("#") || trimmed(line).empty()) continue;
            if (line.starts_with("  ") && !key.empty()) {
                value += " " + trimmed(line);
                continue;
            }
            keep();
            const size_t colon = line.find(':');
            if (line.front() == '[' && line.back() == ']') {
                if (!all.empty()) finish(all.back());
                all.emplace_back().id = lab + "." + line.substr(1, line.size() - 2);
            } else if (colon != std::string::npos && !all.empty()) {
                key = line.substr(0, colon);
                value = trimmed(line.substr(colon + 1));
            } else {
                throw std::runtime_error("'" + line + "' is neither [NAME] nor KEY: VALUE");
            }
        }
        keep();
        if (!all.empty()) finish(all.back());
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(file.string() + ":" + std::to_string(number) + ": " + error.what());
    }
    return all;
}

std::vector<std::filesystem::path> question_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "handouts/questions"))
        if (entry.path().extension() == ".txt") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace questions
