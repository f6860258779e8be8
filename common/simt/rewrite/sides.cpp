// Marks what belongs to one side.
#include "simt/rewrite/sides.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

namespace rewrite {

side_map::side_map(const source& file, const function_table& functions)
    : functions_(functions), known_(file.tokens.size(), side::outside) {
    const auto know = [&](size_t brace, side where) {
        if (!file.is(brace, "{") || file.partner(brace) == NONE) return;
        std::fill(known_.begin() + brace, known_.begin() + file.partner(brace), where);
    };
    for (size_t i = file.first(); i != NONE; i = file.next(i)) {
        if (!functions.inside_function(i)) continue;
        if (file.is(i, "in_kernel") &&
            file.is(file.previous(file.previous(i)), "simt")) {  // with_host_bodies
            const size_t device = file.next(file.next(file.next(file.next(i))));
            know(device, side::device);
            know(file.next(file.next(file.partner(device))), side::host);
        }
        if (!file.is(i, "__device__")) continue;
        size_t body = file.next(i);
        while (body != NONE && !file.is(body, "{") && !file.is(body, ";")) {
            body = file.next(file.is(body, "(") ? file.partner(body) : body);
        }
        know(body, side::device);  // of a lambda
    }
}

side side_map::of(size_t i) const {
    if (i == NONE) return side::outside;
    if (known_[i] != side::outside) return known_[i];
    const function* around = functions_.around(i);
    if (!around) return side::outside;
    if (around->is_global) return side::device;
    if (!around->is_device) return side::host;
    if (!around->is_host) return side::device;
    return around->in_template ? side::both_template : side::both;
}

namespace {

std::string attribute(std::string_view mark) {
    return "[[deprecated(\"" + std::string(MARK_BEGIN) + std::string(mark) + "\")]]";
}

/// A variable of a namespace or a class, as its declaration begins.
struct variable_declaration {
    std::vector<size_t> names;  // of all its declarators
    bool is_array = false;      // the first of them
    bool is_const = false, is_constexpr = false, is_static = false, is_pointer = false;
    bool is_library_class = false;  // std::something<...>
    bool on_device = false;         // or a __shared__ one
    bool in_constant_memory = false;
    bool is_managed = false;  // both sides'
};

class mark_pass {
public:
    mark_pass(source& file, const function_table& functions, bool relaxed)
        : file_(file), functions_(functions), sides_(file, functions), relaxed_(relaxed) {}

    void run() {
        for (const function& f : functions_.functions)
            mark_function(f);
        for (const declaration_range& d : functions_.others)
            mark_variable(d);
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            if (file_.is(i, "[")) mark_lambda(i);
        }
        mark_library();
    }

private:
    source& file_;
    const function_table& functions_;
    const side_map sides_;
    const bool relaxed_;

    // ---- functions

    void mark_function(const function& f) {
        if (f.parameters == NONE || f.name == "main" || f.is_consteval) return;
        // Declared in its class, there it has its mark; a friend that is only named may have none.
        if (file_.is(file_.previous(f.name_at), "::") || (f.is_friend && f.body == NONE)) return;
        if (f.is_specialisation && f.body == NONE) return;
        if (f.body == NONE && is_defaulted(f)) return;
        const bool on_host = f.is_host || !f.is_device;
        if (f.is_global) {
            put(f, KERNEL);
        } else if (!on_host) {
            put(f, DEVICE_FUNCTION);
        } else if (!f.is_device) {
            if (f.body == NONE && is_constant_object(f)) return;
            if (f.is_constexpr && relaxed_) return;
            put(f, f.is_constexpr ? CONSTEXPR_FUNCTION : HOST_FUNCTION);
        }
    }

    bool is_defaulted(const function& f) const {
        const size_t word = file_.next(file_.next(file_.partner(f.parameters)));
        return file_.is(word, "default") || file_.is(word, "delete");
    }

    /// const dim3 BLOCK(16, 16); looks like a function.
    bool is_constant_object(const function& f) const {
        for (size_t i = f.first; i != NONE && i < f.name_at; i = file_.next(i)) {
            if (file_.is(i, "const") || file_.is(i, "constexpr")) return true;
        }
        return false;
    }

    void put(const function& f, std::string_view mark) {
        const size_t before = file_.previous(f.name_at);
        const bool is_conversion = file_.is(f.name_at, "operator") || file_.is(before, "operator");
        if (has_type(f) && !is_conversion) {
            file_.insert_after(file_.previous(f.parameters), " " + attribute(mark));
            return;
        }
        // A constructor, a destructor, a conversion: before everything but template<...>.
        size_t first = f.first;
        while (file_.is(first, "template") && file_.is(file_.next(first), "<"))
            first = file_.next(file_.closing_angle(file_.next(first)));
        if (first != NONE && !file_.is(first, "requires")) file_.insert_before(first, attribute(mark) + " ");
    }

    /// False for constructors and their like, which have nothing but specifiers before their names.
    bool has_type(const function& f) const {
        static const std::set<std::string_view> specifiers = {
            "explicit",   "inline",   "constexpr",  "virtual",      "static",          "friend",
            "__device__", "__host__", "__global__", "__noinline__", "__forceinline__", "extern"};
        size_t before = file_.previous(f.name_at);
        if (before == NONE || before < f.first) return false;
        if (f.name == "operator") return true;  // of operator+ and its like: a symbol, or the word itself
        if (file_.is(before, ">")) return !file_.is(file_.previous(file_.opening_angle(before)), "template");
        if (file_.is(before, "*") || file_.is(before, "&")) return true;
        if (file_.is(before, ")")) return file_.is(file_.previous(file_.partner(before)), "decltype");
        return file_.is_identifier(before) && specifiers.count(file_.text(before)) == 0;
    }

    // ---- variables

    void mark_variable(const declaration_range& d) {
        const variable_declaration v = read_variable(d);
        if (v.names.empty() || v.is_managed || (d.in_class && !v.is_static)) return;
        const bool is_constant = v.is_constexpr || (v.is_const && !v.is_pointer);
        std::string_view mark = HOST_VARIABLE;
        if (v.on_device || v.in_constant_memory) {
            mark = v.is_array ? DEVICE_ARRAY : v.in_constant_memory ? CONSTANT_MEMORY : DEVICE_VARIABLE;
        } else if (!v.is_array && !v.is_library_class && is_constant) {
            mark = HOST_CONSTANT;
        }
        for (const size_t name : v.names)
            file_.insert_after(name, " " + attribute(mark));
    }

    variable_declaration read_variable(const declaration_range& d) const {
        static const std::set<std::string_view> others = {
            "using", "typedef", "namespace", "static_assert", "friend", "template", "enum",
            "class", "struct",  "union",     "concept",       "asm",    "requires", "__extension__"};
        variable_declaration v;
        size_t words = 0;
        for (size_t i = d.first; i != NONE && i <= d.end; i = file_.next(i)) {
            const std::string_view word = file_.text(i);
            if (others.count(word) > 0) return {};
            if (word == "alignas" || word == "__align__" || word == "__attribute__" || word == "decltype") {
                i = file_.end_of_arguments(i);
                words++;
            } else if (word == "<" && file_.closing_angle(i) < d.end) {
                v.is_library_class |= file_.is(file_.previous(file_.previous(file_.previous(i))), "std");
                i = file_.closing_angle(i);
            } else if (word == "[" || word == "=" || word == ";" || word == "{" || word == ",") {
                if (words < 2 || !file_.is_identifier(file_.previous(i))) return {};
                v.is_array = word == "[";
                v.names.push_back(file_.previous(i));
                add_declarators(i, d.end, v);
                return v;
            } else if (word == "(" || word == ":") {
                return {};
            } else if (word == "*" || word == "&") {
                v.is_pointer = true;
            } else if (file_.is_identifier(i)) {
                note_word(word, v);
                words++;
            }
        }
        return {};
    }

    static void note_word(std::string_view word, variable_declaration& v) {
        v.is_const |= word == "const";
        v.is_constexpr |= word == "constexpr";
        v.is_static |= word == "static";
        v.on_device |= word == "__device__" || word == "__shared__";
        v.in_constant_memory |= word == "__constant__";
        v.is_managed |= word == "__managed__";
    }

    /// Those after the first comma.
    void add_declarators(size_t i, size_t end, variable_declaration& v) const {
        for (; i != NONE && i < end; i = file_.next(i)) {
            if (file_.is(i, "[") || file_.is(i, "{") || file_.is(i, "(")) i = file_.partner(i);
            if (file_.is(i, "<") && file_.closing_angle(i) < end) i = file_.closing_angle(i);
            if (!file_.is(i, ",")) continue;
            size_t name = file_.next(i);
            while (file_.is(name, "*") || file_.is(name, "&") || file_.is(name, "const"))
                name = file_.next(name);
            if (file_.is_identifier(name)) v.names.push_back(name);
        }
    }

    // ---- lambdas

    /// One of the host's, unless it says __device__.
    void mark_lambda(size_t open) {
        const side around = sides_.of(open);
        if ((around != side::host && around != side::outside) || !begins_lambda(open)) return;
        size_t i = file_.next(file_.partner(open));
        if (file_.is(i, "<")) i = file_.next(file_.closing_angle(i));
        const bool has_parameters = file_.is(i, "(");
        if (has_parameters) i = file_.next(file_.partner(i));
        const size_t specifiers = i;
        while (file_.is_identifier(i) || file_.is(i, "(")) {
            if (file_.is(i, "__device__")) return;
            i = file_.next(file_.is(i, "(") ? file_.partner(i) : i);
        }
        if (!file_.is(i, "{") && !file_.is(i, "->")) return;
        if (!has_parameters && specifiers != i) return;
        const std::string mark =
            "__attribute__((deprecated(\"" + std::string(MARK_BEGIN) + std::string(HOST_FUNCTION) + "\"))) ";
        file_.insert_before(i, (has_parameters ? " " : "() ") + mark);
    }

    bool begins_lambda(size_t open) const {
        static const std::set<std::string_view> operand_follows = {
            "(", ",",      "=",  "{", "}", ";", "?",  ":",  "&",
            "|", "return", "&&", "!", "+", "<", "==", "!=", "co_return"};
        const size_t before = file_.previous(open);
        if (file_.is(file_.next(open), "[")) return false;  // [[an attribute]]
        return file_.partner(open) != NONE && operand_follows.count(file_.text(before)) > 0;
    }

    // ---- what headers declare

    /// The C library's functions run on the host; the few that kernels may call are known later. So do those of
    /// the runtime.
    void mark_library() {
        const std::string mark =
            "__attribute__((deprecated(\"" + std::string(MARK_BEGIN) + std::string(LIBRARY) + "\"))) ";
        for (token& t : file_.tokens) {
            if (t.kind != token_kind::foreign || t.replaced) continue;
            const place& where = file_.places[t.place];
            if (where.name.find("simt/include/") != std::string::npos) {
                t.replacement = marked(t.text, "cudaError_t cuda", mark);
            } else if (where.flags == " 3 4" && where.name.find("math") == std::string::npos) {
                t.replacement = marked(t.text, "extern ", mark);
            }
            t.replaced = !t.replacement.empty();
        }
    }

    /// The text with the mark in front of every declaration that begins so, but not of extern "C" { nor of
    /// extern template.
    static std::string marked(std::string_view text, std::string_view begin, const std::string& mark) {
        std::string result;
        for (size_t at = text.find(begin); at != std::string_view::npos; at = text.find(begin)) {
            const std::string_view rest = text.substr(at + begin.size());
            const bool is_declaration = (at == 0 || std::isspace((unsigned char)text[at - 1])) &&
                                        rest[0] != '"' && !rest.starts_with("template");
            result += text.substr(0, at);
            if (is_declaration) result += mark;
            result += begin;
            text = rest;
        }
        return result += text;
    }
};

}  // namespace

void mark_sides(source& file, const function_table& functions, bool relaxed) {
    mark_pass(file, functions, relaxed).run();
}

}  // namespace rewrite
