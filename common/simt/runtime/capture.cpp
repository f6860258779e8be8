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
#include "simt/runtime/kernel_output.h"
#include "simt/runtime/launch_in_flight.h"

namespace simt {
namespace {

struct capture {
    cudaGraph_t into = nullptr;
    bool made_it = true;  // no graph that was there before
    unsigned long long number = 0;
    cudaStream_t origin = nullptr;
    cudaStreamCaptureMode mode{};
    bool is_spoilt = false;
    std::vector<cudaGraphNode_t> told;      // by cudaStreamGetCaptureInfo()
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
    unsigned long long last_number = 0;
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

/// Into a graph that is there, or a new one (null); the first node waits for these.
cudaError_t begin_capture(const char* call, cudaStream_t stream, cudaGraph_t into, const node_set& after,
                          cudaStreamCaptureMode mode) {
    if (!is_stream(stream)) return refuse_stream(call);
    if (is_legacy(stream))
        return refuse(cudaErrorStreamCaptureUnsupported, "%s: the default stream cannot be captured", call);
    const std::lock_guard lock(captures().mutex);
    if (capture_of(stream)) return refuse(cudaErrorIllegalState, "%s: the stream is captured already", call);
    auto begun = std::make_shared<capture>();
    begun->made_it = into == nullptr;
    begun->into = into ? into : keep_graph({});
    begun->number = ++captures().last_number;
    begun->origin = stream;
    begun->mode = mode;
    begun->last[stream] = after;
    captures().active.push_back(begun);
    captures().count++;
    return remember(cudaSuccess);
}

bool has_nodes(const graph& of, const node_set& nodes) {
    return std::all_of(nodes.begin(), nodes.end(),
                       [&](const cudaGraphNode_t one) { return of.nodes.count(one) != 0; });
}

/// Of a capture that has ended: why there is no graph of it.
cudaError_t check_ended(const char* call, const capture& ended) {
    const std::lock_guard lock(graphs_mutex());
    const graph* const into = find_graph(ended.into);
    if (ended.is_spoilt || !into)
        return refuse(cudaErrorStreamCaptureInvalidated, "%s: the capture has failed before", call);
    const node_set joined = with_ancestors(*into, ended.last.at(ended.origin));
    for (const auto& [other, last] : ended.last) {
        if (!std::includes(joined.begin(), joined.end(), last.begin(), last.end()))
            return refuse(
                cudaErrorStreamCaptureUnjoined,
                "%s: work of another stream was not joined: let the first stream wait for an event of it",
                call);
    }
    return cudaSuccess;
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
    const auto do_in_order = [&] {
        const bool waits = !host_goes_on && node.type == cudaGraphNodeTypeMemcpy;
        const cudaError_t result = in_order(stream, !waits, node.work);
        if (waits) show_kernel_output();
        return result;
    };
    if (!is_anything_captured()) return do_in_order();
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
        return do_in_order();
    }
    if (found->is_spoilt)
        return refuse(cudaErrorStreamCaptureInvalidated, "%s: the capture has failed before", call);
    node_set& last = found->last[stream];
    node.after = last;
    const std::lock_guard lock_graphs(graphs_mutex());
    graph* const into = find_graph(found->into);
    if (!into) {
        spoil(*found);
        return refuse(cudaErrorStreamCaptureInvalidated, "%s: the graph of the capture was destroyed", call);
    }
    last = {add_node(*into, std::move(node))};
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
    return begin_capture("cudaStreamBeginCapture", stream, nullptr, {}, mode);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t into, const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData*, size_t count,
                                          cudaStreamCaptureMode mode) {
    const char* call = "cudaStreamBeginCaptureToGraph";
    if (count > 0 && !after) return refuse(cudaErrorInvalidValue, "%s: a null pointer", call);
    const node_set first_after(after, after + count);
    {
        const std::lock_guard lock(graphs_mutex());
        const graph* const found = find_graph(into);
        if (!found || !has_nodes(*found, first_after)) return refuse_graph(call);
    }
    return begin_capture(call, stream, into, first_after, mode);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    const char* call = "cudaStreamEndCapture";
    if (!is_stream(stream)) return refuse_stream(call);
    const std::lock_guard lock(captures().mutex);
    const std::shared_ptr<capture> ended = capture_of(stream);
    if (graph) *graph = nullptr;
    if (!graph && (!ended || ended->made_it))
        return refuse(cudaErrorInvalidValue, "%s: a null pointer for the result", call);
    if (!ended) return refuse(cudaErrorIllegalState, "%s: the stream is not captured", call);
    if (ended->origin != stream)
        return refuse(cudaErrorStreamCaptureUnmatched, "%s: the capture began in another stream", call);
    std::erase(captures().active, ended);
    captures().count--;
    if (const cudaError_t bad = check_ended(call, *ended)) {
        if (ended->made_it) drop_graph(ended->into);
        return bad;
    }
    if (graph) *graph = ended->into;
    return remember(cudaSuccess);
}

cudaError_t simt_capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status,
                              unsigned long long* number, cudaGraph_t* graph,
                              const cudaGraphNode_t** next_after, size_t* count) {
    if (const cudaError_t bad = cudaStreamIsCapturing(stream, status)) return bad;
    const std::lock_guard lock(captures().mutex);
    const std::shared_ptr<capture> found = capture_of(stream);
    if (*status != cudaStreamCaptureStatusActive) return remember(cudaSuccess);
    const node_set& last = found->last[stream];
    found->told.assign(last.begin(), last.end());
    if (number) *number = found->number;
    if (graph) *graph = found->into;
    if (next_after) *next_after = found->told.data();
    if (count) *count = found->told.size();
    return remember(cudaSuccess);
}

cudaError_t simt_update_capture(cudaStream_t stream, const cudaGraphNode_t* after, size_t count,
                                unsigned int flags) {
    const char* call = "cudaStreamUpdateCaptureDependencies";
    if (!is_stream(stream)) return refuse_stream(call);
    if ((count > 0 && !after) || flags > cudaStreamSetCaptureDependencies)
        return refuse(cudaErrorInvalidValue, "%s: a null pointer, or unknown flags", call);
    const std::lock_guard lock(captures().mutex);
    const std::shared_ptr<capture> found = capture_of(stream);
    if (!found) return refuse(cudaErrorIllegalState, "%s: the stream is not captured", call);
    const node_set nodes(after, after + count);
    const std::lock_guard lock_graphs(graphs_mutex());
    const graph* const into = find_graph(found->into);
    if (!into || !has_nodes(*into, nodes)) return refuse_graph(call);
    node_set& last = found->last[stream];
    if (flags == cudaStreamSetCaptureDependencies) last.clear();
    last.insert(nodes.begin(), nodes.end());
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
