// Words of the host's that the device gets as others: so it shows who computes with them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "simt/engine/wire.h"

namespace simt {

/// From now on a float that the host sends as `host` arrives as `device`, as a word or as a double, wherever in a copy
/// or among a kernel's arguments it stands. And once the host has read from the device, what it sends there has to be
/// words of the call's arguments, `known` (or doubles of them, or 0; for a kernel's arguments pointers and integers will
/// do): any other one arrives changed, so that a host that computes from what it read gets nowhere. Equal: nothing is.
void swap_words(uint32_t host, uint32_t device, std::vector<uint32_t> known);
/// The host reads bytes of the device.
void host_has_read();

/// How many arrived changed since swap_words.
struct changed_words {
    uint64_t swapped = 0;   // `host` as `device`
    uint64_t answered = 0;  // new words after the host had read
};
changed_words words_changed();

enum class way_to_device { copy, argument };

/// Bytes of the host on their way to the device.
class sent_bytes {
public:
    sent_bytes(std::span<const std::byte> bytes, way_to_device way);
    std::span<const std::byte> bytes() const { return bytes_; }

private:
    byte_list changed_;
    std::span<const std::byte> bytes_;  // as they were, or changed_
};

}  // namespace simt
