// The TODOs of a lab's file.
#include "check/steps.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>

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

/// Whether the TODO stands there, and below it the skeleton's code, up to the next TODO at the most. Where the skeleton
/// has that one first, a line of code is the student's.
bool has_skeleton(const std::vector<std::string>& lines, const std::string& id,
                  const std::vector<std::string>& skeleton) {
    const std::string mark = "// TODO ";
    auto line = std::find_if(lines.begin(), lines.end(), [&](const std::string& one) {
        return one.find(mark + id + " ") != std::string::npos;
    });
    if (line == lines.end()) return false;
    for (const std::string& expected : skeleton) {
        do {
            if (++line == lines.end() || line->find(mark) != std::string::npos) return true;
        } while (code_in(*line).empty());
        if (code_in(*line) != code_in(expected)) return false;
    }
    return true;
}

bool fails(const check_result& check, const std::string& method) {
    return std::any_of(check.failures.begin(), check.failures.end(),
                       [&](const failure& one) { return one.method == method; });
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

/// What is known of a TODO by the checks that see it first.
struct sight {
    size_t last = SIZE_MAX;  // the last TODO that these need
    bool passes = false, fails = false;
    bool missed = false;  // any check that needs it fails
};

}  // namespace

steps::steps(const std::filesystem::path& list, const std::filesystem::path& students_file) {
    const std::vector<std::string> lines = lines_in(students_file);
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
    } catch (const std::exception& error) {
        throw std::runtime_error(list.string() + ": " + error.what());
    }
}

std::vector<size_t> steps::needed(const std::string& check, const std::string& method) const {
    const auto known = needed_.find({check, method});
    return known == needed_.end() ? std::vector<size_t>() : known->second;
}

bool steps::waits(const std::string& check, const std::string& method) const {
    std::vector<size_t> places = needed(check, method);
    if (places.empty()) places = every(*this);
    return std::any_of(places.begin(), places.end(), [&](size_t place) { return is_untouched(place); });
}

bool steps::waits(const check_result& what) const {
    return !what.failures.empty() &&
           std::all_of(what.failures.begin(), what.failures.end(), [&](const failure& one) {
               return one.how != call_end::judge_failed && waits(what.name, one.method);
           });
}

std::vector<std::string> states_of(const steps& all, const lab_result& what) {
    std::vector<sight> seen(all.count());
    for (const check_result& check : what.checks) {
        for (const std::string& method : parts_of(check)) {
            const bool failed = fails(check, method);
            std::vector<size_t> needed = all.needed(check.name, method);
            if (needed.empty() && failed && all.count() > 0) needed = {all.count() - 1};
            for (size_t place : needed) {
                sight& one = seen[place];
                one.missed = one.missed || failed;
                if (needed.back() > one.last || (failed && all.waits(check.name, method))) continue;
                if (needed.back() < one.last) one = {needed.back(), false, false, one.missed};
                (failed ? one.fails : one.passes) = true;
            }
        }
    }
    std::vector<std::string> states;
    bool is_wrong = false, is_next = false;
    for (size_t place = 0; place < all.count(); place++) {
        const sight& one = seen[place];
        // What the skeleton has may do for some checks.
        const bool open = all.is_untouched(place) && (one.missed || !one.passes);
        is_wrong = is_wrong || one.fails;
        const bool next = open && !is_wrong && !is_next;
        is_next = is_next || next;
        states.push_back(one.fails ? "wrong" : next ? "next" : open ? "open" : one.passes ? "ok" : "written");
    }
    return states;
}

std::string to_text(const std::vector<std::string>& states, const steps& all) {
    std::string text;
    for (size_t begin = 0, end; begin < states.size(); begin = end) {
        for (end = begin + 1; end < states.size() && states[end] == states[begin];)
            end++;
        text += (text.empty() ? "" : ", ") + all.id(begin);
        if (end > begin + 1) text += "-" + all.id(end - 1);
        text += " " + states[begin];
    }
    return text;
}

first_failure first_to_mend(const steps& all, const lab_result& what) {
    first_failure first;
    for (const check_result& check : what.checks) {
        for (const failure& one : check.failures) {
            const std::vector<size_t> needed = all.needed(check.name, one.method);
            const first_failure candidate{&check, one.method, needed.empty() ? all.count() : needed.back(),
                                          all.waits(check.name, one.method)};
            const auto order = [](const first_failure& it) { return std::pair(it.waits, it.last); };
            if (!first.check || order(candidate) < order(first)) first = candidate;
        }
    }
    return first;
}

}  // namespace check
