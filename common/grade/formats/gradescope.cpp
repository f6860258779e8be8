// results.json of Gradescope.
#include <algorithm>

#include "grade/formats/formats.h"
#include "grade/formats/json.h"
#include "grade/formats/question_lab.h"
#include "report/words.h"

namespace grade {

using nlohmann::ordered_json;

namespace {

ordered_json test_of(const report::graded_lab& lab, size_t number, const std::string& prefix) {
    const report::graded_check& check = lab.checks[number];
    const bool passed = report::outcome_of(check) == report::outcome::passed;
    ordered_json test;
    test["score"] = check.points;
    test["max_score"] = check.of;
    test["status"] = passed ? "passed" : "failed";
    test["name"] = json_line(prefix + report::name_of(lab, number));
    test["number"] = std::to_string(number + 1);
    test["output"] =
        json_text(check.messages.empty() ? report::outcome_word(check) : report::messages_of(check));
    test["output_format"] = "text";
    test["tags"] = ordered_json::array();
    if (!passed) test["tags"].push_back(json_line(report::outcome_word(check)));
    test["visibility"] = "visible";
    return test;
}

/// Of one lab as it is, of several as a list.
ordered_json facts_of(const std::vector<report::graded_lab>& labs) {
    ordered_json facts = ordered_json::array();
    for (const report::graded_lab& lab : labs)
        facts.push_back({{"lab", json_line(lab.lab)},
                         {"state", json_line(lab.state)},
                         {"source_hash", json_line(lab.source_hash)}});
    return labs.size() == 1 ? facts[0] : ordered_json{{"labs", facts}};
}

}  // namespace

std::string gradescope_json(const std::vector<report::graded_lab>& labs) {
    // Without a score Gradescope says that its autograder failed.
    if (labs.empty() || !std::all_of(labs.begin(), labs.end(), report::has_mark)) return "";
    double points = 0, seconds = 0;
    std::string sentences;
    ordered_json tests = ordered_json::array();
    for (const report::graded_lab& lab : labs) {
        const std::string prefix = labs.size() == 1 ? "" : title_of(lab) + ": ";
        points += lab.points;
        seconds += lab.seconds;
        sentences += (sentences.empty() ? "" : "\n") + prefix + report::sentence_of(lab);
        for (size_t k = 0; k < lab.checks.size(); k++)
            tests.push_back(test_of(lab, k, prefix));
    }
    ordered_json result;
    result["score"] = points;
    result["execution_time"] = seconds;
    result["output"] = json_text(sentences);
    result["output_format"] = "text";
    result["stdout_visibility"] = "hidden";  // of the autograder's own, which is for instructors
    result["extra_data"] = facts_of(labs);
    result["tests"] = tests;
    result["leaderboard"] = {{{"name", "points"}, {"value", points}, {"order", "desc"}}};
    return json_file(result);
}

std::string gradescope_json(const report::graded_lab& lab) {
    return gradescope_json(std::vector<report::graded_lab>{lab});
}

}  // namespace grade
