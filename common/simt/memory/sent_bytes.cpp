// Looks at every fourth byte.
#include "simt/memory/sent_bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "simt/memory/arena.h"

namespace simt {
namespace {

/// What becomes of a word: asked for every one that the host sends, mostly in the order of the changes.
class word_table {
public:
    void fill(const std::vector<word_change>& changes) {
        changes_ = changes;
        next_ = 0;
        slots_.assign(changes.empty() ? 0 : 2 * std::bit_ceil(changes.size()), FREE);
        for (size_t k = 0; k < changes.size(); k++)
            slots_[slot_of(changes[k].host)] = uint32_t(k);
    }
    bool empty() const { return slots_.empty(); }
    std::optional<uint32_t> arriving(uint32_t word) {
        if (next_ < changes_.size() && changes_[next_].host == word) return changes_[next_++].device;
        const uint32_t found = slots_[slot_of(word)];
        if (found == FREE) return std::nullopt;
        next_ = found + 1;
        return changes_[found].device;
    }

private:
    static constexpr uint32_t FREE = UINT32_MAX;
    std::vector<word_change> changes_;
    size_t next_ = 0;              // behind the one that was found last
    std::vector<uint32_t> slots_;  // numbers of changes, in twice as many places or more

    /// The word's own, or a free one where it would be.
    size_t slot_of(uint32_t word) const {
        constexpr uint64_t GOLDEN = 0x9e3779b97f4a7c15;
        size_t at = GOLDEN * word >> (64 - std::bit_width(slots_.size() - 1));
        while (slots_[at] != FREE && changes_[slots_[at]].host != word)
            at = (at + 1) & (slots_.size() - 1);
        return at;
    }
};

word_table all_changes;
uint64_t seen = 0, seen_as_arguments = 0;

std::optional<uint32_t> arriving(uint32_t word) {
    return all_changes.arriving(word);
}

/// The same of a double that is a float's value. A ghost cell of 0 and an element behind it often are one by chance.
std::optional<uint64_t> arriving_double(uint64_t bits) {
    constexpr int SECOND = 32;
    const auto value = std::bit_cast<double>(bits);
    const auto nearest = float(value);
    if (double(nearest) != value) return std::nullopt;
    const std::optional<uint32_t> word = arriving(std::bit_cast<uint32_t>(nearest));
    if (!word || arriving(uint32_t(bits >> SECOND))) return std::nullopt;
    return std::bit_cast<uint64_t>(double(std::bit_cast<float>(*word)));
}

/// Returns how many words are others then.
uint64_t change(byte_list& bytes, way_to_device way) {
    uint64_t changed = 0;
    for (size_t at = 0; at + sizeof(uint32_t) <= bytes.size(); at += sizeof(uint32_t)) {
        uint64_t both = 0;
        if (at + sizeof both <= bytes.size()) std::memcpy(&both, &bytes[at], sizeof both);
        if (way == way_to_device::argument && at % sizeof both == 0 && is_device_address(both)) {
            at += sizeof(uint32_t);
            continue;
        }
        uint32_t word;
        std::memcpy(&word, &bytes[at], sizeof word);
        if (const std::optional<uint64_t> wide = arriving_double(both)) {
            std::memcpy(&bytes[at], &*wide, sizeof *wide);
            at += sizeof(uint32_t);
            changed++;
        } else if (const std::optional<uint32_t> other = arriving(word)) {
            std::memcpy(&bytes[at], &*other, sizeof *other);
            changed++;
        }
    }
    return changed;
}

}  // namespace

void change_words(const std::vector<word_change>& changes) {
    all_changes.fill(changes);
    seen = seen_as_arguments = 0;
}

uint64_t words_changed() {
    return seen;
}

uint64_t words_changed_in_arguments() {
    return seen_as_arguments;
}

byte_list as_on_device(std::span<const std::byte> bytes) {
    byte_list made(bytes.begin(), bytes.end());
    if (!all_changes.empty()) change(made, way_to_device::copy);
    return made;
}

sent_bytes::sent_bytes(std::span<const std::byte> bytes, way_to_device way) : bytes_(bytes) {
    if (all_changes.empty()) return;
    changed_.assign(bytes.begin(), bytes.end());
    const uint64_t words = change(changed_, way);
    seen += words;
    if (way == way_to_device::argument) seen_as_arguments += words;
    bytes_ = changed_;
}

}  // namespace simt
