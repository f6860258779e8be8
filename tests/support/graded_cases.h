// Results of a lab, for tests of what is written of them.
#pragma once
#include "report/graded.h"

/// A check of each outcome.
inline report::graded_lab ordinary() {
    report::graded_lab lab;
    lab.student = "Ada Lovelace", lab.lab = "05_conv2d_naive", lab.state = "checked";
    lab.points = 60.5, lab.of = 100, lab.seconds = 12.3456;
    lab.source_hash = std::string(64, 'a'), lab.submitted = "2026-06-01T14:33:11Z";
    lab.checks = {{"sizes", 60.5, 60.5, true, true, "", {}, 1.5},
                  {"counts", 0, 19.5, true, false, "count", {"too many\nloads", "of taps"}, 0.12345},
                  {"races", 0, 10, true, false, "crashed", {"crashed in x.cu:41"}, 2},
                  {"bounds", 0, 10, false, false, "", {}, 0}};
    return lab;
}

/// An answer of each verdict.
inline report::graded_answers answered() {
    report::graded_answers all;
    all.name = "Ada", all.hash = std::string(64, 'b'), all.points = 2, all.of = 7, all.to_read = 3;
    all.questions = {{"05.a", "right", "42 bytes", "", 2, 2},
                     {"05.b", "wrong", "7", "", 0, 1},
                     {"05.c", "kept", "because", "a person reads it", 0, 3},
                     {"05.d", "empty", "", "", 0, 1}};
    return all;
}

/// Every text a student has a hand in is this one.
inline report::graded_lab made_of(const std::string& text) {
    report::graded_lab lab = ordinary();
    lab.student = lab.message = lab.source_hash = lab.submitted = text;
    for (report::graded_check& check : lab.checks)
        check.name = check.how = text, check.messages = {text, text, text, text}, check.causes = {text},
        check.counts = {{text, 8, 1, 1.5, false, false}},
        check.picture = {text, 4, 2, 1, 1, {"..xx", "???."}};
    lab.answers = answered();
    lab.answers->message = lab.answers->name = text;
    for (report::graded_answer& one : lab.answers->questions)
        one.answer = one.note = text;
    return lab;
}

inline report::graded_lab in_trouble() {
    report::graded_lab lab = ordinary();
    lab.state = "infrastructure_error", lab.message = "the node was lost";
    return lab;
}
