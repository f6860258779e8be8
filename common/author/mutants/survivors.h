// Mutants that lose no points, each with the reason why it need not.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "author/mutants/mutants.h"

namespace author {

struct survivor {
    std::string where;  // "solutions/LAB/survivors.txt:12: relation_3fa81c"
    std::string reason, sentence;
};

/// Those of survivors.txt, by id; none if there is no such file. Its paragraphs (author/paragraphs.h):
///   [relation_3fa81c]
///   reason: equivalent (no input tells them apart), speed, compiler (what it gives is left to the compiler),
///     size (wrong only at sizes that no judge has the time or the memory for) or order (of additions)
///   why: One sentence.
///   - line of the solution
///   + line of the mutant
/// Throws std::runtime_error "FILE:LINE: trouble", a line for each, as read_paragraphs does, and if an entry
/// is of no mutant of `all`, or of another change than its mutant's.
std::map<std::string, survivor> read_survivors(const std::filesystem::path& file,
                                               const std::vector<mutant>& all);

/// The paragraph for a mutant, its reason still to be written.
std::string paragraph_for(const mutant& what);

}  // namespace author
