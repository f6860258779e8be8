// The loop in which the judge waits.
#include "call/wait.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "call/plain_text.h"

namespace check {
namespace {

using clock = std::chrono::steady_clock;

constexpr double FAREWELL_SECONDS = 5;  // from a crash or a closed channel to the end of the process
constexpr int LOOK_EVERY_MS = 20;

clock::time_point after(double seconds) {
    return clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
}

/// One wait, and what has been seen so far.
struct watch {
    child_process& child;
    clock::time_point deadline;
    wait_result result;
    bool hung_up = false;

    /// Takes what has arrived. True if the wait is over.
    bool take_packets();
    bool take(const channel::packet& packet);
    void expect_end();
};

/// The worker has said its last word: it gets a moment to end.
void watch::expect_end() {
    deadline = std::min(deadline, after(FAREWELL_SECONDS));
}

bool watch::take(const channel::packet& packet) {
    switch (packet.kind) {
        case channel::packet_kind::crashed:
            if (!result.crash) expect_end();
            result.crash = packet;
            return false;
        case channel::packet_kind::crash_place:
            result.crash_place = plain_text(packet.text, false);
            return false;
        default:
            result.packet = packet;
            result.reason = wait_result::why::packet;
            return true;
    }
}

bool watch::take_packets() {
    for (int i = 0; i < PACKETS_AT_ONCE; i++) {
        channel::packet packet;
        int file = -1;
        const channel::received got = channel::receive(child.socket(), packet, file, false);
        if (file >= 0) close(file);  // nobody asked for one
        switch (got) {
            case channel::received::nothing:
                return false;
            case channel::received::closed:
                if (!hung_up) expect_end();
                hung_up = true;
                return false;
            case channel::received::garbage:
                result.reason = wait_result::why::garbage;
                return true;
            case channel::received::packet:
                if (take(packet)) return true;
        }
    }
    return false;
}

}  // namespace

wait_result wait_for_packet(child_process& child, const wait_limits& most) {
    using why = wait_result::why;
    watch now{child, after(most.seconds), {}};
    now.result.limit = most.seconds;
    // Who waits for others on a busy machine computes little; who computes for so long does nothing else, but for one
    // who fills memory: the limit of that is what he is on his way to.
    constexpr double MOSTLY = 0.8;
    constexpr uint64_t FILLS = uint64_t(64) << 20;  // bytes in the second half of the time
    const clock::time_point half_time = after(most.busy_seconds / 2);
    std::optional<uint64_t> resident_then;
    const clock::time_point busy_deadline = after(most.busy_seconds);
    const double busy_before = child.busy_seconds();
    const auto is_busy = [&] {
        if (!resident_then && clock::now() >= half_time) resident_then = child.resident_bytes();
        return clock::now() >= busy_deadline && child.resident_bytes() < *resident_then + FILLS &&
               child.busy_seconds() - busy_before >= MOSTLY * most.busy_seconds;
    };
    for (;;) {
        // First whether it has ended, then what it said: what was sent before the end is still there.
        const std::optional<int> status = child.status();
        if (now.take_packets()) return now.result;
        child.read_printed();

        std::optional<why> over;
        if (status) {
            now.result.status = *status;
            over = why::ended;
        } else if (clock::now() >= now.deadline) {
            over = now.result.crash ? why::ended : now.hung_up ? why::hung_up : why::late;
        } else if (is_busy()) {
            now.result.limit = most.busy_seconds;
            over = why::late;
        } else if (child.resident_bytes() > most.memory) {
            over = why::too_much_memory;
        } else if (child.printed_bytes() > MOST_PRINTED) {
            over = why::too_much_text;
        }
        if (over) {
            now.result.reason = *over;
            return now.result;
        }
        child.wait_for_news(LOOK_EVERY_MS);
    }
}

}  // namespace check
