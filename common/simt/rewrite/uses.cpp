// Judges uses of marked functions and variables.
#include "simt/rewrite/uses.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "simt/rewrite/operands.h"

namespace rewrite {
namespace {

/// "int S::at(int) const [with T = int]" -> "S::at"; "taps" -> "taps".
std::string name_of(std::string_view declaration) {
    if (declaration.find("<lambda") != std::string_view::npos) return "the lambda";
    declaration = declaration.substr(0, declaration.find(" [with "));
    size_t end = declaration.size(), depth = 0;
    const size_t word = declaration.find("operator");
    const bool is_call_operator =
        declaration.substr(std::min(word, declaration.size())).starts_with("operator()");
    const size_t begin = word == std::string_view::npos ? 0 : word + (is_call_operator ? 10 : 9);
    for (size_t i = begin; i < declaration.size(); i++) {
        if (declaration[i] == '<') depth++;
        if (declaration[i] == '>' && depth > 0) depth--;
        if (declaration[i] == '(' && depth == 0) {
            end = i;
            break;
        }
    }
    declaration = declaration.substr(0, end);
    if (declaration.find('<') != std::string_view::npos && word == std::string_view::npos)
        declaration = declaration.substr(0, declaration.find('<'));
    const size_t blank = declaration.substr(0, word).rfind(' ');
    declaration.remove_prefix(blank == std::string_view::npos ? 0 : blank + 1);
    declaration.remove_prefix(std::min(declaration.find_first_not_of("*&"), declaration.size()));
    // The backend's own name for __expf and its like.
    if (declaration.starts_with("simt_")) return "__" + std::string(declaration.substr(5));
    return std::string(declaration);
}

/// Functions of the C library that kernels may call.
bool is_for_kernels(std::string_view name) {
    static const std::set<std::string_view> names = {"printf", "malloc", "free",         "memcpy",
                                                     "memset", "clock",  "abs",          "labs",
                                                     "llabs",  "alloca", "__assert_fail"};
    return names.count(name) > 0;
}

/// What to do without a function of the C library.
std::string_view remedy_for(std::string_view name) {
    static const std::map<std::string_view, std::string_view> remedies = {
        {"rand", "make the numbers on the host, or write a generator"},
        {"srand", "make the numbers on the host, or write a generator"},
        {"time", "use clock64()"},
        {"exit", "return, or call __trap()"},
        {"abort", "return, or call __trap()"},
        {"puts", "use printf"},
        {"putchar", "use printf"},
        {"fprintf", "use printf"},
        {"calloc", "call malloc and memset"},
        {"realloc", "call malloc and memcpy"},
        {"memmove", "copy in a loop"},
    };
    if (name.starts_with("cuda")) return "call it on the host";
    const auto found = remedies.find(name);
    return found == remedies.end() ? "write it out" : found->second;
}

}  // namespace

use_judge::use_judge(std::string_view preprocessed)
    : file_(lex(preprocessed)), functions_(find_functions(file_)), sides_(file_, functions_) {
    for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
        const token& t = file_.tokens[i];
        tokens_of_line_[{file_.places[t.place].name, t.line}].push_back(i);
    }
}

/// The token at file:line:column.
size_t use_judge::token_at(std::string_view location) const {
    const size_t before_column = location.rfind(':');
    const size_t before_line = location.rfind(':', before_column - 1);
    if (before_column == std::string_view::npos || before_line == std::string_view::npos) return NONE;
    const auto number = [&](size_t begin, size_t end) {
        int value = 0;
        std::from_chars(location.data() + begin, location.data() + end, value);
        return value;
    };
    const int line = number(before_line + 1, before_column),
              column = number(before_column + 1, location.size());
    const auto found = tokens_of_line_.find({location.substr(0, before_line), line});
    if (found == tokens_of_line_.end()) return NONE;
    size_t at = NONE;
    for (const size_t i : found->second) {
        if (file_.tokens[i].column < column) at = i;
    }
    return at;
}

/// The variable's name at the token that g++ points at, or before it in its line: the rewriter puts words before uses
/// of members, which g++ counts and this text does not have.
size_t use_judge::name_at(size_t at, const std::string& name) const {
    const token& pointed = file_.tokens[at];
    const std::string_view word = std::string_view(name).substr(name.rfind(':') + 1);
    for (size_t i = at; i != NONE; i = file_.previous(i)) {
        const token& t = file_.tokens[i];
        if (t.line != pointed.line || t.place != pointed.place) break;
        if (file_.is(i, word)) return i;
    }
    return at;
}

size_t use_judge::token_in_device(std::string_view location) const {
    const size_t at = token_at(location);
    const side where = sides_.of(at);
    return where == side::outside || where == side::host ? NONE : at;
}

/// True in sizeof(...), decltype(...) and the like, where nothing is called or read.
bool use_judge::is_unevaluated(size_t i) const {
    const auto asks_for_type = [&](size_t word) {
        return file_.is(word, "sizeof") || file_.is(word, "decltype") || file_.is(word, "alignof") ||
               file_.is(word, "noexcept");
    };
    if (asks_for_type(file_.previous(i))) return true;
    for (size_t j = i; j != NONE && !file_.is(j, ";") && !file_.is(j, "{") && !file_.is(j, "}");
         j = file_.previous(j)) {
        const bool is_around = file_.is(j, "(") && file_.partner(j) != NONE && file_.partner(j) >= i;
        if (is_around && asks_for_type(file_.previous(j))) return true;
        if (file_.is(j, ")") && file_.partner(j) != NONE && j != i) j = file_.partner(j);
    }
    return false;
}

/// What follows a name, or the arguments of a template.
size_t use_judge::after_name(size_t i) const {
    size_t next = file_.next(i);
    if (file_.is(next, "<") && !file_.is_triple(next, "<") && file_.closing_angle(next) != NONE)
        next = file_.next(file_.closing_angle(next));
    return next;
}

/// True if the token, of what g++ points at, stands for a call by this name: the name or the ( after it.
bool use_judge::is_call(size_t at, std::string_view name) const {
    name.remove_prefix(name.rfind(':') + 1);
    const auto names_it = [&](size_t i) { return file_.is(i, name); };
    if (names_it(at)) return file_.is(after_name(at), "(");
    if (!file_.is(at, "(")) return false;
    const size_t before = file_.previous(at);
    const bool ends_launch =
        file_.is(before, ">") && file_.is_triple(file_.previous(file_.previous(before)), ">");
    return names_it(before) ||
           (file_.is(before, ">") && !ends_launch && names_it(file_.previous(file_.opening_angle(before))));
}

std::string use_judge::judge_call(size_t at, const std::string& name, std::string_view mark) const {
    const side where = sides_.of(at);
    const bool is_in_device = where == side::device;
    const bool is_in_host = where == side::host || where == side::both;
    // A constructor, an operator or a member is called, wherever g++ points.
    const std::string_view last_name = std::string_view(name).substr(name.rfind(':') + 1);
    const bool is_plain = std::any_of(functions_.functions.begin(), functions_.functions.end(),
                                      [&](const auto& f) { return f.name == last_name && !f.is_member; });
    const bool is_address = is_plain && !is_call(at, name);
    if (mark == KERNEL) {
        if (!is_call(at, name)) return "";
        return name + " is a kernel: launch it with " + name + "<<<grid, block>>>(arguments)";
    }
    if (mark == HOST_FUNCTION && is_in_device) {
        if (name == "the lambda")
            return "device code calls a lambda of the host: write a struct with a __device__ operator()";
        if (is_address)
            return "device code takes the address of the host function " + name + ": mark " + name +
                   " __device__";
        return "device code calls the host function " + name + ": mark " + name + " __device__";
    }
    if (mark == CONSTEXPR_FUNCTION && is_in_device)
        return "device code calls the constexpr host function " + name + ", which nvcc refuses: mark " +
               name + " __host__ __device__";
    if (mark == LIBRARY && is_in_device && !is_for_kernels(name))
        return "device code calls the host function " + name + ": " + std::string(remedy_for(name));
    if (mark == DEVICE_FUNCTION && where == side::host && is_address)
        return "host code takes the address of the device function " + name +
               ", which nothing on a GPU can call: take it in device code, or pass a struct with a "
               "__device__ "
               "operator()";
    if (mark == DEVICE_FUNCTION && is_in_host && !is_address)
        return "host code calls the device function " + name + ": mark " + name + " __host__ __device__";
    if (mark == BUILT_IN && is_in_host)
        return "host code calls " + name +
               ", which exists in device code only: mark the function around it " + "__device__";
    return "";
}

std::string use_judge::judge_host_variable(size_t at, const std::string& name) const {
    const side where = sides_.of(at);
    if (where == side::host || where == side::outside) return "";
    return "device code uses the host variable " + name +
           ": declare it __constant__ or __device__, or pass it as an argument";
}

/// The value of a constant may be used anywhere; the constant itself lies on the host.
std::string use_judge::judge_constant(size_t at, const std::string& name) const {
    if (sides_.of(at) == side::host || sides_.of(at) == side::outside) return "";
    size_t next = file_.next(at);
    while (file_.is(next, "."))
        next = file_.next(file_.next(next));
    if (file_.is(next, "[")) return judge_host_variable(at, name);
    const size_t before = file_.previous(at);
    const bool is_operand =
        file_.is_identifier(file_.previous(before)) || file_.is(file_.previous(before), ")");
    const bool is_addressed = file_.is(before, "&") && !is_operand && !file_.is(file_.previous(before), "&");
    if (!is_addressed && !takes_reference(at)) return "";
    return "device code needs the address of the host constant " + name +
           ": declare it inside the function, or __constant__";
}

/// True if this is all of an argument for a reference of one of the student's functions.
bool use_judge::takes_reference(size_t argument) const {
    const size_t next = file_.next(argument);
    if (!file_.is(next, ",") && !file_.is(next, ")")) return false;
    size_t open = file_.previous(argument);
    if (!file_.is(open, ",") && !file_.is(open, "(")) return false;
    int position = 0;
    for (; open != NONE && !file_.is(open, "("); open = file_.previous(open)) {
        if (file_.is(open, ")") || file_.is(open, "]") || file_.is(open, "}")) open = file_.partner(open);
        position += file_.is(open, ",");
        if (file_.is(open, ";") || file_.is(open, "{")) return false;
    }
    const std::string_view callee = file_.text(file_.previous(open));
    bool found = false;
    for (const function& f : functions_.functions) {
        if (f.name != callee || f.parameters == NONE) continue;
        size_t i = file_.next(f.parameters);
        for (int skipped = 0; skipped < position && i != NONE && i < file_.partner(f.parameters);
             i = file_.next(i)) {
            if (file_.is(i, "<") && file_.closing_angle(i) != NONE) i = file_.closing_angle(i);
            skipped += file_.is(i, ",");
        }
        bool is_reference = false;
        for (; i != NONE && i < file_.partner(f.parameters) && !file_.is(i, ","); i = file_.next(i)) {
            if (file_.is(i, "<") && file_.closing_angle(i) != NONE) i = file_.closing_angle(i);
            is_reference |= file_.is(i, "&");
        }
        if (!is_reference) return false;
        found = true;
    }
    return found;
}

/// True if the variable at i or a member of it is assigned to, stepped or updated.
bool use_judge::is_changed(size_t i) const {
    size_t after = file_.next(i);
    while (file_.is(after, "."))
        after = file_.next(file_.next(after));
    return file_.is(after, "=") || is_updated(file_, i, after);
}

std::string use_judge::judge_constant_memory(size_t at, const std::string& name) const {
    const side where = sides_.of(at);
    if (where != side::device) return judge_device_variable(at, name, false);
    if (!is_changed(at)) return "";
    return "device code changes " + name + ", which is constant memory: write to global or shared memory";
}

/// The host may name a variable of the device where its address is meant, as in cudaMemcpyToSymbol.
std::string use_judge::judge_device_variable(size_t at, const std::string& name, bool is_array) const {
    static const std::set<std::string_view> operators = {"=", "+", "-", "*",  "/",  "%",  "<",  ">",
                                                         "?", "!", "|", "==", "!=", "<=", ">=", "return"};
    if (sides_.of(at) != side::host) return "";
    const size_t before = file_.previous(at);
    size_t next = file_.next(at);
    if (is_array && !file_.is(next, "[")) return "";
    while (file_.is(next, "["))
        next = file_.next(file_.partner(next));
    const bool is_operand = operators.count(file_.text(next)) > 0 || operators.count(file_.text(before)) > 0;
    if (file_.is(before, "&") || !is_operand) return "";
    return "host code reads or writes the device variable " + name +
           " by itself: use cudaMemcpyFromSymbol or cudaMemcpyToSymbol";
}

std::string use_judge::judge(std::string_view location, std::string_view declaration, std::string_view mark,
                             bool in_instantiation) const {
    const size_t at = token_at(location);
    if (at == NONE || is_unevaluated(at)) return "";
    const function* around = functions_.around(at);
    if (around && around->in_template && !in_instantiation) return "";
    const std::string name = name_of(declaration);
    if (mark == HOST_VARIABLE) return judge_host_variable(at, name);
    if (mark == HOST_CONSTANT) return judge_constant(at, name);
    if (mark == DEVICE_VARIABLE || mark == DEVICE_ARRAY)
        return judge_device_variable(at, name, mark == DEVICE_ARRAY);
    if (mark == CONSTANT_MEMORY) return judge_constant_memory(name_at(at, name), name);
    if (mark == LIBRARY && declaration.find('(') == std::string_view::npos)
        return judge_host_variable(at, name);
    return judge_call(at, name, mark);
}

std::string use_judge::judge_array(std::string_view location, std::string_view name) const {
    const side where = sides_.of(token_at(location));
    if (where == side::host || where == side::outside) return "";
    return "the length of " + std::string(name) +
           " is not known to the compiler, which device code needs: make it a constant";
}

}  // namespace rewrite
