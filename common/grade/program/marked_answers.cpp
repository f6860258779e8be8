// Marks answers and asks whose they are.
#include "grade/program/marked_answers.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <stdexcept>

#include "grade/program/workbook.h"
#include "questions/draw.h"
#include "questions/report.h"

namespace grade {
namespace {

using questions::question;
using student_and_lab = class_answers::key_type;

/// Of a lab that has none: nothing.
std::vector<question> asked_in(const std::string& lab) {
    const std::filesystem::path file = "handouts/questions/" + lab + ".txt";
    return std::filesystem::exists(file) ? questions::read_questions(file) : std::vector<question>{};
}

report::graded_answers without_answers(const std::vector<question>& asked, const std::string& state,
                                       const std::string& message) {
    report::graded_answers result{state, message};
    for (const question& which : asked) {
        result.questions.push_back({which.id, "empty", "", "", 0, double(which.points)});
        result.of += which.points;
    }
    return result;
}

report::graded_answers with_answers(const questions::report& marked) {
    report::graded_answers result;
    result.name = marked.name;
    result.points = marked.points(), result.of = marked.of(), result.to_read = marked.to_read();
    for (const questions::result_line& line : marked.lines)
        result.questions.push_back({line.id, questions::in_words(line.is), line.answer, line.note,
                                    double(line.points), double(line.of)});
    return result;
}

/// Letters alone, as learning platforms run names together; bytes of other alphabets stay.
std::string run_together(const std::string& name) {
    std::string letters = questions::plain_name(name);
    std::erase_if(letters, [](unsigned char c) { return c < 128 && !std::isalnum(c); });
    return letters;
}

/// The first word of a name that is not in a student's; "" if there is none. Initials prove nothing.
std::string stranger_in(const std::string& name, const std::string& student) {
    const std::string known = run_together(student);
    std::istringstream words(name);
    bool proved = false;
    for (std::string word; words >> word;) {
        const std::string letters = run_together(word);
        if (letters.size() < 2) continue;
        if (known.find(letters) == std::string::npos) return word;
        proved = true;
    }
    return proved ? "" : name;
}

void add_doubt(report::graded_answers& to, const std::string& why) {
    to.doubt += (to.doubt.empty() ? "" : "; ") + why;
}

}  // namespace

report::graded_answers marked_answers(const handed_file& file, const std::vector<question>& asked) {
    report::graded_answers result;
    if (!file.missing.empty()) {
        result = without_answers(asked, "not_submitted", file.missing);
        if (file.ambiguous) result.doubt = "ambiguous: " + file.missing;
        return result;
    }
    try {
        result =
            with_answers(questions::mark_all("", asked, questions::answers_in(file.bytes, "answers.txt")));
    } catch (const std::runtime_error& trouble) {
        result = without_answers(asked, "incomplete", trouble.what());
    }
    result.hash = sha256(file.bytes);
    result.submitted = file.submitted;
    return result;
}

class_answers mark_class(const std::vector<submission>& submissions, const std::vector<std::string>& labs) {
    class_answers all;
    for (const std::string& lab : labs) {
        const std::vector<question> asked = asked_in(lab);
        class_answers of_lab;
        for (const submission& one : submissions)
            for (const hand_in& file : one.labs)
                if (file.lab == lab && !asked.empty())
                    of_lab[{one.student, lab}] = marked_answers(file.answers, asked);
        const bool some = std::any_of(of_lab.begin(), of_lab.end(), [](const auto& one) {
            return one.second.state != "not_submitted" || !one.second.doubt.empty();
        });
        if (some) all.merge(of_lab);
    }
    doubt_names(all);
    return all;
}

void doubt_names(class_answers& all) {
    std::map<std::string, std::set<std::string>> students_of, names_of;
    for (const auto& [who, one] : all) {
        if (one.name.empty()) continue;
        students_of[questions::plain_name(one.name)].insert(who.first);
        names_of[who.first].insert(questions::plain_name(one.name));
    }
    for (auto& [who, one] : all) {
        if (one.name.empty()) continue;
        const std::string stranger = stranger_in(one.name, who.first);
        if (!stranger.empty())
            add_doubt(one, "answers.txt is '" + one.name + "'s, and '" + stranger +
                               "' is not in this student's name");
        for (const std::string& other : students_of[questions::plain_name(one.name)])
            if (other != who.first) add_doubt(one, "the name in answers.txt is in that of " + other + " too");
        if (names_of[who.first].size() > 1)
            add_doubt(one, "answers.txt of another lab has another name than '" + one.name + "'");
    }
}

std::vector<kept_answer> kept_answers(const class_answers& all, const std::vector<std::string>& labs) {
    std::vector<kept_answer> kept;
    for (const std::string& lab : labs)
        for (const question& which : asked_in(lab))
            for (const auto& [who, one] : all)
                for (const report::graded_answer& answer : one.questions) {
                    if (who.second != lab || answer.id != which.id || answer.verdict != "kept") continue;
                    const auto numbers = questions::numbers_of(which, questions::variant_of(which, one.name));
                    kept.push_back({who.first, which.id, questions::text_with_numbers(which.text, numbers),
                                    answer.answer, which.model, answer.of});
                }
    return kept;
}

}  // namespace grade
