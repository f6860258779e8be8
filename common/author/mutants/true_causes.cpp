// Reads true_causes.txt and judges by it.
#include "author/mutants/true_causes.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "author/regions.h"
#include "diagnose/causes.h"

namespace author {
namespace {

const std::string ANY_TEXT = "...";

std::set<std::string> words_of(std::string text) {
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream rest(text);
    std::set<std::string> words;
    for (std::string word; rest >> word;)
        words.insert(word);
    return words;
}

/// The parts of a line between " | ".
std::vector<std::string> parts_of(const std::string& line) {
    const std::string between = " | ";
    std::vector<std::string> parts;
    for (size_t begin = 0; begin <= line.size();) {
        const size_t end = std::min(line.find(between, begin), line.size());
        parts.push_back(line.substr(begin, end - begin));
        begin = end + between.size();
    }
    return parts;
}

true_cause read_line(const std::string& line) {
    const std::vector<std::string> parts = parts_of(line);
    if (parts.size() != 3) throw std::runtime_error("REGIONS OPERATORS | CHANGE | CAUSES is asked for");
    std::istringstream head(parts[0]);
    std::string regions, operators, more;
    if (!(head >> regions >> operators) || head >> more)
        throw std::runtime_error("regions and operators are asked for, without blanks in either");
    true_cause read{words_of(regions), words_of(operators), parts[1], words_of(parts[2])};
    if (read.causes == std::set<std::string>{"nothing"}) read.causes.clear();
    for (const std::string& id : read.causes)
        if (!check::is_known_cause(id)) throw std::runtime_error("there is no cause '" + id + "'");
    return read;
}

/// True if the pattern, with ... for any text, is all of `text`.
bool fits(const std::string& pattern, const std::string& text) {
    size_t at = 0, begin = 0;
    for (bool first = true;; first = false) {
        const size_t end = pattern.find(ANY_TEXT, begin);
        const std::string piece = pattern.substr(begin, end - begin);
        if (end == std::string::npos)
            return first ? text == piece : text.size() >= at + piece.size() && text.ends_with(piece);
        const size_t found = text.find(piece, at);
        if (found == std::string::npos || (first && found != 0)) return false;
        at = found + piece.size();
        begin = end + ANY_TEXT.size();
    }
}

std::string change_of(const mutant& one) {
    std::string text;
    for (const std::string& line : one.before)
        text += line + " ";
    text += "->";
    for (const std::string& line : one.after)
        text += " " + line;
    return text;
}

bool is_about(const true_cause& line, const mutant& one, const std::string& lab) {
    const auto has = [](const std::set<std::string>& words, const std::string& word) {
        return words.count("*") || words.count(word);
    };
    return (has(line.regions, one.region) || has(line.regions, lab.substr(0, 2))) &&
           has(line.operators, one.change) && fits(line.change, change_of(one));
}

}  // namespace

std::vector<true_cause> read_true_causes(const std::filesystem::path& file) {
    std::vector<true_cause> known;
    const std::vector<std::string> lines = lines_of(read_text(file));
    for (size_t k = 0; k < lines.size(); k++) {
        if (lines[k].empty() || lines[k].starts_with('#')) continue;
        try {
            known.push_back(read_line(lines[k]));
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(file.string() + ":" + std::to_string(k + 1) + ": " + error.what());
        }
    }
    return known;
}

naming judge_naming(const std::string& named, const mutant& one, const std::string& lab,
                    const std::vector<true_cause>& known) {
    const auto line = std::find_if(known.begin(), known.end(),
                                   [&](const true_cause& line) { return is_about(line, one, lab); });
    if (line == known.end()) return naming::unjudged;
    const std::set<std::string> ids = words_of(named);
    if (ids.empty()) return naming::unnamed;
    return std::includes(line->causes.begin(), line->causes.end(), ids.begin(), ids.end()) ? naming::right
                                                                                           : naming::wrong;
}

}  // namespace author
