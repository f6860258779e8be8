// Words and numbers that several formats share.
#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "call/call_end.h"

namespace report {

static std::string with_spaces(std::string word) {
    std::replace(word.begin(), word.end(), '_', ' ');
    return word;
}

outcome outcome_of(const graded_check& check) {
    if (!check.ran) return outcome::not_run;
    if (check.passed) return outcome::passed;
    return check::is_word_of_trouble(check.how) ? outcome::in_trouble : outcome::failed;
}

std::string outcome_word(const graded_check& check) {
    switch (outcome_of(check)) {
        case outcome::passed:
            return "passed";
        case outcome::failed:
            return "failed";
        case outcome::in_trouble:
            return with_spaces(check.how);
        case outcome::not_run:
            break;
    }
    return "not run";
}

std::string amount(double points) {
    return fmt::format("{}", std::round(points * 100) / 100);
}

std::string sentence_of(const graded_lab& lab) {
    if (lab.state == "checked") return amount(lab.points) + " of " + amount(lab.of) + " points";
    return with_spaces(lab.state) + (lab.message.empty() ? "" : ": " + lab.message);
}

std::string name_of(const graded_lab& lab, size_t check) {
    const std::string& name = lab.checks[check].name;
    return name.empty() ? "check " + std::to_string(check + 1) : name;
}

std::string messages_of(const graded_check& check) {
    std::string all;
    for (const std::string& message : check.messages)
        all += (all.empty() ? "" : "\n\n") + message;
    return all;
}

std::string lab_number(const std::string& lab) {
    const bool numbered = lab.size() > 3 && lab[2] == '_' && std::isdigit((unsigned char)lab[0]) &&
                          std::isdigit((unsigned char)lab[1]);
    return numbered ? lab.substr(0, 2) : lab;
}

}  // namespace report
