// Finds what two arrays of 32-bit words have in common, wherever in them it stands.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace simt {

/// Words [begin, end) of a text that stand side by side in an array too.
struct word_run {
    size_t begin = 0, end = 0;
    size_t words() const { return end - begin; }
};

/// An array, prepared to be found in texts: whole, in parts, or row by row with something else between.
class word_index {
public:
    /// Keeps the span: the array must outlive the index.
    explicit word_index(std::span<const uint32_t> array);

    size_t words() const { return array.size(); }
    /// Its runs in the text, in order and without overlap. Empty if together they are less than half of the
    /// array and less than half of the text: then they are chance. Runs of equal words prove nothing and do
    /// not count, unless array and text are the same.
    std::vector<word_run> runs_in(std::span<const uint32_t> text) const;

private:
    std::vector<word_run> long_runs_in(std::span<const uint32_t> text) const;
    bool contains(std::span<const uint32_t> short_text) const;

    std::span<const uint32_t> array;
    std::vector<std::pair<uint64_t, size_t>> windows;  // hash and place of every fourth window, sorted
};

}  // namespace simt
