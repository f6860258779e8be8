// Reads expressions and statements by their words.
#include "simt/rewrite/operands.h"

#include <set>

namespace rewrite {
namespace {

using words = std::set<std::string_view>;

/// Words before ( that are no function's name and end no operand.
const words STATEMENTS = {"return", "co_return", "case", "else", "do", "co_yield", "throw"};
/// Words before ( whose parentheses are no operand either.
const words OPERATORS = {"sizeof", "alignof", "decltype", "noexcept", "typeid",
                         "if",     "while",   "for",      "switch",   "operator"};

}  // namespace

bool ends_operand(const source& file, size_t i) {
    return file.is(i, "]") || file.is(i, ")") ||
           (file.is_identifier(i) && !STATEMENTS.contains(file.text(i))) ||
           (i != NONE && file.tokens[i].kind == token_kind::number);
}

bool is_twice(const source& file, size_t i, std::string_view sign) {
    return file.is(i, sign) && file.touches_next(i) && file.is(file.next(i), sign);
}

bool is_updated(const source& file, size_t first, size_t after) {
    const size_t second = file.next(after), before = file.previous(file.previous(first));
    const bool is_step = is_twice(file, after, "+") || is_twice(file, after, "-") ||
                         is_twice(file, before, "+") || is_twice(file, before, "-");
    const bool is_compound = file.is(second, "=") && file.text(after).find_first_of("+-*/%&|^") == 0;
    const bool is_shift =
        (file.is(after, "<") && file.is(second, "<=")) || (file.is(after, ">") && file.is(second, ">="));
    return is_step || (file.touches_next(after) && (is_compound || is_shift));
}

bool ends_do(const source& file, size_t i) {
    const size_t before = file.previous(i);
    return file.is(before, "}") && file.is(file.previous(file.partner(before)), "do");
}

size_t end_of_statement(const source& file, size_t i) {
    static const words CONTROLS = {"if", "else", "switch", "for", "while"};
    if (CONTROLS.contains(file.text(i))) {
        size_t end = end_of_controlled(file, i);
        while (file.is(i, "if") && file.is(file.next(end), "else"))
            end = end_of_statement(file, file.next(end));
        return end;
    }
    while (i != NONE && !file.is(i, ";")) {
        if (file.is(i, "{")) return file.partner(i);
        i = file.is(i, "(") || file.is(i, "[") ? file.next(file.partner(i)) : file.next(i);
    }
    return i;
}

size_t end_of_controlled(const source& file, size_t i) {
    size_t body = file.next(i);
    if (!file.is(i, "do") && !file.is(i, "else")) {
        if (!file.is(body, "(")) body = file.next(body);  // if constexpr
        body = file.next(file.partner(body));
    }
    return end_of_statement(file, body);
}

size_t begin_of_operand(const source& file, size_t i) {
    while (i != NONE) {
        if (file.is(i, "]")) {
            i = file.previous(file.partner(i));
            if (!ends_operand(file, i)) return NONE;
            continue;
        }
        if (file.is(i, ")")) {
            const size_t open = file.partner(i), before = file.previous(open);
            if (file.is(before, ">")) {  // static_cast<...>(...), function<...>(...)
                i = file.previous(file.opening_angle(before));
                if (!file.is_identifier(i)) return NONE;
            } else if (STATEMENTS.contains(file.text(before))) {
                return open;
            } else if (OPERATORS.contains(file.text(before)) || file.is(before, ")") ||
                       file.is(before, "]") || file.is(before, "}")) {
                return NONE;  // after ) it may be a call or a cast's operand
            } else if (file.is_identifier(before)) {
                i = before;
            } else {
                return open;
            }
        }
        if (!file.is_identifier(i)) return NONE;
        const size_t before = file.previous(i);
        if (file.is(before, "::")) return NONE;
        if (!file.is(before, ".") && !file.is(before, "->")) return i;
        i = file.previous(before);
    }
    return NONE;
}

}  // namespace rewrite
