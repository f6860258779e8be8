// Captures of streams. They live in the host's process: what is captured are its calls.
#include "simt/runtime/capture.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>

#include "simt/engine/error_state.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/host_order.h"

namespace simt {
namespace {

struct capture {
    graph into;
    cudaStream_t origin = nullptr;
    cudaStreamCaptureMode mode{};
    bool is_spoilt = false;
    std::map<cudaStream_t, node_set> last;  // of every stream that takes part: what its next node waits for
};

struct captured_event {
    std::weak_ptr<capture> of;
    node_set nodes;
};

struct capture_list {
    std::recursive_mutex mutex;  // work of a graph may ask for work
    std::vector<std::shared_ptr<capture>> active;
    std::map<cudaEvent_t, captured_event> events;
    std::atomic<int> count = 0;
};

capture_list& captures() {
    static auto* list = new capture_list;  // never destroyed, see allocations.cpp
    return *list;
}

/// The capture that the stream takes part in, or null. The list must be locked.
std::shared_ptr<capture> capture_of(cudaStream_t stream) {
    for (const std::shared_ptr<capture>& one : captures().active)
        if (one->last.count(stream) != 0) return one;
    return nullptr;
}

std::shared_ptr<capture> capture_of_event(cudaEvent_t event) {
    const auto found = captures().events.find(event);
    return found == captures().events.end() ? nullptr : found->second.of.lock();
}

bool is_legacy(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy;
}

cudaError_t spoil(capture& what) {
    what.is_spoilt = true;
    return cudaErrorStreamCaptureInvalidated;
}

}  // namespace

bool is_anything_captured() {
    return captures().count != 0;
}

bool is_captured(cudaStream_t stream) {
    if (!is_anything_captured()) return false;
    const std::lock_guard lock(captures().mutex);
    return capture_of(stream) != nullptr;
}

cudaError_t refuse_in_capture(const char* call) {
    if (!is_anything_captured()) return cudaSuccess;
    const std::lock_guard lock(captures().mutex);
    for (const std::shared_ptr<capture>& one : captures().active) {
        if (one->mode == cudaStreamCaptureModeRelaxed) continue;
        spoil(*one);
        return refuse(cudaErrorStreamCaptureUnsupported, "%s: not while a stream is captured", call);
    }
    return cudaSuccess;
}

cudaError_t refuse_in_capture(const char* call, cudaStream_t stream) {
    if (!is_anything_captured()) return cudaSuccess;
    const std::lock_guard lock(captures().mutex);
    const std::shared_ptr<capture> found = capture_of(stream);
    if (!found) return cudaSuccess;
    spoil(*found);
    return refuse(cudaErrorStreamCaptureUnsupported, "%s: the stream is captured: nothing of it runs yet",
                  call);
}

cudaError_t refuse_captured_event(const char* call, cudaEvent_t event) {
    if (!is_anything_captured()) return cudaSuccess;
    const std::lock_guard lock(captures().mutex);
    if (!capture_of_event(event)) return cudaSuccess;
    return refuse(cudaErrorCapturedEvent, "%s: the event was recorded in a captured stream", call);
}

cudaError_t on_stream(const char* call, cudaStream_t stream, graph_node node) {
    if (!is_stream(stream)) return refuse_stream(call);
    // Calls that are named so, and all that are no copies or fills.
    const bool host_goes_on = std::string_view(call).ends_with("Async") ||
                              (node.type != cudaGraphNodeTypeMemcpy && node.type != cudaGraphNodeTypeMemset);
    const asking asked(stream, host_goes_on);
    if (!is_anything_captured()) return node.work();
    std::unique_lock lock(captures().mutex);
    if (is_legacy(stream)) {
        for (const std::shared_ptr<capture>& one : captures().active) {
            spoil(*one);
            return refuse(cudaErrorStreamCaptureImplicit,
                          "%s: the default stream would wait for a stream that is captured", call);
        }
    }
    const std::shared_ptr<capture> found = capture_of(stream);
    if (!found) {
        lock.unlock();
        return node.work();
    }
    if (found->is_spoilt)
        return refuse(cudaErrorStreamCaptureInvalidated, "%s: the capture has failed before", call);
    node_set& last = found->last[stream];
    node.after = last;
    last = {add_node(found->into, std::move(node))};
    return remember(cudaSuccess);
}

bool capture_record(cudaEvent_t event, cudaStream_t stream) {
    if (!is_anything_captured()) return false;
    const std::lock_guard lock(captures().mutex);
    captures().events.erase(event);
    const std::shared_ptr<capture> found = capture_of(stream);
    if (found) captures().events[event] = {found, found->last[stream]};
    return found != nullptr;
}

bool capture_wait(cudaStream_t stream, cudaEvent_t event) {
    if (!is_anything_captured()) return false;
    const std::lock_guard lock(captures().mutex);
    const std::shared_ptr<capture> found = capture_of_event(event);
    if (!found) return false;
    const node_set& nodes = captures().events[event].nodes;
    found->last[stream].insert(nodes.begin(), nodes.end());
    return true;
}

}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    const char* call = "cudaStreamBeginCapture";
    if (!is_stream(stream)) return refuse_stream(call);
    if (is_legacy(stream))
        return refuse(cudaErrorStreamCaptureUnsupported, "%s: the default stream cannot be captured", call);
    const std::lock_guard lock(captures().mutex);
    if (capture_of(stream)) return refuse(cudaErrorIllegalState, "%s: the stream is captured already", call);
    auto begun = std::make_shared<capture>();
    begun->origin = stream;
    begun->mode = mode;
    begun->last[stream];
    captures().active.push_back(begun);
    captures().count++;
    return remember(cudaSuccess);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    const char* call = "cudaStreamEndCapture";
    if (!is_stream(stream)) return refuse_stream(call);
    if (!graph) return refuse(cudaErrorInvalidValue, "%s: a null pointer for the result", call);
    *graph = nullptr;
    const std::lock_guard lock(captures().mutex);
    const std::shared_ptr<capture> ended = capture_of(stream);
    if (!ended) return refuse(cudaErrorIllegalState, "%s: the stream is not captured", call);
    if (ended->origin != stream)
        return refuse(cudaErrorStreamCaptureUnmatched, "%s: the capture began in another stream", call);
    std::erase(captures().active, ended);
    captures().count--;
    if (ended->is_spoilt)
        return refuse(cudaErrorStreamCaptureInvalidated, "%s: the capture has failed before", call);
    const node_set joined = with_ancestors(ended->into, ended->last[stream]);
    for (const auto& [other, last] : ended->last) {
        if (!std::includes(joined.begin(), joined.end(), last.begin(), last.end()))
            return refuse(
                cudaErrorStreamCaptureUnjoined,
                "%s: work of another stream was not joined: let the first stream wait for an event of it",
                call);
    }
    *graph = keep_graph(std::move(ended->into));
    return remember(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    const char* call = "cudaStreamIsCapturing";
    if (!is_stream(stream)) return refuse_stream(call);
    if (!status) return refuse(cudaErrorInvalidValue, "%s: a null pointer for the result", call);
    const std::lock_guard lock(captures().mutex);
    const std::shared_ptr<capture> found = capture_of(stream);
    *status = !found             ? cudaStreamCaptureStatusNone
              : found->is_spoilt ? cudaStreamCaptureStatusInvalidated
                                 : cudaStreamCaptureStatusActive;
    return remember(cudaSuccess);
}

}  // extern "C"
