// The host's side of the order of streams.
#include "simt/runtime/host_order.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "simt/engine/devices.h"
#include "simt/engine/far_device.h"
#include "simt/engine/observer.h"
#include "simt/engine/unwritten.h"
#include "simt/memory/address_space.h"
#include "simt/memory/far_copy.h"
#include "simt/memory/labels.h"
#include "simt/memory/managed_guard.h"
#include "simt/runtime/kernel_output.h"
#include "simt/runtime/launch_in_flight.h"

namespace simt {
namespace {

/// A copy from or to page-locked memory that the host has not waited for.
struct open_copy {
    stream_stamp when;
    std::string call;
    byte_rows host;
    bool to_host = false;
    byte_list bytes;  // what it brings, or what it took, row after row
    uintptr_t site = 0;
};

struct host_side {
    std::mutex mutex;
    stream_order order;
    std::vector<open_copy> open;
};

host_side& the_host() {
    static auto* host = new host_side;  // never destroyed, see allocations.cpp
    return *host;
}

std::atomic<bool> has_streams = false;

std::byte* row_of(const open_copy& one, size_t row) {
    return reinterpret_cast<std::byte*>(one.host.begin + row * one.host.pitch);
}

byte_list bytes_of(const open_copy& one) {
    byte_list bytes(one.host.width * one.host.height);
    for (size_t row = 0; row < one.host.height; row++)
        std::memcpy(&bytes[row * one.host.width], row_of(one, row), one.host.width);
    return bytes;
}

void tell_change(const char* text, uintptr_t site, uintptr_t other_site) {
    if (device_is_far()) return look_at_device<tell_change>(text, site, other_site);
    the_observer->found({"stream-race", true, text, site, other_site});
}

/// The copy is over: what it brings is there, what it took must be as it was.
void close(const open_copy& one) {
    if (one.to_host) {
        for (size_t row = 0; row < one.host.height; row++)
            std::memcpy(row_of(one, row), &one.bytes[row * one.host.width], one.host.width);
    } else if (bytes_of(one) != one.bytes) {
        const std::string text =
            one.call +
            " reads page-locked memory that the host changes before it has waited for the "
            "copy: wait for its stream, or for an event after it, and fill it then";
        tell_change(text.c_str(), one.site, user_frame());
    }
}

/// Those of which it holds are over.
template <class condition>
void close_if(host_side& host, const condition& holds) {
    std::erase_if(host.open, [&](const open_copy& one) {
        if (!holds(one)) return false;
        close(one);
        return true;
    });
}

void close_over(host_side& host) {
    close_if(host, [&](const open_copy& one) { return host.order.is_over(one.when); });
}

/// Before a copy that writes this host memory, or reads it: what it meets there is as earlier ones have left it.
void close_met(host_side& host, const byte_rows& rows, bool writes) {
    close_if(host, [&](const open_copy& one) {
        return (writes || one.to_host) && one.host.begin < rows.end() && rows.begin < one.host.end();
    });
}

void hold(host_side& host, const row_copy& copy, const byte_rows& rows, bool to_host,
          const stream_stamp& when) {
    open_copy one{when, copy.call, rows, to_host, {}, user_frame()};
    one.bytes = bytes_of(one);
    for (size_t row = 0; to_host && row < rows.height; row++)
        std::memset(row_of(one, row), unwritten_byte(), rows.width);
    host.open.push_back(std::move(one));
}

void step_there(stream_step step) {
    if (the_observer) the_observer->stepped(step);
}

}  // namespace

uintptr_t number_of_stream(cudaStream_t stream) {
    const bool is_default = stream == nullptr || stream == cudaStreamLegacy;
    return is_default ? default_stream_of(current_device()) : reinterpret_cast<uintptr_t>(stream);
}

asking::asking(cudaStream_t stream, bool host_goes_on)
    : before_(std::exchange(the_asked_work(), {number_of_stream(stream), host_goes_on, current_device()})) {
    if (number_of_stream(stream) != 0) has_streams = true;
}

cudaError_t copy_as_asked(const row_copy& copy) {
    if (!the_observer || copy.width == 0 || copy.height == 0) return copy_rows(copy);
    const byte_rows dst{reinterpret_cast<uintptr_t>(copy.dst), copy.dst_pitch, copy.width, copy.height};
    const byte_rows src{reinterpret_cast<uintptr_t>(copy.src), copy.src_pitch, copy.width, copy.height};
    const bool to_host = !is_on_device(copy.dst), from_host = !is_on_device(copy.src);
    const auto is_locked = [&](const void* begin, size_t pitch) {
        return is_page_locked(begin, span_bytes(pitch, copy.width, copy.height));
    };
    asked_work& asked = the_asked_work();
    asked.host_goes_on &= (!to_host || is_locked(copy.dst, copy.dst_pitch)) &&
                          (!from_host || is_locked(copy.src, copy.src_pitch));

    host_side& host = the_host();
    const std::lock_guard lock(host.mutex);
    if (to_host) close_met(host, dst, true);
    if (from_host) close_met(host, src, false);
    if (const cudaError_t failed = copy_rows(copy)) return failed;
    const stream_stamp when = host.order.ask(asked.stream);
    if (!asked.host_goes_on) {
        host.order.host_waits_for(asked.stream);
        close_over(host);
        guard_managed_memory();
    } else if (to_host != from_host) {
        hold(host, copy, to_host ? dst : src, to_host, when);
    }
    return cudaSuccess;
}

void take_step(const stream_step& step) {
    note_step(step);
    if (!the_observer) return;
    if (step.what == stream_step::kind::made) has_streams = true;
    host_side& host = the_host();
    {
        const std::lock_guard lock(host.mutex);
        host.order.take(step);
        close_over(host);
    }
    if (!has_streams && !has_managed_memory() && step.what != stream_step::kind::locked) return;
    if (device_is_far()) return look_at_device<step_there>(step);
    step_there(step);
    guard_managed_memory();
}

void wait_as_told(const stream_step& step) {
    while (must_end_before(step))
        wait_for_landing();
    show_kernel_output();
    take_step(step);
}

void deliver_copies() {
    if (!the_observer) return;
    open_managed_memory_to_all();
    host_side& host = the_host();
    const std::lock_guard lock(host.mutex);
    close_if(host, [](const open_copy& one) { return one.to_host; });
}

void make_way_for_host_function() {
    deliver_copies();
    show_kernel_output();
}

}  // namespace simt
