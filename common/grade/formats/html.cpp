// A student's page.
#include <fmt/format.h>

#include <algorithm>

#include "grade/escape.h"
#include "grade/formats/formats.h"
#include "grade/formats/words.h"
#include "grade/page.h"

namespace grade {
namespace {

constexpr const char* STYLE =
    R"(body { font: 16px/1.5 sans-serif; color: #111; max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3em .8em .3em 0; border-bottom: 1px solid #ccc; }
.points { white-space: nowrap; }
.passed { color: #1a6b1a; } .failed { color: #a11; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f4f4f4; padding: .6em; }
svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } h3 { break-after: avoid; } }
)";

/// A name or sentence whose direction of reading ends with it.
std::string isolated(const std::string& text) {
    return "<bdi>" + html_text(visible(text, false)) + "</bdi>";
}

std::string bar(double points, double of) {
    const double share = of > 0 ? std::clamp(points / of, 0.0, 1.0) : 0.0;
    return fmt::format(
        "<svg width=\"160\" height=\"12\" role=\"img\" aria-label=\"{:.0f} percent\">"
        "<rect width=\"160\" height=\"12\" fill=\"#ddd\"/>"
        "<rect width=\"{:.0f}\" height=\"12\" fill=\"#2a6fb0\"/></svg>",
        100 * share, 160 * share);
}

std::string points_of(const graded_lab& lab) {
    return has_mark(lab) ? amount(lab.points) + " of " + amount(lab.of) : "no mark yet";
}

std::string overview(const std::vector<graded_lab>& labs) {
    std::string table = "<table>\n<tr><th>Lab</th><th>Points</th><th></th><th>Result</th></tr>\n";
    for (const graded_lab& lab : labs) {
        table += "<tr><td>" + isolated(lab.lab) + "</td><td class=\"points\">" + points_of(lab) +
                 "</td><td>" + (has_mark(lab) ? bar(lab.points, lab.of) : "") + "</td><td>" +
                 isolated(sentence_of(lab)) + "</td></tr>\n";
    }
    return table + "</table>\n";
}

std::string section(const graded_lab& lab, size_t number) {
    const graded_check& check = lab.checks[number];
    const char* colour = outcome_of(check) == outcome::passed ? "passed" : "failed";
    std::string text = "<h3>" + isolated(name_of(lab, number)) + "</h3>\n<p><span class=\"" + colour + "\">" +
                       isolated(outcome_word(check)) + "</span>, " + amount(check.points) + " of " +
                       amount(check.of) + " points</p>\n";
    for (const std::string& message : check.messages)
        text += "<pre dir=\"auto\">" + html_text(message) + "</pre>\n";
    return text;
}

std::string details(const graded_lab& lab) {
    std::string text = "<h2>" + isolated(lab.lab) + "</h2>\n<p>" + isolated(sentence_of(lab)) + "</p>\n";
    if (!lab.source_hash.empty()) text += "<p>file graded: sha256 " + isolated(lab.source_hash) + "</p>\n";
    for (size_t k = 0; k < lab.checks.size(); k++)
        text += section(lab, k);
    return text;
}

}  // namespace

std::string student_html(const std::string& student, const std::vector<graded_lab>& labs) {
    std::string page = page_head(student, STYLE);
    page += "<h1>" + isolated(student) + "</h1>\n" + overview(labs);
    for (const graded_lab& lab : labs)
        page += details(lab);
    return page + page_end();
}

}  // namespace grade
