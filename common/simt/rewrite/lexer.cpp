// The lexer: C++ tokens and line markers out of the text that g++ -E writes.
#include <cctype>
#include <map>

#include "simt/rewrite/source.h"

namespace rewrite {
namespace {

bool starts_identifier(char c) {
    return std::isalpha((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

bool continues_identifier(char c) {
    return starts_identifier(c) || std::isdigit((unsigned char)c);
}

bool is_raw_prefix(std::string_view word) {
    return word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
}

bool is_literal_prefix(std::string_view word) {
    return word == "L" || word == "u" || word == "U" || word == "u8";
}

class lexer {
public:
    lexer(std::string_view text, bool judged) : text_(text), judged_(judged) {
        result_.places.push_back({"<stdin>", "\"<stdin>\"", ""});
    }

    source run() {
        while (at_ < text_.size()) {
            if (at_line_start() && read_directive()) continue;
            read_token();
        }
        result_.match_brackets();
        return std::move(result_);
    }

private:
    std::string_view text_;
    const bool judged_;
    source result_;
    size_t at_ = 0;
    size_t line_start_ = 0;
    int line_ = 1;
    std::map<std::string, bool> is_own_;  // files: a student's is first named without the system flag

    char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool at_line_start() const { return at_ == line_start_; }

    void emit(token_kind kind, size_t end) {
        token t;
        t.kind = kind;
        t.text = text_.substr(at_, end - at_);
        t.place = int(result_.places.size()) - 1;
        t.line = line_;
        t.column = int(at_ - line_start_);
        result_.tokens.push_back(std::move(t));
        for (size_t i = at_; i < end; i++) {
            if (text_[i] != '\n') continue;
            line_++;
            line_start_ = i + 1;
        }
        at_ = end;
    }

    size_t end_of_line(size_t from) const {
        const size_t end = text_.find('\n', from);
        return end == std::string_view::npos ? text_.size() : end + 1;
    }

    /// A line marker, # 12 "file.cu" 1 3, or another directive. False if the line is neither.
    bool read_directive() {
        const size_t sign = text_.find_first_not_of(" \t", at_);
        if (sign == std::string_view::npos || text_[sign] != '#') return false;
        const size_t end = end_of_line(at_);
        std::string_view line = text_.substr(sign + 1, end - sign - 1);
        emit(token_kind::directive, end);
        if (line.substr(0, 5) == "line ") line.remove_prefix(5);
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (!line.empty() && std::isdigit((unsigned char)line[0])) read_marker(line);
        return true;
    }

    void read_marker(std::string_view line) {
        int number = 0;
        size_t i = 0;
        while (i < line.size() && std::isdigit((unsigned char)line[i]))
            number = 10 * number + (line[i++] - '0');
        line_ = number;
        const size_t open = line.find('"', i);
        if (open == std::string_view::npos) return;
        std::string name;
        size_t close = open + 1;
        while (close < line.size() && line[close] != '"') {
            if (line[close] == '\\') close++;
            if (close < line.size()) name += line[close++];
        }
        std::string_view flags = line.substr(std::min(close + 1, line.size()));
        const bool system = flags.find('3') != std::string_view::npos;
        // A macro of a system header that the student uses is marked as the student's file with the system flag, and the
        // other way round.
        const bool ours = name.find("simt/include/") != std::string::npos;
        const bool has_kernels = is_of_cub(name) || name.find("/thrust/system/cuda/") != std::string::npos;
        const bool is_own = is_own_.emplace(name, !system).first->second;
        const bool foreign = ours || !(is_own || (has_kernels && !judged_));
        const bool c_header = flags.find('4') != std::string_view::npos;
        result_.places.push_back({std::move(name), line.substr(open, close + 1 - open),
                                  !system    ? ""
                                  : c_header ? " 3 4"
                                             : " 3"});
        if (foreign) read_foreign(ours);
    }

    /// Everything up to the next line marker.
    void read_foreign(bool ours) {
        size_t end = at_;
        while (end < text_.size()) {
            const std::string_view ahead = text_.substr(end, 3);
            if (ahead.size() == 3 && ahead.substr(0, 2) == "# " && std::isdigit((unsigned char)ahead[2]))
                break;
            end = end_of_line(end);
        }
        while (const size_t word = ours ? 0 : find_specifier(end)) {
            if (word > at_) emit(token_kind::foreign, word);
            emit(token_kind::foreign, end_of_word(word));
            result_.tokens.back().replaced = true;
        }
        if (end > at_) emit(token_kind::foreign, end);
    }

    /// A word of CUDA for functions in a system header, as Thrust is one, before `end`: it says nothing here. 0: none.
    size_t find_specifier(size_t end) const {
        size_t first = end;
        for (const std::string_view word : {"__host__", "__device__", "__forceinline__"}) {
            size_t at = text_.substr(0, end).find(word, at_);
            while (at < first && !is_whole_word(at, word.size()))
                at = text_.substr(0, end).find(word, at + 1);
            first = std::min(first, at);
        }
        return first < end ? first : 0;
    }
    bool is_whole_word(size_t at, size_t size) const {
        return (at == 0 || !continues_identifier(text_[at - 1])) && end_of_word(at) == at + size;
    }
    size_t end_of_word(size_t at) const {
        while (at < text_.size() && continues_identifier(text_[at]))
            at++;
        return at;
    }

    void read_token() {
        const char c = peek();
        if (std::isspace((unsigned char)c)) return read_space();
        if (c == '/' && (peek(1) == '/' || peek(1) == '*')) return read_comment();
        if (starts_identifier(c)) return read_word();
        if (std::isdigit((unsigned char)c) || (c == '.' && std::isdigit((unsigned char)peek(1))))
            return read_number();
        if (c == '"' || c == '\'') return read_quoted(at_);
        read_symbol();
    }

    void read_space() {
        size_t end = at_;
        while (end < text_.size() && std::isspace((unsigned char)text_[end])) {
            // A token of its own for every line, because a directive may follow.
            if (text_[end++] == '\n') break;
        }
        emit(token_kind::space, end);
    }

    void read_comment() {
        const bool one_line = peek(1) == '/';
        const size_t end = one_line ? text_.find('\n', at_) : text_.find("*/", at_ + 2);
        emit(token_kind::space, end == std::string_view::npos ? text_.size() : one_line ? end : end + 2);
    }

    void read_word() {
        size_t end = at_;
        while (end < text_.size() && continues_identifier(text_[end]))
            end++;
        const std::string_view word = text_.substr(at_, end - at_);
        const char quote = end < text_.size() ? text_[end] : '\0';
        if (quote == '"' && is_raw_prefix(word)) return read_raw_string(end);
        if ((quote == '"' || quote == '\'') && is_literal_prefix(word)) return read_quoted(end);
        emit(token_kind::identifier, end);
    }

    void read_raw_string(size_t quote) {
        const size_t open = text_.find('(', quote);
        if (open == std::string_view::npos) return emit(token_kind::string, text_.size());
        const std::string close = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
        const size_t end = text_.find(close, open);
        emit(token_kind::string, end == std::string_view::npos ? text_.size() : end + close.size());
    }

    void read_quoted(size_t quote) {
        const char mark = text_[quote];
        size_t end = quote + 1;
        while (end < text_.size() && text_[end] != mark && text_[end] != '\n')
            end += text_[end] == '\\' ? 2 : 1;
        if (end < text_.size() && text_[end] == mark) end++;
        emit(mark == '"' ? token_kind::string : token_kind::character, std::min(end, text_.size()));
    }

    void read_number() {
        size_t end = at_;
        while (end < text_.size()) {
            const char c = text_[end];
            const char following = end + 1 < text_.size() ? text_[end + 1] : '\0';
            const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
            if (exponent && (following == '+' || following == '-')) {
                end += 2;
            } else if (c == '\'' && continues_identifier(following)) {
                end += 2;  // a digit separator, not the start of a character
            } else if (continues_identifier(c) || c == '.') {
                end++;
            } else {
                break;
            }
        }
        emit(token_kind::number, end);
    }

    void read_symbol() {
        const std::string_view ahead = text_.substr(at_, 3);
        if (ahead == "...") return emit(token_kind::symbol, at_ + 3);
        for (const std::string_view pair : {"::", "->", "==", "!=", "<=", ">="}) {
            if (ahead.substr(0, 2) == pair) return emit(token_kind::symbol, at_ + 2);
        }
        emit(token_kind::symbol, at_ + 1);
    }
};

}  // namespace

source lex(std::string_view text, bool judged) {
    return lexer(text, judged).run();
}

}  // namespace rewrite
