// Looks at every fourth byte.
#include "simt/memory/swapped_words.h"

#include <bit>
#include <cstring>

namespace simt {
namespace {

uint32_t of_host = 0, of_device = 0;
uint64_t swapped = 0;

template <class word>
void swap_in(byte_list& bytes, word from, word to) {
    for (size_t at = 0; at + sizeof from <= bytes.size(); at += sizeof(uint32_t)) {
        word found;
        std::memcpy(&found, &bytes[at], sizeof found);
        if (found != from) continue;
        std::memcpy(&bytes[at], &to, sizeof to);
        swapped++;
    }
}

/// The float of these bits as a double's.
uint64_t as_double(uint32_t bits) {
    return std::bit_cast<uint64_t>(double(std::bit_cast<float>(bits)));
}

}  // namespace

void swap_words(uint32_t host, uint32_t device) {
    of_host = host;
    of_device = device;
    swapped = 0;
}

uint64_t swapped_words() {
    return swapped;
}

sent_bytes::sent_bytes(std::span<const std::byte> bytes) : bytes_(bytes) {
    if (of_host == of_device) return;
    changed_.assign(bytes.begin(), bytes.end());
    swap_in(changed_, of_host, of_device);
    swap_in(changed_, as_double(of_host), as_double(of_device));
    bytes_ = changed_;
}

}  // namespace simt
