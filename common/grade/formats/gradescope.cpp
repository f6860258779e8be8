// results.json of Gradescope.
#include "grade/formats/formats.h"
#include "grade/formats/json.h"
#include "grade/formats/words.h"

namespace grade {

using nlohmann::ordered_json;

static ordered_json test_of(const graded_lab& lab, size_t number) {
    const graded_check& check = lab.checks[number];
    const bool passed = outcome_of(check) == outcome::passed;
    ordered_json test;
    test["score"] = check.points;
    test["max_score"] = check.of;
    test["status"] = passed ? "passed" : "failed";
    test["name"] = json_line(name_of(lab, number));
    test["number"] = std::to_string(number + 1);
    test["output"] = json_text(check.messages.empty() ? outcome_word(check) : messages_of(check));
    test["output_format"] = "text";
    test["tags"] = ordered_json::array();
    if (!passed) test["tags"].push_back(json_line(outcome_word(check)));
    test["visibility"] = "visible";
    return test;
}

std::string gradescope_json(const graded_lab& lab) {
    if (!has_mark(lab)) return "";  // without a file Gradescope says that its autograder failed
    ordered_json result;
    result["score"] = lab.points;
    result["execution_time"] = lab.seconds;
    result["output"] = json_text(sentence_of(lab));
    result["output_format"] = "text";
    result["stdout_visibility"] = "hidden";  // of the autograder's own, which holds the seed
    result["extra_data"] = {{"lab", json_line(lab.lab)},
                            {"state", json_line(lab.state)},
                            {"source_hash", json_line(lab.source_hash)}};
    result["tests"] = ordered_json::array();
    for (size_t k = 0; k < lab.checks.size(); k++)
        result["tests"].push_back(test_of(lab, k));
    result["leaderboard"] = {{{"name", "points"}, {"value", lab.points}, {"order", "desc"}}};
    return json_file(result);
}

}  // namespace grade
