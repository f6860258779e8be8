// The TODOs of a lab's file.
#include "check/steps.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "call/code_line.h"

namespace check {

namespace {

std::ifstream opened(const std::filesystem::path& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path.string() + ": cannot be read");
    return file;
}

std::vector<std::string> lines_in(const std::filesystem::path& path) {
    std::ifstream file = opened(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

/// "05.3" of the line of this TODO, "" of others.
std::string todo_in(const std::string& line) {
    const std::string mark = "// TODO ";
    const size_t begin = line.find(mark);
    std::string id;
    if (begin != std::string::npos) std::istringstream(line.substr(begin + mark.size())) >> id;
    return id;
}

/// Whether the TODO stands there, and below it the skeleton's code, up to the next TODO at the most. Where the skeleton
/// has that one first, a line of code is the student's.
bool has_skeleton(const std::vector<std::string>& lines, const std::string& id,
                  const std::vector<std::string>& skeleton) {
    auto line =
        std::find_if(lines.begin(), lines.end(), [&](const std::string& one) { return todo_in(one) == id; });
    if (line == lines.end()) return false;
    for (const std::string& expected : skeleton) {
        do {
            if (++line == lines.end() || !todo_in(*line).empty()) return true;
        } while (code_in(*line).empty());
        if (code_in(*line) != code_in(expected)) return false;
    }
    return true;
}

/// Whether it misses what the check asks for.
bool fails(const check_result& check, const std::string& method) {
    return std::any_of(check.failures.begin(), check.failures.end(),
                       [&](const failure& one) { return one.method == method && !one.aside; });
}

/// The TODO in which all failures of the method threw that wait for nothing, or all there are; count() if there is none
/// such.
size_t thrower(const steps& all, const check_result& check, const std::string& method) {
    std::set<size_t> places, of_all;
    for (const failure& one : check.failures) {
        if (one.method != method || one.aside) continue;
        of_all.insert(all.at(one.place));
        if (!all.waits(check.name, one)) places.insert(all.at(one.place));
    }
    if (places.empty()) places = of_all;
    return places.size() == 1 ? *places.begin() : all.count();
}

/// Whether all that it misses are refusals.
bool fails_to_refuse(const check_result& check, const std::string& method) {
    return fails(check, method) &&
           std::all_of(check.failures.begin(), check.failures.end(), [&](const failure& one) {
               return one.method != method || one.aside || one.of_refusal;
           });
}

bool fails_aside(const lab_result& what) {
    return std::any_of(what.checks.begin(), what.checks.end(), [](const check_result& check) {
        return std::any_of(check.failures.begin(), check.failures.end(),
                           [](const failure& one) { return one.aside; });
    });
}

/// The parts of a check that were run, by method.
std::set<std::string> parts_of(const check_result& check) {
    std::set<std::string> parts(check.methods.begin(), check.methods.end());
    for (const failure& one : check.failures)
        parts.insert(one.method);
    return parts;
}

std::vector<size_t> every(const steps& all) {
    std::vector<size_t> places(all.count());
    std::iota(places.begin(), places.end(), size_t{0});
    return places;
}

/// Places that a part of a check needs which passes: its other parts fail for something else.
std::set<size_t> cleared_by(const check_result& check, const steps& all) {
    std::set<size_t> cleared;
    for (const std::string& method : parts_of(check)) {
        if (fails(check, method)) continue;
        const std::vector<size_t> needed = all.needed(check.name, method);
        cleared.insert(needed.begin(), needed.end());
    }
    return cleared;
}

bool overlap(const std::vector<size_t>& places, const std::set<size_t>& others) {
    return std::any_of(places.begin(), places.end(), [&](size_t place) { return others.contains(place); });
}

/// Places that may be to blame for what the method fails, in order: those that the check needs, of a call that threw
/// none behind the one that threw, or all where no line's place is known, and of a missing refusal what that alone
/// needs. The last one where nothing is known.
std::vector<size_t> blamed(const check_result& check, const std::string& method, const steps& all) {
    std::vector<size_t> places =
        fails_to_refuse(check, method) ? all.own(check.name, method) : all.needed(check.name, method);
    const bool threw_somewhere =
        !all.knows_places() && std::ranges::any_of(check.failures, [&](const failure& one) {
            return one.method == method && !one.aside && !one.place.empty();
        });
    if (threw_somewhere) return every(all);
    const size_t threw = thrower(all, check, method);
    if (threw < all.count()) {
        std::erase_if(places, [&](size_t place) { return place >= threw; });
        places.push_back(threw);
    }
    if (places.empty() && fails(check, method) && all.count() > 0) places = {all.count() - 1};
    return places;
}

/// Whether all that the method needs for what it fails does for another one that passes.
bool does_for_others(const std::vector<size_t>& needed, const std::set<size_t>& cleared) {
    return !needed.empty() &&
           std::ranges::all_of(needed, [&](size_t place) { return cleared.contains(place); });
}

/// Where all that the method needs for its first failure does for another method: what is written that only other
/// checks of it need, as a kernel of its own for some filters. None otherwise, or where all of that passes somewhere.
std::set<size_t> needed_elsewhere(const first_failure& first, const lab_result& what, const steps& all) {
    if (!first.check || first.waits) return {};
    const std::vector<size_t> needed = all.needed(first.check->name, first.method);
    if (!does_for_others(needed, cleared_by(*first.check, all))) return {};
    std::set<size_t> places;
    for (const check_result& check : what.checks)
        for (const size_t place : all.needed(check.name, first.method))
            if (!all.is_untouched(place)) places.insert(place);
    for (const check_result& check : what.checks)
        for (const size_t place : cleared_by(check, all))
            places.erase(place);
    return places;
}

/// Places that the first mistake may be in; none where it waits for a TODO.
std::set<size_t> suspects_of(const first_failure& first, const steps& all) {
    if (!first.check || first.waits) return {};
    const std::vector<size_t> needed = blamed(*first.check, first.method, all);
    const std::set<size_t> cleared = cleared_by(*first.check, all);
    std::set<size_t> suspects;
    for (const size_t place : needed) {
        if (!cleared.contains(place)) suspects.insert(place);
    }
    return suspects.empty() ? std::set<size_t>(needed.begin(), needed.end()) : suspects;
}

/// Places in whose lines the inspector finds the first mistake, of those that its check needs: where it shows at least.
std::set<size_t> found_in(const first_failure& first, const steps& all) {
    // "inspector: file.cu:41: .. is written here and read at line 43 ..".
    static const std::regex line_of(R"(inspector: ([^:]+):(\d+): (?:.* at line (\d+) .*)?)");
    if (!first.check || first.waits) return {};
    const std::vector<size_t> needed = all.needed(first.check->name, first.method);
    std::set<size_t> places;
    for (const failure& one : first.check->failures) {
        if (one.method != first.method || one.subject != first.check->failures.front().subject) continue;
        for (const std::string& line : one.lines) {
            std::smatch match;
            if (!std::regex_search(line, match, line_of, std::regex_constants::match_continuous)) continue;
            if (line.find(" never freed") != std::string::npos)
                continue;  // there it was made, and rightly so
            for (const auto& number : {match[2], match[3]}) {
                const size_t place = all.at(match[1].str() + ":" + number.str());
                if (std::find(needed.begin(), needed.end(), place) != needed.end()) places.insert(place);
            }
        }
    }
    return places;
}

/// What is known of a TODO by the checks that see it first.
struct sight {
    size_t last = SIZE_MAX;  // the last TODO that these need
    bool passes = false, fails = false;
    bool missed = false;   // any check that needs it fails
    bool doubted = false;  // one of them may fail for it: it waits for nothing else
    bool asked = false;    // any check needs it that was run
};

bool asks_for_untouched(const std::vector<sight>& seen, const steps& all) {
    for (size_t place = 0; place < seen.size(); place++)
        if (seen[place].asked && all.is_untouched(place)) return true;
    return false;
}

}  // namespace

steps::steps(const std::filesystem::path& list, const std::filesystem::path& students_file) {
    const std::vector<std::string> lines = lines_in(students_file);
    const std::string name = students_file.filename();
    std::ifstream file = opened(list);
    try {
        const auto known = nlohmann::json::parse(file);
        std::map<std::string, size_t> places;
        for (const auto& entry : known.at("todos")) {
            const std::string id = entry.at("id");
            places[id] = todos_.size();
            todos_.push_back({id, has_skeleton(lines, id, entry.at("skeleton"))});
        }
        for (const auto& [check, methods] : known.at("needed").items()) {
            for (const auto& [method, ids] : methods.items()) {
                std::istringstream words(ids.get<std::string>());
                for (std::string id; words >> id;)
                    needed_[{check, method}].push_back(places.at(id));
            }
        }
        size_t current = count();
        for (size_t k = 0; k < lines.size(); k++) {
            const auto begun = places.find(todo_in(lines[k]));
            current = lines[k].starts_with("}") ? count() : begun != places.end() ? begun->second : current;
            places_[name + ":" + std::to_string(k + 1)] = current;
        }
    } catch (const std::exception& error) {
        throw std::runtime_error(list.string() + ": " + error.what());
    }
}

size_t steps::at(const std::string& place) const {
    const auto known = places_.find(place);
    return known == places_.end() ? count() : known->second;
}

bool steps::knows_places() const {
    return std::ranges::any_of(places_, [&](const auto& line) { return line.second < count(); });
}

std::vector<size_t> steps::needed(const std::string& check, const std::string& method) const {
    const auto known = needed_.find({check, method});
    return known == needed_.end() ? std::vector<size_t>() : known->second;
}

std::vector<size_t> steps::own(const std::string& check, const std::string& method) const {
    const std::vector<size_t> all = needed(check, method);
    std::vector<size_t> places;
    for (const size_t place : all) {
        int with = 0, without = 0;
        for (const auto& [asked, by] : needed_) {
            if (asked.first == check || asked.second != method) continue;
            (std::find(by.begin(), by.end(), place) != by.end() ? with : without)++;
        }
        if (with < without) places.push_back(place);
    }
    return places.empty() ? all : places;
}

bool steps::waits(const std::string& check, const std::string& method) const {
    std::vector<size_t> places = needed(check, method);
    if (places.empty()) places = every(*this);
    return std::any_of(places.begin(), places.end(), [&](size_t place) { return is_untouched(place); });
}

bool steps::waits(const std::string& check, const failure& one) const {
    const size_t threw = at(one.place);
    if (threw == count()) return waits(check, one.method);
    const std::vector<size_t> places = needed(check, one.method);
    return is_untouched(threw) || std::any_of(places.begin(), places.end(), [&](size_t place) {
               return place < threw && is_untouched(place);
           });
}

bool steps::waits(const check_result& what) const {
    return !what.failures.empty() &&
           std::all_of(what.failures.begin(), what.failures.end(), [&](const failure& one) {
               return one.how != call_end::judge_failed && waits(what.name, one);
           });
}

std::vector<std::string> states_of(const steps& all, const lab_result& what) {
    std::vector<sight> seen(all.count());
    const first_failure first = first_to_mend(all, what);
    std::set<size_t> suspects = suspects_of(first, all);
    suspects.merge(needed_elsewhere(first, what, all));
    const std::set<size_t> found = found_in(first, all);
    for (const check_result& check : what.checks) {
        const std::set<size_t> cleared = cleared_by(check, all);
        for (const std::string& method : parts_of(check)) {
            const bool failed = fails(check, method);
            for (size_t place : all.needed(check.name, method))
                seen[place].asked = true;
            const std::vector<size_t> needed = blamed(check, method, all);
            const bool others_left = !does_for_others(needed, cleared);
            for (size_t place : needed) {
                sight& one = seen[place];
                one.missed = one.missed || failed;
                // It may fail for what another TODO has wrong; what does for one method need not do for all.
                const bool does_elsewhere = failed && others_left && cleared.contains(place);
                const bool another =
                    does_elsewhere || (failed && !suspects.contains(place) && overlap(needed, suspects));
                const bool waits =
                    failed && thrower(all, check, method) == all.count() && all.waits(check.name, method);
                one.doubted = one.doubted || (failed && !waits && (does_elsewhere || !another));
                if (needed.back() > one.last || another || waits) continue;
                if (needed.back() < one.last) one.last = needed.back(), one.passes = one.fails = false;
                (failed ? one.fails : one.passes) = true;
            }
        }
    }
    std::vector<std::string> states;
    bool is_wrong = false, is_next = false;
    // A mistake of the first failure lies before this place, unless the line that threw says more.
    const size_t unplaced =
        first.check && thrower(all, *first.check, first.method) == all.count() ? first.last : 0;
    const bool aside = fails_aside(what), any_asked = asks_for_untouched(seen, all);
    for (size_t place = 0; place < all.count(); place++) {
        sight& one = seen[place];
        // What no check could see yet is where a mistake lies that none asked for, or may lie that others met: a
        // check does without a TODO where the skeleton's line does, not where any other does.
        const bool unseen = !one.passes && !all.is_untouched(place);
        one.fails = one.fails || (found.contains(place) && !all.is_untouched(place));
        one.fails = one.fails || (unseen && (aside || (one.asked && !suspects.empty() && place < unplaced)));
        // What the skeleton has may do for some checks.
        const bool open = all.is_untouched(place) && (one.missed || !one.passes);
        is_wrong = is_wrong || one.fails;
        // Where only some methods were asked for, others' TODOs can wait.
        const bool next = open && !is_wrong && !is_next && (one.asked || !any_asked);
        is_next = is_next || next;
        states.push_back(one.fails     ? "wrong"
                         : next        ? "next"
                         : open        ? "open"
                         : !one.passes ? "written"
                         : one.doubted ? "ok so far"
                                       : "ok");
    }
    return states;
}

std::string to_text(const std::vector<std::string>& states, const steps& all) {
    std::string text, wrong;
    size_t wrong_at = std::string::npos;
    for (size_t begin = 0, end; begin < states.size(); begin = end) {
        for (end = begin + 1; end < states.size() && states[end] == states[begin];)
            end++;
        const std::string range = all.id(begin) + (end > begin + 1 ? "-" + all.id(end - 1) : "");
        const auto listed = [&](std::string& list) { list += (list.empty() ? "" : ", ") + range; };
        if (states[begin] != "wrong") {
            listed(text);
            text += " " + states[begin];
            continue;
        }
        wrong_at = std::min(wrong_at, text.size());
        listed(wrong);
    }
    if (wrong.empty()) return text;
    // All in one place: the mistake is one of them, if none of those that are ok so far.
    const bool one = std::count(states.begin(), states.end(), "wrong") == 1;
    const bool sure = std::find(states.begin(), states.end(), "ok so far") == states.end();
    const std::string words = (one ? "" : "one of ") + wrong + (sure ? " wrong" : " likely wrong");
    if (wrong_at == text.size()) return text + (text.empty() ? "" : ", ") + words;
    return text.insert(wrong_at, wrong_at == 0 ? words + ", " : ", " + words);
}

first_failure first_to_mend(const steps& all, const lab_result& what) {
    first_failure first;
    for (const check_result& check : what.checks) {
        for (const failure& one : check.failures) {
            const std::vector<size_t> needed = all.needed(check.name, one.method);
            const bool waits = all.waits(check.name, one);
            const size_t threw = all.at(one.place);
            const bool placed = !waits && threw < all.count();  // no later TODO is to blame
            const size_t last = needed.empty() ? all.count() : needed.back();
            const first_failure candidate{&check,      one.method,
                                          one.subject, placed ? std::min(last, threw) : last,
                                          waits,       one.how == call_end::not_run,
                                          one.aside,   one.of_refusal};
            const auto order = [](const first_failure& it) {
                return std::tuple(it.waits, it.not_run, it.aside, it.last, it.of_refusal);
            };
            if (!first.check || order(candidate) < order(first)) first = candidate;
        }
    }
    return first;
}

}  // namespace check
