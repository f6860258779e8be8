// What a call did not give back.
#include "call/leftovers.h"

namespace check {

namespace {

uint64_t grown(uint64_t before, uint64_t after) {
    return after > before ? after - before : 0;
}

void append(std::string& list, uint64_t count, const std::string& one, const std::string& several) {
    if (count == 0) return;
    list += (list.empty() ? "" : ", ") + std::to_string(count) + " " + (count == 1 ? one : several);
}

}  // namespace

leftovers left_over(const leftovers& before, const leftovers& after) {
    return {grown(before.device_bytes, after.device_bytes), grown(before.textures, after.textures),
            grown(before.streams, after.streams),           grown(before.events, after.events),
            grown(before.host_pieces, after.host_pieces),   grown(before.plans, after.plans)};
}

std::string to_text(const leftovers& what) {
    std::string list;
    append(list, what.device_bytes, "byte of device memory", "bytes of device memory");
    append(list, what.textures, "texture object", "texture objects");
    append(list, what.plans, "cuFFT plan", "cuFFT plans");
    append(list, what.streams, "stream", "streams");
    append(list, what.events, "event", "events");
    append(list, what.host_pieces, "piece of page-locked host memory", "pieces of page-locked host memory");
    return list;
}

}  // namespace check
