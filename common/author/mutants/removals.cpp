// What is taken out of a solution.
#include "author/mutants/operators.h"

namespace author {
namespace {

class removals {
public:
    removals(const solution_code& code, std::vector<change>& changes) : code_(code), changes_(changes) {}

    void find() {
        for (size_t i = 1; i < code_.tokens.size(); i++) {
            if (!code_.tokens[i].in_body) continue;
            if (code_.begins_statement(i)) remove_statement(i);
            if (code_.is(i, "(")) decide_head(i);
            if (code_.is_binary(i) && (code_.is(i, "||") || code_.is(i, "&&"))) drop_operands("condition", i);
            if (code_.is_binary(i) && code_.is(i, "?")) decide("condition", code_.operand_before(i));
            if (code_.is_binary(i) && (code_.is(i, "+") || code_.is(i, "*"))) drop_operands("term", i);
            if (code_.is(i, "=") && code_.is_binary(i)) drop_initial_value(i);
            if (code_.end_of_launch(i) != NONE) shrink_launch(i);
        }
    }

private:
    void replace(const char* name, token_range range, const std::string& text) {
        changes_.push_back({name, code_.tokens[range.first].begin, code_.tokens[range.last].end, text});
    }

    void remove_statement(size_t first) {
        const size_t end = code_.end_of_statement(first);
        if (end == NONE || end == first || code_.begins_declaration(first)) return;
        for (const char* kept :
             {"return", "if", "for", "while", "do", "switch", "case", "default", "else", "throw"})
            if (code_.is(first, kept)) return;
        replace(name_of_removal({first, end}), {first, end}, ";");
    }

    const char* name_of_removal(token_range statement) const {
        const auto has = [&](std::initializer_list<const char*> openings) {
            for (size_t i = statement.first; i <= statement.last; i++)
                for (const char* opening : openings)
                    if (code_.is_word(i) && code_.text(i).starts_with(opening)) return true;
            return false;
        };
        if (has({"__sync"})) return "barrier";
        if (has({"cudaFree", "cudaDestroy"})) return "free";
        if (has({"cudaMemcpy", "copy_to", "copy_from", "set_filter"})) return "copy";
        return "statement";
    }

    void decide(const char* name, token_range condition) {
        for (const char* value : {"true", "false"})
            replace(name, condition, value);
    }

    void decide_head(size_t open) {
        const size_t close = code_.tokens[open].partner;
        if (close == NONE || close == open + 1) return;
        if (code_.is(open - 1, "if") || code_.is(open - 1, "constexpr"))
            decide("condition", {open + 1, close - 1});
        if (code_.is(open - 1, "while")) replace("loop", {open + 1, close - 1}, "false");
        if (code_.is(open - 1, "for")) never_loop(open, close);
    }

    /// for (..; condition; ..)
    void never_loop(size_t open, size_t close) {
        size_t first = NONE;
        for (size_t i = open + 1; i < close; i++) {
            if (code_.is(i, ";") && first == NONE) {
                first = i + 1;
            } else if (code_.is(i, ";")) {
                if (i > first) replace("loop", {first, i - 1}, "false");
                return;
            }
            if (code_.tokens[i].partner != NONE && code_.tokens[i].partner > i) i = code_.tokens[i].partner;
        }
    }

    /// a + b becomes a, and b.
    void drop_operands(const char* name, size_t i) {
        const token_range left = code_.operand_before(i), right = code_.operand_after(i);
        if (left.first > left.last || right.first > right.last) return;
        const size_t begin = code_.tokens[left.first].begin, end = code_.tokens[right.last].end;
        const size_t after_left = code_.tokens[left.last].end, right_begin = code_.tokens[right.first].begin;
        // The words of a message are nobody's contract, the numbers in it may be.
        if (!is_words(right)) changes_.push_back({name, after_left, end, ""});
        if (!is_words(left)) changes_.push_back({name, begin, right_begin, ""});
    }

    bool is_words(token_range range) const {
        return range.first == range.last && code_.tokens[range.first].is == code_token::kind::string;
    }

    /// float sum = 0.0f; becomes float sum;
    void drop_initial_value(size_t i) {
        const size_t first = code_.statement_of(i);
        if (first == NONE || !code_.begins_declaration(first) || !code_.is_declared(i - 1)) return;
        const token_range value = code_.operand_after(i);
        const bool plain = value.first == value.last || code_.is(value.first, "{");
        if (code_.is(value.first, "nullptr")) return;
        if (plain) changes_.push_back({"initial", code_.tokens[i - 1].end, code_.tokens[value.last].end, ""});
    }

    void shrink_launch(size_t open) {
        const std::vector<token_range> items = code_.items(open, code_.end_of_launch(open));
        for (size_t k = 0; k < items.size() && k < 2; k++)
            replace("launch", items[k], "1");
        if (items.size() > 2) replace("launch", items[2], "0");
    }

    const solution_code& code_;
    std::vector<change>& changes_;
};

}  // namespace

void take_out(const solution_code& code, std::vector<change>& changes) {
    removals(code, changes).find();
}

}  // namespace author
