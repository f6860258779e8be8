// Fingerprints of a source: what stays of it when comments go, names change and functions change places.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace grade {

/// A word or sign of C++ as it counts here. Names, numbers and strings are each as good as another; words of
/// the language and of CUDA stay, nobody chose them.
struct source_token {
    uint64_t kind;
    int line;  // from 1
};

/// The tokens of a source. Comments are none, lines of #include neither. Takes any bytes.
std::vector<source_token> tokens_of(std::string_view source);

struct fingerprint {
    uint64_t hash;
    int first_line, last_line;
};

/// Hashes of RUN tokens in a row, all of them, in their order.
std::vector<fingerprint> all_runs(std::string_view source);

/// Of these the smallest of every WINDOW neighbours (winnowing: Schleimer, Wilkerson, Aiken 2003): whatever
/// two sources have in common over RUN + WINDOW - 1 tokens gives them a fingerprint in common.
std::vector<fingerprint> fingerprints_of(std::string_view source);

constexpr size_t RUN = 20;     // tokens: about two lines; shorter ones every kernel has
constexpr size_t WINDOW = 10;  // runs: one in five or six is kept

}  // namespace grade
