// What came of a lab's checks: plain data, filled by the expectations, shown as text or written as JSON.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "call/call_end.h"
#include "check/expected_count.h"
#include "check/wrong_picture.h"
#include "diagnose/diagnose.h"

namespace check {

/// One thing that was expected and did not hold.
struct failure {
    std::string subject;             // the case: "basic: n = 1000, filter 3 4 5, ..."
    std::vector<std::string> lines;  // what is wrong with it, the most telling first
    call_end how{};
    bool wrong_image = false;    // the call returned an output, and it is not the reference's
    diagnosis cause = {};        // of a wrong image; its id is empty where nothing is known
    wrong_picture picture = {};  // of a wrong image
    std::string method = {};     // of the case; empty where it has none
    std::string place = {};   // "file.cu:41", the student's line that threw, where kernels did nothing wrong
    bool of_refusal = false;  // the call was to be refused, whatever its values
    bool aside = false;       // nothing that the check asks for: a kernel stored beside its memory meanwhile
};

/// One check, "[30] images that do not fill their blocks".
struct check_result {
    std::string name;  // without the points
    int of = 0;
    bool ran = false;
    double seconds = 0.0;
    std::vector<std::string> methods;  // that it called, each once
    std::vector<failure> failures;
    std::vector<expected_count> counts;  // that it asked for, met or not
    bool cut = false;                    // it failed so often that further cases were not tried

    bool passed() const { return ran && failures.empty(); }
    int points() const { return passed() ? of : 0; }
    /// The first failure's word, "" of a check that has none.
    std::string_view how() const { return failures.empty() ? "" : to_text(failures.front().how); }
};

struct lab_result {
    std::string lab;         // "01_conv1d_basic"
    std::string device;      // "CPU backend (2 threads)"
    std::string why;         // of that device: "no GPU found"; may be empty
    std::string unconfined;  // what this machine cannot keep the program from; empty if nothing
    bool gpu = false;
    size_t calls = 0, returned = 0;  // calls to the student's functions
    std::vector<check_result> checks;
    std::string only;        // what the run was limited to, "METHODS=naive"; empty: nothing was left out
    std::string refused;     // why no check was run: METHODS= or CHECK= names what there is not
    std::string start_with;  // what to mend first, as lab_result_text tells it in brief
    std::vector<std::pair<std::string, std::string>>
        todos;  // id and state (check/steps.h), where they are known

    int points() const;
    int of() const;
    /// A check itself failed: nothing of this says anything about the student.
    bool judge_failed() const;
    bool full() const { return points() == of(); }
    /// A word of GRADING's list and, for all but "checked", one sentence.
    std::string state() const;
    std::string message() const;
};

/// "[30] sentence" as a check without result. Throws std::invalid_argument if it does not look so.
check_result parse_check(const std::string& title);

/// Throws std::invalid_argument unless the points add up to 100, no name comes twice and none holds a comma.
void require_hundred_points(const std::vector<check_result>& checks);

/// Written to a temporary name and renamed. Throws std::runtime_error naming the file.
void write_json(const lab_result& what, const std::string& path);

}  // namespace check
