// Every fourth window of the array is known by its hash; the text is searched for them, and what is found
// grows in both directions. So every common run of seven words is found.
#include "simt/memory/same_words.h"

#include <algorithm>

namespace simt {
namespace {

constexpr size_t WINDOW = 4;             // words; three may be equal by chance
constexpr size_t MOST_CANDIDATES = 8;    // of an array that repeats itself
constexpr size_t LONG = 2 * WINDOW - 1;  // shorter texts may miss every known window

uint64_t hash_of(const uint32_t* words) {
    uint64_t hash = 0;
    for (size_t k = 0; k < WINDOW; k++)
        hash = (hash ^ words[k]) * 0x9E3779B97F4A7C15u;
    return hash;
}

bool are_equal(const uint32_t* words, size_t count) {
    return std::all_of(words, words + count, [&](uint32_t word) { return word == *words; });
}

}  // namespace

word_index::word_index(std::span<const uint32_t> array) : array(array) {
    const auto add = [&](size_t place) {
        if (!are_equal(&array[place], WINDOW)) windows.emplace_back(hash_of(&array[place]), place);
    };
    for (size_t place = 0; place + WINDOW <= array.size(); place += WINDOW)
        add(place);
    if (array.size() > WINDOW && array.size() % WINDOW != 0) add(array.size() - WINDOW);
    std::sort(windows.begin(), windows.end());
}

std::vector<word_run> word_index::long_runs_in(std::span<const uint32_t> text) const {
    std::vector<word_run> runs;
    size_t done = 0;  // nothing before it is free
    for (size_t place = 0; place + WINDOW <= text.size();) {
        const uint64_t hash = hash_of(&text[place]);
        auto candidate = std::lower_bound(windows.begin(), windows.end(), std::pair(hash, size_t{0}));
        word_run longest;
        for (size_t k = 0; k < MOST_CANDIDATES && candidate != windows.end() && candidate->first == hash;
             k++, ++candidate) {
            size_t begin = place, there = candidate->second;
            if (!std::equal(&array[there], &array[there] + WINDOW, &text[place])) continue;
            while (begin > done && there > 0 && text[begin - 1] == array[there - 1])
                begin--, there--;
            size_t end = begin;
            while (end < text.size() && there < array.size() && text[end] == array[there])
                end++, there++;
            if (end - begin > longest.words()) longest = {begin, end};
        }
        if (longest.words() > 0) runs.push_back(longest);
        place = longest.words() > 0 ? done = longest.end : place + 1;
    }
    return runs;
}

bool word_index::contains(std::span<const uint32_t> short_text) const {
    return std::search(array.begin(), array.end(), short_text.begin(), short_text.end()) != array.end();
}

std::vector<word_run> word_index::runs_in(std::span<const uint32_t> text) const {
    if (text.empty() || array.empty()) return {};
    if (std::ranges::equal(text, array)) return {{0, text.size()}};
    std::vector<word_run> runs;
    if (text.size() >= LONG)
        runs = long_runs_in(text);
    else if (text.size() < array.size() && contains(text))
        runs = {{0, text.size()}};
    size_t found = 0;
    for (const word_run& one : runs)
        found += one.words();
    if (2 * found < std::min(array.size(), text.size())) runs.clear();
    return runs;
}

}  // namespace simt
