// Which lines a worker is in that does not come to an end.
#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "call/plain_text.h"
#include "call/wait.h"

namespace check {
namespace {

constexpr int LOOKS = 8;
// While nobody answers. A thread that is asked first reads debugging information, and others are not heard meanwhile.
constexpr int MOST_LOOKS = 80;
constexpr int LOOK_MS = 25;
constexpr int WORDS_MS = 500;  // the host's words come when it has ended, through the device's process

/// A line as a worker names it.
struct source_place {
    std::string file;
    int line = 0;
};

source_place parse_place(const std::string& text) {
    const size_t colon = text.rfind(':');
    if (colon == std::string::npos) return {};
    return {text.substr(0, colon), std::atoi(text.c_str() + colon + 1)};
}

/// Takes what is said about places for this long.
void take_places(child_process& child, int milliseconds, std::vector<source_place>& places) {
    for (int waited = 0; waited < milliseconds; waited += LOOK_MS) {
        child.wait_for_news(LOOK_MS);
        child.read_printed();
        channel::packet packet;
        int file = -1;
        for (int i = 0; i < PACKETS_AT_ONCE; i++) {
            if (channel::receive(child.socket(), packet, file, false) != channel::received::packet) break;
            if (file >= 0) close(file);
            if (packet.kind == channel::packet_kind::crash_place)
                places.push_back(parse_place(plain_text(packet.text, false)));
        }
    }
}

/// Asks a process again and again.
void look_at(child_process& child, pid_t process, std::vector<source_place>& places) {
    for (int i = 0; i < LOOKS || (places.empty() && i < MOST_LOOKS); i++) {
        child.ask_place(process);
        take_places(child, LOOK_MS, places);
    }
}

/// All lines that are in the file of the first one, from the first to the last.
std::string range_of(const std::vector<source_place>& places) {
    if (places.empty() || places.front().line <= 0) return "";
    int first = places.front().line, last = first;
    for (const source_place& one : places) {
        if (one.file != places.front().file || one.line <= 0) continue;
        first = std::min(first, one.line);
        last = std::max(last, one.line);
    }
    const std::string end = last > first ? "-" + std::to_string(last) : "";
    return places.front().file + ":" + std::to_string(first) + end;
}

}  // namespace

std::string where_it_turns(child_process& child) {
    std::vector<source_place> places;
    // Where a kernel turns the host only waits: its line is asked for if the device's process has none.
    look_at(child, child.id(), places);
    if (places.empty() && child.host_id() > 0) {
        look_at(child, child.host_id(), places);
        kill(child.host_id(), SIGKILL);
        take_places(child, WORDS_MS, places);
    }
    return range_of(places);
}

}  // namespace check
