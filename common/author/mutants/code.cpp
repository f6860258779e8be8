// Reads a solution's tokens. Solutions are formatted by clang-format, and that is relied on: a < between
// operands has blanks around it, that of a template has none.
#include "author/mutants/code.h"

#include <algorithm>
#include <set>

#include "simt/rewrite/functions.h"
#include "simt/rewrite/source.h"

namespace author {
namespace {

using words = std::set<std::string_view>;

const words RELATIONS = {"<", "<=", ">", ">=", "==", "!="};
const words STATEMENT_WORDS = {"return", "continue", "break", "if",      "else",   "for",
                               "while",  "do",       "case",  "default", "switch", "throw"};
const words DECLARING = {"const",      "constexpr",     "static",  "auto",    "extern",
                         "__shared__", "using",         "typedef", "struct",  "template",
                         "class",      "static_assert", "public",  "private", "enum"};

/// How tightly an operator binds; 0 for what is none, which ends every operand.
int strength(std::string_view text) {
    static const std::vector<words> levels = {{"=", "+=", "-=", "*=", "/=", "%=", "?", ":"},
                                              {"||"},
                                              {"&&"},
                                              {"|", "^", "&"},
                                              {"==", "!="},
                                              {"<", ">", "<=", ">="},
                                              {"<<", ">>"},
                                              {"+", "-"},
                                              {"*", "/", "%"}};
    for (size_t k = 0; k < levels.size(); k++)
        if (levels[k].count(text)) return int(k) + 1;
    return 0;
}

/// The lexer of the launch rewriter knows no operators of two characters that templates and launches split.
size_t length_of_operator(std::string_view text) {
    static const std::vector<std::string_view> longer = {"<<<", ">>>", "<<=", ">>=", "++", "--",
                                                         "+=",  "-=",  "*=",  "/=",  "%=", "&&",
                                                         "||",  "<<",  ">>",  "|=",  "&=", "^="};
    for (const std::string_view one : longer)
        if (text.starts_with(one)) return one.size();
    return 0;
}

code_token::kind kind_of(rewrite::token_kind kind) {
    switch (kind) {
        case rewrite::token_kind::identifier:
            return code_token::kind::word;
        case rewrite::token_kind::number:
            return code_token::kind::number;
        case rewrite::token_kind::string:
        case rewrite::token_kind::character:
            return code_token::kind::string;
        default:
            return code_token::kind::symbol;
    }
}

void match_brackets(std::vector<code_token>& tokens) {
    std::vector<size_t> open;
    for (size_t i = 0; i < tokens.size(); i++) {
        const std::string_view text = tokens[i].text;
        if (text == "(" || text == "[" || text == "{") open.push_back(i);
        if ((text == ")" || text == "]" || text == "}") && !open.empty()) {
            tokens[i].partner = open.back();
            tokens[open.back()].partner = i;
            open.pop_back();
        }
    }
}

}  // namespace

solution_code::solution_code(std::string_view text) : whole(text) {
    const rewrite::source source = rewrite::lex(text);
    const rewrite::function_table functions = rewrite::find_functions(source);
    bool blank = true;
    size_t read = 0;  // up to here the text is in tokens
    for (size_t k = 0; k < source.tokens.size(); k++) {
        const rewrite::token& one = source.tokens[k];
        const size_t begin = size_t(one.text.data() - text.data());
        if (begin < read) continue;  // the rest of a longer operator
        const bool seen = one.kind != rewrite::token_kind::space &&
                          one.kind != rewrite::token_kind::directive &&
                          one.kind != rewrite::token_kind::foreign;
        if (!seen) {
            blank = true;
            continue;
        }
        code_token token;
        token.is = kind_of(one.kind);
        const size_t longer =
            token.is == code_token::kind::symbol ? length_of_operator(text.substr(begin)) : 0;
        token.begin = begin;
        token.end = read = begin + std::max(longer, one.text.size());
        token.text = text.substr(begin, token.end - begin);
        token.blank_before = blank;
        token.in_body = functions.inside_function(k);
        tokens.push_back(token);
        blank = false;
    }
    match_brackets(tokens);
    for (size_t i = 0; i + 1 < tokens.size(); i++) {
        if (!is(i, "static_assert") || tokens[i + 1].partner == NONE) continue;
        for (size_t k = i; k <= tokens[i + 1].partner; k++)
            tokens[k].in_body = false;
    }
}

std::string solution_code::text(token_range range) const {
    const size_t begin = tokens[range.first].begin;
    return std::string(whole.substr(begin, tokens[range.last].end - begin));
}

bool solution_code::has(token_range range, std::string_view word) const {
    for (size_t i = range.first; i <= range.last; i++)
        if (is(i, word)) return true;
    return false;
}

bool solution_code::has_word(std::string_view word) const {
    return std::any_of(tokens.begin(), tokens.end(),
                       [&](const code_token& token) { return token.text == word; });
}

bool solution_code::is_binary(size_t i) const {
    return i > 0 && i + 1 < tokens.size() && tokens[i].is == code_token::kind::symbol &&
           tokens[i].blank_before && tokens[i + 1].blank_before && strength(tokens[i].text) > 0 &&
           !is(i - 1, "template");
}

bool solution_code::is_sign(size_t i) const {
    if (!is(i, "-") || i == 0 || is_binary(i)) return false;
    const code_token& before = tokens[i - 1];
    return before.text == "return" || before.text == "case" ||
           (before.is == code_token::kind::symbol && before.text != ")" && before.text != "]");
}

bool solution_code::is_relation(size_t i) const {
    return is_binary(i) && RELATIONS.count(text(i)) > 0;
}

token_range solution_code::operand_before(size_t i) const {
    size_t first = i;
    while (first > 0) {
        const size_t before = first - 1;
        const std::string_view text = this->text(before);
        if (text == ")" || text == "]" || text == "}") {
            if (tokens[before].partner == NONE) break;
            first = tokens[before].partner;
            continue;
        }
        if (text == "(" || text == "[" || text == "{" || text == "," || text == ";" || text == "return")
            break;
        if (is_binary(before) && strength(text) < strength(this->text(i))) break;
        first = before;
    }
    return {first, i - 1};
}

token_range solution_code::operand_after(size_t i) const {
    size_t last = i;
    while (last + 1 < tokens.size()) {
        const size_t after = last + 1;
        const std::string_view text = this->text(after);
        if (text == ")" || text == "]" || text == "}" || text == "," || text == ";") break;
        if (is_binary(after) && strength(text) <= strength(this->text(i))) break;
        last = tokens[after].partner != NONE ? tokens[after].partner : after;
    }
    return {i + 1, last};
}

bool solution_code::opens_call(size_t i) const {
    if (!is(i, "(") || i == 0 || tokens[i].partner == NONE || !tokens[i].in_body) return false;
    if (!is_word(i - 1) && !is(i - 1, ">")) return false;
    return !STATEMENT_WORDS.count(text(i - 1)) && !is(i - 1, "sizeof");
}

bool solution_code::opens_index(size_t i) const {
    return is(i, "[") && i > 0 && tokens[i].partner != NONE && tokens[i].partner > i + 1 &&
           !tokens[i].blank_before && (is_word(i - 1) || is(i - 1, ")") || is(i - 1, "]"));
}

size_t solution_code::end_of_template(size_t i) const {
    for (int depth = 0; i < tokens.size() && !is(i, ";"); i++) {
        depth += is(i, "<") - is(i, ">") - 2 * is(i, ">>");
        if (depth <= 0) return i;
    }
    return NONE;
}

std::vector<token_range> solution_code::items(size_t open, size_t close) const {
    std::vector<token_range> found;
    size_t first = open + 1;
    for (size_t i = first; i <= close; i++) {
        if (i < close && tokens[i].partner != NONE) {
            i = tokens[i].partner;
            continue;
        }
        // Commas of template arguments: name<a, b>.
        if (is(i, "<") && !is_binary(i)) {
            const size_t end = end_of_template(i);
            if (end < close) i = end;
            continue;
        }
        if (i < close && !is(i, ",")) continue;
        if (i > first) found.push_back({first, i - 1});
        first = i + 1;
    }
    return found;
}

size_t solution_code::end_of_launch(size_t i) const {
    if (!is(i, "<<<")) return NONE;
    for (; i < tokens.size() && !is(i, ";"); i++) {
        if (is(i, ">>>")) return i;
        if (tokens[i].partner != NONE) i = tokens[i].partner;
    }
    return NONE;
}

/// A brace with statements in it.
bool solution_code::is_block(size_t open) const {
    if (!is(open, "{") || open == 0) return false;
    static const words before = {")", "]", "else", "do", "const", "noexcept", "mutable", ";", "{", "}"};
    return before.count(text(open - 1)) > 0;
}

/// The ) of if (..), for (..), while (..), switch (..).
bool solution_code::is_head(size_t close) const {
    if (!is(close, ")") || tokens[close].partner == NONE || tokens[close].partner == 0) return false;
    static const words heads = {"if", "for", "while", "switch", "constexpr"};
    return heads.count(text(tokens[close].partner - 1)) > 0;
}

bool solution_code::begins_statement(size_t i) const {
    if (i == 0 || !tokens[i].in_body || is(i, "}") || is(i, "{")) return false;
    const size_t before = i - 1;
    if (is(before, "{")) return is_block(before);
    if (is(before, "}"))
        return tokens[before].partner != NONE && is_block(tokens[before].partner) && !is(i, ")");
    if (is(before, "else") || is_head(before)) return true;
    if (is(before, ":")) {
        for (size_t k = before; k-- > 0 && !is(k, ";") && !is(k, "{") && !is(k, "}");)
            if (is(k, "case") || is(k, "default")) return true;
        return false;
    }
    if (!is(before, ";")) return false;
    // Not inside the head of a for.
    for (size_t k = before; k-- > 0;) {
        if (is(k, ")") || is(k, "]") || is(k, "}")) {
            if (tokens[k].partner == NONE) return true;
            k = tokens[k].partner;
        } else if (is(k, "{")) {
            return true;
        } else if (is(k, "(")) {
            return false;
        }
    }
    return true;
}

size_t solution_code::end_of_statement(size_t i) const {
    for (; i < tokens.size(); i++) {
        if (is(i, ";")) return i;
        if (is(i, ")") || is(i, "}")) return NONE;
        if (tokens[i].partner != NONE) i = tokens[i].partner;
    }
    return NONE;
}

bool solution_code::begins_declaration(size_t i) const {
    if (DECLARING.count(text(i))) return true;
    if (!is_word(i) || STATEMENT_WORDS.count(text(i))) return false;
    while (is(i + 1, "::") && is_word(i + 2))
        i += 2;
    if (is(i + 1, "<") && !tokens[i + 1].blank_before) i = end_of_template(i + 1);
    if (i == NONE) return false;
    while ((is(i + 1, "*") || is(i + 1, "&")) && !tokens[i + 1].blank_before)
        i++;
    return is_word(i + 1);
}

bool solution_code::is_declared(size_t i) const {
    if (!is_word(i) || i == 0) return false;
    const code_token& before = tokens[i - 1];
    if (before.is == code_token::kind::word) return !STATEMENT_WORDS.count(before.text);
    const bool of_type =
        before.text == "*" || before.text == "&" || before.text == ">" || before.text == "&&";
    if (of_type) return !before.blank_before && tokens[i].blank_before;
    if (before.text != ",") return false;
    // const int x = 0, y = 0;
    const size_t first = statement_of(i);
    if (first == NONE || !begins_declaration(first)) return false;
    for (size_t k = i - 1; k > first; k--) {
        if (is(k, "(") || is(k, "[") || is(k, "{")) return false;
        if (tokens[k].partner != NONE) k = tokens[k].partner;
    }
    return true;
}

size_t solution_code::statement_of(size_t i) const {
    for (size_t k = i + 1; k-- > 0 && tokens[k].in_body;)
        if (begins_statement(k)) return k;
    return NONE;
}

}  // namespace author
