// Changes of operators and numbers.
#include <algorithm>
#include <cctype>
#include <map>

#include "author/mutants/operators.h"

namespace author {
namespace {

/// Operators that become others, each with the name of the change.
struct exchange {
    const char* name;
    std::string_view from;
    std::vector<std::string> to;
};
const std::vector<exchange> BINARY = {{"relation", "<", {"<=", ">"}},
                                      {"relation", "<=", {"<", ">="}},
                                      {"relation", ">", {">=", "<"}},
                                      {"relation", ">=", {">", "<="}},
                                      {"relation", "==", {"!="}},
                                      {"relation", "!=", {"=="}},
                                      {"logic", "&&", {"||"}},
                                      {"logic", "||", {"&&"}},
                                      {"sign", "+", {"-"}},
                                      {"sign", "-", {"+"}},
                                      {"arithmetic", "*", {"+", "/"}},
                                      {"arithmetic", "/", {"*"}},
                                      {"arithmetic", "%", {"/", "*"}},
                                      {"assignment", "+=", {"=", "-="}},
                                      {"assignment", "-=", {"=", "+="}},
                                      {"assignment", "*=", {"=", "/="}},
                                      {"assignment", "/=", {"=", "*="}}};

class expression_changes {
public:
    expression_changes(const solution_code& code, std::vector<change>& changes)
        : code_(code), changes_(changes) {}

    void find() {
        for (size_t i = 0; i < code_.tokens.size(); i++) {
            if (is_fixed(i)) continue;
            exchange_operator(i);
            if (code_.is_sign(i)) replace("sign", i, "");
            if (code_.is(i, "++")) replace("step", i, "--");
            if (code_.is(i, "--")) replace("step", i, "++");
            if (code_.is(i, "=")) add_to_assignment(i);
            if (code_.tokens[i].is == code_token::kind::number) change_number(i);
            if (code_.is(i, "true")) replace("number", i, "false");
            if (code_.is(i, "false")) replace("number", i, "true");
            if (code_.opens_index(i)) move_index(i);
            if (code_.is_relation(i)) move_limit(i);
        }
    }

private:
    /// Outside of functions only values count: those of constants.
    bool is_fixed(size_t i) {
        if (code_.tokens[i].in_body) return false;
        if (code_.is(i, "constexpr")) value_begins_ = true;
        if (code_.is(i, ";") || code_.is(i, "{")) value_begins_ = in_value_ = false;
        if (code_.is(i, "=") && value_begins_) {
            in_value_ = true;
            return true;
        }
        return !in_value_;
    }

    void replace(const char* name, size_t i, const std::string& text) {
        changes_.push_back({name, code_.tokens[i].begin, code_.tokens[i].end, text});
    }

    void exchange_operator(size_t i) {
        const auto is_string = [&](size_t k) { return code_.tokens[k].is == code_token::kind::string; };
        if (!code_.is_binary(i) || is_string(i - 1) || is_string(i + 1)) return;
        for (const exchange& one : BINARY) {
            if (!code_.is(i, one.from)) continue;
            for (const std::string& other : one.to)
                replace(one.name, i, other);
        }
    }

    /// x = 1; becomes x += 1; where x is no new variable.
    void add_to_assignment(size_t i) {
        const size_t first = code_.statement_of(i);
        if (first == NONE || code_.begins_declaration(first) || code_.operand_before(i).first != first)
            return;
        replace("assignment", i, "+=");
    }

    void change_number(size_t i) {
        const std::string_view text = code_.text(i);
        const size_t digits = size_t(
            std::find_if(text.begin(), text.end(), [](char c) { return !std::isdigit((unsigned char)c); }) -
            text.begin());
        const std::string rest(text.substr(digits));  // a suffix, or the places of a fraction
        if (digits == 0 || rest.starts_with("x") || rest.starts_with("'") || digits > 9) return;
        const int value = std::stoi(std::string(text.substr(0, digits)));
        replace("number", i, std::to_string(value + 1) + rest);
        if (value > 0) replace("number", i, std::to_string(value - 1) + rest);
        if (rest.starts_with(".5")) replace("number", i, std::to_string(value) + ".0" + rest.substr(2));
        const bool compared = code_.is_relation(i - 1) || code_.is_relation(i + 1);
        if (value == 0 && compared) replace("number", i, "-1" + rest);
    }

    void move_index(size_t open) {
        const size_t end = code_.tokens[code_.tokens[open].partner].begin;
        for (const char* more : {" + 1", " - 1"})
            changes_.push_back({"index", end, end, more});
    }

    /// x < n becomes x < n - 1, x <= n becomes x <= n + 1: the relation itself is moved the other way.
    void move_limit(size_t i) {
        const token_range right = code_.operand_after(i);
        if (right.first == right.last && code_.tokens[right.first].is != code_token::kind::word) return;
        const std::string_view relation = code_.text(i);
        if (relation == "==" || relation == "!=") return;
        const bool less = relation == "<" || relation == ">=";
        const size_t end = code_.tokens[right.last].end;
        changes_.push_back({"limit", end, end, less ? " - 1" : " + 1"});
    }

    const solution_code& code_;
    std::vector<change>& changes_;
    bool value_begins_ = false, in_value_ = false;
};

}  // namespace

void change_expressions(const solution_code& code, std::vector<change>& changes) {
    expression_changes(code, changes).find();
}

}  // namespace author
