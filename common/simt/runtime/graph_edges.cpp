// Which nodes a graph has, and which of them wait for which.
#include <algorithm>
#include <fstream>

#include "simt/engine/error_state.h"
#include "simt/runtime/graph.h"

namespace simt {
namespace {

using node_list = std::vector<cudaGraphNode_t>;

/// Copies handles where there is room.
void copy_handles(const node_list& found, cudaGraphNode_t* nodes, size_t count) {
    for (size_t i = 0; nodes && i < count; i++)
        nodes[i] = i < found.size() ? found[i] : nullptr;
}
/// And says how many were copied; without anywhere to copy to, how many there are.
cudaError_t list_nodes(const node_list& found, cudaGraphNode_t* nodes, size_t* count) {
    copy_handles(found, nodes, *count);
    *count = nodes ? std::min(*count, found.size()) : found.size();
    return remember(cudaSuccess);
}

/// Those of the graph's nodes for which this holds.
template <class function_type>
cudaError_t list_nodes_that(const char* call, const graph* of, const function_type& holds,
                            cudaGraphNode_t* nodes, size_t* count) {
    if (!count) return refuse_null(call);
    if (!of) return refuse_graph(call);
    node_list found;
    for (const auto& [handle, node] : of->nodes)
        if (holds(handle, node)) found.push_back(handle);
    return list_nodes(found, nodes, count);
}

/// Every pair of nodes, the second of which waits for the first.
struct edge_list {
    node_list from, to;
    explicit edge_list(const graph& of) {
        for (const auto& [handle, node] : of.nodes) {
            from.insert(from.end(), node.after.begin(), node.after.end());
            to.insert(to.end(), node.after.size(), handle);
        }
    }
};

const char* name_of(cudaGraphNodeType type) {
    static const std::map<cudaGraphNodeType, const char*> names = {
        {cudaGraphNodeTypeKernel, "kernel"},          {cudaGraphNodeTypeMemcpy, "memcpy"},
        {cudaGraphNodeTypeMemset, "memset"},          {cudaGraphNodeTypeHost, "host"},
        {cudaGraphNodeTypeGraph, "child graph"},      {cudaGraphNodeTypeEmpty, "empty"},
        {cudaGraphNodeTypeMemAlloc, "mem alloc"},     {cudaGraphNodeTypeMemFree, "mem free"},
        {cudaGraphNodeTypeConditional, "conditional"}};
    return names.at(type);
}

/// Of pairs of nodes, if all of them are the graph's.
template <class function_type>
cudaError_t for_edges(const char* call, cudaGraph_t which, const cudaGraphNode_t* from,
                      const cudaGraphNode_t* later, size_t count, const function_type& act) {
    const std::lock_guard lock(graphs_mutex());
    graph* found = find_graph(which);
    if (count > 0 && (!from || !later)) return refuse_null(call);
    if (!found) return refuse_graph(call);
    for (size_t i = 0; i < count; i++)
        if (found->nodes.count(from[i]) == 0 || found->nodes.count(later[i]) == 0) return refuse_graph(call);
    for (size_t i = 0; i < count; i++)
        act(found->nodes[later[i]].after, from[i]);
    return remember(cudaSuccess);
}

}  // namespace
}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaGraphGetNodes(cudaGraph_t which, cudaGraphNode_t* nodes, size_t* count) {
    const std::lock_guard lock(graphs_mutex());
    const auto all = [](cudaGraphNode_t, const graph_node&) { return true; };
    return list_nodes_that("cudaGraphGetNodes", find_graph(which), all, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t which, cudaGraphNode_t* nodes, size_t* count) {
    const std::lock_guard lock(graphs_mutex());
    const auto is_root = [](cudaGraphNode_t, const graph_node& one) { return one.after.empty(); };
    return list_nodes_that("cudaGraphGetRootNodes", find_graph(which), is_root, nodes, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
    const std::lock_guard lock(graphs_mutex());
    const graph* of = find_graph_of(node);
    const auto is_before = [&](cudaGraphNode_t one, const graph_node&) {
        return of->nodes.at(node).after.count(one) > 0;
    };
    return list_nodes_that("cudaGraphNodeGetDependencies", of, is_before, nodes, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
    const std::lock_guard lock(graphs_mutex());
    const auto is_behind = [&](cudaGraphNode_t, const graph_node& one) { return one.after.count(node) > 0; };
    return list_nodes_that("cudaGraphNodeGetDependentNodes", find_graph_of(node), is_behind, nodes, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t which, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
    const std::lock_guard lock(graphs_mutex());
    const graph* found = find_graph(which);
    if (!count) return refuse_null("cudaGraphGetEdges");
    if (!found) return refuse_graph("cudaGraphGetEdges");
    const edge_list edges(*found);
    copy_handles(edges.from, from, *count);
    return list_nodes(edges.to, to, count);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t to, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* later, size_t count) {
    return for_edges("cudaGraphAddDependencies", to, from, later, count,
                     [](node_set& after, cudaGraphNode_t one) { after.insert(one); });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t of, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* later, size_t count) {
    return for_edges("cudaGraphRemoveDependencies", of, from, later, count,
                     [](node_set& after, cudaGraphNode_t one) { after.erase(one); });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    const char* call = "cudaGraphDestroyNode";
    const std::lock_guard lock(graphs_mutex());
    graph* of = find_graph_of(node);
    if (!of) return refuse_graph(call);
    const graph_node& found = of->nodes[node];
    if (found.memory || found.branch)
        return refuse(cudaErrorNotSupported, "%s: nodes that allocate, free or decide stay in their graph",
                      call);
    of->nodes.erase(node);
    for (auto& [handle, one] : of->nodes)
        one.after.erase(node);
    return remember(cudaSuccess);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
    const char* call = "cudaGraphNodeFindInClone";
    const std::lock_guard lock(graphs_mutex());
    const graph* found = find_graph(clone);
    if (!node) return refuse_null(call);
    if (!found) return refuse_graph(call);
    const auto copy = found->copies.find(original);
    if (copy == found->copies.end() || found->nodes.count(copy->second) == 0) return refuse_graph(call);
    *node = copy->second;
    return remember(cudaSuccess);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t which, const char* path, unsigned int) {
    const char* call = "cudaGraphDebugDotPrint";
    const std::lock_guard lock(graphs_mutex());
    const graph* found = find_graph(which);
    if (!path) return refuse_null(call);
    if (!found) return refuse_graph(call);
    std::map<cudaGraphNode_t, size_t> numbers;
    std::ofstream out(path);
    out << "digraph graph_of_nodes {\n";
    for (const auto& [handle, node] : found->nodes) {
        const size_t number = numbers.size();
        numbers[handle] = number;
        out << "  n" << number << " [label=\"" << number << ": " << name_of(node.type) << "\"];\n";
    }
    const edge_list edges(*found);
    for (size_t i = 0; i < edges.to.size(); i++)
        out << "  n" << numbers[edges.from[i]] << " -> n" << numbers[edges.to[i]] << ";\n";
    out << "}\n";
    if (!out.flush()) return refuse(cudaErrorOperatingSystem, "%s: cannot write %s", call, path);
    return remember(cudaSuccess);
}

}  // extern "C"
