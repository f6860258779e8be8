// A student's page.
#include "report/student_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "check/expected_count.h"
#include "report/base64.h"
#include "report/drawings.h"
#include "report/escape.h"
#include "report/page.h"
#include "report/words.h"

namespace report {
namespace {

constexpr const char* STYLE =
    R"(body { font: 16px/1.5 sans-serif; color: #111; max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3em .8em .3em 0; border-bottom: 1px solid #ccc; }
h2 { margin-top: 2em; border-top: 2px solid #111; padding-top: .5em; }
.points { white-space: nowrap; } h1, .answer { overflow-wrap: anywhere; }
.passed { color: #1a6b1a; } .failed { color: #a11; }
.likely { border-left: 4px solid #d98e04; background: #fdf6e7; padding: .4em .8em; margin: .6em 0; }
.small { color: #555; font-size: .85em; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f4f4f4; padding: .6em; margin: .4em 0; }
figure { margin: .6em 0; } figcaption { font-size: .85em; color: #333; } .key { margin-right: 1.2em; }
summary { cursor: pointer; color: #225; }
.gallery { display: flex; flex-wrap: wrap; gap: 1em; } .gallery figure { flex: 1 1 36em; break-inside: avoid; }
.gallery img { width: 100%; max-width: 60em; }
svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; max-width: 100%; }
rect.ground { fill: #e4e4e4; } rect.bar { fill: #2a6fb0; } rect.right { fill: #dbe6ef; }
rect.wrong { fill: #c62828; } rect.missing { fill: #222; }
path.wrong { stroke: #c62828; } path.missing { stroke: #222; }
path.goal { stroke: #1a6b1a; stroke-width: 2; } path.limit { stroke: #111; stroke-width: 2; stroke-dasharray: 3 2; }
@media (max-width: 40em) { body { font-size: 14px; } .share { display: none; } .points { white-space: normal; }
  td:first-child { overflow-wrap: anywhere; } td svg { width: 100%; min-width: 6em; } }
@media print { body { margin: 0; max-width: none; font: 9.5pt/1.4 sans-serif; } a { color: inherit; }
  h2, h2 + p, h3, h3 + p, .likely, tr:first-child { break-after: avoid; } tr, figure, pre { break-inside: avoid; }
  pre { font-size: 7.5pt; } figure svg { max-width: 45%; height: auto; max-height: 7cm; } summary { display: none; }
  .gallery { display: block; } .gallery figure { width: 88%; } }
)";

constexpr size_t MOST_SHOWN = 3;  // cases that are seen at once; the others unfold

std::string points_of(const graded_lab& lab) {
    return has_mark(lab) ? amount(lab.points) + " of " + amount(lab.of) : "no mark yet";
}

/// How many checks passed; of a file that was not checked, why.
std::string result_of(const graded_lab& lab) {
    if (lab.state != "checked") return sentence_of(lab);
    const auto passed = std::count_if(lab.checks.begin(), lab.checks.end(), [](const graded_check& check) {
        return outcome_of(check) == outcome::passed;
    });
    return fmt::format("{} of {} checks passed", passed, lab.checks.size());
}

std::string anchor_of(size_t place) {
    return fmt::format("lab{}", place + 1);
}

/// A row a lab, linked to what is said about it below.
std::string overview(const std::vector<graded_lab>& labs) {
    const bool answered =
        std::any_of(labs.begin(), labs.end(), [](const graded_lab& lab) { return lab.answers; });
    std::string table = "<table>\n<tr><th>Lab</th><th>Points</th><th class=\"share\"></th>";
    table += std::string(answered ? "<th>Questions</th>" : "") + "<th>Result</th></tr>\n";
    for (size_t k = 0; k < labs.size(); k++) {
        const graded_lab& lab = labs[k];
        table += "<tr><td><a href=\"#" + anchor_of(k) + "\">" + isolated(lab.lab) +
                 "</a></td><td class=\"points\">" + points_of(lab) + "</td><td class=\"share\">" +
                 (has_mark(lab) && lab.of > 0 ? share_bar(lab.points / lab.of) : "") + "</td>";
        if (answered)
            table += "<td class=\"points\">" +
                     (lab.answers ? amount(lab.answers->points) + " of " + amount(lab.answers->of) : "") +
                     "</td>";
        table += "<td>" + isolated(result_of(lab)) + "</td></tr>\n";
    }
    return table + "</table>\n";
}

std::string points_text(const graded_check& check) {
    return amount(check.points) + " of " + amount(check.of);
}

std::string link_to(const graded_lab& lab, size_t number, const std::string& anchor) {
    return fmt::format("<a href=\"#{}-{}\">{}</a>", anchor, number + 1, isolated(name_of(lab, number)));
}

/// A row a check, linked to what is said about it below.
std::string checks_table(const graded_lab& lab, const std::string& anchor) {
    std::string table = "<table>\n<tr><th>Check</th><th>Points</th><th></th></tr>\n";
    for (size_t k = 0; k < lab.checks.size(); k++) {
        const graded_check& check = lab.checks[k];
        const bool passed = outcome_of(check) == outcome::passed;
        const std::string shown = passed ? isolated(name_of(lab, k)) : link_to(lab, k, anchor);
        table += "<tr><td>" + shown + "</td><td class=\"points\">" + points_text(check) +
                 "</td><td class=\"" + (passed ? "passed" : "failed") + "\">" +
                 isolated(outcome_word(check)) + "</td></tr>\n";
    }
    return table + "</table>\n";
}

/// Where to begin: checks stand in the order of the work.
std::string beginning(const graded_lab& lab, const std::string& anchor) {
    for (size_t k = 0; k < lab.checks.size(); k++)
        if (outcome_of(lab.checks[k]) != outcome::passed)
            return "<p>Start with: " + link_to(lab, k, anchor) + "</p>\n";
    return "";
}

std::string case_text(const std::string& message) {
    return "<pre dir=\"auto\">" + html_text(message) + "</pre>\n";
}

/// The first cases; the others unfold.
std::string cases(const std::vector<std::string>& messages) {
    std::string text;
    for (size_t k = 0; k < std::min(MOST_SHOWN, messages.size()); k++)
        text += case_text(messages[k]);
    if (messages.size() <= MOST_SHOWN) return text;
    text += fmt::format("<details><summary>{} more cases</summary>\n", messages.size() - MOST_SHOWN);
    for (size_t k = MOST_SHOWN; k < messages.size(); k++)
        text += case_text(messages[k]);
    return text + "</details>\n";
}

std::string numbers_of(const graded_count& count) {
    const std::string now = check::count_text(count.now), right = check::count_text(count.right);
    if (count.at_least) return now + ", at least " + right + " are needed";
    return now + ", right is " + right + ", passes at " + check::count_text(count.passes_at);
}

std::string counts_table(const std::vector<graded_count>& counts) {
    if (counts.empty()) return "";
    std::string table =
        "<table>\n<tr><th>What the kernel does to memory</th><th>green: right; dashed: the most that "
        "passes</th>"
        "<th>Now</th></tr>\n";
    for (const graded_count& count : counts)
        table += "<tr><td>" + isolated(count.what) + "</td><td>" + drawing_of(count) + "</td><td class=\"" +
                 (count.met ? "passed" : "failed") + "\">" + numbers_of(count) + "</td></tr>\n";
    return table + "</table>\n";
}

/// What is known of a check that gave no full points: the likely causes first.
std::string section(const graded_lab& lab, size_t number, const std::string& anchor) {
    const graded_check& check = lab.checks[number];
    std::string text = fmt::format("<h3 id=\"{}-{}\">", anchor, number + 1) + isolated(name_of(lab, number)) +
                       "</h3>\n<p><span class=\"failed\">" + isolated(outcome_word(check)) + "</span>, " +
                       points_text(check) + " points</p>\n";
    for (const std::string& cause : check.causes)
        text += "<p class=\"likely\"><b>Likely:</b> " + isolated(cause) + "</p>\n";
    if (check.picture.width > 0)
        text += "<p>Where the output is wrong: " + isolated(check.picture.subject) + "</p>\n" +
                drawing_of(check.picture);
    return text + counts_table(check.counts) + cases(check.messages);
}

/// The counts of checks that passed: a chart of what the kernel does.
std::string counts_of_passed(const graded_lab& lab) {
    std::vector<graded_count> all;
    for (const graded_check& check : lab.checks)
        if (outcome_of(check) == outcome::passed)
            all.insert(all.end(), check.counts.begin(), check.counts.end());
    if (all.empty()) return "";
    return "<details><summary>Counts of the checks that passed</summary>\n" + counts_table(all) +
           "</details>\n";
}

std::string details(const graded_lab& lab, size_t place) {
    const std::string anchor = anchor_of(place), hash = lab.source_hash;
    std::string text = "<h2 id=\"" + anchor + "\">" + isolated(lab.lab) + "</h2>\n<p>" +
                       isolated(sentence_of(lab)) + "</p>\n";
    if (!lab.checks.empty()) text += checks_table(lab, anchor) + beginning(lab, anchor);
    for (size_t k = 0; k < lab.checks.size(); k++)
        if (outcome_of(lab.checks[k]) != outcome::passed) text += section(lab, k, anchor);
    text += counts_of_passed(lab);
    if (!hash.empty()) text += "<p class=\"small\">file graded: sha256 " + isolated(hash) + "</p>\n";
    return text;
}

std::string answers_table(const graded_answers& all) {
    std::string table = "<h3>Questions</h3>\n<p>" + amount(all.points) + " of " + amount(all.of) + " points";
    if (all.to_read > 0) table += ", " + amount(all.to_read) + " more wait for a reader";
    if (!all.message.empty()) table += ": " + isolated(all.message);
    if (!all.name.empty()) table += "; the numbers are those of " + isolated(all.name);
    table += "</p>\n<table>\n<tr><th>Question</th><th>Answer</th><th>Points</th><th></th></tr>\n";
    for (const graded_answer& one : all.questions) {
        const char* const kind = one.verdict == "right"   ? "passed"
                                 : one.verdict == "wrong" ? "failed"
                                                          : "small";
        table += "<tr><td>" + isolated(one.id) + "</td><td class=\"answer\">" + isolated(one.answer) +
                 "</td><td class=\"points\">" + amount(one.points) + " of " + amount(one.of) +
                 "</td><td class=\"" + kind + "\">" +
                 isolated(one.verdict + (one.note.empty() ? "" : ": " + one.note)) + "</td></tr>\n";
    }
    return table + "</table>\n";
}

std::string gallery(const std::vector<figure>& figures) {
    if (figures.empty()) return "";
    std::string text = "<div class=\"gallery\">\n";
    for (const figure& one : figures) {
        const std::string caption = html_text(visible(one.caption, false));
        text += "<figure><img alt=\"" + caption + "\" src=\"data:" + one.type + ";base64," +
                base64(one.bytes) + "\"/><figcaption>" + caption + "</figcaption></figure>\n";
    }
    return text + "</div>\n";
}

}  // namespace

std::string student_html(const std::string& student, const std::vector<graded_lab>& labs,
                         const page_figures& figures) {
    if (!figures.of_labs.empty() && figures.of_labs.size() != labs.size())
        throw std::invalid_argument(
            fmt::format("figures of {} labs on a page of {}", figures.of_labs.size(), labs.size()));
    std::string page = page_head(student, STYLE);
    page += "<h1>" + isolated(student) + "</h1>\n" + overview(labs) + gallery(figures.of_all);
    for (size_t k = 0; k < labs.size(); k++) {
        page += details(labs[k], k);
        if (labs[k].answers) page += answers_table(*labs[k].answers);
        if (!figures.of_labs.empty()) page += gallery(figures.of_labs[k]);
    }
    return page + page_end();
}

}  // namespace report
