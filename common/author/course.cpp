// A lab's work is what a student reads and writes: the handout's first page and the solution's regions.
#include "author/course.h"

#include <cmath>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "author/handout_tables.h"
#include "author/regions.h"

namespace author {
namespace {

// An estimate, to be replaced by a course's own: a handout with its questions, and new code with its mistakes.
constexpr double HOURS_TO_READ = 1.5, LINES_AN_HOUR = 10;

/// To the half hour.
std::string in_hours(double hours) {
    const int halves = int(std::lround(2 * hours));
    return std::to_string(halves / 2) + (halves % 2 ? ".5" : "");
}

std::string joined(const std::set<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text.empty() ? "-" : text;
}

std::set<std::string> split(const std::string& words) {
    std::set<std::string> found;
    std::istringstream stream(words);
    for (std::string word; std::getline(stream, word, ',');)
        found.insert(word);
    return found;
}

std::string work_table(const std::vector<lab_work>& labs) {
    std::string table = "| lab | needs | tasks | lines to write | hours |\n|---|---|---|---|---|\n";
    for (const lab_work& lab : labs)
        table += "| " + lab.key + " | " + joined(lab.needs) + " | " + std::to_string(lab.tasks) + " | " +
                 std::to_string(lab.lines) + " | " + in_hours(lab.hours()) + " |\n";
    return table;
}

std::string course_row(const std::string& weeks, const std::set<std::string>& course,
                       const std::vector<lab_work>& labs) {
    for (const std::string& lack : missing_needs(course, labs))
        throw std::runtime_error("the course of " + weeks + " weeks: " + lack);
    double hours = 0;
    std::set<std::string> left_out;
    for (const lab_work& lab : labs) {
        if (course.count(lab.number()))
            hours += lab.hours();
        else
            left_out.insert(lab.number());
    }
    return "| " + weeks + " | " + joined(course) + " | " + joined(left_out) + " | " + in_hours(hours) +
           " | " + in_hours(hours / std::stoi(weeks)) + " |\n";
}

}  // namespace

double lab_work::hours() const {
    return HOURS_TO_READ + lines / LINES_AN_HOUR;
}

lab_work work_of(const std::string& key) {
    static const std::regex need(R"(\*\*You need\.\*\*([^]*?)(\*\*Run|\n\n))"), number(R"(\b\d\d\b)");
    lab_work lab{key, {}, 0, 0};
    for (const region& one : regions_of(read_solution(solution_in("solutions/" + key)))) {
        lab.tasks++;
        lab.lines += one.code_lines();
    }
    const std::string handout = read_text("handouts/" + key + ".md");
    std::smatch match;
    if (!std::regex_search(handout, match, need)) return lab;
    const std::string needed = match[1];
    for (std::sregex_iterator one(needed.begin(), needed.end(), number), end; one != end; ++one)
        if (one->str() != "00") lab.needs.insert(one->str());
    return lab;
}

std::vector<std::string> missing_needs(const std::set<std::string>& course,
                                       const std::vector<lab_work>& labs) {
    std::vector<std::string> found;
    for (const lab_work& lab : labs)
        for (const std::string& needed : lab.needs)
            if (course.count(lab.number()) && !course.count(needed))
                found.push_back(lab.number() + " needs " + needed);
    return found;
}

std::string course_with_tables(const std::string& page, const std::vector<lab_work>& labs) {
    static const std::regex courses(R"(<!-- courses (.*): make readme -->)"), course(R"((\d+):([\d,]+))");
    std::smatch match;
    if (!std::regex_search(page, match, courses))
        throw std::runtime_error("course.md: no line <!-- courses ..: make readme -->");
    std::string table = "| weeks | labs | left out | hours | hours a week |\n|---|---|---|---|---|\n";
    const std::string plans = match[1];
    for (std::sregex_iterator one(plans.begin(), plans.end(), course), end; one != end; ++one)
        table += course_row((*one)[1], split((*one)[2]), labs);
    const std::string with_work =
        with_inside(page, "<!-- work: make readme -->", "<!-- /work -->", work_table(labs), "course.md");
    return with_inside(with_work, match[0], "<!-- /courses -->", table, "course.md");
}

}  // namespace author
