// What comes of a lab's answers.
#pragma once
#include <string>
#include <vector>

#include "questions/answers.h"
#include "questions/mark.h"
#include "questions/question.h"

namespace questions {

struct result_line {
    std::string id, answer, note;
    verdict is;
    int points, of;
};

/// A lab's questions, marked. Points of their own: the code's are not among them.
struct report {
    std::string lab, name;
    std::vector<result_line> lines;

    int points() const;
    int of() const;
    int to_read() const;  // points that wait for a person
};

/// "right", "wrong", "cannot be read", "kept" or "empty"
const char* in_words(verdict is);

/// Throws std::runtime_error naming answers that no question asks for.
report mark_all(const std::string& lab, const std::vector<question>& all, const answers& given);

/// A line a question, 80 columns wide, and the points.
std::string as_text(const report& what);
std::string as_json(const report& what);

}  // namespace questions
