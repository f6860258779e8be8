// Reading around in the tokens, and writing them out with their edits.
#include "simt/rewrite/source.h"

#include <algorithm>

namespace rewrite {

bool is_of_cub(std::string_view header) {
    return header.find("/cub/") != std::string_view::npos;
}

bool source::is_seen(size_t i) const {
    const token_kind kind = tokens[i].kind;
    return kind != token_kind::space && kind != token_kind::directive && kind != token_kind::foreign;
}

size_t source::next(size_t i) const {
    if (i == NONE) return NONE;
    for (i++; i < tokens.size(); i++) {
        if (is_seen(i)) return i;
    }
    return NONE;
}

size_t source::previous(size_t i) const {
    if (i == NONE) return NONE;
    while (i-- > 0) {
        if (is_seen(i)) return i;
    }
    return NONE;
}

size_t source::first() const {
    if (tokens.empty()) return NONE;
    return is_seen(0) ? 0 : next(0);
}

bool source::touches_next(size_t i) const {
    return i != NONE && i + 1 < tokens.size() && is_seen(i + 1);
}

size_t source::end_of_triple(size_t i, std::string_view sign) const {
    if (!is(i, sign)) return NONE;
    const size_t second = next(i), third = is(second, sign) ? next(second) : NONE;
    return is(third, sign) && (touches_next(i) || touches_next(second)) ? third : NONE;
}

void source::match_brackets() {
    partners_.assign(tokens.size(), NONE);
    std::vector<size_t> open;
    for (size_t i = 0; i < tokens.size(); i++) {
        if (tokens[i].kind != token_kind::symbol) continue;
        const char c = tokens[i].text[0];
        if (c == '(' || c == '[' || c == '{') open.push_back(i);
        if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
            partners_[i] = open.back();
            partners_[open.back()] = i;
            open.pop_back();
        }
    }
}

size_t source::closing_angle(size_t i) const {
    int depth = 0;
    for (; i != NONE; i = next(i)) {
        if (is(i, "(") || is(i, "[") || is(i, "{")) {
            i = partner(i);
            continue;
        }
        if (is(i, ";") || is(i, ")") || is(i, "]") || is(i, "}")) return NONE;
        if (is(i, "<")) depth++;
        if (is(i, ">") && --depth == 0) return i;
    }
    return NONE;
}

size_t source::opening_angle(size_t i) const {
    int depth = 0;
    for (; i != NONE; i = previous(i)) {
        if (is(i, ")") || is(i, "]") || is(i, "}")) {
            i = partner(i);
            continue;
        }
        if (is(i, ";") || is(i, "(") || is(i, "[") || is(i, "{")) return NONE;
        if (is(i, ">")) depth++;
        if (is(i, "<") && --depth == 0) return i;
    }
    return NONE;
}

size_t source::end_of_arguments(size_t i) const {
    const size_t open = next(i);
    if (!is(open, "(") || partner(open) == NONE) return i;
    return partner(open);
}

size_t source::start_of_class(size_t i) const {
    if (!is(i, "}")) return NONE;
    for (i = previous(partner(i)); i != NONE; i = previous(i)) {
        if (is(i, "struct") || is(i, "class") || is(i, "union") || is(i, "enum")) {
            const bool scoped = is(i, "struct") || is(i, "class");
            return scoped && is(previous(i), "enum") ? previous(i) : i;
        }
        const bool is_alignment =
            is(i, ")") && is_identifier(previous(partner(i))) && text(previous(partner(i))).find("align") < 3;
        if (is(i, ">"))
            i = opening_angle(i);
        else if (is_alignment || is(i, "]"))
            i = partner(i);
        else if (!is_identifier(i) && !is(i, ":") && !is(i, "::") && !is(i, ","))
            return NONE;
    }
    return NONE;
}

size_t source::end_of_item(size_t i, size_t close) const {
    for (; i != NONE && i != close && !is(i, ","); i = next(i)) {
        if (is(i, "(") || is(i, "[") || is(i, "{")) i = partner(i);
        if (is(i, "<") && closing_angle(i) < close) i = closing_angle(i);
    }
    return i;
}

int source::count_items(size_t open, size_t close) const {
    if (next(open) == close) return 0;
    int items = 0;
    for (size_t i = open; i != NONE && i < close; items++)
        i = end_of_item(next(i), close);
    return items;
}

std::string source::join(size_t first, size_t last) const {
    std::string joined;
    for (size_t i = first; i != NONE && i <= last; i = next(i)) {
        if (i != first && !touches_next(previous(i))) joined += ' ';
        joined += text(i);
    }
    return joined;
}

void source::replace(size_t i, std::string_view text) {
    tokens[i].replacement = text;
    tokens[i].replaced = true;
}

void source::erase(size_t first, size_t last) {
    for (size_t i = first; i <= last; i++) {
        if (is_seen(i)) erase(i);
    }
}

void source::take_place(size_t first, size_t last, std::string_view text) {
    for (size_t i = first + 1; i <= last; i++) {
        if (!is_seen(i)) continue;
        erase(i);
        tokens[i].kind = token_kind::space;
    }
    replace(first, text);
}

void source::report(size_t i, std::string text) {
    problems.push_back({places[tokens[i].place].name, tokens[i].line, std::move(text)});
}

namespace {

/// Collects the output and knows the column it has reached.
struct writer {
    std::string text;
    size_t column = 0;

    void put(std::string_view piece) {
        text += piece;
        const size_t line_end = piece.rfind('\n');
        column = line_end == std::string_view::npos ? column + piece.size() : piece.size() - line_end - 1;
    }

    /// Goes on at a column of the line and file of t.
    void go_to(size_t wanted, const token& t, const place& where) {
        if (column > wanted) {
            put("\n# " + std::to_string(t.line) + " ");
            put(where.quoted);
            put(where.flags);
            put("\n");
        }
        put(std::string(wanted - column, ' '));
    }
};

}  // namespace

void source::insert_steps(size_t semicolon, size_t name) {
    std::string element(text(name));
    const auto has_index = [&](size_t i) { return is(next(i), "["); };
    for (size_t i = name, k = 0; has_index(i); i = partner(next(i)), k++) {
        if (k == 0 && !has_index(partner(next(i)))) return;  // an array of no arrays
        element += "[0]";
        insert_after(semicolon, " static char simt_step" + std::to_string(k + 1) + "_" +
                                    std::string(text(name)) + "[sizeof(" + element +
                                    ")] __attribute__((used, unused));");
    }
}

std::string source::render(bool realign) const {
    constexpr std::string_view ASSERT = "static_assert(";
    writer out;
    for (size_t i = 0; i < tokens.size(); i++) {
        const token& t = tokens[i];
        out.put(t.before);
        const std::string_view text = t.replaced ? std::string_view(t.replacement) : t.text;
        if (realign && is_seen(i) && !text.empty()) out.go_to(t.column, t, places[t.place]);
        out.put(text);
        out.put(t.after);
        for (const assertion& a : t.assertions) {
            const token& about = tokens[a.about];
            // The compiler points at the condition.
            const size_t column = std::max(about.column, int(ASSERT.size())) - ASSERT.size();
            if (realign) out.go_to(column, about, places[about.place]);
            out.put(realign ? "" : " ");
            out.put(ASSERT);
            out.put(a.condition + ", \"");
            out.put(a.message);
            out.put("\");");
        }
        const bool moved = !t.assertions.empty() && tokens[t.assertions.back().about].line != t.line;
        if (realign && moved) out.go_to(0, t, places[t.place]);
    }
    return std::move(out.text);
}

}  // namespace rewrite
