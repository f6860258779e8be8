// report --out=FILE --name=NAME NN_name...: one page of all that a student has done (make report).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>

#include "report/own_figures.h"
#include "report/student_page.h"

namespace {

namespace fs = std::filesystem;

/// What the judge said of a lab; of one that it has not seen, that.
report::graded_lab result_of(const std::string& lab, const fs::path& report_json) {
    if (fs::exists(report_json)) return report::read_graded(report_json);
    report::graded_lab result;
    result.lab = lab;
    result.state = "not_submitted";
    result.message = "its code was not checked yet";
    return result;
}

/// Labs with a report or with answers, and their figures.
std::string page_of(const std::string& name, const std::vector<std::string>& labs, const fs::path& build) {
    std::vector<report::graded_lab> results;
    report::page_figures figures{report::figures_of_all(build), {}};
    for (const std::string& lab : labs) {
        const fs::path code = build / "reports" / lab / "report.json",
                       answers = build / "reports" / lab / "answers.json";
        if (!fs::exists(code) && !fs::exists(answers)) continue;
        results.push_back(result_of(lab, code));
        figures.of_labs.push_back(report::figures_of_lab(build, lab));
        if (fs::exists(answers)) results.back().answers = report::read_answers(answers);
    }
    if (results.empty()) throw std::runtime_error("no lab was checked yet: make lab01, say");
    return report::student_html(name, results, figures);
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("one page of all that a student has done");
    std::string out, name;
    std::vector<std::string> labs;
    app.add_option("--out", out, "the page")->required();
    app.add_option("--name", name, "the page's title")->required();
    app.add_option("labs", labs, "such as 05_conv2d_naive")->required();
    CLI11_PARSE(app, argc, argv);
    const std::string page = page_of(name, labs, "build");
    std::ofstream file(out, std::ios::binary);
    file << page;
    file.close();
    if (!file) throw std::runtime_error(out + ": cannot be written");
} catch (const std::exception& error) {
    std::fprintf(stderr, "report: %s\n", error.what());
    return 2;
}
