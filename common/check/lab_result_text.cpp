// What a student sees of a run of the checks.
#include "check/lab_result_text.h"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "call/plain_text.h"
#include "check/terminal.h"

namespace check {

namespace {

constexpr size_t MOST_CASES_TOLD = 10;  // below the name of a check, before "and 5 more cases"
const std::string INDENT = "          ";

std::string number_of(const std::string& lab) {
    return lab.substr(0, lab.find('_'));
}

std::string name_of(const std::string& lab) {
    const size_t end = lab.find('_');
    return end == std::string::npos ? lab : lab.substr(end + 1);
}

/// What a cause is without its guess: "so far: no thread loads a pixel".
std::string only_fact(const std::string& likely) {
    const size_t begin = std::string("likely: ").size();
    return "so far: " + likely.substr(begin, likely.find(": ", begin) - begin);
}

/// The lines of all failures of the first failing case, each once. Where a TODO is not begun, wrong values have no
/// cause but that: of what was counted only the fact is told.
std::vector<std::string> lines_of_first_case(const check_result& what, bool waits) {
    std::vector<std::string> lines;
    bool image_told = false;  // a race gives every call of a case another one
    for (const failure& one : what.failures) {
        if (one.subject != what.failures.front().subject) continue;
        if (one.wrong_image && std::exchange(image_told, true)) continue;
        for (std::string line : one.lines) {
            if (waits && one.how == call_end::wrong_values && line.starts_with("likely: ")) {
                if (one.cause.from_output) continue;
                line = only_fact(line);
            }
            if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
        }
    }
    return lines;
}

/// Puts the cause of wrong values that another check has of the method below a count that is missed, which has none.
void tell_cause_of_values(check_result& counted, const lab_result& what, const first_failure& first,
                          const steps& todos) {
    if (first.waits || first.aside || counted.failures.empty()) return;
    failure& shown = counted.failures.front();
    const bool explained =
        std::any_of(counted.failures.begin(), counted.failures.end(), [&](const failure& one) {
            const auto is_likely = [](const std::string& line) { return line.starts_with("likely: "); };
            return one.subject == first.subject &&
                   (one.wrong_image || std::any_of(one.lines.begin(), one.lines.end(), is_likely));
        });
    if (explained || shown.how != call_end::missed_counts || shown.lines.empty()) return;
    for (const check_result& check : what.checks) {
        for (const failure& one : check.failures) {
            const bool known = one.wrong_image && one.cause.from_output && !todos.waits(check.name, one);
            if (one.method != first.method || !known) continue;
            shown.lines.insert(shown.lines.begin() + 1,
                               "likely: " + one.cause.text + " (so says another check: " + check.name + ")");
            return;
        }
    }
}

size_t count_cases(const check_result& what) {
    std::set<std::string> subjects;
    for (const failure& one : what.failures)
        subjects.insert(one.subject);
    return subjects.size();
}

/// After all points: the next lab by its folder, or what comes after the last. "" where there is no such lab.
std::string where_next(const std::string& lab) {
    std::set<std::string> labs;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("labs", none))
        labs.insert(entry.path().filename());
    if (!labs.contains(lab)) return "";
    const auto next = labs.upper_bound(lab);
    if (next == labs.end()) return "the last lab: make staircase draws what each of them brought\n";
    return fmt::format("next: read handouts/{}.md, then make lab{}\n", *next, number_of(*next));
}

}  // namespace

std::string lab_result_text::painted(const std::string& text, const char* colour) const {
    return colour_ ? colour + text + "\033[0m" : text;
}

std::string lab_result_text::header(const lab_result& what) const {
    std::string place = what.gpu ? what.device : "the CPU backend";
    if (!what.why.empty()) place += " (" + what.why + ")";
    const std::string note = what.unconfined.empty() ? "" : "note: " + what.unconfined + "\n";
    return fmt::format("{}  on {}\n{}\n",
                       painted(fmt::format("Lab {}  {}", number_of(what.lab), name_of(what.lab)), BOLD),
                       place, note);
}

/// One mistake fails many checks: its cause and the inspector's lines are told once.
std::vector<std::string> lab_result_text::without_shown(const std::vector<std::string>& lines) {
    std::vector<std::string> kept;
    for (const std::string& line : lines) {
        const bool cause = line.starts_with("likely: ");
        const bool seen = line.starts_with("inspector: ") || line.starts_with("printed: ");
        const bool known = (cause || seen) && !shown_.insert(line).second;
        if (!known) kept.push_back(line);
        if (known && cause) kept.push_back("likely: as above");
    }
    if (kept.empty()) kept.push_back("inspector: as above");
    return kept;
}

std::string lab_result_text::details(const check_result& what) {
    const failure& first = what.failures.front();
    std::vector<std::string> lines = lines_of_first_case(what, todos_.waits(what));
    const bool again = !is_judged(first.how) && !lines.empty() && !shown_.insert(lines.front()).second;
    if (first.how == call_end::not_run || again) {
        return INDENT + (again && first.how != call_end::not_run ? "again: " : "") +
               printable(lines.empty() ? std::string(to_text(first.how)) : lines.front()) + "\n";
    }
    lines = without_shown(lines);
    std::string text;
    if (!first.subject.empty()) text += INDENT + printable(first.subject) + "\n";
    for (size_t k = 0; k < std::min(lines.size(), MOST_CASES_TOLD); k++)
        text += INDENT + printable(lines[k]) + "\n";
    const size_t more = count_cases(what) - 1;
    if (more > 0)
        text += fmt::format("{}and {} more case{}{}\n", INDENT, more, more == 1 ? "" : "s",
                            what.cut ? "; others were not tried" : "");
    return text;
}

std::string lab_result_text::check(const check_result& what) {
    if (!what.ran) return "";
    const bool waits = todos_.waits(what);
    const std::string verdict = what.passed() ? painted("pass", GREEN)
                                : waits       ? "open"
                                              : painted("FAIL", RED);
    const std::string line =
        fmt::format("  {}  {:3} of {:<3}  {}\n", verdict, what.points(), what.of, what.name);
    return what.passed() || brief_ ? line : line + details(what);
}

std::string lab_result_text::start_with(const lab_result& what) {
    const first_failure first = first_to_mend(todos_, what);
    if (!first.check) return "";
    const std::vector<std::string> states = states_of(todos_, what);
    const size_t next = size_t(std::find(states.begin(), states.end(), "next") - states.begin());
    const bool on_the_way = first.waits && next < states.size();
    std::string text = (on_the_way ? todos_.id(next) + " is next, for: " : "start with: ") +
                       (first.aside ? "a store beside the memory that it is meant for" : first.check->name) +
                       "\n";
    if (!brief_) return text;
    check_result only = *first.check;
    std::erase_if(only.failures,
                  [&](const failure& one) { return one.method != first.method || one.aside != first.aside; });
    std::stable_partition(only.failures.begin(), only.failures.end(),
                          [&](const failure& one) { return one.subject == first.subject; });
    tell_cause_of_values(only, what, first, todos_);
    return text + details(only);
}

std::string lab_result_text::footer(const lab_result& what) {
    int points = 0, of = 0, skipped = 0;
    for (const check_result& check : what.checks) {
        skipped += !check.ran;
        if (!check.ran) continue;
        points += check.points();
        of += check.of;
    }
    const std::string states = to_text(states_of(todos_, what), todos_);
    std::string text = "\n" + (states.empty() ? "" : "TODO " + states + "\n") + start_with(what);
    if (brief_ && points < of) text += "\n";
    text += painted(fmt::format("{} of {} points", points, of), points == of ? GREEN : BOLD);
    if (!what.only.empty()) text += (of > 0 ? ", only " : ", no check is of ") + what.only;
    if (skipped > 0) text += fmt::format(", {} check{} not run", skipped, skipped == 1 ? "" : "s");
    text += "\n";
    if (points < of) {
        const char* rest = brief_ ? "; all else: ALL=1" : "";
        text += fmt::format("stuck: make hint{0}; what the kernel does: make inspect{0}{1}\n",
                            number_of(what.lab), rest);
    } else if (skipped == 0 && of > 0) {
        text += where_next(what.lab);
    }
    return text;
}

}  // namespace check
