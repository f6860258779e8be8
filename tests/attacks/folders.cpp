// Submissions that attack by what they are called and by what lies beside the file: through the whole grader, and all
// that it writes.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "../grade/archive_file.h"
#include "../support/hostile.h"
#include "attack_file.h"
#include "attacked_class.h"
#include "left_behind.h"

using namespace attacks;

namespace {

/// Names that a folder can have.
std::vector<std::string> hostile_names() {
    std::vector<std::string> names;
    for (const std::string& text : hostile_texts()) {
        const bool possible = !text.empty() && text.size() < 200 && text.find('/') == std::string::npos &&
                              text.find('\0') == std::string::npos && text != "." && text != "..";
        if (possible) names.push_back(text);
    }
    return names;
}

/// A C++ string that holds the text, in octal.
std::string literal(const std::string& text) {
    std::string all = "\"";
    for (const unsigned char c : text)
        all += std::string("\\") + char('0' + c / 64) + char('0' + c / 8 % 8) + char('0' + c % 8);
    return all + "\"";
}

/// Throws and prints all hostile texts.
std::string thrower() {
    std::string body = "@function {\n    std::string all;\n";
    for (const std::string& text : hostile_texts())
        if (text.size() < 1000) body += "    all += std::string(" + literal(text) + ") + \"\\n\";\n";
    body += "    std::fwrite(all.data(), 1, all.size(), stdout);\n    throw std::runtime_error(all);\n}\n";
    return headers(usual_lab()) + meaning_of(body);
}

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    author::write_text(file, text);
}

/// Everything that a student's folder could put in place of ours, and the file.
void add_tree(const fs::path& student, const std::string& text) {
    for (const char* name :
         {"Makefile", "common/lab/lab.h", "common/lab/contract.h", "common/simt/simtcc",
          "common/build/worker.sh", "common/simt/include/cuda_runtime.h",
          "labs/01_conv1d_basic/conv1d_basic.h", "lab/lab.h", "conv1d_basic.h", "build/tests/01_conv1d_basic",
          "build/bin/rewrite", "build/lib/libsimt.a", "tests/01_conv1d_basic.cpp",
          "solutions/01_conv1d_basic/conv1d_basic.cu.orig", "vector", "g++", "GNUmakefile", ".bashrc"})
        write(student / name, "#error attack: not the workbook's file\nexit 0\n");
    write(student / "build/reports/01_conv1d_basic/report.json",
          R"({"state": "checked", "points": 100, "of": 100})");
    write(student / "gradebook.csv", "student,lab,state,points\nall,01,checked,100\n");
    write(student / "labs/01_conv1d_basic/conv1d_basic.cu", text);
}

/// What is no regular file, each by a student of its own.
void add_odd_files(const fs::path& from) {
    const auto place = [&](const std::string& student) {
        fs::create_directories(from / student);
        return from / student / usual_lab().file_name;
    };
    fs::create_symlink("/etc/passwd", place("05 links to passwd"));
    fs::create_symlink("../00 right/conv1d_basic.cu", place("05 links to a neighbour"));
    fs::create_symlink(from / "00 right", from / "05 is a neighbour");
    fs::create_symlink(".", place("05 links to itself").parent_path() / "loop");
    fs::create_directories(place("05 is a folder"));
    REQUIRE(mkfifo(place("05 waits for ever").c_str(), 0600) == 0);
    // Only root makes devices.
    if (mknod(place("05 is a device").c_str(), S_IFCHR | 0600, makedev(1, 5)) != 0)
        fs::create_symlink("/dev/zero", place("05 is a device"));
    author::write_text(place("05 has no end"), std::string(2 << 20, ' '));
}

void add_archives(const fs::path& from) {
    archive_file climber(from / "05 climbs.zip", true);
    for (const char* name :
         {"../../attack-left.cu", "../../../attack-left/conv1d_basic.cu", "/tmp/attack-left"})
        climber.add(name, "climbs");
    archive_file linker(from / "05 links.tar.gz", false);
    linker.add("folder", "", "/tmp");
    linker.add("folder/attack-left", "through a link");
    linker.add(usual_lab().file_name, "", "/etc/passwd");
    author::write_text(from / "05 is broken.zip", "PK\x03\x04 no zip");
}

/// Bytes and characters that steer whatever shows them.
std::string what_steers(const std::string& text) {
    for (const unsigned char c : text)
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) return "byte " + std::to_string(c);
    for (const char* hidden : {"\u009b", "\u200b", "\u202e", "\u2028", "\u2066", "\ufeff"})
        if (text.find(hidden) != std::string::npos) return "a hidden character";
    return "";
}

void check_outputs(const fs::path& out) {
    for (const auto& entry : fs::recursive_directory_iterator(out / "formats")) {
        if (!entry.is_regular_file()) continue;
        const std::string text = author::read_text(entry.path());
        CAPTURE(entry.path().string());
        CHECK(what_steers(text) == "");
        CHECK(what_steers(entry.path().filename().string()) == "");
        if (entry.path().extension() != ".html") continue;
        CHECK(text.find("<script>alert") == std::string::npos);
        CHECK(text.find("<img src=x") == std::string::npos);
    }
    CHECK(what_steers(author::read_text(out / "gradebook.csv")) == "");
}

}  // namespace

TEST_CASE("names, messages, odd files and files that shadow ours change nothing but their own row") {
    if (!can_box()) return;
    const left_behind traces;
    const attacked_class here;
    const fs::path from = here.root / "from";
    here.hand_in_honest();
    const std::vector<std::string> names = hostile_names();
    const std::string text = thrower();
    for (const std::string& name : names)
        here.hand_in(name, text);
    add_tree(from / "05 right in a tree of its own", usual_lab().solution + "// in a tree\n");
    add_tree(from / "05 nothing in a tree of its own",
             headers(usual_lab()) + meaning_of("@function {}") + "\n");
    add_odd_files(from);
    add_archives(from);

    const grade::program_end end = here.run();
    CAPTURE(end.output);
    CHECK(end.text() == "ended with exit code 0");
    CHECK(what_steers(end.output) == "");
    std::map<std::string, report::graded_lab> seen = here.verdicts();
    check_honest(seen);
    CHECK(seen["05 right in a tree of its own"].points == 100);
    CHECK(seen["05 nothing in a tree of its own"].state == "checked");
    for (const auto& one : seen) {
        const std::string& who = one.first;
        const report::graded_lab& verdict = one.second;
        CAPTURE(who);
        CAPTURE(verdict.state);
        const bool is_right = who.find("right") != std::string::npos && who.find("tef") == std::string::npos;
        CHECK(verdict.points == (is_right ? 100 : 0));
        const bool has_file =
            !who.starts_with("05 ") || who == "05 climbs" || who.find("tree") != std::string::npos;
        if (!has_file) CHECK(verdict.state == "not_submitted");
    }
    CHECK(seen.count("05 is a neighbour") == 0);  // a link is no student
    CHECK(seen.size() >= names.size() + 5 + 2 + 7);
    check_outputs(here.root / "out");
    for (const std::string& what : traces.look(here.places()))
        FAIL_CHECK("left behind: " << what);
}
