// The program of make questionsNN and make answersNN:
//   questions ask QUESTIONS ANSWERS            prints the questions with the numbers of the name in answers.txt
//   questions mark QUESTIONS ANSWERS REPORT    marks the answers and writes a report in JSON
//   questions skeleton QUESTIONS               prints an answers.txt without answers
//   questions release QUESTIONS                prints the questions without their keys
//   questions answers                          prints the instructors' page
// Exit code 2 and one line if a file cannot be read.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "questions/answers.h"
#include "questions/pages.h"
#include "questions/report.h"

namespace fs = std::filesystem;

namespace {

std::string lab_of(const fs::path& questions) {
    return questions.stem().string();
}

void write_whole(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    const fs::path part = file.string() + ".part";
    std::ofstream(part) << text << std::flush;
    if (fs::file_size(part) != text.size()) throw std::runtime_error(file.string() + ": cannot be written");
    fs::rename(part, file);
}

void mark(const fs::path& asked, const fs::path& answered, const fs::path& report) {
    const auto given = questions::read_answers(answered);
    questions::report result;
    try {
        result = questions::mark_all(lab_of(asked), questions::read_questions(asked), given);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(answered.string() + ": " + error.what());
    }
    write_whole(report, as_json(result));
    std::fputs(as_text(result).c_str(), stdout);
}

}  // namespace

int main(int argc, char** argv) try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const std::string what = words.empty() ? "" : words[0];
    if (what == "ask" && words.size() == 3)
        std::fputs(
            questions::pages_for(questions::read_questions(words[1]), questions::read_answers(words[2]).name)
                .c_str(),
            stdout);
    else if (what == "mark" && words.size() == 4)
        mark(words[1], words[2], words[3]);
    else if (what == "skeleton" && words.size() == 2)
        std::fputs(questions::skeleton(questions::read_questions(words[1])).c_str(), stdout);
    else if (what == "release" && words.size() == 2)
        std::fputs(questions::released(questions::read_questions(words[1])).c_str(), stdout);
    else if (what == "answers" && words.size() == 1)
        std::fputs(questions::instructors_page(questions::question_files()).c_str(), stdout);
    else
        throw std::runtime_error("usage: ask | mark | skeleton | release | answers, as make does");
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
