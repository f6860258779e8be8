// Vector clocks of streams, events and the host.
#include "simt/engine/stream_order.h"

#include <algorithm>

namespace simt {

asked_work& the_asked_work() {
    thread_local asked_work work;
    return work;
}

void stream_clock::join(const stream_clock& other) {
    for (const auto& [stream, count] : other.counts)
        counts[stream] = std::max(counts[stream], count);
    slot = std::max(slot, other.slot);
}

bool stream_stamp::comes_before(const stream_clock& clock) const {
    const auto found = clock.counts.find(stream);
    return found != clock.counts.end() && found->second >= number;
}

/// The default stream of the device that the stream belongs to.
uintptr_t stream_order::default_beside(uintptr_t stream) const {
    if (is_default_of_other(stream)) return stream;
    const auto found = default_of.find(stream);
    return found == default_of.end() ? 0 : found->second;
}

/// What an operation asked for now waits for without being told.
void stream_order::meet(uintptr_t stream) {
    stream_clock& own = clocks[stream];
    own.join(host);
    if (non_blocking.contains(stream)) return;
    const uintptr_t first = default_beside(stream);
    if (stream != first) return own.join(clocks[first]);
    for (const auto& [other, clock] : clocks)
        if (!non_blocking.contains(other) && default_beside(other) == first) own.join(clock);
}

void stream_order::take(const stream_step& step) {
    switch (step.what) {
        case stream_step::kind::made:
            if (!step.is_blocking) non_blocking.insert(step.stream);
            if (step.device != 0) default_of[step.stream] = default_stream_of(step.device);
            break;
        case stream_step::kind::recorded:
            meet(step.stream);
            events[step.event] = clocks[step.stream];
            break;
        case stream_step::kind::waits:
            clocks[step.stream].join(events[step.event]);  // of one that was never recorded: nothing
            break;
        case stream_step::kind::host_waits_for_stream:
            host_waits_for(step.stream);
            break;
        case stream_step::kind::host_waits_for_event:
            host.join(events[step.event]);
            break;
        case stream_step::kind::host_waits_for_all:
            for (const auto& [stream, clock] : clocks)
                if (default_beside(stream) == default_stream_of(step.device)) host.join(clock);
            break;
        case stream_step::kind::locked:
            break;
    }
}

stream_stamp stream_order::ask(uintptr_t stream) {
    meet(stream);
    return {stream, ++clocks[stream].counts[stream]};
}

void stream_order::host_waits_for(uintptr_t stream) {
    meet(stream);
    host.join(clocks[stream]);
}

void stream_order::forget() {
    clocks.clear();
    events.clear();
    host = {};
}

}  // namespace simt
