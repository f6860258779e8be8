// What a page of Markdown refers to, and what of it would not look on a page as it was typed.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace author {

/// The text without code, `in a line` or in a block, and without what comments say; every line keeps its number.
std::string without_code(const std::string& markdown);

/// What the headings of a page are called in a link, "#the-idea", as code-hosting sites and pandoc make it: lower case, blanks
/// as hyphens, no other punctuation, -1 and so on behind what comes again.
std::vector<std::string> anchors_of(const std::string& markdown);

/// The links of `page` that lead nowhere: to no file, to a heading that is not there, or out of the folder `root`, which is
/// all that its readers have. Each as "handouts/a.md: line 3: ../b.md: out of handouts". Links with a scheme (https:) are not
/// followed. Throws std::runtime_error if there is no such page.
std::vector<std::string> broken_links(const std::filesystem::path& page, const std::filesystem::path& root);

/// The "question 6 of lab 09" and "lab 09, question 6" of `page` that the labs' pages in `folder` do not have, likewise.
std::vector<std::string> broken_question_numbers(const std::filesystem::path& page,
                                                 const std::filesystem::path& folder);

/// What Markdown takes for something else than was meant, so that a page shows neither it nor the emphasis around it: products
/// such as 4*3 outside of code (emphasis), and lines that go on in a paragraph and begin with +, -, *, 1) (a list) or with a
/// comment (a block of HTML). Each as "line 12: 4*3".
std::vector<std::string> misread(const std::string& markdown);

}  // namespace author
