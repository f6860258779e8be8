// Which functions a file declares and where their bodies are; which of them are kernels.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "simt/rewrite/source.h"

namespace rewrite {

/// One declaration or definition of a function.
struct function {
    std::string name;     // without its scopes; "operator" for operators
    size_t first = NONE;  // first token of the declaration, `template` included
    size_t name_at = NONE;
    size_t parameters = NONE;     // the opening parenthesis
    size_t body = NONE;           // the opening brace, NONE for a declaration
    int template_parameters = 0;  // ANY_NUMBER for a pack
    int parameter_count = 0;      // ANY_NUMBER if a call may leave some out or have more
    bool is_global = false, is_device = false, is_host = false;
    bool is_constexpr = false, is_consteval = false;
    bool is_specialisation = false;  // template<> or an explicit instantiation
    bool is_member = false;          // declared in a class, or named Class::name
};
inline constexpr int ANY_NUMBER = 1 << 20;

/// What a launch must know about a kernel of this name.
struct kernel {
    int template_parameters = 0;  // with fewer template arguments than this at the launch, some are deduced
    bool needs_call = false;  // overloads or default arguments: only a written-out call chooses and completes
};

struct function_table {
    std::vector<function> functions;
    std::vector<int> owner;  // for every token: the function whose body contains it, or -1
    std::map<std::string, kernel, std::less<>> kernels;

    bool inside_function(size_t i) const { return i != NONE && owner[i] >= 0; }
    /// The function whose body contains token i, or null.
    const function* around(size_t i) const { return inside_function(i) ? &functions[owner[i]] : nullptr; }
};

function_table find_functions(const source& file);

}  // namespace rewrite
