// A preprocessed file as tokens that can be edited: reading around, replacing, and writing it out again.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace rewrite {

enum class token_kind {
    identifier,
    number,
    string,     // also raw strings and strings with a prefix
    character,  // 'a'
    // One character, or one of :: -> ... == != <= >=; never << or >>, which templates and launches split.
    symbol,
    space,      // blanks, line ends, comments
    directive,  // a line that starts with #
    foreign,    // text of a system header or of the CPU backend's own headers: copied as it is
};

/// A static_assert about what stands at some other token: there the compiler's message shall point.
struct assertion {
    size_t about = 0;
    std::string condition;
    std::string_view message;
};

struct token {
    token_kind kind = token_kind::space;
    std::string_view text;
    int place = 0;  // index into source::places
    int line = 0, column = 0;

    std::string before, after;  // inserted around the text
    std::string replacement;    // stands instead of the text if `replaced`
    bool replaced = false;
    std::vector<assertion> assertions;  // follow `after`
};

/// The file that a line marker names, and the flags of the marker that tell a system header.
struct place {
    std::string name;         // as the compiler was given it
    std::string_view quoted;  // the same in quotes, as the marker has it
    std::string_view flags;   // "", " 3" or " 3 4"
};

/// True of CUB's headers, which are device code, wherever they lie.
bool is_of_cub(std::string_view header);

/// Something a student must change: printed as file:line: error: text.
struct problem {
    std::string file;
    int line = 0;
    std::string text;
};

inline constexpr size_t NONE = size_t(-1);

/// The tokens of one translation unit. Indices of tokens never change; edits hang on the tokens.
/// All functions that return an index return NONE if there is no such token, and accept NONE.
class source {
public:
    std::vector<token> tokens;
    std::vector<place> places;
    std::vector<problem> problems;

    /// Finds the partner of every bracket. Call it once, after the tokens are there.
    void match_brackets();

    /// The nearest token after or before i that the compiler sees.
    size_t next(size_t i) const;
    size_t previous(size_t i) const;
    size_t first() const;  // the first token the compiler sees

    /// The text of token i; empty for NONE.
    std::string_view text(size_t i) const { return i == NONE ? std::string_view() : tokens[i].text; }
    bool is(size_t i, std::string_view text) const { return i != NONE && tokens[i].text == text; }
    bool is_identifier(size_t i) const { return i != NONE && tokens[i].kind == token_kind::identifier; }
    bool touches_next(size_t i) const;  // the next token follows without a blank

    /// The last of three of the same sign in a row, <<< or >>>, else NONE. As formatters of C++ write them, and nvcc reads
    /// them, one may stand apart.
    size_t end_of_triple(size_t i, std::string_view sign) const;
    bool is_triple(size_t i, std::string_view sign) const { return end_of_triple(i, sign) != NONE; }

    /// The bracket that belongs to the ( [ { ) ] } at i.
    size_t partner(size_t i) const { return i == NONE ? NONE : partners_[i]; }
    /// The > that closes the < at i, or the other way round,
    /// as far as that can be told without knowing the names.
    size_t closing_angle(size_t i) const;
    size_t opening_angle(size_t i) const;
    /// The last token of the argument list (...) that follows i, or i itself if none follows.
    size_t end_of_arguments(size_t i) const;

    /// The struct, class, union or enum whose body ends at the } at i; NONE for any other brace.
    size_t start_of_class(size_t i) const;

    /// The comma or the bracket that ends the item at i of a list that ends at `close`.
    size_t end_of_item(size_t i, size_t close) const;
    /// Items of a list between the brackets at `open` and `close`: commas outside of brackets and of < >
    /// inside part them. `open` may be the last < of <<<.
    int count_items(size_t open, size_t close) const;

    /// The text of the tokens first .. last on one line.
    std::string join(size_t first, size_t last) const;

    void replace(size_t i, std::string_view text);
    void erase(size_t i) { replace(i, ""); }
    void erase(size_t first, size_t last);  // both included; line ends stay
    /// Replaces first .. last; from now on nobody sees what was there.
    void take_place(size_t first, size_t last, std::string_view text);
    void insert_before(size_t i, std::string_view text) { tokens[i].before += text; }
    void insert_after(size_t i, std::string_view text) { tokens[i].after += text; }

    /// Puts brackets around first .. last, inside or outside of what is around them already.
    void wrap_inside(size_t first, size_t last, const std::string& open, const std::string& close = ")") {
        tokens[first].before += open;
        tokens[last].after.insert(0, close);
    }
    void wrap_outside(size_t first, size_t last, const std::string& open, const std::string& close = ")") {
        tokens[first].before.insert(0, open);
        tokens[last].after += close;
    }

    /// Adds static_assert(condition, message) after token i.
    void assert_after(size_t i, size_t about, std::string condition, std::string_view message) {
        tokens[i].assertions.push_back({about, std::move(condition), message});
    }

    /// Behind the declaration of an array of arrays t, named at `name`: unused arrays as large as t[0], t[0][0], ...,
    /// whose sizes tell the backend what a row is (simt/engine/symbols.cpp).
    void insert_steps(size_t semicolon, size_t name);

    void report(size_t i, std::string text);

    /// The edited text. `realign` puts what follows an edit back to its line and column, by line markers, so
    /// that the compiler's messages point at the student's own text.
    std::string render(bool realign) const;

private:
    std::vector<size_t> partners_;
    bool is_seen(size_t i) const;
};

/// Splits the output of g++ -E into tokens. The text must outlive the result. `judged`: a student's file, which has no
/// kernels in system headers.
source lex(std::string_view text, bool judged = false);

}  // namespace rewrite
