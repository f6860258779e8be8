// Which functions and variables a file declares outside of functions, and where the functions' bodies are.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "simt/rewrite/source.h"

namespace rewrite {

/// One declaration or definition of a function.
struct function {
    std::string name;     // without its scopes; "operator" for operators
    std::string scope;    // of namespaces and classes, "a::b::"
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
    bool is_friend = false;
    bool in_template = false;  // of a function or of a class around it
};

/// What stands between two semicolons of a namespace or a class and declares no function.
struct declaration_range {
    size_t first = NONE, end = NONE;  // end: the semicolon, or the brace of a value
    bool in_class = false;
};
inline constexpr int ANY_NUMBER = 1 << 20;

/// What a launch must know about a kernel of this name.
struct kernel {
    int template_parameters = 0;  // with fewer template arguments than this at the launch, some are deduced
    bool needs_call = false;  // overloads or default arguments: only a written-out call chooses and completes
};

struct function_table {
    std::vector<function> functions;
    std::vector<declaration_range> others;
    /// For every token: the function whose body, or a constructor's initialisers before it, contains it, or -1.
    std::vector<int> owner;
    std::map<std::string, kernel, std::less<>> kernels;

    bool inside_function(size_t i) const { return i != NONE && owner[i] >= 0; }
    /// The function whose body contains token i, or null.
    const function* around(size_t i) const { return inside_function(i) ? &functions[owner[i]] : nullptr; }
};

function_table find_functions(const source& file);

}  // namespace rewrite
