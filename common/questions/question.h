// A lab's written questions, as handouts/questions/NN_name.txt has them:
//   [a]
//   text: An array of {n} elements meets {2*r + 1} taps. How many .. ?
//   draw: n 1000..9999, r 2..9, tile 64|128
//   let: m = 2*r + 1
//   unit: loads
//   key: n*m - r*(r+1)
//   wrong: n*m
//   why: Every ghost cell saves one.
// A value goes on in lines that begin with two blanks; a line with # in front is a comment. What is in braces is
// computed with the student's own numbers. What a question asks for is known by its keys:
//   a number   key, and `tolerance: 1 %` unless it is exact; `unit: texels|fetches` says what is counted, in either word
//   a formula  key and `at: n 64..1000, r 1..9`, the names in it and where it is evaluated
//   a letter   right: one sentence; three sentences wrong: are put beside it, in an order of the student's own
//   a text     model: what a person looks for
// `points` is 1 unless said otherwise. In a release the keys are gone: `digest` lines are in their place
// (questions/mark.h), and `option` lines in that of right and wrong.
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace questions {

/// A name and the values that are drawn from.
struct drawn {
    std::string name;
    std::vector<double> values;
    std::string as_written;
};

enum class asks_for { number, formula, letter, text };

struct question {
    std::string id;  // "01.a"
    asks_for what = asks_for::text;
    std::string text, unit, key, right, why, model;
    std::vector<drawn> draw, at;
    std::vector<std::pair<std::string, std::string>> let;  // computed in this order, after what is drawn
    std::vector<std::string> wrong, options, digests;
    double tolerance = 0;  // relative
    int points = 1;
};

/// The unit's first word of those that will do: "texels" of "texels|fetches".
std::string shown_unit(const question& which);

/// The questions of a lab, in their order. The lab's number is the file's: 01_conv1d_basic.txt. Throws
/// std::runtime_error "FILE:LINE: trouble".
std::vector<question> read_questions(const std::filesystem::path& file);

/// Those of every lab, in handouts/questions below a folder.
std::vector<std::filesystem::path> question_files(const std::filesystem::path& folder = ".");

/// The form that students get: no keys, nothing that says which answer is right.
std::string released(const std::vector<question>& all);

}  // namespace questions
