// Goes through a text by paragraphs, without what is marked or quoted, and looks for units behind numbers.
#include "author/bare_numbers.h"

#include <algorithm>
#include <regex>

#include "author/changed.h"
#include "author/quoted_values.h"
#include "author/regions.h"

namespace author {
namespace {

/// The text without marks, with what they enclose, and without `code`; every line keeps its number.
std::string unmarked(const std::string& text) {
    static const std::regex hidden(std::string(QUOTED_VALUE) + "|<!--[^]*?-->|`[^`\n]*`");
    return changed(text, hidden, [](const std::smatch& found) {
        const std::string whole = found.str();
        return std::string(size_t(std::count(whole.begin(), whole.end(), '\n')), '\n');
    });
}

bool begins_paragraph(const std::string& line) {
    static const std::regex first(R"(^$|^#|^ *\d+\. |^ *\* |^\|)");
    return std::regex_search(line, first);
}

}  // namespace

std::vector<std::string> bare_numbers(const std::string& text) {
    static const std::regex rate(R"(\d[\d.]* ?(ms|[GT]B/s|[GT]FLOP/s)(?!\w))"),
        any(R"(\d[\d.]* ?((ms|[GT]B/s|[GT]FLOP/s|times)(?!\w)|%))");
    const std::vector<std::string> lines = lines_of(unmarked(text));
    std::vector<std::string> found;
    bool faster = false;
    for (size_t from = 0, to; from < lines.size(); from = to) {
        to = from + 1;
        while (to < lines.size() && !begins_paragraph(lines[to]))
            to++;
        if (lines[from].starts_with("#")) faster = lines[from].find("And faster") != std::string::npos;
        const bool ours =
            faster || std::any_of(&lines[from], &lines[to - 1] + 1, [](const std::string& line) {
                return line.find("H200") != std::string::npos;
            });
        for (size_t k = from; k < to; k++) {
            if (lines[k].starts_with("|")) continue;
            const std::regex& wanted = ours ? any : rate;
            for (std::sregex_iterator one(lines[k].begin(), lines[k].end(), wanted), end; one != end; ++one)
                found.push_back("line " + std::to_string(k + 1) + ": " + one->str());
        }
    }
    return found;
}

}  // namespace author
