// #pragma unroll.
#include <algorithm>
#include <cctype>
#include <string>

#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

// nvcc unrolls a loop without a number completely, if its length is known. GCC would also repeat a loop of
// unknown length that often, so the number is kept small.
constexpr std::string_view DEFAULT_TIMES = "16";

/// What stands after #pragma unroll; false for any other line.
bool read_unroll(std::string_view line, std::string& times) {
    std::string words;
    for (const char c : line)
        words += c == '#' || c == '(' || c == ')' || std::isspace((unsigned char)c) ? ' ' : c;
    const auto take = [&words] {
        const size_t begin = std::min(words.find_first_not_of(' '), words.size());
        const size_t end = std::min(words.find(' ', begin), words.size());
        const std::string word = words.substr(begin, end - begin);
        words.erase(0, end);
        return word;
    };
    if (take() != "pragma" || take() != "unroll") return false;
    times = take();
    return true;
}

bool is_number(const std::string& text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

}  // namespace

void rewrite_unroll(source& file, bool inspected) {
    for (size_t i = 0; i < file.tokens.size(); i++) {
        std::string times;
        if (file.tokens[i].kind != token_kind::directive || !read_unroll(file.text(i), times)) continue;
        const size_t loop = file.next(i);
        const bool before_loop = file.is(loop, "for") || file.is(loop, "while") || file.is(loop, "do");
        if (inspected || !before_loop) {
            file.replace(i, "\n");
        } else {
            // A name may be a template parameter, which GCC does not take here.
            file.replace(
                i, "#pragma GCC unroll " + (is_number(times) ? times : std::string(DEFAULT_TIMES)) + "\n");
        }
    }
}

}  // namespace rewrite
