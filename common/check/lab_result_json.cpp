// report.json: what came of a lab's checks, for programs.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "check/lab_result.h"

namespace check {

namespace {

constexpr size_t MOST_MESSAGES = 50;  // of one check; a report of a hundred broken cases says nothing more
constexpr size_t MOST_COUNTS = 20;    // of one check

/// What was diagnosed in a check's wrong images: [{"id": one of causes.h, "from": "output" or "inspector",
/// "cases": in how many, "text": of the first}], in the order in which they came.
nlohmann::ordered_json diagnoses_of(const check_result& check) {
    auto list = nlohmann::ordered_json::array();
    for (const failure& one : check.failures) {
        if (one.cause.id.empty()) continue;
        const std::string from = one.cause.from_output ? "output" : "inspector";
        const auto known = std::find_if(list.begin(), list.end(), [&](const auto& entry) {
            return entry["id"] == one.cause.id && entry["from"] == from;
        });
        if (known != list.end())
            (*known)["cases"] = int((*known)["cases"]) + 1;
        else
            list.push_back({{"id", one.cause.id}, {"from", from}, {"cases", 1}, {"text", one.cause.text}});
    }
    return list;
}

/// What a check counts, the worst of each: [{"what", "now", "right", "passes_at", "at_least", "met"}].
nlohmann::ordered_json counts_of(const check_result& check) {
    auto list = nlohmann::ordered_json::array();
    for (const expected_count& one : worst_of_each(check.counts)) {
        if (list.size() == MOST_COUNTS) break;
        if (!one.asked || !std::isfinite(one.now)) continue;
        list.push_back({{"what", one.subject.substr(0, one.subject.find(':')) + ": " + one.what.words()},
                        {"now", one.now},
                        {"right", one.right},
                        {"passes_at", one.passes_at},
                        {"at_least", one.at_least},
                        {"met", one.met}});
    }
    return list;
}

/// Of its first wrong image: {"case", "width", "height", "cell_width", "cell_height", "rows"}; nothing if there
/// is none.
nlohmann::ordered_json picture_in(const check_result& check) {
    for (const failure& one : check.failures) {
        const wrong_picture& picture = one.picture;
        if (picture.width == 0) continue;
        return {{"case", one.subject},
                {"width", picture.width},
                {"height", picture.height},
                {"cell_width", picture.cell_width},
                {"cell_height", picture.cell_height},
                {"rows", picture.rows}};
    }
    return nullptr;
}

/// Those of its methods that fail, in the order in which they did; "" for a failure that is of none.
std::vector<std::string> failing_methods(const check_result& check) {
    std::vector<std::string> names;
    for (const failure& one : check.failures)
        if (std::find(names.begin(), names.end(), one.method) == names.end()) names.push_back(one.method);
    return names;
}

nlohmann::ordered_json to_json(const check_result& check) {
    nlohmann::ordered_json entry;
    entry["name"] = check.name;
    entry["points"] = check.points();
    entry["of"] = check.of;
    entry["ran"] = check.ran;
    entry["passed"] = check.passed();
    entry["how"] = check.how();
    entry["methods"] = check.methods;
    entry["failing"] = failing_methods(check);
    entry["seconds"] = check.seconds;
    entry["wrong_images"] = std::count_if(check.failures.begin(), check.failures.end(),
                                          [](const failure& one) { return one.wrong_image; });
    entry["diagnoses"] = diagnoses_of(check);
    entry["counts"] = counts_of(check);
    if (const auto picture = picture_in(check); !picture.is_null()) entry["picture"] = picture;
    entry["messages"] = nlohmann::ordered_json::array();
    for (const failure& one : check.failures) {
        if (entry["messages"].size() == MOST_MESSAGES) break;
        std::string text = one.subject;
        for (const std::string& line : one.lines)
            text += (text.empty() ? "" : "\n") + line;
        entry["messages"].push_back(text);
    }
    return entry;
}

}  // namespace

void write_json(const lab_result& what, const std::string& path) {
    nlohmann::ordered_json report;
    report["schema"] = "convolution-workbook/report/v1";
    report["lab"] = what.lab;
    report["state"] = what.state();
    report["message"] = what.message();
    report["points"] = what.points();
    report["of"] = what.of();
    report["device"] = what.device;
    report["unconfined"] = what.unconfined;
    report["start_with"] = what.start_with;
    report["todos"] = nlohmann::ordered_json::array();
    for (const auto& [id, state] : what.todos)
        report["todos"].push_back({{"id", id}, {"state", state}});
    report["checks"] = nlohmann::ordered_json::array();
    for (const check_result& check : what.checks)
        report["checks"].push_back(to_json(check));

    const std::string temporary = path + ".part";
    std::ofstream file(temporary);
    // A student's text need not be UTF-8.
    file << report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    file.close();
    if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) {
        const int trouble = errno;
        std::remove(temporary.c_str());
        throw std::runtime_error(path + ": cannot be written: " + std::strerror(trouble));
    }
}

}  // namespace check
