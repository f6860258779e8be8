#include "compare.h"

#include <algorithm>
#include <sstream>

#include "model.h"

namespace fuzz {

namespace {

using std::to_string;
using lines = std::vector<std::string>;

bool starts_with(const std::string& text, const char* with) {
    return text.rfind(with, 0) == 0;
}

/// What the inspector calls an array.
std::string shown_name(const array& one) {
    return one.where == space::dynamic ? "dynamic_shared_memory" : one.name;
}

std::string values_line(const std::string& name, const std::vector<int64_t>& values) {
    std::string text = "value " + name;
    for (const int64_t one : values)
        text += " " + to_string(one);
    return text;
}

/// The first word that differs.
std::string first_difference(const std::string& expected, const std::string& seen) {
    std::istringstream a(expected), b(seen);
    std::string one, other;
    for (int k = -2; a >> one; k++) {
        other = "nothing";
        b >> other;
        if (one != other) return "value " + to_string(k) + ": expected " + one + ", got " + other;
    }
    return "more values than expected";
}

std::string compare_values(const outcome& expected, const lines& seen, const char* where) {
    std::string text;
    for (const auto& [name, values] : expected.values) {
        const std::string line = values_line(name, values);
        const auto same = std::find_if(seen.begin(), seen.end(), [&](const std::string& one) {
            return starts_with(one, ("value " + name + " ").c_str());
        });
        if (same == seen.end()) {
            text += std::string("    ") + where + ": no values of " + name + "\n";
        } else if (*same != line) {
            text += std::string("    ") + where + ": " + name + ", " + first_difference(line, *same) + "\n";
        }
    }
    for (const std::string& one : seen)
        if (starts_with(one, "error")) text += std::string("    ") + where + ": " + one + "\n";
    return text;
}

/// Shared atomics cost what their order makes them cost.
std::string text_of(const count& one, bool has_cost) {
    return to_string(one.lanes) + " lanes, " + to_string(one.requests) + " requests" +
           (has_cost ? ", cost " + to_string(one.cost) : "");
}

std::string compare_counts(const program& what, const outcome& expected, const lines& seen) {
    std::map<std::string, count> found;
    for (const std::string& one : seen) {
        if (!starts_with(one, "count ")) continue;
        std::istringstream in(one.substr(6));
        std::string kernel, variable, direction, equals;
        count what;
        in >> kernel >> variable >> direction >> equals >> what.lanes >> what.requests >> what.cost;
        found[kernel + " " + variable + " " + direction] = what;
    }
    std::string text;
    std::map<std::string, count> wanted;
    for (const auto& [key, one] : expected.counts) {
        std::istringstream in(key);
        std::string kernel, variable, direction;
        in >> kernel >> variable >> direction;
        for (const array& memory : what.arrays) {
            if (memory.name != variable) continue;
            const std::string shown = kernel + " " + shown_name(memory) + " " + direction;
            const bool is_shared_atomic =
                direction == "atomic" && (memory.where == space::shared || memory.where == space::dynamic);
            const count seen_here = found.count(shown) ? found[shown] : count{};
            found.erase(shown);
            if (!memory.is_compared) continue;
            const std::string before = text_of(one, !is_shared_atomic),
                              now = text_of(seen_here, !is_shared_atomic);
            if (before != now)
                text += "    counts: " + shown + ": expected " + before + ", got " + now + "\n";
        }
    }
    for (const auto& [key, one] : found)
        text += "    counts: " + key + ": expected none, got " + text_of(one, true) + "\n";
    return text;
}

struct told {
    fault what;
    std::string line;
};

std::vector<told> findings_in(const lines& seen) {
    std::vector<told> list;
    for (const std::string& one : seen) {
        if (!starts_with(one, "finding ")) continue;
        std::istringstream in(one.substr(8));
        told each;
        in >> each.what.kind >> each.what.line >> each.what.other_line >> each.what.variable;
        each.line = one;
        list.push_back(each);
    }
    return list;
}

/// Whether the finding says what the model says. An index outside of an array names no variable; a barrier that not
/// all reach may be told at any of those where threads wait.
bool is_same(const program& what, const fault& model, const fault& seen) {
    std::string name = model.variable;
    for (const array& one : what.arrays) {
        if (one.name == name) name = shown_name(one);
    }
    const bool is_index =
        seen.kind == "index-out-of-array" && (model.kind == "out-of-bounds" || model.kind == seen.kind);
    if (is_index) return seen.line == model.line;
    if (model.kind != seen.kind) return false;
    if (model.kind == "divergent-barrier") return true;
    if (seen.variable != name) return false;
    if (model.kind == "never-written") return true;
    if (model.other_line == 0) return model.line == seen.line;
    return model.line == std::min(seen.line, seen.other_line) &&
           model.other_line == std::max(seen.line, seen.other_line);
}

/// A read of what is unwritten because of an index beyond the array, or because of a race, needs no words of its own.
bool is_explained(const fault& model, const std::vector<told>& findings) {
    if (model.kind != "uninitialised-read") return false;
    return std::any_of(findings.begin(), findings.end(), [&](const told& each) {
        const fault& seen = each.what;
        if (seen.kind == "index-out-of-array") return seen.line == model.line;
        return seen.kind == "race" && (seen.line == model.line || seen.other_line == model.line);
    });
}

std::string text_of(const fault& one) {
    return one.kind + " of " + one.variable + " at line " + to_string(one.line) +
           (one.other_line ? " and " + to_string(one.other_line) : "");
}

/// Every finding must be the model's; of what the model says of one kind and variable something must be found.
std::string compare_findings(const program& what, const outcome& expected, const lines& seen) {
    const std::vector<told> findings = findings_in(seen);
    std::string text;
    const bool stops = std::any_of(expected.faults.begin(), expected.faults.end(), [](const fault& one) {
        return one.kind == "divergent-barrier" || one.kind == "misaligned";
    });
    std::map<std::string, std::pair<bool, std::string>> groups;
    for (const fault& one : expected.faults) {
        const bool is_found = std::any_of(findings.begin(), findings.end(),
                                          [&](const told& each) { return is_same(what, one, each.what); });
        auto& [found, words] = groups[one.kind + " " + one.variable];
        found |= is_found || is_explained(one, findings);
        words = text_of(one);
    }
    // One fault may hide another that follows from it; the first of the kinds that stop a launch hides all.
    bool any_found = false;
    for (const auto& [key, group] : groups)
        any_found |= group.first;
    for (const auto& [key, group] : groups) {
        if (group.first || (stops && any_found)) continue;
        text += "    missed: " + group.second + "\n";
    }
    for (const told& each : findings) {
        const auto is_this = [&](const fault& one) { return is_same(what, one, each.what); };
        const bool is_right = std::any_of(expected.faults.begin(), expected.faults.end(), is_this) ||
                              std::any_of(expected.may_be_told.begin(), expected.may_be_told.end(), is_this);
        if (!is_right && !(stops && any_found)) text += "    false alarm: " + each.line + "\n";
    }
    if (!text.empty()) {
        for (const fault& one : expected.faults)
            text += "      model: " + text_of(one) + "\n";
    }
    return text;
}

}  // namespace

transcript::transcript(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string>* now = nullptr;
    for (std::string line; std::getline(in, line);) {
        if (starts_with(line, "program ")) {
            now = &lines[std::atoi(line.c_str() + 8)];
        } else if (now) {
            now->push_back(line);
        } else {
            before += line + "\n";
        }
    }
}

const std::vector<std::string>* transcript::of(int program) const {
    const auto place = lines.find(program);
    return place == lines.end() ? nullptr : &place->second;
}

std::string difference(const program& what, const transcript& inspected, const transcript& plain) {
    const auto* seen = inspected.of(what.index);
    if (!seen) return "    inspected: it did not run\n" + inspected.rest();
    const outcome expected = run(what, false);
    std::string text = compare_findings(what, expected, *seen);
    if (what.planted.empty()) {
        text += compare_values(expected, *seen, "inspected");
        text += compare_counts(what, expected, *seen);
        const auto* also = plain.of(what.index);
        text +=
            also ? compare_values(expected, *also, "plain") : "    plain: it did not run\n" + plain.rest();
    }
    return text;
}

std::string value_difference(const program& what, const transcript& seen) {
    const auto* lines = seen.of(what.index);
    return lines ? compare_values(run(what, false), *lines, "values") : "    it did not run\n";
}

std::string kind_of_plant(const std::string& planted) {
    if (planted.empty()) return "nothing";
    const size_t at = planted.find_last_of(' ');
    const bool has_name =
        at != std::string::npos && planted.find_first_of("0123456789", at) != std::string::npos;
    return has_name ? planted.substr(0, at) : planted;
}

}  // namespace fuzz
