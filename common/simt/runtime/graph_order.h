// The order of a graph's nodes as whoever follows streams sees it: by its arrows, and by nothing else.
#pragma once
#include <map>

#include "simt/engine/stream_order.h"
#include "simt/runtime/graph.h"

namespace simt {

/// One launch of a graph, in the stream in which it is asked for. The first chain of nodes is done in that stream, each
/// further one in a stream that only this graph has; the launch is over when all of them are.
class graph_order {
public:
    explicit graph_order(const graph& what);
    /// The stream in which the node is to be asked for: its predecessors come before.
    cudaStream_t begin(cudaGraphNode_t node);
    void end(cudaGraphNode_t node);
    /// What the stream is asked for next comes after all nodes.
    void join() const;

private:
    uintptr_t chain_after(const node_set& before);

    const graph& what_;
    const uintptr_t launched_in_ = the_asked_work().stream;
    std::map<cudaGraphNode_t, uintptr_t> chain_of_;
    std::map<uintptr_t, cudaGraphNode_t> last_of_;  // by chains
};

}  // namespace simt
