// Reads survivors.txt.
#include "author/mutants/survivors.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "author/paragraphs.h"
#include "author/regions.h"
#include "call/code_line.h"

namespace fs = std::filesystem;

namespace author {
namespace {

const std::set<std::string> REASONS = {"equivalent", "speed", "compiler", "size", "order"};

std::vector<std::string> bare(const std::vector<code_line>& lines) {
    std::vector<std::string> texts;
    for (const code_line& line : lines)
        if (const std::string text = check::code_in(line.text); !text.empty()) texts.push_back(text);
    return texts;
}

bool is_change(const mutant& one, const paragraph& entry) {
    return entry.edits.size() == 1 && bare(entry.edits[0].before) == one.before &&
           bare(entry.edits[0].after) == one.after;
}

/// What is wrong with an entry, or nothing.
std::string trouble_of(const paragraph& entry, const std::vector<mutant>& all) {
    if (!REASONS.count(entry.value("reason"))) {
        std::string words;
        for (const std::string& word : REASONS)
            words += (words.empty() ? "" : ", ") + word;
        return "the reason '" + entry.value("reason") + "' is none of " + words;
    }
    const auto own =
        std::find_if(all.begin(), all.end(), [&](const mutant& m) { return m.id == entry.name; });
    if (own != all.end()) return is_change(*own, entry) ? "" : "its mutant is another one: " + to_line(*own);
    for (const mutant& other : all)
        if (is_change(other, entry)) return "there is no such mutant; is it " + other.id + "?";
    return "there is no such mutant: take it out";
}

}  // namespace

std::map<std::string, survivor> read_survivors(const fs::path& file, const std::vector<mutant>& all) {
    std::map<std::string, survivor> known;
    if (!fs::exists(file)) return known;
    std::string troubles;
    for (const paragraph& entry : read_paragraphs(file, {{"reason", "why"}, {}})) {
        const std::string where = file.string() + ":" + std::to_string(entry.line) + ": " + entry.name;
        const std::string trouble = trouble_of(entry, all);
        if (!trouble.empty()) troubles += (troubles.empty() ? "" : "\n") + where + ": " + trouble;
        known[entry.name] = {where, entry.value("reason"), entry.value("why")};
    }
    if (!troubles.empty()) throw std::runtime_error(troubles);
    return known;
}

std::string paragraph_for(const mutant& what) {
    std::string text = "[" + what.id + "]\nreason:\nwhy:\n";
    for (const std::string& line : what.before)
        text += "- " + line + "\n";
    for (const std::string& line : what.after)
        text += "+ " + line + "\n";
    return text;
}

}  // namespace author
