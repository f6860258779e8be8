// selfcheck - judges the judges: reads the reports on every case that `cut cases` made, and says which
// promises a lab breaks.
//   selfcheck CASES RELEASE LAB...     CASES/LAB/CASE.json are the judges' reports; students get RELEASE
//   selfcheck steps CASES LAB...       writes labs/LAB/steps.json, by what comes of the solution without each region
//   selfcheck readme LAB...            writes the tables into README.md and the handouts
//   selfcheck tables MEASURED OUT      writes the sources' tables, our numbers beside theirs, into the folder OUT
// Ends with the line "N passed, N failed, N skipped"; exit code 1 if a promise is broken.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <stdexcept>

#include "author/course.h"
#include "author/handout_tables.h"
#include "author/promises.h"
#include "author/quoted_values.h"
#include "author/regions.h"
#include "author/source_tables.h"
#include "author/steps.h"

namespace {

void print_row(const std::vector<std::string>& cells) {
    const int widths[] = {24, 12, 10, 10, 8, 10, 8, 8};
    std::string line;
    for (size_t k = 0; k < cells.size(); k++) {
        std::string cell = cells[k];
        cell.resize(std::max<size_t>(cell.size(), widths[k]), ' ');
        line += cell + " ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    std::printf("%s\n", line.c_str());
}

int check_all(const std::filesystem::path& cases, const std::filesystem::path& release,
              const std::vector<std::string>& keys) {
    author::ledger book;
    print_row({"lab", "skeleton", "solution", "fast", "wrong", "diagnosed", "right", "regions"});
    author::diagnosis_count diagnosed;
    for (const std::string& key : keys) {
        const author::lab_row row = author::check_lab(book, key, cases / key);
        const std::string share =
            std::to_string(row.diagnosed.named) + "/" + std::to_string(row.diagnosed.spoiled);
        print_row({row.key, row.skeleton, row.solution, row.fast, row.wrong, share, row.right, row.regions});
        diagnosed += row.diagnosed;
    }
    std::printf("%s\n", author::to_text(diagnosed).c_str());
    book.expect(diagnosed.rate() >= author::LEAST_DIAGNOSED,
                author::to_text(diagnosed) + ": at least " +
                    std::to_string(int(100 * author::LEAST_DIAGNOSED)) + " % are asked for");
    author::check_leaks(book, keys, {"labs", release});
    static const std::regex marks_of_pages("<!-- (figure [^>]*|charts?) -->");  // make handouts draws these
    for (const auto& page : std::filesystem::directory_iterator(release / "handouts")) {
        if (page.path().extension() != ".md") continue;
        const std::string text = std::regex_replace(author::read_text(page.path()), marks_of_pages, "");
        book.expect(text.find("<!--") == std::string::npos,
                    page.path().string() + " has marks that students cannot use: common/build/release.sh");
    }
    const std::string readme = author::read_text("README.md");
    book.expect(author::readme_with_table(readme, keys) == readme,
                "README.md: the table of labs is stale: make readme");
    for (const std::string& sentence : book.broken)
        std::printf("broken: %s\n", sentence.c_str());
    if (book.left_out > 0)
        std::printf("%d wrong, unusual and unfinished kernels were left out: make selfcheck judges all\n",
                    book.left_out);
    std::printf("%d passed, %zu failed, %d skipped\n", book.kept, book.broken.size(), book.left_out);
    return book.broken.empty() ? 0 : 1;
}

void write_course(const std::vector<std::string>& keys) {
    const std::filesystem::path page = "handouts/instructor/course.md";
    std::vector<author::lab_work> labs;
    for (const std::string& key : keys)
        labs.push_back(author::work_of(key));
    author::write_text(page, author::course_with_tables(author::read_text(page), labs));
}

/// Fills tables and values of every handout, and says which claims no longer hold: their sentences want an author.
void write_handouts() {
    for (const auto& entry : std::filesystem::directory_iterator("handouts")) {
        if (entry.path().extension() != ".md") continue;
        const std::string text = author::read_text(entry.path());
        author::write_text(entry.path(), author::handout_with_tables(text));
        author::recorded_data data;
        for (const std::string& claim : author::broken_claims(text, data))
            std::fprintf(stderr, "%s: %s\n", entry.path().c_str(), claim.c_str());
    }
}

}  // namespace

int main(int argc, char** argv) try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() >= 2 && words[0] == "readme") {
        const std::vector<std::string> keys(words.begin() + 1, words.end());
        author::write_text("README.md", author::readme_with_table(author::read_text("README.md"), keys));
        write_handouts();
        write_course(keys);
        return 0;
    }
    if (words.size() >= 3 && words[0] == "steps") {
        for (auto key = words.begin() + 2; key != words.end(); ++key)
            author::write_steps(*key, std::filesystem::path(words[1]) / *key);
        return 0;
    }
    if (words.size() == 3 && words[0] == "tables")
        return author::write_source_tables(words[1], words[2]) == 0 ? 0 : 1;
    if (words.size() < 3) {
        std::fprintf(
            stderr,
            "selfcheck: usage: selfcheck CASES RELEASE LAB... | selfcheck steps CASES LAB... | selfcheck "
            "readme LAB... | selfcheck tables MEASURED OUT\n");
        return 2;
    }
    return check_all(words[0], words[1], {words.begin() + 2, words.end()});
} catch (const std::exception& error) {
    std::fprintf(stderr, "selfcheck: %s\n", error.what());
    return 2;
}
