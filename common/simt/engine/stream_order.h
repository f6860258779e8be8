// In which order the device may do what a program asks of its streams, by CUDA's rules: the operations of one
// stream one after the other; the default stream after and before all streams that are not cudaStreamNonBlocking;
// events; and the host, which asks for nothing before it has waited.
#pragma once
#include <cstdint>
#include <map>
#include <set>

namespace simt {

inline constexpr int MOST_DEVICES = 16;  // that can be emulated

/// How an operation was asked for: in which stream, and whether the host goes on before it is over.
struct asked_work {
    uintptr_t stream = 0;  // 0: the default stream
    bool host_goes_on = false;
    int device = 0;  // the current one
};
/// The number of a device's own default stream. Those of streams that are made begin above them.
constexpr uintptr_t default_stream_of(int device) {
    constexpr uintptr_t BEFORE_THEM = 0x100;
    return device == 0 ? 0 : BEFORE_THEM + uintptr_t(device);
}
/// Of what this thread asks for; in a far device's process, of what it was asked for.
asked_work& the_asked_work();

constexpr bool is_default_of_other(uintptr_t stream) {
    return stream >= default_stream_of(1) && stream < default_stream_of(MOST_DEVICES);
}

/// What a program says of streams and events besides asking for work.
struct stream_step {
    enum class kind : uint8_t {
        made,
        recorded,  // the event, in the stream
        waits,     // the stream, for the event
        host_waits_for_stream,
        host_waits_for_event,
        host_waits_for_all,  // streams of the device
        locked,              // page-locked memory is allocated
    };
    kind what{};
    uintptr_t stream = 0, event = 0;
    bool is_blocking = true;  // of one that is made: false for cudaStreamNonBlocking
    uint64_t bytes = 0;       // that are locked
    int device = 0;           // of the stream that is made; whose streams the host waits for
};

/// What comes before something: so many operations of each stream.
struct stream_clock {
    std::map<uintptr_t, uint64_t> counts;
    uint64_t slot = 0;  // of a timeline: when they are over
    void join(const stream_clock& other);
};

/// An operation: which of its stream, counted from 1.
struct stream_stamp {
    uintptr_t stream = 0;
    uint64_t number = 0;
    bool comes_before(const stream_clock& clock) const;
};

/// The order of what has been asked for so far. The host is one, whatever its threads: what one has waited for no other
/// has to wait for. Not thread-safe.
class stream_order {
public:
    void take(const stream_step& step);
    /// An operation is asked for now.
    stream_stamp ask(uintptr_t stream);
    /// After ask(): what comes before the stream's next operation.
    stream_clock& clock_of(uintptr_t stream) { return clocks[stream]; }
    void host_waits_for(uintptr_t stream);
    /// True if the host has waited for it: it comes before all that is still to be asked for.
    bool is_over(const stream_stamp& one) const { return one.comes_before(host); }
    /// Nobody will ask about what there was. Which streams block is kept.
    void forget();

private:
    void meet(uintptr_t stream);
    std::map<uintptr_t, stream_clock> clocks, events;
    uintptr_t default_beside(uintptr_t stream) const;
    std::set<uintptr_t> non_blocking;
    std::map<uintptr_t, uintptr_t>
        default_of;  // streams of other devices than the first: their device's default stream
    stream_clock host;
};

}  // namespace simt
