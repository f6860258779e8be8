// report.json: what came of a lab's checks, for programs.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "check/outcome.h"

namespace check {

namespace {

constexpr size_t MOST_MESSAGES = 50;  // of one check; a report of a hundred broken cases says nothing more

nlohmann::ordered_json to_json(const check_outcome& check) {
    nlohmann::ordered_json entry;
    entry["name"] = check.name;
    entry["points"] = check.points();
    entry["of"] = check.of;
    entry["ran"] = check.ran;
    entry["passed"] = check.passed();
    entry["how"] = check.how();
    entry["seconds"] = check.seconds;
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

void write_json(const outcome& what, const std::string& path) {
    nlohmann::ordered_json report;
    report["schema"] = "convolution-workbook/report/v1";
    report["lab"] = what.lab;
    report["state"] = what.state();
    report["message"] = what.message();
    report["points"] = what.points();
    report["of"] = what.of();
    report["device"] = what.device;
    report["checks"] = nlohmann::ordered_json::array();
    for (const check_outcome& check : what.checks)
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
