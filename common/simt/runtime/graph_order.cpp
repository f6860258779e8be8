// Streams and events for the arrows of a graph.
#include "simt/runtime/graph_order.h"

#include "simt/runtime/host_order.h"

namespace simt {
namespace {

/// Numbers of streams and events of graphs, beside the handles of those that a program makes.
constexpr uintptr_t OF_GRAPHS = uintptr_t{1} << 62;

uintptr_t event_of(cudaGraphNode_t node) {
    return OF_GRAPHS + reinterpret_cast<uintptr_t>(node);
}
/// Recorded where the graph begins whose first node this is.
uintptr_t start_before(cudaGraphNode_t node) {
    return 2 * OF_GRAPHS + reinterpret_cast<uintptr_t>(node);
}

}  // namespace

graph_order::graph_order(const graph& what) : what_(what) {
    if (!what.nodes.empty())
        take_step({stream_step::kind::recorded, launched_in_, start_before(what.nodes.begin()->first)});
}

/// One that ends with a predecessor; a new one where others go on with all of them.
uintptr_t graph_order::chain_after(const node_set& before) {
    for (const cudaGraphNode_t one : before)
        if (last_of_[chain_of_[one]] == one) return chain_of_[one];
    if (last_of_.empty()) return launched_in_;
    const uintptr_t chain = event_of(what_.nodes.begin()->first) + last_of_.size();
    take_step({stream_step::kind::made, chain, 0, false});
    take_step({stream_step::kind::waits, chain, start_before(what_.nodes.begin()->first)});
    return chain;
}

cudaStream_t graph_order::begin(cudaGraphNode_t node) {
    const node_set& before = what_.nodes.at(node).after;
    const uintptr_t chain = chain_after(before);
    for (const cudaGraphNode_t one : before)
        if (chain_of_[one] != chain) take_step({stream_step::kind::waits, chain, event_of(one)});
    chain_of_[node] = chain;
    last_of_[chain] = node;
    return reinterpret_cast<cudaStream_t>(chain);
}

void graph_order::end(cudaGraphNode_t node) {
    take_step({stream_step::kind::recorded, chain_of_[node], event_of(node)});
}

void graph_order::join() const {
    for (const auto& [chain, last] : last_of_)
        if (chain != launched_in_) take_step({stream_step::kind::waits, launched_in_, event_of(last)});
}

}  // namespace simt
