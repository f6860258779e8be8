// A solution's text as tokens, with what a change of it must know: operators, statements, calls, scopes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace author {

inline constexpr size_t NONE = size_t(-1);

struct code_token {
    enum class kind { word, number, string, symbol };
    kind is = kind::symbol;
    std::string_view text;
    size_t begin = 0, end = 0;  // in the file's text
    bool blank_before = false;  // a blank, a line end or a comment
    bool in_body = false;       // of a function, and nothing that is only asserted
    size_t partner = NONE;      // of a bracket
};

/// `first` to `last` are tokens, both included.
struct token_range {
    size_t first, last;
};

class solution_code {
public:
    /// The text must outlive the code.
    explicit solution_code(std::string_view text);

    const std::string_view whole;
    std::vector<code_token> tokens;

    std::string_view text(size_t i) const { return i < tokens.size() ? tokens[i].text : std::string_view(); }
    bool is(size_t i, std::string_view text) const { return this->text(i) == text; }
    bool is_word(size_t i) const { return i < tokens.size() && tokens[i].is == code_token::kind::word; }
    /// The text from the first token to the last, as it stands.
    std::string text(token_range range) const;
    bool has(token_range range, std::string_view word) const;
    bool has_word(std::string_view word) const;

    /// An operator between two operands: it has blanks on both sides, as clang-format puts them.
    bool is_binary(size_t i) const;
    /// A sign: what stands before it is no operand.
    bool is_sign(size_t i) const;
    bool is_relation(size_t i) const;

    /// The operand before or after the operator at i: up to a bracket, comma or an operator that binds less.
    token_range operand_before(size_t i) const;
    token_range operand_after(size_t i) const;

    /// The ( of a call of a function or a constructor, or of a variable with arguments.
    bool opens_call(size_t i) const;
    /// The [ of an index.
    bool opens_index(size_t i) const;
    /// What the commas between the brackets at open and close part; `open` may be a <<<.
    std::vector<token_range> items(size_t open, size_t close) const;
    /// The last > of template arguments that begin with the < at i, or NONE.
    size_t end_of_template(size_t i) const;
    /// The >>> of a <<<, or NONE.
    size_t end_of_launch(size_t i) const;

    bool begins_statement(size_t i) const;
    size_t end_of_statement(size_t i) const;  // its ; or NONE
    bool begins_declaration(size_t i) const;
    /// The name that is declared in a statement or a parameter list stands at i.
    bool is_declared(size_t i) const;
    /// The first token of the statement around i, NONE if there is none.
    size_t statement_of(size_t i) const;

private:
    bool is_block(size_t open) const;
    bool is_head(size_t close) const;
};

}  // namespace author
