// result.json of Classroom 50 and the page beside it.
#include <cmath>
#include <regex>
#include <stdexcept>

#include "grade/formats/formats.h"
#include "grade/formats/json.h"
#include "report/words.h"

namespace grade {
namespace {

using nlohmann::ordered_json;

const std::regex& utc_time() {
    static const std::regex pattern(R"(\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ)");
    return pattern;
}

std::string or_else(const std::string& text, const std::string& otherwise) {
    return text.empty() ? otherwise : text;
}

void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(std::string("Classroom 50's ") + what);
}

void require_complete(const classroom_run& run) {
    require(!run.classroom.empty(), "classroom is missing");
    require(!run.assignment.empty(), "assignment is missing");
    require(run.assignment_type == "individual" || run.assignment_type == "group",
            "assignment_type is neither individual nor group");
    require(!run.owner.empty(), "owner is missing");
    require(run.submission.starts_with("submit/"), "submission does not begin with submit/");
    require(!run.commit.empty() && !run.release.empty() && !run.review.empty(),
            "commit, release or review is missing");
    require(std::regex_match(run.datetime, utc_time()), "datetime is not like 2026-06-01T14:33:11Z");
}

ordered_json test_of(const report::graded_lab& lab, size_t number) {
    const report::graded_check& check = lab.checks[number];
    return {{"test-name", json_line(report::name_of(lab, number))},
            {"passed", report::outcome_of(check) == report::outcome::passed},
            {"score", long(std::floor(check.points))},
            {"max-score", long(std::ceil(check.of))}};
}

}  // namespace

classroom_run local_run(const report::graded_lab& lab) {
    const std::string hash = or_else(lab.source_hash, "none");
    const std::string time =
        std::regex_match(lab.submitted, utc_time()) ? lab.submitted : "1970-01-01T00:00:00Z";
    classroom_run run;
    run.classroom = "local";
    run.assignment = or_else(lab.lab, "unknown");
    run.assignment_type = "individual";
    run.owner = or_else(lab.student, "unknown");
    run.submission = "submit/" + time + "-" + hash.substr(0, 7);
    run.commit = run.release = run.review = "sha256:" + hash;
    run.datetime = time;
    return run;
}

std::string classroom50_json(const report::graded_lab& lab, const classroom_run& run) {
    if (!report::has_mark(lab)) return "";  // whoever wanted it ends with an exit code that is not 0
    require_complete(run);
    ordered_json result;
    result["schema"] = "classroom50/result/v1";
    result["classroom"] = json_line(run.classroom);
    result["assignment"] = json_line(run.assignment);
    result["assignment_type"] = run.assignment_type;
    result["owner"] = json_line(run.owner);
    result["submission"] = json_line(run.submission);
    result["commit"] = json_line(run.commit);
    result["release"] = json_line(run.release);
    result["review"] = json_line(run.review);
    result["datetime"] = run.datetime;
    result["score"] = long(std::floor(lab.points));
    result["max-score"] = long(std::ceil(lab.of));
    result["tests"] = ordered_json::array();
    for (size_t k = 0; k < lab.checks.size(); k++)
        result["tests"].push_back(test_of(lab, k));
    return json_file(result);
}

std::string classroom50_page(const report::graded_lab& lab) {
    if (!report::has_mark(lab)) return "";
    std::string page = "## " + report::markdown_code(lab.lab) + "\n\n" +
                       report::markdown_code(report::sentence_of(lab)) + "\n";
    for (size_t k = 0; k < lab.checks.size(); k++) {
        const report::graded_check& check = lab.checks[k];
        page += "\n### " + report::markdown_code(report::name_of(lab, k)) + "\n\n" +
                report::markdown_code(report::outcome_word(check)) + ", " + report::amount(check.points) +
                " of " + report::amount(check.of) + " points\n";
        if (!check.messages.empty()) page += "\n" + report::markdown_block(report::messages_of(check));
    }
    return page;
}

}  // namespace grade
