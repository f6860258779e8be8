// Reads postfix expressions from their ends.
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

bool ends_operand(const source& file, size_t i) {
    return file.is(i, "]") || file.is(i, ")") ||
           (file.is_identifier(i) && !STATEMENTS.contains(file.text(i)));
}

}  // namespace

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
