// What a graph consists of.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <variant>
#include <vector>

#include "simt/include/simt/graph.h"
#include "simt/runtime/graph_condition.h"
#include "simt/runtime/graph_memory.h"

namespace simt {

using node_set = std::set<cudaGraphNode_t>;

struct conditional;

struct graph_node {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    node_set after;                                  // nodes that it waits for
    std::function<cudaError_t()> work;               // none in an empty node
    const void* kernel = nullptr;                    // of a kernel node
    std::shared_ptr<graph_memory> memory = nullptr;  // of a node that allocates or frees
    std::shared_ptr<conditional> branch = nullptr;   // of a conditional node
    /// With which parameters a node that copies, fills or calls the host was added; nothing where it was captured.
    std::variant<std::monostate, cudaMemcpy3DParms, cudaMemsetParams, cudaHostNodeParams> said = {};
    bool is_enabled = true;  // of an executable graph
};
/// Nodes that allocate the memory, and free it; nothing is done yet.
graph_node allocation_node(std::shared_ptr<graph_memory> memory);
graph_node free_node(std::shared_ptr<graph_memory> memory);
/// cudaErrorInvalidValue, with its explanation on stderr: what such a node shall free is no graph's.
cudaError_t refuse_foreign_memory(const char* call);

/// By their handles, which are numbers that grow: in the order in which they were added.
struct graph {
    std::map<cudaGraphNode_t, graph_node> nodes;
    std::vector<std::shared_ptr<condition>> conditions = {};
    std::map<cudaGraphNode_t, cudaGraphNode_t> copies =
        {};                        // of a clone: its nodes, by those that they were made of
    bool frees_on_launch = false;  // of an executable one: what its last launch allocated
};

/// What a conditional node decides, and among which graphs.
struct conditional {
    std::shared_ptr<condition> on;
    cudaGraphConditionalNodeType type{};
    std::vector<cudaGraph_t> handles;
    std::vector<graph> bodies = {};  // of an executable graph: what these were when it was made
};

/// The graph of this handle, or null. What calls want to do with it they do while they hold graphs_mutex().
graph* find_graph(cudaGraph_t which);
std::recursive_mutex& graphs_mutex();
/// The same of a node, in an executable graph, and of the graph that a node is in.
graph_node* find_node(cudaGraphNode_t node);
graph_node* find_node(cudaGraphExec_t exec, cudaGraphNode_t node);
graph* find_graph_of(cudaGraphNode_t node);

/// Adds a node, and returns its handle.
cudaGraphNode_t add_node(graph& to, graph_node node);

/// A handle for a new graph.
cudaGraph_t keep_graph(graph made);
/// The graph is gone, and those of its conditional nodes. False if there is none.
bool drop_graph(cudaGraph_t which);

/// Does the work of all nodes.
cudaError_t run_graph(const graph& what);
/// A node into the graph of this handle, after these of its nodes; or says why not.
cudaError_t add(const char* call, cudaGraphNode_t* node, cudaGraph_t to, const cudaGraphNode_t* after,
                size_t count, graph_node added);
cudaError_t refuse_graph(const char* call);
cudaError_t refuse_null(const char* call);

/// All nodes that these wait for, and they themselves.
node_set with_ancestors(const graph& of, const node_set& nodes);

}  // namespace simt
