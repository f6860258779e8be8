// __device__, __constant__ and __managed__ variables.
#include <set>
#include <string>

#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

/// Where the specifiers end and what follows them, seen from a __device__ or __constant__.
struct declaration {
    size_t first = NONE;     // first specifier
    size_t class_at = NONE;  // the class or enum whose body stands before the __device__ or __constant__
    size_t end = NONE;       // the first of ( = ; [ { or , after the type
    bool is_variable = false;
    bool is_extern = false, is_static = false;
    size_t inline_at = NONE, const_at = NONE;
    bool is_constexpr = false, is_pointer = false, is_array = false;
    bool is_template = false;
    size_t name_at = NONE;
};

bool has_alignment_arguments(const source& file, size_t i) {
    return file.is(i, "alignas") || file.is(i, "__align__") || file.is(i, "__attribute__") ||
           file.is(i, "decltype") || file.is(i, "__launch_bounds__") || file.is(i, "explicit");
}

void note_specifier(const source& file, declaration& d, size_t i) {
    const std::string_view word = file.text(i);
    d.is_extern |= word == "extern";
    d.is_static |= word == "static";
    d.is_constexpr |= word == "constexpr";
    if (word == "inline") d.inline_at = i;
    if (word == "const") d.const_at = i;
}

declaration read_declaration(const source& file, size_t specifier) {
    declaration d;
    d.first = specifier;
    size_t i = file.previous(specifier);
    for (; file.is_identifier(i) || file.is(i, ")") || file.start_of_class(i) != NONE; i = file.previous(i)) {
        if (file.is(i, "}")) {
            d.class_at = i = file.start_of_class(i);
        } else if (file.is(i, ")")) {
            i = file.previous(file.partner(i));
            if (!has_alignment_arguments(file, i)) break;
        }
        note_specifier(file, d, i);
        d.first = i;
    }
    d.is_template = file.is(i, ">") && file.is(file.previous(file.opening_angle(i)), "template");
    for (i = file.next(specifier); i != NONE; i = file.next(i)) {
        d.end = i;
        if (has_alignment_arguments(file, i)) {
            i = file.end_of_arguments(i);
        } else if (file.is(i, "<") && file.closing_angle(i) != NONE) {
            i = file.closing_angle(i);
        } else if (file.is(i, "operator") || file.is(i, "~")) {
            return d;
        } else if (file.is(i, "(")) {
            // float (*table[4])(float) is a variable, float f(float) is not.
            d.is_variable = file.is(file.next(i), "*");
            return d;
        } else if (file.is(i, "=") || file.is(i, ";") || file.is(i, "[") || file.is(i, "{") ||
                   file.is(i, ",")) {
            d.is_variable = true;
            d.is_array = file.is(i, "[");
            return d;
        } else if (file.is(i, "*") || file.is(i, "&")) {
            d.is_pointer = true;
        } else if (file.is_identifier(i)) {
            note_specifier(file, d, i);
            d.name_at = i;
        } else if (file.is(i, ")") || file.is(i, "]") || file.is(i, "}")) {
            return d;
        }
    }
    return d;
}

bool is_on_lambda(const source& file, size_t i) {
    size_t before = file.previous(i);
    while (file.is(before, "__host__") || file.is(before, "__device__"))
        before = file.previous(before);
    if (file.is(before, "]")) return !file.is(file.next(file.partner(before)), "[");  // not [[an attribute]]
    return file.is(before, ")") && !has_alignment_arguments(file, file.previous(file.partner(before)));
}

class variables_pass {
public:
    variables_pass(source& file, const function_table& functions, bool inspected)
        : file_(file), functions_(functions), inspected_(inspected) {}

    void run() {
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            if (file_.is(i, "{") && !opens_namespace(i)) scopes_++;
            if (file_.is(i, "}") && !opens_namespace(file_.partner(i))) scopes_--;
            const std::string_view word = file_.text(i);
            const bool is_plain = word == "__device__";
            if (!is_plain && word != "__constant__" && word != "__managed__") continue;
            if (is_on_lambda(file_, i)) continue;
            const declaration d = read_declaration(file_, i);
            if (!d.is_variable) continue;
            // Of __device__ __constant__ the second word counts.
            if (is_plain && (stands_in("__constant__", d) || stands_in("__managed__", d))) continue;
            place(i, d, is_plain ? "simt_dev" : word == "__constant__" ? "simt_const" : "simt_managed");
        }
    }

private:
    source& file_;
    const function_table& functions_;
    const bool inspected_;
    int scopes_ = 0;  // of classes and functions around the token
    std::set<std::string, std::less<>> declared_extern_;

    /// namespace { , namespace a::b { , extern "C" {
    bool opens_namespace(size_t brace) const {
        size_t before = file_.previous(brace);
        if (before != NONE && file_.tokens[before].kind == token_kind::string)
            return file_.is(file_.previous(before), "extern");
        while (file_.is(before, "::") || (file_.is_identifier(before) && !file_.is(before, "namespace")))
            before = file_.previous(before);
        return file_.is(before, "namespace");
    }

    bool stands_in(std::string_view word, const declaration& d) const {
        for (size_t i = d.first; i != NONE && i < d.end; i = file_.next(i)) {
            if (file_.is(i, word)) return true;
        }
        return false;
    }

    void place(size_t i, const declaration& d, const std::string& section) {
        if (d.is_template) {
            file_.report(i,
                         "a template of a " + std::string(file_.text(i)) +
                             " variable cannot run on the CPU backend: declare one variable for each type");
            return;
        }
        if (scopes_ > 0 && !check_scope(i, d)) return;
        file_.erase(i);
        if (d.is_constexpr || (d.is_extern && functions_.inside_function(i))) return;
        if (d.is_extern) declared_extern_.insert(std::string(file_.text(d.name_at)));
        const bool is_const = d.const_at != NONE && !d.is_pointer;
        // The compiler's instrumentation passes over reads of const objects,
        // so a const array would not be counted.
        if (is_const && !d.is_array) return;
        if (is_const) {
            const bool has_linkage =
                d.is_extern || d.is_static || declared_extern_.count(file_.text(d.name_at));
            file_.replace(d.const_at, has_linkage ? "" : "static");
        }
        // An inline variable would need a section for itself;
        // a weak one is merged by the linker just as well.
        if (d.inline_at != NONE) file_.replace(d.inline_at, "__attribute__((weak))");
        if (inspected_ && !d.is_extern && scopes_ == 0) insert_guards(d, section);
        const std::string attribute = "__attribute__((section(\"" + section + "\")))";
        // Behind the body of a class it would be an attribute of the class.
        if (d.class_at != NONE)
            file_.insert_before(d.first, attribute + " ");
        else
            file_.replace(i, attribute);
    }

    /// Inside a function or a class.
    bool check_scope(size_t i, const declaration& d) {
        const std::string word(file_.text(i));
        if (functions_.inside_function(i) && (d.is_static || d.is_extern)) return true;
        file_.report(i, functions_.inside_function(i)
                            ? "a " + word + " variable is declared in a function: move it out of the function"
                            : "a " + word + " variable is a member of a class: move it out of the class");
        return false;
    }

    /// Before the declaration and after it; the compiler keeps the order of declarations, or reverses it.
    void insert_guards(const declaration& d, const std::string& section) {
        size_t end = d.end;
        while (end != NONE && !file_.is(end, ";")) {
            const bool opens = file_.is(end, "(") || file_.is(end, "[") || file_.is(end, "{");
            end = file_.next(opens ? file_.partner(end) : end);
        }
        if (end == NONE) return;
        const std::string number = std::to_string(d.name_at);
        const std::string unused = "[512] __attribute__((section(\"" + section + "\"), used));";
        file_.insert_before(d.first, "static char simt_guard_before_" + number + unused + " ");
        file_.insert_after(end, " static char simt_guard_" + number + unused);
        file_.insert_steps(end, d.name_at);
    }
};

}  // namespace

void rewrite_device_variables(source& file, const function_table& functions, bool inspected) {
    variables_pass(file, functions, inspected).run();
}

}  // namespace rewrite
