// Waiting for a worker, with an eye on everything that can go wrong meanwhile.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "call/channel.h"
#include "call/child_process.h"

namespace check {

inline constexpr uint64_t MOST_PRINTED = 256u << 20;
inline constexpr int PACKETS_AT_ONCE = 16;  // more is a flood, which must not keep the judge from its clock

/// Everything that can be known while waiting for one packet.
struct wait_result {
    enum class why { packet, ended, late, hung_up, too_much_memory, too_much_text, garbage };
    why reason{};
    channel::packet packet;
    int status = 0;                        // of a process that ended, as waitpid gives it
    std::optional<channel::packet> crash;  // its last words
    std::string crash_place;
    double limit = 0;  // seconds that it was given, if it was late
};

/// What a worker may take before it answers.
struct wait_limits {
    double seconds = 0;       // by the clock
    double busy_seconds = 0;  // by the clock, of a process that computes all the while
    uint64_t memory = 0;      // bytes
};

/// Waits for a packet that is not about a crash, for the end of the process, or for its time to be over.
wait_result wait_for_packet(child_process& child, const wait_limits& most);

/// The lines in which a process that does not answer turns, as "file.cu:24" or "file.cu:24-26", by asking it a few
/// times where it is; "" if it does not tell. It can do nothing else afterwards.
std::string where_it_turns(child_process& child);

}  // namespace check
