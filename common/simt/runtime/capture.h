// Streams that are captured: what they are asked for becomes nodes of a graph, and is not done.
#pragma once
#include "simt/runtime/graph.h"

namespace simt {

/// Does the node's work as the call's stream would, at once, or adds the node to the graph that the stream is captured
/// into.
cudaError_t on_stream(const char* call, cudaStream_t stream, graph_node node);
inline cudaError_t on_stream(const char* call, cudaStream_t stream, cudaGraphNodeType type,
                             std::function<cudaError_t()> work, const void* kernel = nullptr) {
    return on_stream(call, stream, {type, {}, std::move(work), kernel});
}

/// True if some stream is captured: for what is asked often.
bool is_anything_captured();
bool is_captured(cudaStream_t stream);

/// cudaSuccess, or why the call cannot be made while streams are captured. It spoils the capture, as on a GPU.
cudaError_t refuse_in_capture(const char* call);
/// The same for a call that waits for this stream, or asks how far it is.
cudaError_t refuse_in_capture(const char* call, cudaStream_t stream);
/// The same for an event that was recorded in a captured stream.
cudaError_t refuse_captured_event(const char* call, cudaEvent_t event);

/// An event is recorded, or waited for: true if that belongs to a capture, and is done.
bool capture_record(cudaEvent_t event, cudaStream_t stream);
bool capture_wait(cudaStream_t stream, cudaEvent_t event);

}  // namespace simt
