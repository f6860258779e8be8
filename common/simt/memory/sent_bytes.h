// Words of the host's that the device gets as others: so it shows who computes with them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "simt/engine/wire.h"

namespace simt {

/// A float of the host's, as bits, and what arrives in its place.
struct word_change {
    uint32_t host = 0, device = 0;
    bool operator==(const word_change&) const = default;
};

/// From now on every word that the host sends arrives as these say, as a word or as a double, wherever in a copy or
/// among a kernel's arguments it stands. None: nothing is changed.
void change_words(const std::vector<word_change>& changes);

/// How many words have arrived as others since then.
uint64_t words_changed();
/// Of these, among the arguments of kernels.
uint64_t words_changed_in_arguments();

/// What the device has of such bytes, if they go there. Counts nothing.
byte_list as_on_device(std::span<const std::byte> bytes);

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
