// What came of a lab's written questions.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace report {

struct graded_answer {
    std::string id, verdict, answer, note;  // "05.a", "right", the student's words, ours
    double points = 0, of = 0;
};

struct graded_answers {
    std::string state = "checked", message = {};  // as graded_lab has them (report/graded.h)
    std::string name = {};                        // for which the numbers were drawn, as the student wrote it
    std::string hash = {}, submitted = {};        // of answers.txt: sha256 and ISO time, or ""
    std::string doubt = {};                       // why an instructor should look, for nobody else to read
    double points = 0, of = 0, to_read = 0;       // to_read: points that wait for a person
    std::vector<graded_answer> questions = {};
};

/// Reads an answers.json of at most 1 MB, as common/questions writes it. Throws std::runtime_error naming the
/// file if it is none: numbers out of range, more than 100 questions, more points than these give.
graded_answers read_answers(const std::filesystem::path& answers_json);

}  // namespace report
