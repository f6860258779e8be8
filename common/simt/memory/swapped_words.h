// One word of the host's that the device gets as another: so it shows who computes with it.
#pragma once
#include <cstdint>
#include <span>

#include "simt/engine/wire.h"

namespace simt {

/// From now on a float that the host sends as `host` arrives as `device`, as a word or as a double, wherever in a copy
/// or among a kernel's arguments it stands. Equal: nothing is changed.
void swap_words(uint32_t host, uint32_t device);
/// How many were, since then.
uint64_t swapped_words();

/// Bytes of the host on their way to the device.
class sent_bytes {
public:
    explicit sent_bytes(std::span<const std::byte> bytes);
    std::span<const std::byte> bytes() const { return bytes_; }

private:
    byte_list changed_;
    std::span<const std::byte> bytes_;  // as they were, or changed_
};

}  // namespace simt
