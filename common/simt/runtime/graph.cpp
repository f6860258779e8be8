// Graphs, their nodes, and executable ones. A launch does the work of every node, in an order that their dependencies
// allow.
#include "simt/runtime/graph.h"

#include <memory>
#include <mutex>

#include "simt/engine/devices.h"
#include "simt/engine/error_state.h"
#include "simt/memory/copy.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/graph_order.h"
#include "simt/runtime/host_order.h"
#include "simt/runtime/known_kernels.h"
#include "simt/runtime/pool.h"

namespace simt {
namespace {

/// Graphs and executable ones are made alike. Handles, also of their nodes, are numbers that are never used twice.
struct graph_list {
    std::recursive_mutex mutex;
    uintptr_t last_handle = 0x1000;
    std::map<cudaGraph_t, graph> graphs;
    std::map<cudaGraphExec_t, graph> execs;
};

graph_list& known() {
    static auto* list = new graph_list;  // never destroyed, see allocations.cpp
    return *list;
}

template <class handle>
handle new_handle() {
    return reinterpret_cast<handle>(++known().last_handle);
}

template <class handle, class element>
element* find_in(std::map<handle, element>& list, handle which) {
    const auto found = list.find(which);
    return found == list.end() ? nullptr : &found->second;
}

/// The nodes in an order in which they can run; fewer than there are if they wait for each other in a circle.
std::vector<cudaGraphNode_t> in_order(const graph& of) {
    std::vector<cudaGraphNode_t> order;
    node_set done;
    for (size_t before = 1; order.size() != before;) {
        before = order.size();
        for (const auto& [handle, node] : of.nodes) {
            const bool can_run =
                std::includes(done.begin(), done.end(), node.after.begin(), node.after.end());
            if (can_run && done.insert(handle).second) order.push_back(handle);
        }
    }
    return order;
}

bool has_memory(const graph& of) {
    return std::any_of(of.nodes.begin(), of.nodes.end(),
                       [](const auto& one) { return one.second.memory != nullptr; });
}
bool has_branches(const graph& of) {
    return std::any_of(of.nodes.begin(), of.nodes.end(),
                       [](const auto& one) { return one.second.branch != nullptr; });
}
/// Of nodes that are what they are for one graph alone.
cudaError_t refuse_copy(const char* call, const graph& of) {
    if (has_memory(of))
        return refuse(cudaErrorNotSupported, "%s: the graph has nodes that allocate or free memory", call);
    if (has_branches(of)) return refuse(cudaErrorNotSupported, "%s: the graph has conditional nodes", call);
    return cudaSuccess;
}

/// Whether what the last launch allocated is free, or is freed now because the graph is of that kind.
cudaError_t check_freed(const char* call, const graph& launched) {
    for (const auto& [handle, node] : launched.nodes) {
        if (node.type != cudaGraphNodeTypeMemAlloc || !is_in_graph_pool(node.memory->begin())) continue;
        if (!launched.frees_on_launch)
            return refuse(cudaErrorInvalidValue,
                          "%s: %zu bytes that the graph allocated in its last launch have not been freed",
                          call, node.memory->bytes());
        if (const cudaError_t failed = node.memory->free()) return failed;
    }
    return cudaSuccess;
}

/// What of the second graph keeps the first one from taking its place.
cudaGraphExecUpdateResult difference(const graph& now, const graph& next) {
    if (now.nodes.size() != next.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
    std::map<cudaGraphNode_t, cudaGraphNode_t> same;
    for (auto a = now.nodes.begin(), b = next.nodes.begin(); a != now.nodes.end(); ++a, ++b)
        same[b->first] = a->first;
    if (has_memory(next) || has_branches(next)) return cudaGraphExecUpdateErrorNotSupported;
    for (const auto& [handle, node] : next.nodes) {
        const graph_node& old = now.nodes.at(same[handle]);
        node_set after;
        for (const cudaGraphNode_t one : node.after)
            after.insert(same[one]);
        if (after != old.after) return cudaGraphExecUpdateErrorTopologyChanged;
        if (node.type != old.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
        if (node.kernel != old.kernel) return cudaGraphExecUpdateErrorFunctionChanged;
    }
    return cudaGraphExecUpdateSuccess;
}

}  // namespace

std::recursive_mutex& graphs_mutex() {
    return known().mutex;
}

graph* find_graph(cudaGraph_t which) {
    return find_in(known().graphs, which);
}

graph* find_graph_of(cudaGraphNode_t node) {
    for (auto& [handle, one] : known().graphs) {
        if (find_in(one.nodes, node)) return &one;
    }
    return nullptr;
}

graph_node* find_node(cudaGraphNode_t node) {
    graph* of = find_graph_of(node);
    return of ? &of->nodes.at(node) : nullptr;
}

graph_node* find_node(cudaGraphExec_t exec, cudaGraphNode_t node) {
    graph* found = find_in(known().execs, exec);
    return found ? find_in(found->nodes, node) : nullptr;
}

cudaError_t refuse_null(const char* call) {
    return refuse(cudaErrorInvalidValue, "%s: a null pointer", call);
}

cudaError_t refuse_graph(const char* call) {
    return refuse(cudaErrorInvalidValue, "%s: there is no such graph or node (not created, or destroyed)",
                  call);
}

cudaError_t run_graph(const graph& what) {
    graph_order order(what);
    for (const cudaGraphNode_t handle : in_order(what)) {
        const graph_node& node = what.nodes.at(handle);
        const asking asked(order.begin(handle), the_asked_work().host_goes_on);
        if (const cudaError_t failed = node.work && node.is_enabled ? node.work() : cudaSuccess)
            return failed;
        order.end(handle);
    }
    order.join();
    return remember(cudaSuccess);
}

cudaError_t add(const char* call, cudaGraphNode_t* node, cudaGraph_t to, const cudaGraphNode_t* after,
                size_t count, graph_node added) {
    const std::lock_guard lock(known().mutex);
    graph* found = find_graph(to);
    if (!node || (count > 0 && !after)) return refuse_null(call);
    if (!found) return refuse_graph(call);
    for (size_t i = 0; i < count; i++) {
        if (!find_in(found->nodes, after[i]))
            return refuse(cudaErrorInvalidValue, "%s: dependency %zu is no node of the graph", call, i);
        added.after.insert(after[i]);
    }
    *node = add_node(*found, std::move(added));
    return remember(cudaSuccess);
}

cudaGraphNode_t add_node(graph& to, graph_node node) {
    const std::lock_guard lock(known().mutex);
    const auto handle = new_handle<cudaGraphNode_t>();
    to.nodes[handle] = std::move(node);
    return handle;
}

graph_node allocation_node(std::shared_ptr<graph_memory> memory) {
    return {cudaGraphNodeTypeMemAlloc, {}, [memory] { return memory->allocate(); }, nullptr, memory};
}

graph_node free_node(std::shared_ptr<graph_memory> memory) {
    return {cudaGraphNodeTypeMemFree, {}, [memory] { return memory->free(); }, nullptr, memory};
}

cudaError_t refuse_foreign_memory(const char* call) {
    return refuse(cudaErrorInvalidValue, "%s: the pointer is not the start of memory that a graph allocates",
                  call);
}

cudaGraph_t keep_graph(graph made) {
    const std::lock_guard lock(known().mutex);
    const auto handle = new_handle<cudaGraph_t>();
    known().graphs[handle] = std::move(made);
    return handle;
}

bool drop_graph(cudaGraph_t which) {
    const std::lock_guard lock(known().mutex);
    const graph* found = find_graph(which);
    if (!found) return false;
    for (const auto& [handle, node] : found->nodes)
        if (node.branch)
            for (const cudaGraph_t body : node.branch->handles)
                drop_graph(body);
    return known().graphs.erase(which) != 0;
}

node_set with_ancestors(const graph& of, const node_set& nodes) {
    node_set all = nodes;
    for (std::vector<cudaGraphNode_t> open(nodes.begin(), nodes.end()); !open.empty();) {
        const graph_node& node = of.nodes.at(open.back());
        open.pop_back();
        for (const cudaGraphNode_t one : node.after)
            if (all.insert(one).second) open.push_back(one);
    }
    return all;
}

}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* made, unsigned int flags) {
    if (!made || flags != 0)
        return refuse(cudaErrorInvalidValue, "cudaGraphCreate: a null pointer, or flags");
    *made = keep_graph({});
    return remember(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t which) {
    return drop_graph(which) ? remember(cudaSuccess) : refuse_graph("cudaGraphDestroy");
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t which) {
    const std::lock_guard lock(known().mutex);
    const graph* found = find_graph(which);
    if (!clone) return refuse_null("cudaGraphClone");
    if (!found) return refuse_graph("cudaGraphClone");
    if (const cudaError_t bad = refuse_copy("cudaGraphClone", *found)) return bad;
    graph made;
    std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
    for (const auto& [handle, node] : found->nodes)
        copies[handle] = add_node(made, node);
    for (auto& [handle, node] : made.nodes) {
        node_set after;
        for (const cudaGraphNode_t one : node.after)
            after.insert(copies[one]);
        node.after = after;
    }
    made.copies = std::move(copies);
    *clone = keep_graph(std::move(made));
    return remember(cudaSuccess);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t to, const cudaGraphNode_t* after,
                                  size_t count) {
    return add("cudaGraphAddEmptyNode", node, to, after, count, {});
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t to, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child) {
    const std::lock_guard lock(known().mutex);
    const graph* found = find_graph(child);
    if (!found) return refuse_graph("cudaGraphAddChildGraphNode");
    if (const cudaError_t bad = refuse_copy("cudaGraphAddChildGraphNode", *found)) return bad;
    return add("cudaGraphAddChildGraphNode", node, to, after, count,
               {cudaGraphNodeTypeGraph, {}, [copy = *found] { return run_graph(copy); }});
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t to, const cudaGraphNode_t* after,
                                     size_t count, cudaMemAllocNodeParams* what) {
    const char* call = "cudaGraphAddMemAllocNode";
    if (!what) return refuse_null(call);
    if (what->poolProps.allocType != cudaMemAllocationTypePinned ||
        what->poolProps.location.type != cudaMemLocationTypeDevice)
        return refuse(cudaErrorInvalidValue, "%s: memory of a graph is pinned memory on a device", call);
    if (what->poolProps.location.id != current_device())
        return refuse(cudaErrorNotSupported, "%s: memory of device %d, and %d is the current one", call,
                      what->poolProps.location.id, current_device());
    std::shared_ptr<graph_memory> memory;
    if (const cudaError_t failed = graph_memory::reserve(call, what->bytesize, memory)) return failed;
    what->dptr = memory->begin();
    return add(call, node, to, after, count, allocation_node(memory));
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t to, const cudaGraphNode_t* after,
                                    size_t count, void* pointer) {
    const std::shared_ptr<graph_memory> memory = find_graph_memory(pointer);
    if (!memory) return refuse_foreign_memory("cudaGraphAddMemFreeNode");
    return add("cudaGraphAddMemFreeNode", node, to, after, count, free_node(memory));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t which,
                                          unsigned long long flags) {
    const char* call = "cudaGraphInstantiate";
    const std::lock_guard lock(known().mutex);
    const graph* found = find_graph(which);
    if (!exec) return refuse_null(call);
    if (!found) return refuse_graph(call);
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
        return refuse(cudaErrorNotSupported, "%s: the CPU backend launches no graph from a kernel", call);
    if (in_order(*found).size() != found->nodes.size())
        return refuse(cudaErrorInvalidValue, "%s: nodes wait for each other in a circle", call);
    const bool once = has_memory(*found);
    for (const auto& [handle, other] : known().execs)
        if (once && other.nodes.count(found->nodes.begin()->first) != 0)
            return refuse(cudaErrorInvalidValue,
                          "%s: a graph that allocates or frees memory can be executable once at a time",
                          call);
    *exec = new_handle<cudaGraphExec_t>();
    graph& made = known().execs[*exec] =
        with_bodies(*found);  // with the handles of its nodes, by which they are changed
    made.frees_on_launch = flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    return remember(cudaSuccess);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    const std::lock_guard lock(known().mutex);
    return known().execs.erase(exec) == 0 ? refuse_graph("cudaGraphExecDestroy") : remember(cudaSuccess);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
    const std::lock_guard lock(known().mutex);
    if (!is_stream(stream)) return refuse_stream("cudaGraphUpload");
    return find_in(known().execs, exec) ? remember(cudaSuccess) : refuse_graph("cudaGraphUpload");
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    const char* call = "cudaGraphLaunch";
    std::unique_lock lock(known().mutex);
    const graph* found = find_in(known().execs, exec);
    if (!found) return refuse_graph(call);
    const graph launched = *found;  // its host functions may change graphs
    lock.unlock();
    return on_stream(call, stream, cudaGraphNodeTypeGraph, [call, launched] {
        const cudaError_t bad = check_freed(call, launched);
        begin_conditions(launched);
        return bad ? bad : run_graph(launched);
    });
}

}  // extern "C"

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t with,
                                cudaGraphExecUpdateResultInfo* result) {
    const char* call = "cudaGraphExecUpdate";
    const std::lock_guard lock(known().mutex);
    graph* now = find_in(known().execs, exec);
    const graph* next = find_graph(with);
    if (!result) return refuse_null(call);
    if (!now || !next) return refuse_graph(call);
    *result = {difference(*now, *next), nullptr, nullptr};
    if (result->result != cudaGraphExecUpdateSuccess)
        return refuse(cudaErrorGraphExecUpdateFailure, "%s: the graph differs in more than parameters", call);
    auto from = next->nodes.begin();
    for (auto& [handle, node] : now->nodes) {
        node.work = from->second.work;
        node.said = (from++)->second.said;
    }
    return remember(cudaSuccess);
}
