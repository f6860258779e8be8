// report.json: what came of a lab's checks, for programs.
#include <algorithm>
#include <cerrno>
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

nlohmann::ordered_json to_json(const check_result& check) {
    nlohmann::ordered_json entry;
    entry["name"] = check.name;
    entry["points"] = check.points();
    entry["of"] = check.of;
    entry["ran"] = check.ran;
    entry["passed"] = check.passed();
    entry["how"] = check.how();
    entry["seconds"] = check.seconds;
    entry["wrong_images"] = std::count_if(check.failures.begin(), check.failures.end(),
                                          [](const failure& one) { return one.wrong_image; });
    entry["diagnoses"] = diagnoses_of(check);
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
