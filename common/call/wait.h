// Waiting for a worker, with an eye on everything that can go wrong meanwhile.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "call/channel.h"
#include "call/child_process.h"

namespace check {

inline constexpr uint64_t MOST_PRINTED = 256u << 20;

/// Everything that can be known while waiting for one packet.
struct wait_result {
    enum class why { packet, ended, late, hung_up, too_much_memory, too_much_text, garbage };
    why reason{};
    channel::packet packet;
    int status = 0;                        // of a process that ended, as waitpid gives it
    std::optional<channel::packet> crash;  // its last words
    std::string crash_place;
};

/// Waits for a packet that is not about a crash, for the end of the process, or for its time to be over.
wait_result wait_for_packet(child_process& child, double seconds, uint64_t most_memory);

}  // namespace check
