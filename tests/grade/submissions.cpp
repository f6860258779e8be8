// Who handed in what, in the layouts of learning platforms and in hostile ones.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <string>

#include "archive_file.h"
#include "author/regions.h"
#include "grade/found_files.h"
#include "grade/submissions.h"

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> LABS = {"01_conv1d_basic", "05_conv2d_naive"};

/// A folder of submissions of this test's own.
struct class_folder {
    const fs::path root = fs::absolute("build/tmp/class-" + std::to_string(getpid()));

    class_folder() { fs::create_directories(root); }
    ~class_folder() { fs::remove_all(root); }
    class_folder(const class_folder&) = delete;

    void add(const fs::path& name, const std::string& text) const {
        fs::create_directories((root / name).parent_path());
        author::write_text(root / name, text);
    }
    /// "missing: SENTENCE" or the bytes, by "STUDENT LAB-NUMBER".
    std::map<std::string, std::string> found(const fs::path& from = {}) const {
        std::map<std::string, std::string> all;
        for (const grade::submission& one : grade::find_submissions(from.empty() ? root : from, LABS))
            for (const grade::hand_in& file : one.labs)
                all[one.student + " " + file.lab.substr(0, 2)] =
                    file.missing.empty() ? file.bytes : "missing: " + file.missing;
        return all;
    }
};

}  // namespace

TEST_CASE("plain folders, whole trees and archives: one student each") {
    const class_folder here;
    here.add("alice/conv1d_basic.cu", "a1");
    here.add("bob/labs/01_conv1d_basic/conv1d_basic.cu", "b1");
    here.add("bob/labs/01_conv1d_basic/.skeleton/conv1d_basic.cu", "skeleton");
    here.add("bob/build/backup/01_conv1d_basic/conv1d_basic.cu", "older");
    archive_file(here.root / "carol.zip", true).add("homework/conv2d_naive.cu", "c5");
    archive_file(here.root / "dan.tar.gz", false).add("conv2d_naive.cu", "d5");
    fs::create_directories(here.root / "eve");
    here.add("frank_conv2d_naive.cu", "f5");
    here.add("notes.txt", "of the instructor");
    here.add(".git/config", "of the instructor, too");
    here.add("..x/conv1d_basic.cu", "x1");
    auto found = here.found();
    CHECK(found.size() == 14);
    CHECK(found["..x 01"] == "x1");
    CHECK(found["alice 01"] == "a1");
    CHECK(found["alice 05"] == "missing: no conv2d_naive.cu was handed in, but conv1d_basic.cu");
    CHECK(found["bob 01"] == "b1");
    CHECK(found["carol 05"] == "c5");
    CHECK(found["dan 05"] == "d5");
    CHECK(found["eve 01"] == "missing: nothing was handed in");
    CHECK(found["frank 05"] == "f5");
}

TEST_CASE("exports of Moodle, Canvas and Gradescope") {
    const class_folder here;
    here.add("Ada Lovelace_123_assignsubmission_file/conv2d_naive.cu", "moodle folder");
    here.add("Bo Li_124_assignsubmission_file_conv2d_naive.cu", "moodle file");
    here.add("lovelaceada_9_77_conv2d_naive.cu", "canvas");
    here.add("libo_LATE_10_78_conv2d_naive-2.cu", "canvas, late and again");
    here.add("curiemarie_11_79_homework.cu", "wrong name");
    here.add("submission_4711/conv2d_naive.cu", "gradescope");
    auto found = here.found();
    CHECK(found["Ada Lovelace_123 05"] == "moodle folder");
    CHECK(found["Bo Li_124 05"] == "moodle file");
    CHECK(found["lovelaceada_9 05"] == "canvas");
    CHECK(found["libo_10 05"] == "canvas, late and again");
    CHECK(found["curiemarie_11 05"] == "missing: no conv2d_naive.cu was handed in, but homework.cu");
    CHECK(found["submission_4711 05"] == "gradescope");
}

TEST_CASE("an export that is one archive, with archives in it") {
    const class_folder here;
    archive_file(here.root / "dan.zip", true).add("conv2d_naive.cu", "d5");
    const std::string inner = author::read_text(here.root / "dan.zip");
    {
        archive_file all(here.root / "export.zip", true);
        all.add("assignment_1_export/submission_2/conv2d_naive.cu", "two");
        all.add("assignment_1_export/dan.zip", inner);
    }
    auto found = here.found(here.root / "export.zip");
    CHECK(found.size() == 4);
    CHECK(found["submission_2 05"] == "two");
    CHECK(found["dan 05"] == "d5");
}

TEST_CASE("a folder that is one student's tree, or one file") {
    const class_folder here;
    here.add("ann/labs/05_conv2d_naive/conv2d_naive.cu", "a5");
    here.add("ann/common/lab/lab.h", "hers");
    here.add("ann/README.md", "");
    CHECK(here.found(here.root / "ann")["ann 05"] == "a5");
    here.add("ben/conv2d_naive.cu", "b5");
    CHECK(here.found(here.root / "ben")["ben 05"] == "b5");
}

TEST_CASE("of several files the one in the lab's folder counts, else a person has to choose") {
    const class_folder here;
    here.add("alice/old/conv2d_naive.cu", "old");
    here.add("alice/labs/05_conv2d_naive/conv2d_naive.cu", "new");
    here.add("bob/a/conv2d_naive.cu", "one");
    here.add("bob/b/conv2d_naive.cu", "two");
    here.add("carol/a/conv2d_naive.cu", "same");
    here.add("carol/b/conv2d_naive.cu", "same");
    auto found = here.found();
    CHECK(found["alice 05"] == "new");
    CHECK(found["bob 05"] == "missing: which one counts? a/conv2d_naive.cu, b/conv2d_naive.cu");
    CHECK(found["carol 05"] == "same");
}

TEST_CASE("answers are of the lab whose question they answer first") {
    const class_folder here;
    here.add("ann/conv2d_naive.cu", "a5");
    here.add("ann/answers.txt", "name: Ann\n05.a:\n 05.b : 3\n01.a: 1\n");
    here.add("ben/labs/01_conv1d_basic/answers.txt", "name: Ben\n01.a: 1\n");
    here.add("ben/labs/05_conv2d_naive/answers.txt", "name:\n# untouched\n05.a:\n05.b:  \n");
    here.add("ben/old/answers.txt", "name: Ben\n01.a: 2\n");
    here.add("lovelaceada_9_77_answers-1.txt", "name: Ada\n01.a: 1\n");
    here.add("Bo Li_124_assignsubmission_file_answers.txt", "name: Bo\n05.a: 1\n");
    here.add("carol_answers (1).txt", "name: C\n05.a: 1\n");
    here.add("dan/x/answers.txt", "name: D\n05.a: 1\n");
    here.add("dan/y/answers.txt", "name: D\n05.a: 2\n");
    here.add("eve/labs/05_conv2d_naive/answers.txt", std::string(1'000'001, ' '));
    std::map<std::string, std::string> found;
    for (const grade::submission& one : grade::find_submissions(here.root, LABS))
        for (const grade::hand_in& lab : one.labs)
            found[one.student + " " + lab.lab.substr(0, 2)] =
                lab.answers.missing.empty() ? lab.answers.bytes : "missing: " + lab.answers.missing;
    CHECK(found["ann 05"].starts_with("name: Ann"));
    CHECK(found["ann 01"].starts_with("missing: no answers.txt was handed in, but "));
    CHECK(found["ben 01"] == "name: Ben\n01.a: 1\n");
    CHECK(found["ben 05"].starts_with("missing: "));
    CHECK(found["lovelaceada_9 01"] == "name: Ada\n01.a: 1\n");
    CHECK(found["Bo Li_124 05"] == "name: Bo\n05.a: 1\n");
    CHECK(found["carol 05"] == "name: C\n05.a: 1\n");
    CHECK(found["dan 05"] == "missing: which one counts? x/answers.txt, y/answers.txt");
    CHECK(found["eve 05"] == "missing: labs/05_conv2d_naive/answers.txt is larger than 1 MB");
}

TEST_CASE("links, pipes, empty and huge files are not taken") {
    const class_folder here;
    here.add("secret", "of the instructor");
    fs::create_directories(here.root / "linker");
    fs::create_symlink("../secret", here.root / "linker/conv2d_naive.cu");
    fs::create_directories(here.root / "piper");
    REQUIRE(mkfifo((here.root / "piper/conv2d_naive.cu").c_str(), 0600) == 0);
    fs::create_symlink(here.root / "linker", here.root / "twin");
    here.add("empty/conv2d_naive.cu", "");
    here.add("huge/conv2d_naive.cu", std::string(1'000'001, ' '));
    auto found = here.found();
    CHECK(found["linker 05"] == "missing: conv2d_naive.cu is a link");
    CHECK(found["piper 05"] == "missing: conv2d_naive.cu is no regular file");
    CHECK(found["empty 05"] == "missing: conv2d_naive.cu is empty");
    CHECK(found["huge 05"] == "missing: conv2d_naive.cu is larger than 1 MB");
    CHECK(found.count("twin 05") == 0);
}

TEST_CASE("hostile archives write nothing and reach nothing") {
    const class_folder here;
    {
        archive_file evil(here.root / "mallory.zip", true);
        evil.add("../../escaped/conv2d_naive.cu", "climbs");
        evil.add("/etc/conv1d_basic.cu", "absolute");
    }
    archive_file(here.root / "linker.tar.gz", false).add("conv2d_naive.cu", "", "/etc/passwd");
    here.add("broken.zip", "PK\x03\x04 no zip");
    archive_file(here.root / "bomb.tar.gz", false).add("zeros", std::string(513 << 20, '\0'));
    auto found = here.found();
    CHECK(found["mallory 05"] == "climbs");
    CHECK(found["mallory 01"] == "absolute");
    CHECK_FALSE(fs::exists(here.root.parent_path() / "escaped"));
    CHECK_FALSE(fs::exists(here.root.parent_path().parent_path() / "escaped"));
    CHECK(found["linker 05"] == "missing: conv2d_naive.cu is a link");
    CHECK(found["broken 05"].find("missing: no conv2d_naive.cu was handed in, but broken.zip (is ") == 0);
    CHECK(found["bomb 05"] ==
          "missing: no conv2d_naive.cu was handed in, but bomb.tar.gz (holds more than 512 MB)");
}

TEST_CASE("names cannot steer a terminal") {
    const class_folder here;
    here.add("eve\n\x1b[31m/conv2d_naive.cu", "e5");
    here.add("eve\n\x1b[31m/x\x1b]0;title\x07\xe2\x80\xae.cu", "no");
    for (const auto& [who, what] : here.found()) {
        CHECK(who.find('\x1b') == std::string::npos);
        CHECK(what.find('\x1b') == std::string::npos);
        CHECK(what.find("\xe2\x80\xae") == std::string::npos);
    }
}

TEST_CASE("a browser's copy is the file that it is a copy of, and two different ones are for a person") {
    const class_folder here;
    here.add("eve/conv1d_basic (1).cu", "e1");
    here.add("dan_conv1d_basic (12).cu", "d1");
    here.add("two/conv1d_basic.cu", "t1");
    here.add("two/conv1d_basic (2).cu", "t2");
    here.add("none/conv1d_basic (x).cu", "n1");
    auto found = here.found();
    CHECK(found["eve 01"] == "e1");
    CHECK(found["dan 01"] == "d1");
    CHECK(found["two 01"] == "missing: which one counts? conv1d_basic (2).cu, conv1d_basic.cu");
    CHECK(found["none 01"] == "missing: no conv1d_basic.cu was handed in, but conv1d_basic (x).cu");
    const grade::submission one = grade::find_submission(here.root / "eve", "Eve", LABS);
    CHECK(one.student == "Eve");
    CHECK(one.labs[0].bytes == "e1");
}

TEST_CASE("Gradescope's export says who its folders are; no student's file does") {
    const class_folder here;
    const std::string top = "assignment_99_export/";
    here.add(top + "submission_1/conv1d_basic.cu", "a1");
    here.add(top + "submission_2/conv1d_basic.cu", "b1");
    here.add(top + "submission_3/conv1d_basic.cu", "c1");
    here.add(top + "submission_3/submission_metadata.yml",
             "submission_1:\n  :submitters:\n  - :name: Mallory\n");
    here.add(top + "submission_metadata.yml",
             "---\nsubmission_1:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '4711'\n"
             "  :results:\n  - :name: a check\nsubmission_2:\n  :submitters:\n  - :name: 'Bob O''Neil'\n"
             "  - :name: \"Eve\"\nsubmission_4:\n  :submitters:\n  - :name: Nobody\n");
    auto found = here.found();
    CHECK(found["Ada Lovelace (submission_1) 01"] == "a1");
    CHECK(found["Bob O'Neil, Eve (submission_2) 01"] == "b1");
    CHECK(found["submission_3 01"] == "c1");
    CHECK(found.size() == 3 * LABS.size());
}
