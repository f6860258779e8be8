// Reads Markdown line by line, by expressions: headings, links, and what stands in no code.
#include "author/page_text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>

#include "author/changed.h"
#include "author/regions.h"

namespace author {
namespace {

namespace fs = std::filesystem;

std::string only_newlines(const std::string& text) {
    return std::string(size_t(std::count(text.begin(), text.end(), '\n')), '\n');
}

/// Without blocks between ``` and, where a blank line goes before, without indented ones.
std::string without_blocks(const std::string& markdown) {
    std::string text;
    bool fenced = false, indented = false, blank = true, in_list = false;
    for (const std::string& line : lines_of(markdown)) {
        const size_t first = line.find_first_not_of(' ');
        const bool fence = first != std::string::npos && line.compare(first, 3, "```") == 0;
        const bool empty = first == std::string::npos;
        if (fence) fenced = !fenced;
        if (!empty && first == 0)
            in_list = line[0] == '*' || std::isdigit(static_cast<unsigned char>(line[0]));
        indented = !in_list && first != std::string::npos && first >= 4 && (blank || indented);
        if (!fenced && !fence && !indented) text += line;
        text += '\n';
        blank = empty;
    }
    return text;
}

std::string place(const fs::path& page, const std::string& text, std::ptrdiff_t at) {
    return page.generic_string() + ": line " +
           std::to_string(1 + std::count(text.begin(), text.begin() + at, '\n')) + ": ";
}

/// The number of the last question of a lab's page, 0 if it has none.
int questions_of(const fs::path& page) {
    static const std::regex numbered(R"(^(\d+)\. .*)");
    int last = 0;
    bool here = false;
    for (const std::string& line : lines_of(read_text(page))) {
        std::smatch match;
        if (line.starts_with("## ")) here = line == "## Questions";
        if (here && std::regex_match(line, match, numbered)) last = std::stoi(match[1]);
    }
    return last;
}

std::map<std::string, int> questions_in(const fs::path& folder) {
    static const std::regex lab(R"((\d\d)_\w+\.md)");
    std::map<std::string, int> found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        std::smatch match;
        if (!std::regex_match(name, match, lab)) continue;
        int& last = found[match[1]];
        last = std::max(last, questions_of(entry.path()));
    }
    return found;
}

}  // namespace

std::string without_code(const std::string& markdown) {
    static const std::regex hidden("<!--[^]*?-->|``[^]*?``|`[^`]*`");
    return changed(without_blocks(markdown), hidden,
                   [](const std::smatch& found) { return only_newlines(found.str()); });
}

std::vector<std::string> anchors_of(const std::string& markdown) {
    static const std::regex heading("^#+ +(.*)");
    std::vector<std::string> anchors;
    std::map<std::string, int> seen;
    for (const std::string& line : lines_of(without_blocks(markdown))) {
        std::smatch match;
        if (!std::regex_match(line, match, heading)) continue;
        std::string anchor;
        for (const unsigned char c : match[1].str()) {
            if (std::isalnum(c) || c == '-' || c == '_') anchor += char(std::tolower(c));
            if (c == ' ') anchor += '-';
        }
        const int before = seen[anchor]++;
        anchors.push_back(before == 0 ? anchor : anchor + "-" + std::to_string(before));
    }
    return anchors;
}

std::vector<std::string> broken_links(const fs::path& page, const fs::path& root) {
    static const std::regex link(R"(\]\(([^)\s]*)\))"), elsewhere("^[a-z]+:.*");
    const std::string text = without_code(read_text(page));
    std::vector<std::string> found;
    for (std::sregex_iterator one(text.begin(), text.end(), link), end; one != end; ++one) {
        const std::string target = (*one)[1];
        if (std::regex_match(target, elsewhere)) continue;
        const size_t hash = target.find('#');
        const std::string path = target.substr(0, hash);
        const fs::path file = path.empty() ? page : (page.parent_path() / path).lexically_normal();
        const fs::path inside = file.lexically_relative(root);
        std::string trouble;
        if (inside.empty() || *inside.begin() == "..")
            trouble = "out of " + root.generic_string();
        else if (!fs::exists(file))
            trouble = "no such file";
        else if (hash != std::string::npos) {
            const std::vector<std::string> anchors = anchors_of(read_text(file));
            if (std::find(anchors.begin(), anchors.end(), target.substr(hash + 1)) == anchors.end())
                trouble = "no such heading";
        }
        if (!trouble.empty()) found.push_back(place(page, text, one->position()) + target + ": " + trouble);
    }
    return found;
}

std::vector<std::string> broken_question_numbers(const fs::path& page, const fs::path& folder) {
    static const std::regex of_lab(R"([Qq]uestion (\d+)\s+of\s+lab (\d\d))"),
        in_lab(R"([Ll]ab (\d\d),\s+question (\d+))");
    const std::map<std::string, int> last = questions_in(folder);
    const std::string text = without_code(read_text(page));
    std::vector<std::string> found;
    const auto look = [&](const std::regex& form, size_t lab, size_t number) {
        for (std::sregex_iterator one(text.begin(), text.end(), form), end; one != end; ++one) {
            const auto questions = last.find((*one)[lab]);
            if (questions == last.end() || std::stoi((*one)[number]) > questions->second)
                found.push_back(place(page, text, one->position()) + one->str() + ": no such question");
        }
    };
    look(of_lab, 2, 1);
    look(in_lab, 1, 2);
    return found;
}

std::vector<std::string> misread(const std::string& markdown) {
    static const std::regex product(R"([\d)]\*[\d(])"), list(R"(^ +([+*-] (\d|\w\W)|1\) ).*)"),
        comment("^ *<!--[=?!/].*");
    const std::vector<std::string> prose = lines_of(without_code(markdown)),
                                   shown = lines_of(without_blocks(markdown));
    std::vector<std::string> found;
    for (size_t k = 0; k < prose.size(); k++) {
        const std::string line = "line " + std::to_string(k + 1) + ": ";
        for (std::sregex_iterator one(prose[k].begin(), prose[k].end(), product), end; one != end; ++one)
            found.push_back(line + one->str());
        const bool goes_on =
            k > 0 && !shown[k - 1].empty() && shown[k - 1][0] != '|' && shown[k - 1][0] != '#';
        if (goes_on && (std::regex_match(shown[k], list) || std::regex_match(shown[k], comment)))
            found.push_back(line + "begins with " + shown[k].substr(shown[k].find_first_not_of(' '), 4));
    }
    return found;
}

}  // namespace author
