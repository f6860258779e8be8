// Looks at every fourth byte.
#include "simt/memory/sent_bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "simt/memory/arena.h"

namespace simt {
namespace {

std::vector<word_change> all_changes;  // sorted by the host's word
uint64_t seen = 0, seen_as_arguments = 0;

std::optional<uint32_t> arriving(uint32_t word) {
    const auto found = std::ranges::lower_bound(all_changes, word, {}, &word_change::host);
    if (found == all_changes.end() || found->host != word) return std::nullopt;
    return found->device;
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

void change_words(std::vector<word_change> changes) {
    all_changes = std::move(changes);
    std::ranges::sort(all_changes, {}, &word_change::host);
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
