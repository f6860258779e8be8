// The C++ library in device code: nvcc takes most of it for the host's, g++ would run it in a kernel.
#include <map>
#include <set>
#include <string>

#include "simt/rewrite/passes.h"
#include "simt/rewrite/sides.h"

namespace rewrite {
namespace {

constexpr std::string_view WRITE_OUT = "write it out";

/// Functions that nvcc has for device code, or knows to cost nothing. Most of <cmath> is there with an f, too.
bool is_mathematics(std::string_view name) {
    static const std::set<std::string_view> names = {"abs",
                                                     "fabs",
                                                     "sqrt",
                                                     "cbrt",
                                                     "hypot",
                                                     "pow",
                                                     "exp",
                                                     "exp2",
                                                     "expm1",
                                                     "log",
                                                     "log2",
                                                     "log10",
                                                     "log1p",
                                                     "sin",
                                                     "cos",
                                                     "tan",
                                                     "asin",
                                                     "acos",
                                                     "atan",
                                                     "atan2",
                                                     "sinh",
                                                     "cosh",
                                                     "tanh",
                                                     "asinh",
                                                     "acosh",
                                                     "atanh",
                                                     "floor",
                                                     "ceil",
                                                     "trunc",
                                                     "round",
                                                     "lround",
                                                     "llround",
                                                     "rint",
                                                     "lrint",
                                                     "llrint",
                                                     "nearbyint",
                                                     "fmod",
                                                     "remainder",
                                                     "remquo",
                                                     "fma",
                                                     "fmin",
                                                     "fmax",
                                                     "fdim",
                                                     "erf",
                                                     "erfc",
                                                     "tgamma",
                                                     "lgamma",
                                                     "ldexp",
                                                     "frexp",
                                                     "modf",
                                                     "scalbn",
                                                     "scalbln",
                                                     "ilogb",
                                                     "logb",
                                                     "copysign",
                                                     "nextafter",
                                                     "isnan",
                                                     "isinf",
                                                     "isfinite",
                                                     "isnormal",
                                                     "signbit",
                                                     "isgreater",
                                                     "isless",
                                                     "islessgreater",
                                                     "labs",
                                                     "llabs",
                                                     "nan",
                                                     "memcpy",
                                                     "memset",
                                                     "printf",
                                                     "malloc",
                                                     "free",
                                                     "move",
                                                     "forward",
                                                     "declval",
                                                     "true_type",
                                                     "false_type",
                                                     "isgreaterequal",
                                                     "islessequal",
                                                     "isunordered",
                                                     "integral_constant",
                                                     "bool_constant",
                                                     "index_sequence",
                                                     "make_index_sequence",
                                                     "integer_sequence",
                                                     "make_integer_sequence",
                                                     "clock"};
    if (names.count(name) > 0 || name.ends_with("_t")) return true;
    return name.ends_with("f") && names.count(name.substr(0, name.size() - 1)) > 0;
}

/// What to write instead of a function of the C++ library.
std::string_view remedy_for_function(std::string_view name) {
    static const std::map<std::string_view, std::string_view> remedies = {
        {"min", "call min without std::"},
        {"max", "call max without std::"},
        {"clamp", "call min(max(x, low), high) without std::"},
        {"rand", "make the numbers on the host, or write a generator"},
        {"exit", "return, or call __trap()"},
        {"abort", "return, or call __trap()"},
    };
    const auto found = remedies.find(name);
    return found == remedies.end() ? WRITE_OUT : found->second;
}

/// Functions that nobody means to be his own, where std is used as a whole.
bool is_algorithm(std::string_view name) {
    static const std::set<std::string_view> names = {
        "sort",     "accumulate", "fill",  "fill_n", "copy", "copy_n",      "transform",   "reverse",
        "for_each", "iota",       "clamp", "lerp",   "gcd",  "min_element", "max_element", "inner_product"};
    return names.count(name) > 0;
}

/// What to use instead of a class or an object of the C++ library; empty if it is not known to be a wrong one.
std::string_view remedy_for_class(std::string_view name) {
    constexpr std::string_view ARRAY = "use an array, or a pointer and a size", TEXT = "use an array of char",
                               STRUCT = "write a struct", PRINT = "use printf",
                               CALLED = "write a struct with a __device__ operator()",
                               NUMBERS = "make the numbers on the host, or write a generator";
    static const std::map<std::string_view, std::string_view> remedies = {
        {"vector", ARRAY},
        {"array", ARRAY},
        {"span", ARRAY},
        {"deque", ARRAY},
        {"list", ARRAY},
        {"queue", ARRAY},
        {"stack", ARRAY},
        {"map", ARRAY},
        {"set", ARRAY},
        {"unordered_map", ARRAY},
        {"unordered_set", ARRAY},
        {"bitset", ARRAY},
        {"valarray", ARRAY},
        {"string", TEXT},
        {"string_view", TEXT},
        {"tuple", STRUCT},
        {"pair", STRUCT},
        {"optional", STRUCT},
        {"variant", STRUCT},
        {"any", STRUCT},
        {"complex", "use float2"},
        {"atomic", "use atomicAdd and its like"},
        {"mutex", "use atomicCAS"},
        {"unique_ptr", "use a pointer"},
        {"shared_ptr", "use a pointer"},
        {"function", CALLED},
        {"cout", PRINT},
        {"cerr", PRINT},
        {"ostringstream", PRINT},
        {"stringstream", PRINT},
        {"chrono", "use clock64()"},
        {"mt19937", NUMBERS},
        {"random_device", NUMBERS},
        {"default_random_engine", NUMBERS},
    };
    const auto found = remedies.find(name);
    return found == remedies.end() ? std::string_view() : found->second;
}

/// Nothing that takes memory, prints, ends the program or draws numbers is.
bool may_be_constexpr(std::string_view name) {
    static const std::set<std::string_view> classes = {"array", "span",     "bitset",  "string_view", "tuple",
                                                       "pair",  "optional", "variant", "complex"};
    static const std::set<std::string_view> host_alone = {"rand", "exit", "abort"};
    return classes.count(name) > 0 || (remedy_for_class(name).empty() && host_alone.count(name) == 0);
}

class library_pass {
public:
    library_pass(source& file, const function_table& table, bool relaxed)
        : file_(file), table_(table), sides_(file, table), relaxed_(relaxed) {
        for (const function& f : table.functions)
            own_names_.insert(f.name);
    }

    void run() {
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            uses_std_ |= file_.is(i, "namespace") && file_.is(file_.previous(i), "using") &&
                         file_.is(file_.next(i), "std");
            if (file_.is_identifier(i) && sides_.of(i) == side::device) check(i);
        }
        for (const function& f : table_.functions)
            check_parameters(f);
        for (const declaration_range& d : table_.others)
            check_variable(d);
    }

private:
    source& file_;
    const function_table& table_;
    const side_map sides_;
    const bool relaxed_;
    std::set<std::string, std::less<>> own_names_;
    bool uses_std_ = false;  // using namespace std

    /// True for the name in std::name, and not in other::std::name.
    bool is_in_std(size_t name) const {
        const size_t scope = file_.previous(file_.previous(name)), before = file_.previous(scope);
        const bool is_other = file_.is(before, "::") && file_.is_identifier(file_.previous(before));
        return file_.is(file_.previous(name), "::") && file_.is(scope, "std") && !is_other;
    }

    /// A name that may be one of std, by using namespace std: one that only the library has.
    bool may_be_in_std(size_t name) const {
        const size_t before = file_.previous(name);
        const bool is_part = file_.is(before, ".") || file_.is(before, "->") || file_.is(before, "::");
        return uses_std_ && !is_part && own_names_.count(file_.text(name)) == 0;
    }

    size_t after_arguments(size_t name) const {
        const size_t next = file_.next(name);
        return file_.is(next, "<") ? file_.next(file_.closing_angle(next)) : next;
    }

    void check(size_t name) {
        const bool is_qualified = is_in_std(name);
        if (!is_qualified && !may_be_in_std(name)) return;
        if (relaxed_ && may_be_constexpr(file_.text(name))) return;
        if (file_.is(name, "numeric_limits")) return check_limits(name);
        if (check_class(name, is_qualified) || (!is_qualified && !is_algorithm(file_.text(name)))) return;
        if (!file_.is(after_arguments(name), "(") || is_mathematics(file_.text(name))) return;
        file_.report(name, "device code calls the host function std::" + std::string(file_.text(name)) +
                               ": " + std::string(remedy_for_function(file_.text(name))));
    }

    /// True if it has been reported.
    bool check_class(size_t name, bool is_qualified) {
        if (relaxed_ && may_be_constexpr(file_.text(name))) return false;
        const std::string_view remedy = remedy_for_class(file_.text(name));
        const bool has_arguments = file_.is(file_.next(name), "<");
        const bool is_text = file_.is(name, "string") && file_.is_identifier(file_.next(name));
        if (remedy.empty() || (!is_qualified && !has_arguments && !is_text)) return false;
        const size_t after = after_arguments(name);
        // Of a pair that came from elsewhere the members are read without a call.
        if (file_.is(after, "*") || (file_.is(name, "pair") && file_.is(after, "&"))) return false;
        file_.report(name, "device code uses std::" + std::string(file_.text(name)) +
                               ", whose functions are the host's: " + std::string(remedy));
        return true;
    }

    /// std::numeric_limits<float>::max() and its like are calls; ::digits is none.
    void check_limits(size_t name) {
        const size_t scope = file_.next(file_.closing_angle(file_.next(name)));
        const size_t called = file_.next(scope);
        if (!file_.is(scope, "::") || !file_.is(file_.next(called), "(")) return;
        file_.report(name, "device code calls the host function std::numeric_limits<>::" +
                               std::string(file_.text(called)) +
                               ": use INFINITY, FLT_MAX and the like, or a constant from outside");
    }

    /// __device__ std::atomic<int> n;
    void check_variable(const declaration_range& d) {
        bool on_device = false;
        for (size_t i = d.first; i != NONE && i < d.end; i = file_.next(i)) {
            on_device |= file_.is(i, "__device__") || file_.is(i, "__constant__");
            if (on_device && is_in_std(i)) check_class(i, true);
        }
    }

    /// A std::span among a kernel's parameters, if anything is done with it.
    void check_parameters(const function& f) {
        if (f.body == NONE || f.is_host || !(f.is_global || f.is_device)) return;
        for (size_t i = f.parameters; i != NONE && i < file_.partner(f.parameters); i = file_.next(i)) {
            if (!file_.is_identifier(i) || !(is_in_std(i) || may_be_in_std(i))) continue;
            if (file_.is(i, "pair")) continue;
            if (!remedy_for_class(file_.text(i)).empty() && is_used(f, name_of_parameter(i)))
                check_class(i, is_in_std(i));
        }
    }

    /// The name of the parameter whose type begins at i.
    std::string_view name_of_parameter(size_t i) const {
        size_t name = after_arguments(i);
        while (file_.is(name, "&") || file_.is(name, "const"))
            name = file_.next(name);
        return file_.text(name);
    }

    bool is_used(const function& f, std::string_view name) const {
        for (size_t i = f.body; i != NONE && i < file_.partner(f.body); i = file_.next(i)) {
            if (file_.is(i, name)) return true;
        }
        return false;
    }
};

}  // namespace

void reject_library_calls(source& file, const function_table& functions, bool relaxed) {
    library_pass(file, functions, relaxed).run();
}

}  // namespace rewrite
