// Kernels that are the solution but for some lines, as wrong.txt and right.txt list them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "author/paragraphs.h"

namespace author {

/// A paragraph (author/paragraphs.h), and what it makes of the solution.
struct edited_solution {
    paragraph how;
    std::string where;  // as messages name it: "solutions/LAB/wrong.txt:12: no_barrier"
    std::string text;   // the whole kernel
};

/// The old text of an edit must stand exactly once in the solution without its marker lines, where the blanks
/// that lines begin with do not count; a piece of a line will do. All edits of a kernel are looked for in the
/// same solution. The texts have #line directives, so that compilers and findings name the solution and the
/// file of edits. Throws std::runtime_error "FILE:LINE: trouble", a line for each if old texts are not found.
std::vector<edited_solution> edited_solutions(const std::filesystem::path& file,
                                              const std::filesystem::path& solution,
                                              const paragraph_keys& keys);

}  // namespace author
