// The operators: each finds the places where it applies and says what stands there then.
#pragma once
#include <string>
#include <vector>

#include "author/mutants/code.h"

namespace author {

/// New text in place of that from `begin` up to `end`.
struct change {
    std::string name;  // of the operator
    size_t begin, end;
    std::string text;
};

/// Operators in expressions: relations, signs, logic, arithmetic, steps, assignments, numbers, indices, limits.
void change_expressions(const solution_code& code, std::vector<change>& changes);

/// Names, arguments and types: swapped ones, other members of an enumeration, another exception.
void change_names(const solution_code& code, std::vector<change>& changes);

/// What is taken out: statements, barriers, copies, frees, conditions, initial values, launch arguments.
void take_out(const solution_code& code, std::vector<change>& changes);

}  // namespace author
