// An answer is a check.
#include "grade/formats/question_lab.h"

#include "report/words.h"

namespace grade {
namespace {

const std::string ENDING = "_questions";

report::graded_check check_of(const report::graded_answer& answer) {
    const bool judged = answer.verdict != "kept" && answer.verdict != "empty";
    const std::string verdict = answer.verdict + (answer.note.empty() ? "" : ": " + answer.note);
    report::graded_check check{answer.id, answer.points, answer.of, judged, answer.verdict == "right",
                               "",        {verdict},     0};
    if (!answer.answer.empty()) check.messages.push_back("answered: " + answer.answer);
    return check;
}

}  // namespace

report::graded_lab question_lab(const report::graded_lab& lab) {
    const report::graded_answers& answers = lab.answers.value();
    report::graded_lab result;
    result.student = lab.student;
    result.lab = lab.lab + ENDING;
    result.state = answers.state;
    result.message = answers.message;
    if (answers.to_read > 0)
        result.message = std::to_string(int(answers.to_read)) +
                         (answers.to_read == 1 ? " point waits for a person" : " points wait for a person");
    result.points = answers.points, result.of = answers.of;
    result.source_hash = answers.hash;
    result.submitted = answers.submitted;
    for (const report::graded_answer& one : answers.questions)
        result.checks.push_back(check_of(one));
    return result;
}

std::string title_of(const report::graded_lab& lab) {
    return "lab " + report::lab_number(lab.lab) + (lab.lab.ends_with(ENDING) ? ", questions" : "");
}

}  // namespace grade
