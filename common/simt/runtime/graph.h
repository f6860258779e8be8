// What a graph consists of.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "simt/include/simt/graph.h"
#include "simt/runtime/graph_memory.h"

namespace simt {

using node_set = std::set<cudaGraphNode_t>;

struct graph_node {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    node_set after;                                  // nodes that it waits for
    std::function<cudaError_t()> work;               // none in an empty node
    const void* kernel = nullptr;                    // of a kernel node
    std::shared_ptr<graph_memory> memory = nullptr;  // of a node that allocates or frees
};
/// Nodes that allocate the memory, and free it; nothing is done yet.
graph_node allocation_node(std::shared_ptr<graph_memory> memory);
graph_node free_node(std::shared_ptr<graph_memory> memory);
/// cudaErrorInvalidValue, with its explanation on stderr: what such a node shall free is no graph's.
cudaError_t refuse_foreign_memory(const char* call);

/// By their handles, which are numbers that grow: in the order in which they were added.
struct graph {
    std::map<cudaGraphNode_t, graph_node> nodes;
    bool frees_on_launch = false;  // of an executable one: what its last launch allocated
};

/// Adds a node, and returns its handle.
cudaGraphNode_t add_node(graph& to, graph_node node);

/// A handle for a graph that was captured.
cudaGraph_t keep_graph(graph captured);

/// All nodes that these wait for, and they themselves.
node_set with_ancestors(const graph& of, const node_set& nodes);

}  // namespace simt
