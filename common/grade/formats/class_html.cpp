// The page of a class: who is who among the pages of students.
#include <fmt/format.h>

#include <algorithm>

#include "grade/formats/class_files.h"
#include "report/page.h"
#include "report/words.h"

namespace grade {
namespace {

constexpr const char* CLASS_STYLE =
    R"(body { font: 16px/1.5 sans-serif; color: #111; max-width: 70em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .3em 1.2em .3em 0; border-bottom: 1px solid #ccc; }
.trouble { color: #a11; }
)";

/// Points of a lab; the word where something else than checks decided.
std::string cell_of(const report::graded_lab& lab) {
    const std::string points = report::has_mark(lab) ? report::amount(lab.points) : "",
                      questions = lab.answers ? ", questions " + report::amount(lab.answers->points) : "";
    if (lab.state == "checked") return "<td>" + points + questions + "</td>";
    std::string state = lab.state;
    std::replace(state.begin(), state.end(), '_', ' ');
    return "<td>" + points + " <span class=\"trouble\">" + report::isolated(state) + "</span>" + questions +
           "</td>";
}

}  // namespace

std::string class_html(const std::vector<class_row>& rows) {
    std::string page =
        report::page_head("Students", CLASS_STYLE) + "<h1>Students</h1>\n<table>\n<tr><th>Student</th>";
    if (!rows.empty())
        for (const report::graded_lab& lab : rows[0].labs)
            page += "<th>" + report::isolated("lab " + report::lab_number(lab.lab)) + "</th>";
    page += "</tr>\n";
    for (const class_row& row : rows) {
        page += fmt::format("<tr><td><a href=\"html/{}.html\">{}</a></td>", row.file,
                            report::isolated(row.student));
        for (const report::graded_lab& lab : row.labs)
            page += cell_of(lab);
        page += "</tr>\n";
    }
    return page + "</table>\n" + report::page_end();
}

}  // namespace grade
