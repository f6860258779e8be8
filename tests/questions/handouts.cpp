// Questions in the handouts and marked ones: none without the other, and no page tells the answer of a marked one.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "author/regions.h"
#include "questions/mark.h"
#include "questions/question.h"

namespace fs = std::filesystem;

namespace {

using ids = std::set<std::string>;

/// The questions of a handout, 1 first: what stands behind "## Questions".
std::vector<std::string> questions_of(const std::string& handout) {
    static const std::string HEADING = "\n## Questions\n";
    std::vector<std::string> all;
    const size_t begin = handout.find(HEADING);
    if (begin == std::string::npos) return all;
    const std::regex number(R"(\d+\. .*)");
    for (const std::string& line : author::lines_of(handout.substr(begin + HEADING.size()))) {
        if (line.starts_with("## ")) break;
        if (std::regex_match(line, number)) all.emplace_back();
        if (!all.empty()) all.back() += line + " ";
    }
    return all;
}

/// "05.a", "05.b" and "05.c" of "Marked: 05.a to 05.c"; lines may end anywhere.
ids marked_in(const std::string& text) {
    static const std::regex one(R"((\d\d\.)([a-z])\b( +to +\d\d\.([a-z])\b)?)");
    ids found;
    const size_t begin = std::min(text.find("Marked:"), text.size());
    for (std::sregex_iterator match(text.begin() + long(begin), text.end(), one), end; match != end;
         ++match) {
        const char first = (*match)[2].str()[0], last = (*match)[4].matched ? (*match)[4].str()[0] : first;
        for (char letter = first; letter <= last; letter++)
            found.insert((*match)[1].str() + letter);
    }
    return found;
}

/// The answers to a question's own case, as its self-check prints them: what stands behind "Check yours", but for small
/// whole numbers, which are sizes as often.
ids checked_answers(const std::string& text) {
    static const std::regex one(R"((^|[^\w.])(\d+( \d{3})*(\.\d+)?( ?%)?)(?!\w|\.[a-z]))");
    ids found;
    const size_t begin = std::min(text.find("Check yours"), text.size());
    for (std::sregex_iterator match(text.begin() + long(begin), text.end(), one), end; match != end;
         ++match) {
        const std::string number = (*match)[2];
        if (number.size() > 2) found.insert(number);
    }
    return found;
}

}  // namespace

TEST_CASE("the questions that a page marks are read off it") {
    CHECK(questions_of("1. no\n\n## Questions\n\nText.\n\n1. One\n   more\n2. Two\n\n## And\n\n3. no\n") ==
          std::vector<std::string>{"1. One    more ", "2. Two  "});
    CHECK(marked_in("as 04.a *Marked: 05.a   to 05.c, and 06.k. Check 4 x 3*") ==
          ids{"05.a", "05.b", "05.c", "06.k"});
    CHECK(marked_in("*Check: 05.a*").empty());
}

TEST_CASE("every question of a handout is marked, and every marked question stands in a handout") {
    ids there, named;
    for (const fs::path& file : questions::question_files())
        for (const questions::question& which : questions::read_questions(file))
            there.insert(which.id);
    for (const auto& entry : fs::directory_iterator("handouts")) {
        if (entry.path().extension() != ".md") continue;
        const auto asked = questions_of(author::read_text(entry.path()));
        for (size_t k = 0; k < asked.size(); k++) {
            const ids marked = marked_in(asked[k]);
            CHECK_MESSAGE(!marked.empty(), entry.path(), ": question ", k + 1, " is not marked");
            for (const std::string& id : marked)
                CHECK_MESSAGE(there.count(id), entry.path(), ": question ", k + 1, ": there is no ", id);
            named.insert(marked.begin(), marked.end());
        }
    }
    for (const std::string& id : there)
        CHECK_MESSAGE(named.count(id), id, " stands in no handout");
}

TEST_CASE("no answer that a self-check prints marks as right for a student") {
    CHECK(checked_answers(
              "16 of *Marked: 05.a. Check yours with 5 x 5 and 16: 1 024 and 2.50, 10 %; see 03.a*") ==
          ids{"1 024", "2.50", "10 %"});
    std::map<std::string, questions::question> all;
    for (const fs::path& file : questions::question_files())
        for (const questions::question& which : questions::read_questions(file))
            all[which.id] = which;
    for (const auto& entry : fs::directory_iterator("handouts")) {
        if (entry.path().extension() != ".md") continue;
        for (const std::string& asked : questions_of(author::read_text(entry.path())))
            for (const std::string& id : marked_in(asked)) {
                const questions::question& which = all.at(id);
                if (which.what != questions::asks_for::number || which.draw.empty()) continue;
                for (const std::string& number : checked_answers(asked)) {
                    int told = 0;
                    for (int variant = 0; variant < variants(which); variant++)
                        told += mark(which, variant, number).is == questions::verdict::right;
                    CHECK_MESSAGE(told == 0, id, ": ", number, " is right for ", told, " of ",
                                  variants(which));
                }
            }
    }
}
