// Looks at every fourth byte.
#include "simt/memory/swapped_words.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace simt {
namespace {

uint32_t of_host = 0, of_device = 0;
std::vector<uint32_t> known_words;  // sorted
bool has_read = false;
changed_words changed;
constexpr uint32_t CHANGED_BITS = 0x00400000;  // half of a float's mantissa, four million of an integer

template <class word>
void swap_in(byte_list& bytes, word from, word to) {
    for (size_t at = 0; at + sizeof from <= bytes.size(); at += sizeof(uint32_t)) {
        word found;
        std::memcpy(&found, &bytes[at], sizeof found);
        if (found != from) continue;
        std::memcpy(&bytes[at], &to, sizeof to);
        changed.swapped++;
    }
}

/// The float of these bits as a double's.
uint64_t as_double(uint32_t bits) {
    return std::bit_cast<uint64_t>(double(std::bit_cast<float>(bits)));
}

bool is_known(uint32_t word) {
    return word == 0 || word == of_device || std::ranges::binary_search(known_words, word);
}

/// Whether these bits are a double that is one of the known floats.
bool is_known_double(uint64_t bits) {
    const auto value = std::bit_cast<double>(bits);
    const auto nearest = float(value);
    return double(nearest) == value && is_known(std::bit_cast<uint32_t>(nearest));
}

/// Of an address in user space, 8 bytes of which the upper 2 are 0: a pointer, or two small integers.
bool is_pointer(uint64_t bits) {
    const uint64_t upper = bits >> 32;
    return upper != 0 && upper < 0x8000;
}

/// Sizes, offsets and the like are none.
bool may_be_float(uint32_t word) {
    const uint32_t exponent = word >> 23 & 0xff;
    return exponent > 0x7f - 64 && exponent < 0x7f + 64;
}

void change_new_words(byte_list& bytes, way_to_device way) {
    for (size_t at = 0; at + sizeof(uint32_t) <= bytes.size(); at += sizeof(uint32_t)) {
        uint64_t both = 0;
        if (at + sizeof both <= bytes.size()) std::memcpy(&both, &bytes[at], sizeof both);
        const bool is_one =
            way == way_to_device::copy ? is_known_double(both) : at % sizeof both == 0 && is_pointer(both);
        if (both != 0 && is_one) {
            at += sizeof(uint32_t);
            continue;
        }
        uint32_t word;
        std::memcpy(&word, &bytes[at], sizeof word);
        if (is_known(word) || (way == way_to_device::argument && !may_be_float(word))) continue;
        word ^= CHANGED_BITS;
        std::memcpy(&bytes[at], &word, sizeof word);
        changed.answered++;
    }
}

}  // namespace

void swap_words(uint32_t host, uint32_t device, std::vector<uint32_t> known) {
    of_host = host;
    of_device = device;
    known_words = std::move(known);
    std::ranges::sort(known_words);
    has_read = false;
    changed = {};
}

void host_has_read() {
    has_read = true;
}

changed_words words_changed() {
    return changed;
}

sent_bytes::sent_bytes(std::span<const std::byte> bytes, way_to_device way) : bytes_(bytes) {
    if (of_host == of_device) return;
    changed_.assign(bytes.begin(), bytes.end());
    swap_in(changed_, of_host, of_device);
    swap_in(changed_, as_double(of_host), as_double(of_device));
    if (has_read) change_new_words(changed_, way);
    bytes_ = changed_;
}

}  // namespace simt
