// Writes questions in the forms that students and instructors read.
#include "questions/pages.h"

#include <sstream>

#include "questions/draw.h"

namespace questions {
namespace {

/// The text in lines of at most 80 columns, the first behind `before`, the others as far to the right.
std::string wrapped(const std::string& text, const std::string& before) {
    constexpr size_t WIDTH = 80;
    std::string result, line = before;
    std::istringstream words(text);
    std::string word;
    bool first = true;
    while (words >> word) {
        if (!first && line.size() + 1 + word.size() > WIDTH) {
            result += line + "\n";
            line = std::string(before.size(), ' ');
            first = true;
        }
        line += (first ? "" : " ") + word;
        first = false;
    }
    return result + line + "\n";
}

std::string answered_by(const question& which) {
    std::string names;
    switch (which.what) {
        case asks_for::number:
            return which.unit.empty() ? "a number" : "in " + shown_unit(which);
        case asks_for::letter:
            return "a letter";
        case asks_for::text:
            return "a sentence; a person reads it";
        case asks_for::formula:
            break;
    }
    for (const drawn& one : which.at)
        names += (names.empty() ? "" : ", ") + one.name;
    return "a formula in " + names;
}

std::string points_in_words(int points) {
    return points == 1 ? "" : ", " + std::to_string(points) + " points";
}

}  // namespace

std::string pages_for(const std::vector<question>& all, const std::string& name) {
    std::string page;
    for (const question& which : all) {
        const int variant = variant_of(which, name);
        const variables numbers = numbers_of(which, variant);
        page += which.id + "  (" + answered_by(which) + points_in_words(which.points) + ")\n";
        page += wrapped(text_with_numbers(which.text, numbers), "      ");
        char letter = 'A';
        for (const std::string& option : options_of(which, variant))
            page += wrapped(text_with_numbers(option, numbers), std::string("      ") + letter++ + "  ");
        page += "\n";
    }
    return page;
}

std::string skeleton(const std::vector<question>& all) {
    const std::string lab = all.empty() ? "" : all.front().id.substr(0, 2);
    std::string text = "name:\n# make questions" + lab + " asks, with numbers of your own; make answers" +
                       lab + " marks what stands here.\n";
    for (const question& which : all)
        text += which.id + ":\n";
    return text;
}

namespace {

/// The text with its names as code, and what Markdown would take for its own as it stands: __restrict__, a*b, vector<int>.
std::string as_markdown(const std::string& text) {
    std::string page;
    bool code = false;
    for (size_t k = 0; k < text.size(); k++) {
        const char here = text[k], before = k > 0 ? text[k - 1] : ' ',
                   after = k + 1 < text.size() ? text[k + 1] : ' ';
        if (here == '`' || here == '{' || here == '}') code = !code;
        const bool means_something = here == '*'   ? before != ' ' || after != ' '
                                     : here == '_' ? before == '_' || after == '_'
                                                   : here == '<' && after != ' ';
        if (means_something && !code) page += '\\';
        page += here;
    }
    return text_with_names(page);
}

std::string instructor_part(const std::vector<question>& all, const std::string& title) {
    std::string page = "## " + title + "\n\n";
    for (const question& which : all) {
        page += "**" + which.id + "** " + as_markdown(which.text) + "\n\n";
        if (!which.key.empty())
            page +=
                "* right: `" + which.key + "`" + (which.unit.empty() ? "" : " " + shown_unit(which)) + "\n";
        if (!which.right.empty()) page += "* right: " + as_markdown(which.right) + "\n";
        for (const auto& [name, value] : which.let)
            page += "* where `" + name + " = " + value + "`\n";
        if (!which.model.empty()) page += "* look for: " + as_markdown(which.model) + "\n";
        if (!which.why.empty()) page += "* why: " + as_markdown(which.why) + "\n";
        for (const std::string& wrong : which.wrong)
            page += "* often: " + (which.key.empty() ? as_markdown(wrong) : "`" + wrong + "`") + "\n";
        page += "\n";
    }
    return page;
}

}  // namespace

std::string instructors_page(const std::vector<std::filesystem::path>& files) {
    std::string page =
        "# Answers to the marked questions\n\n"
        "Made from `handouts/questions/` by `make readme`; students never get this page. Names stand for the "
        "numbers\n"
        "that a student's name draws. What is often answered instead marks as wrong.\n\n";
    for (const std::filesystem::path& file : files)
        page += instructor_part(read_questions(file), file.stem().string());
    page.pop_back();
    return page;
}

}  // namespace questions
