// Answers that a person reads, beside what to look for.
#include "grade/program/kept_answers.h"

#include "report/escape.h"
#include "report/page.h"
#include "report/words.h"

namespace grade {
namespace {

constexpr const char* STYLE =
    R"(body { font: 16px/1.5 sans-serif; color: #111; max-width: 70em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: .3em .8em .3em 0; border-bottom: 1px solid #ccc;
  overflow-wrap: anywhere; }
h2 { margin-top: 2em; } .model { background: #eef5ee; padding: .4em .8em; }
)";

std::string cell(const std::string& text) {
    return "<td>" + report::isolated(text) + "</td>";
}

}  // namespace

std::string kept_answers_csv(const std::vector<kept_answer>& all) {
    std::string table = "student,question,points,of,answer,look for,asked\n";
    for (const kept_answer& one : all) {
        const std::string cells[] = {one.student, one.id,    "",          report::amount(one.of),
                                     one.answer,  one.model, one.question};
        for (const std::string& text : cells)
            table += (&text == cells ? "" : ",") + report::csv_cell(text);
        table += "\n";
    }
    return table;
}

std::string kept_answers_html(const std::vector<kept_answer>& all, const class_answers& marked) {
    std::string page = report::page_head("Answers to read", STYLE) + "<h1>Answers to read</h1>\n";
    std::string doubts;
    for (const auto& [who, one] : marked)
        if (!one.doubt.empty())
            doubts += "<tr>" + cell(who.first) + cell(who.second) + cell(one.doubt) + "</tr>\n";
    if (!doubts.empty())
        page +=
            "<h2>Whose answers are these?</h2>\n<table>\n<tr><th>Student</th><th>Lab</th>"
            "<th>Why look</th></tr>\n" +
            doubts + "</table>\n";
    std::string id;
    for (const kept_answer& one : all) {
        if (one.id != id) {
            page += (id.empty() ? "" : "</table>\n") + ("<h2>" + report::isolated(one.id)) + ", " +
                    report::amount(one.of) + (one.of == 1 ? " point" : " points") +
                    "</h2>\n<p class=\"model\"><b>Look for:</b> " + report::isolated(one.model) +
                    "</p>\n<table>\n<tr><th>Student</th><th>Asked</th><th>Answer</th></tr>\n";
            id = one.id;
        }
        page += "<tr>" + cell(one.student) + cell(one.question) + cell(one.answer) + "</tr>\n";
    }
    return page + (id.empty() ? "" : "</table>\n") + report::page_end();
}

}  // namespace grade
