// Streams, events and the clock behind them.
#include "simt/include/simt/stream.h"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>

#include "simt/engine/devices.h"
#include "simt/engine/error_state.h"
#include "simt/engine/observer.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/host_order.h"
#include "simt/runtime/launch_in_flight.h"

namespace simt {
namespace {

using clock = std::chrono::steady_clock;

struct stream_state {
    unsigned int flags = 0;
    int priority = 0;
    int device = 0;
    std::map<cudaStreamAttrID, cudaStreamAttrValue> attributes;
};
struct event_state {
    unsigned int flags = 0;
    bool recorded = false;
    int device = 0;
    clock::time_point time;
};

constexpr int LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5;

// Handles are numbers, not addresses, and never used twice: a destroyed one is recognised for ever.
struct handle_tables {
    std::mutex mutex;
    std::map<uintptr_t, stream_state> streams;
    std::map<uintptr_t, event_state> events;
    std::map<cudaStreamAttrID, cudaStreamAttrValue> attributes_of_default;
    uintptr_t last_handle = 0x1000;  // above cudaStreamLegacy and cudaStreamPerThread

    auto& attributes_of(cudaStream_t stream) {
        const auto found = streams.find(reinterpret_cast<uintptr_t>(stream));
        return found == streams.end() ? attributes_of_default : found->second.attributes;
    }
};

handle_tables& handles() {
    static auto* tables = new handle_tables;  // never destroyed, see allocations.cpp
    return *tables;
}

template <class Handle>
uintptr_t number(Handle handle) {
    return reinterpret_cast<uintptr_t>(handle);
}

bool is_default_stream(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool is_attribute(cudaStreamAttrID attribute) {
    return attribute == cudaStreamAttributeAccessPolicyWindow ||
           attribute == cudaStreamAttributeSynchronizationPolicy || attribute == cudaStreamAttributePriority;
}

cudaError_t refuse_event(const char* call) {
    return refuse(cudaErrorInvalidResourceHandle, "%s: there is no such event (not created, or destroyed)",
                  call);
}

/// The lock must be held.
int device_of(cudaStream_t stream) {
    const auto found = handles().streams.find(number(stream));
    return found == handles().streams.end() ? current_device() : found->second.device;
}

/// A stream can be waited for while another device is the current one.
cudaError_t error_of_stream(cudaStream_t stream) {
    const std::lock_guard lock(handles().mutex);
    return remember_on_host(error_of_device(device_of(stream)));
}

event_state* find_event(cudaEvent_t event) {
    auto& events = handles().events;
    const auto found = events.find(number(event));
    return found == events.end() ? nullptr : &found->second;
}

/// That it is one, and no captured one.
cudaError_t check_event(const char* call, cudaEvent_t event) {
    const std::lock_guard lock(handles().mutex);
    if (!find_event(event)) return refuse_event(call);
    return refuse_captured_event(call, event);
}

cudaError_t set_time(cudaEvent_t event) {
    const std::lock_guard lock(handles().mutex);
    if (event_state* const found = find_event(event)) found->time = clock::now();
    return cudaSuccess;
}

}  // namespace

std::optional<unsigned int> flags_of_event(cudaEvent_t event) {
    const std::lock_guard lock(handles().mutex);
    const event_state* found = find_event(event);
    return found ? std::optional(found->flags) : std::nullopt;
}

bool is_stream(cudaStream_t stream) {
    if (is_default_stream(stream)) return true;
    const std::lock_guard lock(handles().mutex);
    return handles().streams.count(number(stream)) != 0;
}

cudaError_t check_stream_is_ours(const char* call, cudaStream_t stream) {
    const std::lock_guard lock(handles().mutex);
    const int device = device_of(stream);
    if (device == current_device()) return cudaSuccess;
    return refuse(
        cudaErrorInvalidResourceHandle,
        "%s: the stream was made on device %d, and the current one is device %d: cudaSetDevice(%d) before",
        call, device, current_device(), device);
}

size_t live_streams() {
    const std::lock_guard lock(handles().mutex);
    return handles().streams.size();
}

size_t live_events() {
    const std::lock_guard lock(handles().mutex);
    return handles().events.size();
}

cudaError_t refuse_stream(const char* call) {
    return refuse(cudaErrorInvalidResourceHandle, "%s: there is no such stream (not created, or destroyed)",
                  call);
}

}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
    if (!stream || (flags & ~unsigned(cudaStreamNonBlocking))) {
        return refuse(cudaErrorInvalidValue,
                      "cudaStreamCreate: a null pointer for the result, or unknown flags");
    }
    const std::lock_guard lock(handles().mutex);
    const uintptr_t handle = ++handles().last_handle;
    handles().streams[handle] = {
        flags, std::min(LEAST_PRIORITY, std::max(GREATEST_PRIORITY, priority)), current_device(), {}};
    *stream = reinterpret_cast<cudaStream_t>(handle);
    take_step({stream_step::kind::made, handle, 0, !(flags & cudaStreamNonBlocking), 0, current_device()});
    return remember(cudaSuccess);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    return cudaStreamCreateWithPriority(stream, flags, LEAST_PRIORITY);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, LEAST_PRIORITY);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    const std::lock_guard lock(handles().mutex);
    if (handles().streams.erase(number(stream)) == 0) return refuse_stream("cudaStreamDestroy");
    return remember(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (!is_stream(stream)) return refuse_stream("cudaStreamSynchronize");
    if (const cudaError_t bad = refuse_in_capture("cudaStreamSynchronize", stream)) return bad;
    wait_as_told({stream_step::kind::host_waits_for_stream, number_of_stream(stream)});
    return error_of_stream(stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    if (!is_stream(stream)) return refuse_stream("cudaStreamQuery");
    if (const cudaError_t bad = refuse_in_capture("cudaStreamQuery", stream)) return bad;
    const stream_step wait{stream_step::kind::host_waits_for_stream, number_of_stream(stream)};
    if (must_end_before(wait)) return cudaErrorNotReady;
    take_step(wait);  // all is over, it says
    return error_of_stream(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
    if (!is_stream(stream)) return refuse_stream("cudaStreamWaitEvent");
    if (flags != 0)
        return refuse(
            cudaErrorInvalidValue,
            "cudaStreamWaitEvent: flags %u: 0 alone, external events of graphs are not on the CPU backend",
            flags);
    const std::lock_guard lock(handles().mutex);
    if (!find_event(event)) return refuse_event("cudaStreamWaitEvent");
    if (!capture_wait(stream, event))
        take_step({stream_step::kind::waits, number_of_stream(stream), number(event)});
    return remember(cudaSuccess);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
    if (!is_stream(stream) || !flags) return refuse_stream("cudaStreamGetFlags");
    const std::lock_guard lock(handles().mutex);
    *flags = is_default_stream(stream) ? cudaStreamDefault : handles().streams[number(stream)].flags;
    return remember(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    if (!is_stream(stream) || !priority) return refuse_stream("cudaStreamGetPriority");
    const std::lock_guard lock(handles().mutex);
    *priority = is_default_stream(stream) ? LEAST_PRIORITY : handles().streams[number(stream)].priority;
    return remember(cudaSuccess);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
    if (!is_stream(stream) || !device) return refuse_stream("cudaStreamGetDevice");
    *device = device_of(stream);
    return remember(cudaSuccess);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
    if (!is_stream(stream) || !id) return refuse_stream("cudaStreamGetId");
    *id = number_of_stream(stream);
    return remember(cudaSuccess);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
    const char* call = "cudaStreamSetAttribute";
    if (!is_stream(stream)) return refuse_stream(call);
    if (!value || !is_attribute(attribute))
        return refuse(cudaErrorInvalidValue, "%s: a null pointer, or no such attribute", call);
    const auto& window = value->accessPolicyWindow;
    if (attribute == cudaStreamAttributeAccessPolicyWindow && !(window.hitRatio >= 0 && window.hitRatio <= 1))
        return refuse(cudaErrorInvalidValue, "%s: a hit ratio of %g; 0 to 1 are possible", call,
                      double(window.hitRatio));
    const std::lock_guard lock(handles().mutex);
    handles().attributes_of(stream)[attribute] = *value;
    return remember(cudaSuccess);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
    const char* call = "cudaStreamGetAttribute";
    if (!is_stream(stream)) return refuse_stream(call);
    if (!value || !is_attribute(attribute))
        return refuse(cudaErrorInvalidValue, "%s: a null pointer, or no such attribute", call);
    const std::lock_guard lock(handles().mutex);
    const auto& set = handles().attributes_of(stream);
    const auto found = set.find(attribute);
    *value = {};
    if (found != set.end())
        *value = found->second;
    else if (attribute == cudaStreamAttributeSynchronizationPolicy)
        value->syncPolicy = cudaSyncPolicyAuto;
    else if (attribute == cudaStreamAttributePriority && !is_default_stream(stream))
        value->priority = handles().streams[number(stream)].priority;
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least) *least = LEAST_PRIORITY;
    if (greatest) *greatest = GREATEST_PRIORITY;
    return remember(cudaSuccess);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    if (!function)
        return refuse(cudaErrorInvalidValue, "cudaLaunchHostFunc: a null pointer for the function");
    return on_stream("cudaLaunchHostFunc", stream, cudaGraphNodeTypeHost, [=] {
        make_way_for_host_function();
        function(data);
        return remember(cudaSuccess);
    });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned int flags) {
    if (!is_stream(stream)) return refuse_stream("cudaStreamAddCallback");
    if (const cudaError_t bad = refuse_in_capture("cudaStreamAddCallback", stream)) return bad;
    if (!function || flags != 0)
        return refuse(cudaErrorInvalidValue,
                      "cudaStreamAddCallback: a null pointer for the function, or flags");
    return in_order(stream, true, [=] {
        make_way_for_host_function();
        function(stream, sticky_error(), data);
        return remember(cudaSuccess);
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    constexpr unsigned int known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!event || (flags & ~known)) {
        return refuse(cudaErrorInvalidValue,
                      "cudaEventCreate: a null pointer for the result, or unknown flags");
    }
    if ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming))
        return refuse(cudaErrorInvalidValue,
                      "cudaEventCreate: cudaEventInterprocess goes with cudaEventDisableTiming");
    const std::lock_guard lock(handles().mutex);
    const uintptr_t handle = ++handles().last_handle;
    handles().events[handle].flags = flags;
    handles().events[handle].device = current_device();
    *event = reinterpret_cast<cudaEvent_t>(handle);
    return remember(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const std::lock_guard lock(handles().mutex);
    if (handles().events.erase(number(event)) == 0) return refuse_event("cudaEventDestroy");
    return remember(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (!is_stream(stream)) return refuse_stream("cudaEventRecord");
    const bool is_late = is_behind_flight(stream);
    const std::lock_guard lock(handles().mutex);
    event_state* found = find_event(event);
    if (!found) return refuse_event("cudaEventRecord");
    if (const int device = device_of(stream); device != found->device)
        return refuse(cudaErrorInvalidResourceHandle,
                      "cudaEventRecord: the event was made on device %d, the stream on device %d",
                      found->device, device);
    if (capture_record(event, stream)) return remember(cudaSuccess);
    take_step({stream_step::kind::recorded, number_of_stream(stream), number(event)});
    found->recorded = true;
    found->time = simt::clock::now();
    if (is_late) put_behind_flight(stream, [event] { return set_time(event); });
    return remember(cudaSuccess);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
    if (flags != cudaEventRecordDefault)
        return refuse(cudaErrorNotSupported, "cudaEventRecordWithFlags: the CPU backend has no flags of it");
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    if (const cudaError_t bad = check_event("cudaEventQuery", event)) return bad;
    const stream_step wait{stream_step::kind::host_waits_for_event, 0, number(event)};
    if (must_end_before(wait)) return cudaErrorNotReady;
    take_step(wait);
    return remember(cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (const cudaError_t bad = check_event("cudaEventSynchronize", event)) return bad;
    wait_as_told({stream_step::kind::host_waits_for_event, 0, number(event)});
    return remember(cudaSuccess);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    for (const cudaEvent_t event : {start, end})
        if (must_end_before({stream_step::kind::host_waits_for_event, 0, number(event)}))
            return cudaErrorNotReady;
    const std::lock_guard lock(handles().mutex);
    const event_state* first = find_event(start);
    const event_state* second = find_event(end);
    if (!first || !second) return refuse_event("cudaEventElapsedTime");
    if (!milliseconds)
        return refuse(cudaErrorInvalidValue, "cudaEventElapsedTime: a null pointer for the result");
    if (first->device != second->device)
        return refuse(cudaErrorInvalidResourceHandle,
                      "cudaEventElapsedTime: the events were made on devices %d and %d", first->device,
                      second->device);
    if (!first->recorded || !second->recorded) {
        return refuse(cudaErrorInvalidResourceHandle, "cudaEventElapsedTime: an event has not been recorded");
    }
    if ((first->flags | second->flags) & cudaEventDisableTiming) {
        return refuse(cudaErrorInvalidResourceHandle,
                      "cudaEventElapsedTime: an event was made without timing");
    }
    *milliseconds = std::chrono::duration<float, std::milli>(second->time - first->time).count();
    return remember(cudaSuccess);
}

}  // extern "C"
