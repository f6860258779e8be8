// A lab's known-wrong kernels: those of wrong.txt, which say what they change in the solution, and those of
// wrong/.
#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace author {

/// A kernel with a mistake, and what is to become of it.
struct known_wrong {
    std::string name;      // "no_barrier": its case is wrong_no_barrier
    std::string where;     // as messages name it: "solutions/LAB/wrong.txt:12: no_barrier", or its file
    std::string fails;     // the check in which it must lose points
    std::string sentence;  // what is wrong
    std::set<std::string> diagnosed;  // the causes that may be named for it, "nothing" if there is no name
    std::string text;                 // the whole kernel
};

/// All of them in `solutions/NN_name`, by name. Throws std::runtime_error as edited_kernels does.
std::vector<known_wrong> known_wrong_in(const std::filesystem::path& folder);

/// Those of wrong.txt, paragraphs (author/edited_solutions.h) with these keys:
///   fails: the check that must lose points
///   wrong: One sentence.
///   diagnosed: id, id
/// `diagnosed` may be missing. Throws std::runtime_error as edited_solutions does.
std::vector<known_wrong> edited_kernels(const std::filesystem::path& wrong_txt,
                                        const std::filesystem::path& solution);

/// "shifted, ghost-zero" -> its words.
std::set<std::string> ids_in(const std::string& list);

}  // namespace author
