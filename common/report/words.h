// Words and numbers that several formats share.
#pragma once
#include <string>

#include "report/graded.h"

namespace report {

enum class outcome { passed, failed, in_trouble, not_run };

/// In trouble: the program crashed, hung or broke the rules, so that nothing was compared.
outcome outcome_of(const graded_check& check);

/// "passed", "failed", "crashed", "not run"
std::string outcome_word(const graded_check& check);

/// At most two decimals, no more than there are: "33.33", "70"
std::string amount(double points);

/// What came of the submission, in one line: "70 of 100 points" or "does not build: expected ';'".
std::string sentence_of(const graded_lab& lab);

/// Its name; "check 3" of the third if it has none.
std::string name_of(const graded_lab& lab, size_t check);

/// All messages of a check, a line empty between them.
std::string messages_of(const graded_check& check);

/// "05" of "05_conv2d_naive"; the whole of another name.
std::string lab_number(const std::string& lab);

}  // namespace report
