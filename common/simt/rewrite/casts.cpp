// Casts to integers in device code: a GPU gives other values than this machine where the number does not fit.
#include <set>
#include <string>

#include "simt/rewrite/passes.h"
#include "simt/rewrite/sides.h"

namespace rewrite {
namespace {

bool is_integer_word(std::string_view word) {
    static const std::set<std::string_view> words = {
        "char",    "short",     "int",     "long",    "signed",   "unsigned", "int8_t",
        "int16_t", "int32_t",   "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
        "size_t",  "ptrdiff_t", "uchar",   "ushort",  "uint",     "ulong"};
    return words.count(word) > 0;
}

bool is_type_word(std::string_view word) {
    return is_integer_word(word) || word == "float" || word == "double" || word == "bool" || word == "void" ||
           word == "const" || word == "auto";
}

class cast_pass {
public:
    cast_pass(source& file, const function_table& functions) : file_(file), sides_(file, functions) {
        for (size_t i = file.first(); i != NONE; i = file.next(i)) {
            if (file.is(i, "template")) read_type_parameters(i);
            if (file.is(i, "typedef")) read_typedef(i);
            if (file.is(i, "using") && file.is(file.next(file.next(i)), "=")) read_alias(i);
        }
    }

    void run() {
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            const side where = sides_.of(i);
            if (where == side::host || where == side::outside) continue;
            if (file_.is(i, "static_cast")) rewrite_static_cast(i);
            if (file_.is(i, "(")) rewrite_c_cast(i);
            if (file_.is_identifier(i)) rewrite_functional_cast(i);
        }
    }

private:
    source& file_;
    const side_map sides_;
    std::set<std::string_view>
        type_names_;  // of templates' parameters, which may be integers, and of integers

    void read_type_parameters(size_t i) {
        const size_t close = file_.closing_angle(file_.next(i));
        for (i = file_.next(i); i != NONE && close != NONE && i < close; i = file_.next(i)) {
            const bool names_type = file_.is(i, "class") || file_.is(i, "typename");
            if (names_type && file_.is_identifier(file_.next(i)))
                type_names_.insert(file_.text(file_.next(i)));
        }
    }

    /// typedef unsigned char byte;
    void read_typedef(size_t i) {
        size_t end = file_.next(i);
        while (end != NONE && !file_.is(end, ";"))
            end = file_.next(end);
        const size_t name = file_.previous(end);
        if (is_integer(file_.next(i), name)) type_names_.insert(file_.text(name));
    }

    /// using byte = unsigned char;
    void read_alias(size_t i) {
        const size_t name = file_.next(i), first = file_.next(file_.next(name));
        size_t end = first;
        while (end != NONE && !file_.is(end, ";"))
            end = file_.next(end);
        if (is_integer(first, end)) type_names_.insert(file_.text(name));
    }

    /// True if first .. before end is the name of an integer, or a template's type that may be one.
    bool is_integer(size_t first, size_t end) const {
        bool found = false;
        for (size_t i = first; i != NONE && i != end; i = file_.next(i)) {
            const std::string_view word = file_.text(i);
            const bool is_scope = word == "std" || word == "::" || word == "const";
            const bool is_type = is_integer_word(word) || (!found && type_names_.count(word) > 0);
            if (!is_scope && !is_type) return false;
            found |= is_type;
        }
        return found;
    }

    void rewrite_static_cast(size_t i) {
        const size_t open = file_.next(i), close = file_.closing_angle(open);
        if (file_.is(open, "<") && close != NONE && is_integer(file_.next(open), close))
            file_.replace(i, "::simt::cast");
    }

    /// (int)x
    void rewrite_c_cast(size_t open) {
        const size_t close = file_.partner(open);
        if (close == NONE || !is_integer(file_.next(open), close) || !begins_expression(open)) return;
        const size_t last = end_of_operand(file_.next(close));
        if (last == NONE) return;
        file_.replace(open, "::simt::c_cast<");
        file_.replace(close, ">(");
        file_.insert_after(last, ")");
    }

    /// int(x)
    void rewrite_functional_cast(size_t i) {
        const size_t open = file_.next(i), inside = file_.next(open);
        const bool is_type = is_integer_word(file_.text(i)) || type_names_.count(file_.text(i)) > 0;
        if (!is_type || !file_.is(open, "(") || file_.partner(open) == NONE) return;
        size_t first = i;
        if (file_.is(file_.previous(i), "::") && file_.is(file_.previous(file_.previous(i)), "std"))
            first = file_.previous(file_.previous(i));
        if (is_type_word(file_.text(inside)) && !file_.is(file_.next(inside), "("))
            return;  // a function's type
        const size_t before = file_.previous(first);
        const bool may_declare = file_.is(before, ";") || file_.is(before, "{") || file_.is(before, "}");
        if (may_declare || !begins_expression(first)) return;
        if (file_.count_items(open, file_.partner(open)) != 1 || file_.is(inside, "*") ||
            file_.is(inside, "&"))
            return;
        file_.insert_before(first, "::simt::c_cast<");
        file_.insert_after(i, ">");
    }

    /// True if an expression, and no declarator, parameter list, sizeof or object to make (new (place) int(3)), may begin at
    /// i.
    bool begins_expression(size_t i) const {
        static const std::set<std::string_view> words = {"return",    "case", "else", "do",
                                                         "co_return", "and",  "or"};
        const size_t before = file_.previous(i);
        if (file_.is_identifier(before)) return words.count(file_.text(before)) > 0;
        if (file_.is(before, ")") && file_.is(file_.previous(file_.partner(before)), "new")) return false;
        return !file_.is(before, "]") && !file_.is(before, "::") && !file_.is(before, ".");
    }

    /// The last token of the unary expression at i; NONE if there is none, or if it is not clear.
    size_t end_of_operand(size_t i) const {
        static const std::set<std::string_view> prefixes = {"+", "-", "!", "~", "*", "&"};
        while (prefixes.count(file_.text(i)) > 0)
            i = file_.next(i);
        if (file_.is(i, "sizeof")) {
            const size_t open = file_.next(i);
            return file_.is(open, "(") ? file_.partner(open) : end_of_operand(open);
        }
        if (file_.is(i, "(")) {
            const size_t close = file_.partner(i);
            if (close == NONE) return NONE;
            if (is_cast(i)) return end_of_operand(file_.next(close));
            return end_of_postfix(close);
        }
        if (file_.is(i, "::")) i = file_.next(i);
        if (i == NONE) return NONE;
        const token_kind kind = file_.tokens[i].kind;
        if (kind == token_kind::identifier) return end_of_postfix(end_of_name(i));
        const bool is_literal = kind == token_kind::number || kind == token_kind::character;
        return is_literal ? end_of_postfix(i) : NONE;
    }

    bool is_cast(size_t open) const {
        for (size_t i = file_.next(open); i != file_.partner(open); i = file_.next(i)) {
            if (!is_type_word(file_.text(i)) && !file_.is(i, "*")) return false;
        }
        return file_.next(open) != file_.partner(open);
    }

    /// a, a::b, a<int>::b, a<3>
    size_t end_of_name(size_t i) const {
        for (;;) {
            const size_t next = file_.next(i);
            if (file_.is(next, "<") && has_template_arguments(next)) {
                i = file_.closing_angle(next);
            } else if (file_.is(next, "::") && file_.is_identifier(file_.next(next))) {
                i = file_.next(next);
            } else {
                return i;
            }
        }
    }

    /// Not a comparison: names and numbers between < >, and then a call or a scope.
    bool has_template_arguments(size_t open) const {
        const size_t close = file_.closing_angle(open);
        if (close == NONE) return false;
        for (size_t i = file_.next(open); i != close; i = file_.next(i)) {
            const bool is_name = file_.is_identifier(i) || file_.tokens[i].kind == token_kind::number;
            const bool is_part = file_.is(i, "::") || file_.is(i, ",") || file_.is(i, "<") ||
                                 file_.is(i, ">") || file_.is(i, "*");
            if (!is_name && !is_part) return false;
        }
        return file_.is(file_.next(close), "(") || file_.is(file_.next(close), "::");
    }

    size_t end_of_postfix(size_t i) const {
        for (;;) {
            const size_t next = file_.next(i), second = file_.next(next);
            const bool is_step = (file_.is(next, "+") || file_.is(next, "-")) && file_.touches_next(next) &&
                                 file_.is(second, file_.text(next)) && file_.touches_next(i);
            if (file_.is(next, "(") || file_.is(next, "[")) {
                i = file_.partner(next);
            } else if (file_.is(next, ".") || file_.is(next, "->")) {
                i = end_of_name(second);
            } else if (is_step) {
                i = second;
            } else {
                return i;
            }
            if (i == NONE) return NONE;
        }
    }
};

}  // namespace

void rewrite_casts(source& file, const function_table& functions) {
    cast_pass(file, functions).run();
}

}  // namespace rewrite
