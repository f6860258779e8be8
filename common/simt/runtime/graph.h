// What a graph consists of.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "simt/include/simt/graph.h"

namespace simt {

using node_set = std::set<cudaGraphNode_t>;

struct graph_node {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    node_set after;                     // nodes that it waits for
    std::function<cudaError_t()> work;  // none in an empty node
    const void* kernel = nullptr;       // of a kernel node
};

/// By their handles, which are numbers that grow: in the order in which they were added.
struct graph {
    std::map<cudaGraphNode_t, graph_node> nodes;
};

/// Adds a node, and returns its handle.
cudaGraphNode_t add_node(graph& to, graph_node node);

/// A handle for a graph that was captured.
cudaGraph_t keep_graph(graph captured);

/// All nodes that these wait for, and they themselves.
node_set with_ancestors(const graph& of, const node_set& nodes);

}  // namespace simt
