// What judge and worker say to each other: packets over a socket, and one block of memory a call.
//
// The judge makes everything: the socket pair (SOCK_SEQPACKET, so that a packet arrives whole or not at all)
// and, for each call, a memory file that cannot change its size. The worker copies its arguments out, and
// writes outputs and answer back when the function has returned. Whatever comes back is text from a stranger:
// the judge uses offsets and sizes of its own, and believes no answer without the sequence number and the
// random token of the call.
#pragma once
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string>

#include "call/call_end.h"
#include "call/changed_words.h"
#include "call/leftovers.h"

namespace channel {

inline constexpr int DESCRIPTOR = 3;  // the worker's end of the socket

/// The worker's exit code when it has an answer and no way to send it: somebody closed its descriptors.
inline constexpr int EXIT_CUT_OFF = 125;

/// Stands in every worker of the CPU backend: the judge
/// looks for it before it starts one, to choose the limits.
inline constexpr char CPU_MARK[] = "lab-worker-backend:cpu";

/// Every worker offers this function beside those of its lab: worker::tell_block_limits.
inline constexpr char BLOCK_LIMITS[] = "worker's block limits";

/// Sent to a thread of a worker, this signal asks for the line where it is.
inline constexpr int ASKS_PLACE = SIGPROF;

enum class packet_kind : uint32_t {
    ready = 1,    // worker: started; `text` names the device
    failed,       // worker: could not start; `text` says why
    call,         // judge: do the call in the memory file that comes along
    answer,       // worker: the memory file holds the answer
    crashed,      // worker, from a signal handler: `value` is the signal, `text` what it means
    crash_place,  // worker, a moment later, or when asked by ASKS_PLACE: `text` is "file:line"
    boxed,        // what starts a worker in a box (call/launcher.h), before the worker is there
};

inline constexpr uint64_t MAGIC = 0x6c6c61632d62616c;  // "lab-call"
using token = std::array<uint64_t, 2>;

struct packet {
    uint64_t magic = MAGIC;
    packet_kind kind{};
    uint32_t value = 0;
    uint64_t sequence = 0;  // of the call; 0 before the first one
    token secret{};
    char text[256] = {};  // ends with a zero byte
};

// ---- the memory file of a call: call_header, argument_record[], argument bytes, answer_header, answer bytes

enum class argument_kind : uint32_t { input, output, scalar };

struct argument_record {
    argument_kind kind{};
    uint64_t offset = 0, size = 0;
};

struct call_header {
    uint64_t sequence = 0;
    token secret{};
    char function[128] = {};
    int32_t warmups = 0, repeats = 1;
    int32_t draw = 0;                         // 1: the inspector records what pictures are drawn from
    int32_t pinned = 0;                       // 1: arrays are page-locked on the host
    int32_t devices = 1, current_device = 0;  // emulated ones
    uint64_t one_of_blocks = 1, failing_call = 0;
    uint64_t loses_device = 0;                   // 1: that call does
    uint64_t change_key = 0, changed_input = 0;  // call/changed_words.h
    uint64_t double_products = 0;                // 1: tensor cores do
    uint64_t arguments = 0;
    uint64_t answer_offset = 0, answer_capacity = 0;
};

/// Followed by `launches` doubles (milliseconds), `trouble_bytes`
/// of text, `report_bytes` of the inspector's JSON.
struct answer_header {
    uint64_t sequence = 0;
    token secret{};
    check::call_end how{};
    uint32_t retire = 0;  // 1: the device keeps its error, this worker can serve no other call
    double call_ms = 0, copy_ms = 0;
    check::leftovers left;
    uint32_t block[3] = {};  // threads of the last launch
    check::changes_seen changes;
    char place[128] = {};  // "file.cu:41", where an exception was thrown
    uint64_t launches = 0, trouble_bytes = 0, report_bytes = 0;
};

inline constexpr uint64_t MAX_ARGUMENTS = 64;
inline constexpr uint64_t ANSWER_BYTES =
    64u << 20;  // room for times and a report; pages never written cost nothing
inline constexpr uint64_t ALIGNMENT = 64;

/// The next multiple of ALIGNMENT.
constexpr uint64_t aligned(uint64_t offset) {
    return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/// Sends a packet, with a file descriptor unless it is -1. Waits for room only if `wait`. False if the other
/// side is gone.
bool send(int socket, const packet& message, int file, bool wait);

enum class received { packet, nothing, garbage, closed };
/// Takes the next packet, waiting for it if `wait`; `file` gets a descriptor that came along, or -1.
received receive(int socket, packet& message, int& file, bool wait);

/// Copies text into a packet or header field, cut to fit
/// and ended with a zero byte. Safe in a signal handler.
void set_text(char* field, size_t field_bytes, const char* text);

}  // namespace channel
