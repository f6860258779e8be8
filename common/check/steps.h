// The TODOs of a lab's file: which of them are written yet, which a check needs, and which is next.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "check/lab_result.h"

namespace check {

/// What labs/NN_name/steps.json knows of a lab (author/steps.h writes it), and a student's file has of it. TODOs are
/// named by their places in the working order.
class steps {
public:
    /// No TODO is known: nothing waits for one.
    steps() = default;
    /// Throws std::runtime_error naming the file that cannot be read.
    steps(const std::filesystem::path& list, const std::filesystem::path& students_file);

    size_t count() const { return todos_.size(); }
    const std::string& id(size_t place) const { return todos_[place].id; }  // "05.3"
    /// The skeleton's lines stand there still.
    bool is_untouched(size_t place) const { return todos_[place].untouched; }
    /// Those without which the method fails the check, in order; none, where that is not known.
    std::vector<size_t> needed(const std::string& check, const std::string& method) const;
    /// Of these what most other checks of the method do without, or all of them if that is none.
    std::vector<size_t> own(const std::string& check, const std::string& method) const;
    /// Whether the check waits for a TODO that is untouched, as far as it is about the method: one that it needs, or any
    /// where that is not known.
    bool waits(const std::string& check, const std::string& method) const;
    /// Whether this failure does. One that threw waits for nothing behind the TODO that threw.
    bool waits(const std::string& check, const failure& one) const;
    /// The TODO in whose lines "file.cu:41" of the student's file is; count() where that is none or not known.
    size_t at(const std::string& place) const;
    /// Whether that is known of any line: a student may have taken all TODO lines out.
    bool knows_places() const;
    /// Whether all that fails in the check does.
    bool waits(const check_result& what) const;

private:
    struct todo {
        std::string id;
        bool untouched = false;
    };
    std::vector<todo> todos_;
    std::map<std::string, size_t>
        places_;  // of lines, "file.cu:41", from a TODO to the next or to the function's end
    std::map<std::pair<std::string, std::string>, std::vector<size_t>> needed_;  // by check and method
};

/// Of each TODO, in order: "open" (not begun), "ok", "ok so far" where a check fails that needs it, but fewer checks know
/// of those that are "wrong", or "written" where no check could see it yet; the first that is open is "next" unless one
/// before it is wrong. Where a check fails aside, "written" is "wrong", and so it is before the last TODO that the first
/// failure needs; so is one in whose lines the inspector finds it. Of a call that threw only the TODOs are wrong up to the one that threw; of one that was to be refused
/// only what the refusal needs.
std::vector<std::string> states_of(const steps& all, const lab_result& what);

/// "05.1-05.3 ok, 05.4 next, 05.5-05.8 open"; "one of 05.1, 05.3-05.4 wrong", of at least one, and
/// "likely wrong" beside one that is ok so far.
std::string to_text(const std::vector<std::string>& states, const steps& all);

/// What to mend first: of the failures that wait for nothing the one whose last TODO comes first in the working order, or
/// else of those that wait. What was not called, because an earlier call did not end, comes behind that one; what a check
/// met aside behind what it asks for, and a refusal behind results.
struct first_failure {
    const check_result* check = nullptr;  // null if nothing fails
    std::string method;
    std::string subject;  // the case
    size_t last = 0;      // the place of the last TODO that it needs, or of the one that threw
    bool waits = false;
    bool not_run = false;
    bool aside = false;  // nothing that the check asks for
    bool of_refusal = false;
};
first_failure first_to_mend(const steps& all, const lab_result& what);

}  // namespace check
