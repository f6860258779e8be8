// Cuts a source into tokens and hashes runs of them.
#include "grade/fingerprints.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <utility>

namespace grade {
namespace {

constexpr uint64_t NAME = 1, NUMBER = 2, STRING = 3;

/// FNV-1a.
uint64_t hash_of(std::string_view text, uint64_t hash = 0xcbf29ce484222325) {
    for (const char c : text)
        hash = (hash ^ (unsigned char)c) * 0x100000001b3;
    return hash;
}

bool is_word(char c) {
    return std::isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/// Words that a copy cannot rename.
bool is_fixed(std::string_view word) {
    static const std::set<std::string_view> words = {
        "auto",      "bool",     "break",      "case",         "char",       "class",        "const",
        "constexpr", "continue", "default",    "do",           "double",     "else",         "enum",
        "float",     "for",      "if",         "inline",       "int",        "long",         "namespace",
        "new",       "operator", "return",     "short",        "signed",     "sizeof",       "static",
        "struct",    "switch",   "template",   "this",         "typedef",    "typename",     "union",
        "unsigned",  "using",    "void",       "volatile",     "while",      "threadIdx",    "blockIdx",
        "blockDim",  "gridDim",  "__global__", "__device__",   "__shared__", "__constant__", "dim3",
        "x",         "y",        "z",          "__syncthreads"};
    return words.count(word) == 1;
}

class token_reader {
public:
    explicit token_reader(std::string_view source) : rest_(source) {}

    std::vector<source_token> read() {
        while (!rest_.empty())
            step();
        return std::move(tokens_);
    }

private:
    void step() {
        const char c = rest_[0];
        if (std::isspace((unsigned char)c)) {
            skip(1);
        } else if (rest_.starts_with("//") || rest_.starts_with("#include") || rest_.starts_with("#pragma")) {
            skip(rest_.find('\n'));
        } else if (rest_.starts_with("/*")) {
            const size_t end = rest_.find("*/", 2);
            skip(end == std::string_view::npos ? end : end + 2);
        } else if (c == '"' || c == '\'') {
            tokens_.push_back({STRING, line_});
            skip(length_of_string(c));
        } else if (is_word(c)) {
            word();
        } else {
            tokens_.push_back({hash_of(rest_.substr(0, 1)), line_});
            skip(1);
        }
    }

    void word() {
        const bool number = std::isdigit((unsigned char)rest_[0]);
        size_t length = 1;
        while (length < rest_.size() &&
               (is_word(rest_[length]) || (number && (rest_[length] == '.' || rest_[length] == '\''))))
            length++;
        const std::string_view text = rest_.substr(0, length);
        tokens_.push_back({number ? NUMBER : is_fixed(text) ? hash_of(text) : NAME, line_});
        skip(length);
    }

    /// With its quotes; it ends with the line if nothing else ends it.
    size_t length_of_string(char quote) const {
        for (size_t k = 1; k < rest_.size(); k++) {
            if (rest_[k] == '\n') return k;
            if (rest_[k] == quote) return k + 1;
            k += rest_[k] == '\\';
        }
        return rest_.size();
    }

    void skip(size_t count) {
        const std::string_view gone = rest_.substr(0, count);
        line_ += int(std::count(gone.begin(), gone.end(), '\n'));
        rest_.remove_prefix(gone.size());
    }

    std::string_view rest_;
    int line_ = 1;
    std::vector<source_token> tokens_;
};

}  // namespace

std::vector<source_token> tokens_of(std::string_view source) {
    return token_reader(source).read();
}

std::vector<fingerprint> all_runs(std::string_view source) {
    const std::vector<source_token> tokens = tokens_of(source);
    std::vector<fingerprint> runs;
    for (size_t k = 0; k + RUN <= tokens.size(); k++) {
        uint64_t hash = hash_of("");
        for (size_t i = k; i < k + RUN; i++)
            hash = hash_of({reinterpret_cast<const char*>(&tokens[i].kind), sizeof tokens[i].kind}, hash);
        runs.push_back({hash, tokens[k].line, tokens[k + RUN - 1].line});
    }
    return runs;
}

std::vector<fingerprint> fingerprints_of(std::string_view source) {
    const std::vector<fingerprint> runs = all_runs(source);
    const auto smaller = [](const fingerprint& a, const fingerprint& b) { return a.hash < b.hash; };
    std::vector<fingerprint> kept;
    size_t last = runs.size();  // the one kept last
    for (size_t k = 0; k < runs.size(); k++) {
        const auto begin = runs.begin() + long(k),
                   end = runs.begin() + long(std::min(k + WINDOW, runs.size()));
        const size_t least = size_t(std::min_element(begin, end, smaller) - runs.begin());
        if (least != last) kept.push_back(runs[least]);
        last = least;
        if (k + WINDOW >= runs.size()) break;
    }
    return kept;
}

}  // namespace grade
