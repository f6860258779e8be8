// Old text -> new text: finds it in a solution and writes the solution with it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "author/regions.h"

namespace author {

/// Lines with the numbers that they have in the file of edits.
struct edit {
    std::vector<code_line> before, after;
};

/// The code of a file, in which edits are looked for.
class editable_text {
public:
    editable_text(const std::filesystem::path& file, std::vector<code_line> lines);

    /// The text with all edits, which are looked for in the unchanged text. Lines have the numbers and the
    /// file they come from by #line: this text's, or those of the edits in `source`. Throws
    /// std::runtime_error "SOURCE:LINE: trouble" if an old text does not stand exactly once, is empty or its
    /// new text, or if two of them overlap.
    std::string with(const std::vector<edit>& edits, const std::filesystem::path& source) const;

private:
    struct place {
        size_t line = 0, column = 0;  // of lines_
    };
    struct found_edit {
        const edit* what;
        size_t begin, end;  // in joined_
    };

    std::vector<found_edit> find(const std::vector<edit>& edits, const std::string& source) const;
    place place_of(size_t offset) const;

    std::filesystem::path file_;
    std::vector<code_line> lines_;
    std::string joined_;          // the lines without the blanks around them
    std::vector<size_t> starts_;  // of the lines in joined_
};

}  // namespace author
