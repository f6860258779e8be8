// What a host tells the device that it was not told itself: so it shows who computes.
#pragma once
#include <cstdint>

#include "simt/engine/wire.h"

namespace simt {

/// From now on, until the host has answered, what it asks of the device is looked at (host_asked). It may repeat the
/// `known` bytes, those of a call's arguments. None: nothing is looked at.
void watch_for_news(byte_list known);

/// What is being asked changes nothing on the device: no kernel will know of it.
void changes_nothing();

/// The same, and the host reads these bytes of the device: it may repeat them. Once it has read more than a few,
/// anything else counts.
void host_has_read(std::span<const std::byte> bytes);

/// The host has asked the function of this number for something.
void host_asked(uint64_t number, const byte_list& question);

/// About how many bytes of its own the host has told after it had read: results, if it computed any. Neither what it
/// asked before in the same words nor runs of known bytes or zeros count; where such a run ends counts as a word. That it
/// asked for a change, now and no other, counts as a byte, whether it had read or not: it may have learned something by
/// the clock.
uint64_t bytes_of_news();

}  // namespace simt
