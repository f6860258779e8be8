// Tables for spreadsheets.
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "grade/formats/class_files.h"
#include "grade/formats/question_lab.h"
#include "report/escape.h"
#include "report/words.h"

namespace grade {
namespace {

std::string row(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells)
        line += (&cell == cells.data() ? "" : ",") + report::csv_cell(cell);
    return line + "\n";
}

/// A student's labs by name.
using labs_by_name = std::map<std::string, const report::graded_lab*>;

std::map<std::string, labs_by_name> students_of(const std::vector<report::graded_lab>& all) {
    std::map<std::string, labs_by_name> students;
    for (const report::graded_lab& lab : all) {
        if (!students[lab.student].emplace(lab.lab, &lab).second)
            throw std::invalid_argument("student " + lab.student + " has lab " + lab.lab + " twice");
    }
    return students;
}

/// The cells after the name: a mark for every lab, and their sum.
std::vector<std::string> marks_of(const labs_by_name& known, const std::set<std::string>& labs) {
    std::vector<std::string> cells;
    double total = 0;
    bool complete = true;
    for (const std::string& name : labs) {
        const auto found = known.find(name);
        const bool marked = found != known.end() && report::has_mark(*found->second);
        complete = complete && (marked || found == known.end());
        if (marked) total += found->second->points;
        cells.push_back(marked ? report::amount(found->second->points) : "");
    }
    cells.push_back(complete ? report::amount(total) : "");
    return cells;
}

/// The cells after those of the code: points of every lab's questions, their sum, and what waits for a
/// person.
std::vector<std::string> questions_of(const labs_by_name& known, const std::set<std::string>& labs) {
    std::vector<std::string> cells;
    double total = 0, to_read = 0;
    for (const std::string& name : labs) {
        const auto found = known.find(name);
        const bool asked = found != known.end() && found->second->answers;
        const report::graded_answers answers = asked ? *found->second->answers : report::graded_answers{};
        total += answers.points;
        to_read += answers.to_read;
        cells.push_back(asked ? report::amount(answers.points) : "");
    }
    cells.push_back(report::amount(total));
    cells.push_back(report::amount(to_read));
    return cells;
}

std::string results_row(const report::graded_lab& lab) {
    return row({lab.student, lab.lab, lab.state, report::has_mark(lab) ? report::amount(lab.points) : "",
                report::amount(lab.of), lab.message, report::amount(lab.seconds), lab.source_hash});
}

}  // namespace

std::string results_csv(const std::vector<report::graded_lab>& all) {
    std::string table = "student,lab,state,points,of,message,seconds,source_hash\n";
    for (const report::graded_lab& lab : all) {
        table += results_row(lab);
        if (lab.answers) table += results_row(question_lab(lab));
    }
    return table;
}

std::string gradebook_csv(const std::vector<report::graded_lab>& all) {
    std::set<std::string> labs, asked;
    for (const report::graded_lab& lab : all) {
        labs.insert(lab.lab);
        if (lab.answers) asked.insert(lab.lab);
    }
    std::vector<std::string> header = {"student"};
    for (const std::string& lab : labs)
        header.push_back("lab" + report::lab_number(lab));
    header.push_back("total");
    for (const std::string& lab : asked)
        header.push_back("questions" + report::lab_number(lab));
    if (!asked.empty()) header.insert(header.end(), {"questions", "to_read"});

    std::string table = row(header);
    for (const auto& [student, known] : students_of(all)) {
        std::vector<std::string> cells = marks_of(known, labs);
        cells.insert(cells.begin(), student);
        if (!asked.empty())
            for (const std::string& cell : questions_of(known, asked))
                cells.push_back(cell);
        table += row(cells);
    }
    return table;
}

}  // namespace grade
