// A lab's unusual but right kernels: those of right.txt, which say what they change in the solution, and those of
// right/.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace author {

/// A kernel that must keep all points.
struct known_right {
    std::string name;      // "square_blocks": its case is right_square_blocks
    std::string where;     // as messages name it: "solutions/LAB/right.txt:12: square_blocks", or its file
    std::string sentence;  // what is unusual; empty if its file does not open with "// Right: "
    std::string text;      // the whole kernel
};

/// All of them in `solutions/NN_name`, by name. Those of right.txt are paragraphs (author/edited_solutions.h) with
/// the key `right:`, one sentence. Throws std::runtime_error as edited_solutions does, and if a name comes twice.
std::vector<known_right> known_right_in(const std::filesystem::path& folder);

}  // namespace author
