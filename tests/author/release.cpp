// What students read names no file and no target that they do not have.
#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "author/regions.h"

namespace fs = std::filesystem;

namespace {

using words = std::set<std::string>;

const fs::path RELEASE = "build/release";

words all_matches(const std::string& text, const std::regex& what) {
    words found;
    for (std::sregex_iterator match(text.begin(), text.end(), what), end; match != end; ++match)
        found.insert((*match)[1].str());
    return found;
}

/// Files and folders of the workbook that a text names: "labs/NN_name/name.h", but no patterns.
words named_files(const std::string& text) {
    static const std::regex one(
        R"((?:^|[^\w./$}~-])((?:common|data|handouts|labs|solutions|tests)/[\w./-]*\w)(?![\w*]))");
    return all_matches(text, one);
}

/// What a text says to make: `make lab05`, or a line of code that begins with it.
words named_targets(const std::string& text) {
    static const std::regex one(R"((?:`|\n(?:    |!| +!)?(?:sudo )?)make ([a-z]+[0-9]*)(?=[`\s]))");
    return all_matches("\n" + text, one);
}

/// Those that make's help lists for students: "lab01" for labNN.
words students_targets() {
    static const std::regex line(R"(\n## ([a-zN]+): (?!.*\((?:instructors|authors)\)\n))");
    words targets;
    for (const std::string& name : all_matches(author::read_text(RELEASE / "Makefile"), line)) {
        targets.insert(name);
        if (!name.ends_with("NN")) continue;
        for (const auto& lab : fs::directory_iterator(RELEASE / "labs"))
            targets.insert(name.substr(0, name.size() - 2) + lab.path().filename().string().substr(0, 2));
    }
    return targets;
}

/// "labs/NN_name/name.cu" is any lab's.
bool is_there(std::string name) {
    static const std::string LAB = "05_conv2d_naive";
    name = std::regex_replace(name, std::regex("NN_name/name\\b"), LAB + "/" + LAB.substr(3));
    name = std::regex_replace(name, std::regex("NN_name"), LAB);
    return fs::exists(RELEASE / name);
}

bool is_text(const fs::path& file) {
    static const words KINDS = {".md", ".txt", ".h", ".cu", ".cpp", ".gp", ".json", ""};
    return KINDS.contains(file.extension());
}

/// What students are to read: pages, labs with their checks, what kernels include.
std::vector<fs::path> read_by_students() {
    std::vector<fs::path> files = {RELEASE / "README.md"};
    for (const char* folder : {"handouts", "labs", "tests", "common/lab", ".vscode"})
        for (const auto& entry : fs::recursive_directory_iterator(RELEASE / folder))
            if (entry.is_regular_file() && is_text(entry.path())) files.push_back(entry.path());
    return files;
}

}  // namespace

TEST_CASE("files and targets are read off a text") {
    CHECK(named_files("see `common/lab/border.h`, tests/05_a.cpp. ../labs/x, data/*.csv, labs/05/") ==
          words{"common/lab/border.h", "tests/05_a.cpp", "labs/05"});
    CHECK(named_targets(
              "`make lab05 SRC=x`, make sure\n    make demo\n    !make setup\nmake one of\nto `make`") ==
          words{"lab05", "demo", "setup", "one"});
}

TEST_CASE("what makes things in a release is all there, and nothing lies there that makes nothing") {
    std::string makefiles = author::read_text(RELEASE / "Makefile"), all = makefiles;
    words scripts;
    for (const char* room : {"build", "bench", "pages", "simt", "plot", "worker"}) {
        for (const auto& entry : fs::directory_iterator(RELEASE / "common" / room)) {
            if (!entry.is_regular_file()) continue;
            const std::string kind = entry.path().extension(), text = author::read_text(entry.path());
            all += text;
            if (kind == ".mk") makefiles += text;
            if (kind == ".sh") scripts.insert((fs::path("common") / room / entry.path().filename()).string());
        }
    }
    // An instructors' room brings its own.
    for (const std::string& name : named_files(makefiles))
        CHECK_MESSAGE((is_there(name) || name.ends_with("/author.mk") || name.ends_with("/grade.mk") ||
                       name.ends_with("/fastest.mk") || name == "handouts/instructor"),
                      name);
    CHECK(scripts.contains("common/build/verdict.sh"));
    const words named = named_files(all);
    for (const std::string& script : scripts) {
        CHECK_MESSAGE(named.contains(script), script, " is of no use");
    }
    for (const std::string& name : named)
        if (name.ends_with(".sh")) CHECK_MESSAGE(is_there(name), name);
    for (const char* instructors :
         {"build/release.sh", "build/judge_mutant.sh", "bench/record.sh", "author", "grade"})
        CHECK_FALSE(fs::exists(RELEASE / "common" / instructors));
}

TEST_CASE("nothing that students read names a file or a target that they do not have") {
    const words targets = students_targets();
    CHECK(targets.contains("lab01"));
    CHECK(!targets.contains("grade"));
    for (const fs::path& file : read_by_students()) {
        const std::string text = author::read_text(file);
        for (const std::string& name : named_files(text))
            CHECK_MESSAGE(is_there(name), file, ": ", name);
        if (file.extension() != ".md") continue;
        for (const std::string& target : named_targets(text))
            CHECK_MESSAGE(targets.contains(target), file, ": make ", target);
    }
}
