// Members of objects in device memory.
#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

template <size_t COUNT>
bool is_one_of(std::string_view word, const std::array<std::string_view, COUNT>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 4> BUILT_IN_VARIABLES = {"threadIdx", "blockIdx", "blockDim",
                                                                "gridDim"};
/// Words before ( that are no function's name and end no operand.
constexpr std::array<std::string_view, 7> STATEMENTS = {"return", "co_return", "case", "else",
                                                        "do",     "co_yield",  "throw"};
/// Words before ( whose parentheses are no operand either.
constexpr std::array<std::string_view, 10> OPERATORS = {
    "sizeof", "alignof", "decltype", "noexcept", "typeid", "if", "while", "for", "switch", "operator"};

class member_pass {
public:
    member_pass(source& file, const function_table& functions) : file_(file), functions_(functions) {
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            const bool has_place = file_.is(i, "__shared__") || file_.is(i, "__constant__") ||
                                   file_.is(i, "__device__") || file_.is(i, "__managed__");
            if (has_place) collect_names(file_.next(i));
        }
    }

    void run() {
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            if (file_.is(i, "__builtin_offsetof")) i = file_.end_of_arguments(i);
            if (file_.is(i, ".") || file_.is(i, "->")) rewrite(i);
        }
    }

private:
    source& file_;
    const function_table& functions_;
    std::set<std::string_view> placed_;  // words in declarations of variables that are not on a stack

    /// More words than names do no harm.
    void collect_names(size_t i) {
        for (; i != NONE && !file_.is(i, ";") && !file_.is(i, "(") && !file_.is(i, "{"); i = file_.next(i)) {
            if (file_.is_identifier(i)) placed_.insert(file_.text(i));
        }
    }

    void rewrite(size_t sign) {
        const function* const around = functions_.around(sign);
        if (!around || !(around->is_device || around->is_global)) return;
        const size_t member = file_.next(sign), last = file_.previous(sign);
        if (!file_.is_identifier(member) || file_.is(member, "template") || file_.is(member, "operator"))
            return;
        const size_t first = begin_of_operand(last);
        if (first == NONE || is_one_of(file_.text(first), BUILT_IN_VARIABLES)) return;
        const std::string_view after = file_.text(file_.next(first));
        const bool is_variable = file_.is_identifier(first) && !file_.is(first, "this") &&
                                 (after == "[" || after == "." || after == "->");
        const std::string variable =
            is_variable ? "decltype(" + std::string(file_.text(first)) + ")" : "void";
        file_.insert_before(first, file_.is(sign, ".") ? " ::simt::whole(" : " ::simt::whole_at(");
        // Behind the object: what the compiler has to say of that, it says of the student's own words.
        file_.insert_after(last,
                           ", ::simt::path<" + variable + ", ::simt::way::" + way(first, sign) + ">())");
    }

    /// How the tokens from the variable on, up to the . or -> of the member, lead to the object.
    std::string way(size_t first, size_t sign) const {
        if (placed_.contains(file_.text(first))) return "any";
        size_t i = file_.next(first);
        const bool has_index = file_.is(i, "[");
        while (file_.is(i, "["))
            i = file_.next(file_.partner(i));
        for (; i != sign; i = file_.next(i)) {
            if (!file_.is(i, ".") && !file_.is_identifier(i)) return "any";
        }
        if (file_.is(sign, "->")) return "any";
        return has_index ? "element" : "member";
    }

    /// The first token of the postfix expression that ends with token i, as in `a.b[i]->c(x)`;
    /// NONE where that cannot be told from the words alone.
    size_t begin_of_operand(size_t i) const {
        while (i != NONE) {
            if (file_.is(i, "]")) {
                i = file_.previous(file_.partner(i));
                if (!ends_operand(i)) return NONE;
                continue;
            }
            if (file_.is(i, ")")) {
                const size_t open = file_.partner(i), before = file_.previous(open);
                if (file_.is(before, ">")) {  // static_cast<...>(...), function<...>(...)
                    i = file_.previous(file_.opening_angle(before));
                    if (!file_.is_identifier(i)) return NONE;
                } else if (is_one_of(file_.text(before), STATEMENTS)) {
                    return open;
                } else if (is_one_of(file_.text(before), OPERATORS) || file_.is(before, ")") ||
                           file_.is(before, "]") || file_.is(before, "}")) {
                    return NONE;  // after ) it may be a call or a cast's operand
                } else if (file_.is_identifier(before)) {
                    i = before;
                } else {
                    return open;
                }
            }
            if (!file_.is_identifier(i)) return NONE;
            const size_t before = file_.previous(i);
            if (file_.is(before, "::")) return NONE;
            if (!file_.is(before, ".") && !file_.is(before, "->")) return i;
            i = file_.previous(before);
        }
        return NONE;
    }

    bool ends_operand(size_t i) const {
        return file_.is(i, "]") || file_.is(i, ")") ||
               (file_.is_identifier(i) && !is_one_of(file_.text(i), STATEMENTS));
    }
};

}  // namespace

void rewrite_members(source& file, const function_table& functions) {
    member_pass(file, functions).run();
}

}  // namespace rewrite
