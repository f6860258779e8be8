// Similar submissions side by side, for a person to look at.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "grade/similarity.h"
#include "report/escape.h"
#include "report/page.h"

namespace grade {
namespace {

constexpr size_t MOST_PAIRS = 100, LONGEST_LINE = 300;

constexpr const char* STYLE = R"(body { font: 15px/1.4 sans-serif; color: #111; margin: 1.5em; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: .3em; border: 1px solid #ccc; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12px; margin: 0; }
mark { background: #ffe08a; }
h2 { break-before: page; }
)";

std::string name_of(const named_source& source) {
    return report::isolated(source.student);
}

/// The whole text, these lines marked.
std::string marked(const std::string& text, const std::vector<int>& lines) {
    std::string page;
    std::istringstream in(text);
    std::string line;
    for (int number = 1; std::getline(in, line); number++) {
        const std::string shown = report::html_text(report::visible(line.substr(0, LONGEST_LINE), false));
        const bool common = std::binary_search(lines.begin(), lines.end(), number);
        page += fmt::format("{:4}  ", number) + (common ? "<mark>" + shown + "</mark>" : shown) + "\n";
    }
    return "<td><pre>" + page + "</pre></td>";
}

std::string side_by_side(const std::vector<named_source>& all, const similar_pair& pair) {
    const named_source &one = all[pair.one], &other = all[pair.other];
    return fmt::format(
        "<h2>{} and {}: {:.0f} "
        "percent</h2>\n<table>\n<tr><th>{}</th><th>{}</th></tr>\n<tr>{}{}</tr>\n</table>\n",
        name_of(one), name_of(other), 100 * pair.share, name_of(one), name_of(other),
        marked(one.text, pair.lines_one), marked(other.text, pair.lines_other));
}

}  // namespace

std::string similarity_html(const std::string& lab, const std::vector<named_source>& all,
                            const std::vector<similar_pair>& pairs) {
    std::string page =
        report::page_head("Similar submissions", STYLE) + "<h1>" +
        report::html_text(report::visible(lab, false)) +
        ": similar submissions</h1>\n<p>What two submissions have in common is marked. It is a "
        "reason to look and to ask; it proves nothing.</p>\n";
    page += fmt::format("<p>{} submissions, {} pairs", all.size(), pairs.size());
    page += pairs.size() > MOST_PAIRS ? fmt::format(", of which {} are shown</p>\n", MOST_PAIRS) : "</p>\n";
    for (size_t k = 0; k < std::min(pairs.size(), MOST_PAIRS); k++)
        page += side_by_side(all, pairs[k]);
    return page + report::page_end();
}

}  // namespace grade
