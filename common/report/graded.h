// What came of one submission to one lab: plain data, from which the gradebook and all formats are made.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "report/graded_answers.h"

namespace report {

/// A count that a check asked for: at most `passes_at`, or at least `right`.
struct graded_count {
    std::string what;
    double now = 0, right = 0, passes_at = 0;
    bool at_least = false, met = false;
};

/// Which pixels of a wrong output are wrong: characters of check/wrong_picture.h, each for a cell of pixels.
struct graded_picture {
    std::string subject;        // the case
    int width = 0, height = 0;  // in pixels; 0: there is none
    int cell_width = 1, cell_height = 1;
    std::vector<std::string> rows;
};

struct graded_check {
    std::string name;
    double points = 0, of = 0;
    bool ran = false, passed = false;
    std::string how;  // the first failure's word, call/call_end.h; "" of a check that has none
    std::vector<std::string> messages;
    double seconds = 0;
    std::vector<std::string> causes = {};  // likely ones of wrong values, in words
    std::vector<graded_count> counts = {};
    graded_picture picture = {};
};

/// Texts are a student's words where they hold any: shown only by way of escape.h.
struct graded_lab {
    std::string student, lab;    // as they came; "05_conv2d_naive"
    std::string state, message;  // one of STATES; a sentence for all but "checked"
    double points = 0, of = 100, seconds = 0;
    std::string source_hash;  // sha256 of the hand-in file, hex
    std::string submitted;    // ISO time of the graded file or ""
    std::vector<graded_check> checks;
    std::optional<graded_answers> answers = {};  // to its questions, whose points are not among these
};

/// What can come of a submission. The last one is the grader's own trouble: it says nothing about the student
/// and is never counted as a zero.
constexpr const char* STATES[] = {"checked",   "not_submitted", "does_not_build",
                                  "crashed",   "timed_out",     "out_of_memory",
                                  "forbidden", "incomplete",    "infrastructure_error"};

/// False for the grader's own trouble: such a result has no mark.
bool has_mark(const graded_lab& what);

/// Reads a report of at most 1 MB. Texts come out as valid UTF-8, the long ones cut. Throws
/// std::runtime_error naming the file if it is no report: numbers that are none or out of range (points of 0
/// to `of`, `of` of 0 to 1000, more points than its checks give), an unknown state, more than 200 checks.
/// `student`, `seconds`, `source_hash` and `submitted` may be missing: a judge does not know them.
graded_lab read_graded(const std::filesystem::path& report_json);

}  // namespace report
