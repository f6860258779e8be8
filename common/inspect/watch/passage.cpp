// The words that passed between host and device in a call.
#include "inspect/watch/passage.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace inspect {

namespace {

/// Words, of which few are looked for one by one, and more in a table of places, each at the first free one from where
/// its bits point to.
class word_set {
public:
    explicit word_set(std::vector<uint32_t> words) : words_(std::move(words)) {}

    bool holds(uint32_t word) {
        constexpr int FEW = 8;
        if (places_.empty() && asked_++ < FEW) return std::ranges::find(words_, word) != words_.end();
        if (places_.empty()) fill_places();
        return word == FREE ? holds_free_ : places_[place_of(word)] == word;
    }

private:
    static constexpr uint32_t FREE = 0xffffffff;

    void fill_places() {
        places_.assign(std::bit_ceil(2 * words_.size() + 1), FREE);
        for (const uint32_t word : words_) {
            holds_free_ = holds_free_ || word == FREE;
            places_[place_of(word)] = word;
        }
    }
    /// Of the word, or the free one where it would go.
    size_t place_of(uint32_t word) const {
        size_t place = (word * 0x9E3779B97F4A7C15u >> 32) & (places_.size() - 1);
        while (places_[place] != FREE && places_[place] != word)
            place = (place + 1) & (places_.size() - 1);
        return place;
    }

    std::vector<uint32_t> words_, places_;
    int asked_ = 0;
    bool holds_free_ = false;
};

/// Bytes behind the last whole word are no value of any lab.
std::vector<uint32_t> words_at(const void* begin, size_t bytes) {
    std::vector<uint32_t> words(bytes / sizeof(uint32_t));
    if (!words.empty()) std::memcpy(words.data(), begin, words.size() * sizeof(uint32_t));
    return words;
}

std::vector<uint32_t> words_of(const host_arrays& arrays) {
    std::vector<uint32_t> all;
    for (const auto& one : arrays) {
        const std::vector<uint32_t> words = words_at(one.data(), one.size());
        all.insert(all.end(), words.begin(), words.end());
    }
    return all;
}

/// The floats that the host makes of doubles.
std::vector<uint32_t> narrowed(const void* begin, size_t bytes) {
    std::vector<uint32_t> words(bytes / sizeof(double));
    for (size_t k = 0; k < words.size(); k++) {
        double wide;
        std::memcpy(&wide, static_cast<const char*>(begin) + k * sizeof wide, sizeof wide);
        words[k] = std::bit_cast<uint32_t>(static_cast<float>(wide));
    }
    return words;
}

void append(std::vector<uint32_t>& list, const std::vector<uint32_t>& more) {
    list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

void passage::sent(const void* host, size_t bytes) {
    std::vector<uint32_t> words = words_at(host, bytes);
    if (!fetched_.empty()) {
        word_set before(fetched_);
        std::erase_if(words, [&](uint32_t word) { return before.holds(word); });
    }
    append(sent_, words);
}

void passage::fetched(const void* host, size_t bytes) {
    append(fetched_, words_at(host, bytes));
    append(fetched_, narrowed(host, bytes));  // kernels may have added up in double
}

value_origin passage::origin_of(const host_arrays& outputs, const host_arrays& inputs) const {
    const std::vector<uint32_t> values = words_of(outputs);
    word_set fetched(fetched_), sent(sent_), given(words_of(inputs));
    value_origin origin;
    bool any_telling = false, all_sent = true;  // zeros and inputs tell nothing: padding sends them as well
    size_t next = 0;                            // outputs are fetched in their order, mostly
    for (const uint32_t value : values) {
        const bool is_next = next < fetched_.size() && fetched_[next] == value;
        next += is_next;
        if (!is_next && !fetched.holds(value) && origin.of_host++ == 0) origin.first_of_host = origin.values;
        origin.values++;
        if (!all_sent || value == 0 || given.holds(value)) continue;
        any_telling = true;
        all_sent = sent.holds(value);
    }
    origin.sent_by_host = any_telling && all_sent;
    return origin;
}

void passage::clear() {
    fetched_.clear();
    sent_.clear();
}

}  // namespace inspect
