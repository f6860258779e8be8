// The vocabulary of the inspector: which memory an access went to,
// which instruction made it, one logged event.
#pragma once
#include <cstdint>

#include "simt/engine/observer.h"

// Start of the program in memory, from the linker: places in the program become offsets of 24 or 32 bits.
extern "C" char __executable_start[];

namespace inspect {

using simt::access_kind;

/// In an event: not an access, but the object whose members the lane is about to use.
inline constexpr auto OBJECT = static_cast<access_kind>(3);

/// What an event of a lane is about: an access to one of the memories, or a turn in the control flow.
enum class space : uint32_t {
    loop_edge,        // jump back to an earlier instruction, or on from where an object was used
    global,           // offset from device_begin
    shared,           // offset from the shared base of the runner
    constant,         // offset from __executable_start
    texture,          // no offset
    call_begins,      // a function was entered; the site of the call
    call_ends,        // ... and left
    device_variable,  // global memory that is a __device__ variable; offset from __executable_start
};

/// An instruction: its offset from __executable_start.
inline uint32_t site_of(uintptr_t return_address) {
    return static_cast<uint32_t>(return_address - reinterpret_cast<uintptr_t>(__executable_start));
}
inline uintptr_t return_address_of(uint32_t site) {
    return reinterpret_cast<uintptr_t>(__executable_start) + site;
}

// An event is packed into 32 bits, so that 32 lanes can be compared with a few vector instructions:
// site 24 | space 3 | kind 2 | log2 of the bytes 3.
inline constexpr uint32_t SITE_BITS = 24;
inline constexpr uint32_t SITE_MASK = (1u << SITE_BITS) - 1;

inline constexpr uint32_t log2_of(uint32_t bytes) {
    return 31 - __builtin_clz(bytes);
}
inline constexpr uint32_t event_key(uint32_t site, space where, access_kind kind, uint32_t bytes) {
    return site | static_cast<uint32_t>(where) << 24 | static_cast<uint32_t>(kind) << 27 |
           log2_of(bytes) << 29;
}
inline constexpr uint32_t event_key(uint32_t site, space turn) {
    return site | static_cast<uint32_t>(turn) << 24;
}
inline constexpr space space_of(uint32_t key) {
    return static_cast<space>(key >> 24 & 7);
}
inline constexpr access_kind kind_of(uint32_t key) {
    return static_cast<access_kind>(key >> 27 & 3);
}
inline constexpr uint32_t bytes_of(uint32_t key) {
    return 1u << (key >> 29);
}

}  // namespace inspect
