// A report on answers: a file of ours with a student's words.
#include "report/graded_answers.h"

#include <stdexcept>

#include "report/bounded_json.h"

namespace report {
namespace {

graded_answer answer_in(const nlohmann::json& from) {
    constexpr double MOST = 100;
    graded_answer one;
    one.id = optional_text(from, "id", LONGEST_NAME);
    one.verdict = optional_text(from, "verdict", LONGEST_NAME);
    one.answer = optional_text(from, "answer", LONGEST_TEXT);
    one.note = optional_text(from, "note", LONGEST_TEXT);
    one.of = number(from, "of", 0, MOST);
    one.points = number(from, "points", 0, one.of);
    return one;
}

graded_answers answers_in(const nlohmann::json& from) {
    constexpr size_t MOST_QUESTIONS = 100;
    constexpr double MOST_POINTS = 1000;
    graded_answers all;
    all.name = optional_text(from, "name", LONGEST_NAME);
    all.of = number(from, "of", 0, MOST_POINTS);
    all.points = number(from, "points", 0, all.of);
    all.to_read = number(from, "to_read", 0, all.of);
    double sum = 0;
    for (const nlohmann::json& one : from.at("questions")) {
        if (all.questions.size() == MOST_QUESTIONS) throw std::runtime_error("holds more than 100 questions");
        all.questions.push_back(answer_in(one));
        sum += all.questions.back().points;
    }
    if (all.points > sum) throw std::runtime_error("has more points than its questions give");
    return all;
}

}  // namespace

graded_answers read_answers(const std::filesystem::path& answers_json) {
    try {
        return answers_in(read_json(answers_json));
    } catch (const std::exception& trouble) {
        throw std::runtime_error(answers_json.string() + ": " + trouble.what());
    }
}

}  // namespace report
