// JUnit's XML, which continuous integration shows.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "grade/formats/formats.h"
#include "report/escape.h"
#include "report/words.h"

namespace grade {
namespace {

struct test_case {
    std::string name;
    double seconds;
    report::outcome how;
    std::string message, text;  // of what is not passed: one line, and all
};

std::string attribute(const std::string& name, const std::string& value) {
    return " " + name + "=\"" + report::xml_text(report::visible(value, false)) + "\"";
}

std::string property(const std::string& name, const std::string& value) {
    return "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

/// A state other than "checked", as a case: nothing was handed in, or somebody was in trouble.
test_case case_of_state(const report::graded_lab& lab) {
    const report::outcome how =
        lab.state == "not_submitted" ? report::outcome::not_run : report::outcome::in_trouble;
    return {"submission", 0.0, how, report::sentence_of(lab), ""};
}

std::vector<test_case> cases_of(const report::graded_lab& lab) {
    std::vector<test_case> cases;
    if (lab.state != "checked") cases.push_back(case_of_state(lab));
    for (size_t k = 0; k < lab.checks.size(); k++) {
        const report::graded_check& check = lab.checks[k];
        const std::string all = report::messages_of(check), first = all.substr(0, all.find('\n'));
        cases.push_back({report::name_of(lab, k), check.seconds, report::outcome_of(check),
                         report::outcome_word(check) + (first.empty() ? "" : ": " + first), all});
    }
    return cases;
}

/// What a case holds that did not pass.
std::string element_of(const test_case& one) {
    const std::string message = attribute("message", one.message);
    if (one.how == report::outcome::passed) return "";
    if (one.how == report::outcome::not_run) return "      <skipped" + message + "/>\n";
    const std::string name = one.how == report::outcome::failed ? "failure" : "error";
    return "      <" + name + message + attribute("type", name) + ">" + report::xml_text(one.text) + "</" +
           name + ">\n";
}

std::string to_xml(const test_case& one, const std::string& lab) {
    const std::string head = "    <testcase" + attribute("name", one.name) + attribute("classname", lab) +
                             attribute("time", fmt::format("{:.3f}", one.seconds));
    const std::string inside = element_of(one);
    return inside.empty() ? head + "/>\n" : head + ">\n" + inside + "    </testcase>\n";
}

std::string properties_of(const report::graded_lab& lab) {
    std::string all = property("student", lab.student) + property("state", lab.state);
    if (report::has_mark(lab))
        all += property("points", report::amount(lab.points)) + property("of", report::amount(lab.of));
    all += property("source_hash", lab.source_hash) + property("submitted", lab.submitted);
    for (size_t k = 0; k < lab.checks.size(); k++) {
        const report::graded_check& check = lab.checks[k];
        all += property("points: " + report::name_of(lab, k),
                        report::amount(check.points) + " of " + report::amount(check.of));
    }
    return "    <properties>\n" + all + "    </properties>\n";
}

}  // namespace

std::string junit_xml(const report::graded_lab& lab) {
    const std::vector<test_case> cases = cases_of(lab);
    const auto count = [&](report::outcome how) {
        return std::to_string(
            std::count_if(cases.begin(), cases.end(), [=](const test_case& one) { return one.how == how; }));
    };
    std::string suite = "  <testsuite" + attribute("name", lab.lab) +
                        attribute("tests", std::to_string(cases.size())) +
                        attribute("failures", count(report::outcome::failed)) +
                        attribute("errors", count(report::outcome::in_trouble)) +
                        attribute("skipped", count(report::outcome::not_run)) +
                        attribute("time", fmt::format("{:.3f}", lab.seconds)) + ">\n" + properties_of(lab);
    for (const test_case& one : cases)
        suite += to_xml(one, lab.lab);
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suite +
           "  </testsuite>\n</testsuites>\n";
}

}  // namespace grade
