// Files of named changes to a solution, wrong.txt and survivors.txt:
//   [name]
//   key: value, which goes on in lines that begin with two blanks
//   - old text
//   + new text
// An edit is a run of old lines and then a run of new ones, or of none. A line with # in front is a comment.
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "author/edits.h"

namespace author {

struct paragraph {
    std::string name;
    int line = 0;  // of its name
    std::map<std::string, std::string> keys;
    std::vector<edit> edits;

    /// The key's value, empty if it has none.
    std::string value(const std::string& key) const { return keys.count(key) ? keys.at(key) : ""; }
};

/// The keys of a kind of file.
struct paragraph_keys {
    std::vector<std::string> needed, optional;
};

/// Throws std::runtime_error "FILE:LINE: trouble" on text of another form, other keys, names that come twice
/// and paragraphs without a needed key or without an edit.
std::vector<paragraph> read_paragraphs(const std::filesystem::path& file, const paragraph_keys& keys);

}  // namespace author
