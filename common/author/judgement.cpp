// Reads the judge's JSON reports.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "author/promises.h"
#include "author/regions.h"
#include "call/call_end.h"

namespace author {
namespace {

/// The line of a log that says what went wrong: the first error, else the last line.
std::string reason_in(const std::filesystem::path& log) {
    if (!std::filesystem::exists(log)) return "no report (was it judged?)";
    std::string last = "no report, and an empty log";
    for (const std::string& line : lines_of(read_text(log))) {
        if (line.find("error") != std::string::npos) return line;
        if (!line.empty()) last = line;
    }
    return last;
}

}  // namespace

bool ledger::expect(bool promise, const std::string& otherwise) {
    if (promise)
        kept++;
    else
        broken.push_back(otherwise);
    return promise;
}

bool judgement::whole() const {
    return std::all_of(checks.begin(), checks.end(), [](const check_result& check) { return check.ran; });
}

bool judgement::crashed() const {
    for (const check_result& one : checks)
        if (check::is_word_of_trouble(one.how)) return true;
    return false;
}

std::string judgement::first_lost() const {
    for (const check_result& check : checks)
        if (check.points < check.of) return "'" + check.name + "': " + check.message;
    return "";
}

bool judgement::loses(const std::string& name) const {
    for (const check_result& check : checks)
        if (check.name == name && check.points < check.of) return true;
    return false;
}

int judgement::wrong_images() const {
    int sum = 0;
    for (const check_result& check : checks)
        sum += check.wrong_images;
    return sum;
}

judgement read_judgement(const std::filesystem::path& json) {
    judgement found;
    try {
        const auto report = nlohmann::json::parse(read_text(json));
        for (const auto& entry : report.at("checks")) {
            check_result check;
            check.name = entry.at("name");
            check.points = entry.at("points");
            check.of = entry.at("of");
            check.how = entry.value("how", "");
            for (const std::string message : entry.value("messages", nlohmann::json::array()))
                if (check.message.empty()) check.message = message.substr(0, message.find('\n'));
            check.ran = entry.value("ran", true);
            check.failing = entry.value("failing", std::vector<std::string>());
            check.wrong_images = entry.value("wrong_images", 0);
            for (const auto& found : entry.value("diagnoses", nlohmann::json::array())) {
                check.diagnosed.insert(found.at("id"));
                if (found.at("from") == "output") check.diagnosed_from_output.insert(found.at("id"));
            }
            found.checks.push_back(check);
        }
        found.start_with = report.value("start_with", "");
        for (const auto& entry : report.value("todos", nlohmann::json::array()))
            found.todos[entry.at("id")] = entry.at("state");
        found.points = report.at("points");
        found.of = report.at("of");
    } catch (const std::exception&) {
        found.trouble = reason_in(std::filesystem::path(json).replace_extension(".log"));
    }
    return found;
}

}  // namespace author
