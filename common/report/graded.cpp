// Reads reports: files of ours, but about a student's program, whose words they hold.
#include "report/graded.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "report/bounded_json.h"

namespace report {
namespace {

constexpr size_t MOST_CHECKS = 200, MOST_MESSAGES = 50;
constexpr size_t MOST_CAUSES = 10, MOST_COUNTS = 20, MOST_CELLS = 100;
constexpr double MOST_COUNTED = 1e18, MOST_PIXELS = 1e9;
constexpr double MOST_POINTS = 1000, MOST_SECONDS = 1e7;
constexpr double ROUNDING = 1e-6;  // of a sum of points

using nlohmann::json;

double optional_seconds(const json& from) {
    return from.contains("seconds") ? number(from, "seconds", 0, MOST_SECONDS) : 0.0;
}

std::vector<std::string> messages_of(const json& from) {
    std::vector<std::string> all;
    if (!from.contains("messages")) return all;
    for (const json& one : from.at("messages")) {
        if (all.size() == MOST_MESSAGES) break;
        all.push_back(cut(one.get<std::string>(), LONGEST_TEXT));
    }
    return all;
}

std::vector<std::string> causes_of(const json& from) {
    std::vector<std::string> all;
    if (!from.contains("diagnoses")) return all;
    for (const json& one : from.at("diagnoses")) {
        if (all.size() == MOST_CAUSES) break;
        all.push_back(cut(one.at("text").get<std::string>(), LONGEST_TEXT));
    }
    return all;
}

std::vector<graded_count> counts_of(const json& from) {
    std::vector<graded_count> all;
    if (!from.contains("counts")) return all;
    for (const json& one : from.at("counts")) {
        if (all.size() == MOST_COUNTS) break;
        graded_count count;
        count.what = cut(one.at("what").get<std::string>(), LONGEST_NAME);
        count.now = number(one, "now", 0, MOST_COUNTED);
        count.right = number(one, "right", 0, MOST_COUNTED);
        count.passes_at = number(one, "passes_at", 0, MOST_COUNTED);
        count.at_least = one.at("at_least").get<bool>();
        count.met = one.at("met").get<bool>();
        all.push_back(count);
    }
    return all;
}

graded_picture picture_of(const json& from) {
    graded_picture picture;
    if (!from.contains("picture")) return picture;
    const json& drawn = from.at("picture");
    picture.subject = cut(drawn.at("case").get<std::string>(), LONGEST_TEXT);
    picture.width = int(number(drawn, "width", 1, MOST_PIXELS));
    picture.height = int(number(drawn, "height", 1, MOST_PIXELS));
    picture.cell_width = int(number(drawn, "cell_width", 1, MOST_PIXELS));
    picture.cell_height = int(number(drawn, "cell_height", 1, MOST_PIXELS));
    for (const json& row : drawn.at("rows"))
        picture.rows.push_back(row.get<std::string>());
    const bool small = !picture.rows.empty() && picture.rows.size() <= MOST_CELLS &&
                       std::all_of(picture.rows.begin(), picture.rows.end(), [&](const std::string& row) {
                           return row.size() == picture.rows[0].size() && row.size() <= MOST_CELLS;
                       });
    if (!small) throw std::runtime_error("a picture has no rows of the same length, or more than 100");
    return picture;
}

graded_check read_check(const json& from) {
    graded_check check;
    check.name = cut(from.at("name").get<std::string>(), LONGEST_NAME);
    check.of = number(from, "of", 0, MOST_POINTS);
    check.points = number(from, "points", 0, check.of);
    check.ran = from.at("ran").get<bool>();
    check.passed = from.at("passed").get<bool>();
    check.how = optional_text(from, "how", LONGEST_NAME);
    check.messages = messages_of(from);
    check.causes = causes_of(from);
    check.counts = counts_of(from);
    check.picture = picture_of(from);
    check.seconds = optional_seconds(from);
    if (check.points > 0 && !check.ran) throw std::runtime_error("a check that did not run gives points");
    return check;
}

std::vector<graded_check> read_checks(const json& list) {
    if (!list.is_array()) throw std::runtime_error("checks is not a list");
    if (list.size() > MOST_CHECKS) throw std::runtime_error("holds more than 200 checks");
    std::vector<graded_check> all;
    for (const json& one : list)
        all.push_back(read_check(one));
    return all;
}

void require_state(const std::string& state) {
    if (std::find(std::begin(STATES), std::end(STATES), state) == std::end(STATES))
        throw std::runtime_error("state " + json(state).dump() + " is unknown");
}

void require_sum(const graded_lab& lab) {
    double sum = 0;
    for (const graded_check& check : lab.checks)
        sum += check.points;
    if (lab.points > sum + ROUNDING) throw std::runtime_error("has more points than its checks give");
}

graded_lab read_lab(const json& from) {
    graded_lab lab;
    lab.student = optional_text(from, "student", LONGEST_NAME);
    lab.lab = cut(from.at("lab").get<std::string>(), LONGEST_NAME);
    lab.state = from.at("state").get<std::string>();
    lab.message = optional_text(from, "message", LONGEST_TEXT);
    lab.of = number(from, "of", 0, MOST_POINTS);
    lab.points = number(from, "points", 0, lab.of);
    lab.seconds = optional_seconds(from);
    lab.source_hash = optional_text(from, "source_hash", LONGEST_NAME);
    lab.submitted = optional_text(from, "submitted", LONGEST_NAME);
    lab.checks = read_checks(from.at("checks"));
    require_state(lab.state);
    require_sum(lab);
    return lab;
}

}  // namespace

bool has_mark(const graded_lab& what) {
    return what.state != "infrastructure_error";
}

graded_lab read_graded(const std::filesystem::path& report_json) {
    try {
        return read_lab(read_json(report_json));
    } catch (const std::exception& trouble) {  // json's are exceptions of its own
        throw std::runtime_error(report_json.string() + ": " + trouble.what());
    }
}

}  // namespace report
