// Conditional nodes of graphs: a value that a kernel sets decides which graph is done, or how often.
#include <map>
#include <mutex>

#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/engine/runner.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/graph.h"

namespace simt {
namespace {

struct condition_list {
    std::mutex mutex;
    cudaGraphConditionalHandle last_handle = 0;
    std::map<cudaGraphConditionalHandle, std::weak_ptr<condition>> all;
};

condition_list& conditions() {
    static auto* list = new condition_list;  // never destroyed, see allocations.cpp
    return *list;
}

cudaError_t run(const conditional& branch) {
    const auto value = [&] { return size_t(branch.on->value); };
    const auto run_body = [&](size_t k) {
        return k < branch.bodies.size() ? run_graph(branch.bodies[k]) : remember(cudaSuccess);
    };
    if (branch.type == cudaGraphCondTypeSwitch) return run_body(value());
    if (branch.type == cudaGraphCondTypeIf) return run_body(value() != 0 ? 0 : 1);
    while (value() != 0)
        if (const cudaError_t failed = run_body(0)) return failed;
    return remember(cudaSuccess);
}

/// How many graphs such a node may have.
bool is_size(const cudaConditionalNodeParams& what) {
    switch (what.type) {
        case cudaGraphCondTypeIf:
            return what.size == 1 || what.size == 2;
        case cudaGraphCondTypeWhile:
            return what.size == 1;
        case cudaGraphCondTypeSwitch:
            return what.size >= 1;
    }
    return false;
}

cudaError_t add_conditional(cudaGraphNode_t* node, cudaGraph_t to, const cudaGraphNode_t* after, size_t count,
                            cudaConditionalNodeParams& what) {
    const char* call = "cudaGraphAddNode";
    const std::shared_ptr<condition> on = find_condition(what.handle);
    if (!on) return refuse(cudaErrorInvalidValue, "%s: there is no such conditional handle", call);
    if (!is_size(what))
        return refuse(cudaErrorInvalidValue,
                      "%s: %u graphs: a node of type if has 1 or 2, while 1, switch any number", call,
                      what.size);
    auto branch = std::make_shared<conditional>(conditional{on, what.type, {}});
    for (unsigned k = 0; k < what.size; k++)
        branch->handles.push_back(keep_graph({}));
    const cudaError_t failed = add(call, node, to, after, count,
                                   {cudaGraphNodeTypeConditional, {}, nullptr, nullptr, nullptr, branch});
    if (failed) {
        for (const cudaGraph_t body : branch->handles)
            drop_graph(body);
        return failed;
    }
    what.phGraph_out = branch->handles.data();
    return failed;
}

}  // namespace

std::shared_ptr<condition> make_condition(cudaGraphConditionalHandle* handle, unsigned first,
                                          bool begins_with_first) {
    auto made = std::make_shared<condition>();
    made->value = made->first = first;
    made->begins_with_first = begins_with_first;
    const std::lock_guard lock(conditions().mutex);
    *handle = ++conditions().last_handle;
    conditions().all[*handle] = made;
    return made;
}

std::shared_ptr<condition> find_condition(cudaGraphConditionalHandle handle) {
    const std::lock_guard lock(conditions().mutex);
    const auto found = conditions().all.find(handle);
    return found == conditions().all.end() ? nullptr : found->second.lock();
}

void begin_conditions(const graph& launched) {
    for (const std::shared_ptr<condition>& one : launched.conditions)
        if (one->begins_with_first) one->value = one->first;
    for (const auto& [handle, node] : launched.nodes)
        if (node.branch)
            for (const graph& body : node.branch->bodies)
                begin_conditions(body);
}

graph with_bodies(const graph& of) {
    graph made = of;
    for (auto& [handle, node] : made.nodes) {
        if (!node.branch) continue;
        auto branch = std::make_shared<conditional>(*node.branch);
        for (const cudaGraph_t body : branch->handles)
            if (const graph* found = find_graph(body)) branch->bodies.push_back(with_bodies(*found));
        node.branch = branch;
        node.work = [branch] { return run(*branch); };
    }
    return made;
}

}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t which,
                                             unsigned int first, unsigned int flags) {
    const char* call = "cudaGraphConditionalHandleCreate";
    if (!handle || (flags & ~cudaGraphCondAssignDefault) != 0)
        return refuse(cudaErrorInvalidValue, "%s: a null pointer, or unknown flags", call);
    if (device_is_far())
        return refuse(cudaErrorNotSupported, "%s: kernels of the first device alone can set such a value",
                      call);
    const std::lock_guard lock(graphs_mutex());
    graph* found = find_graph(which);
    if (!found) return refuse_graph(call);
    found->conditions.push_back(make_condition(handle, first, flags & cudaGraphCondAssignDefault));
    return remember(cudaSuccess);
}

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
    const std::shared_ptr<condition> found = find_condition(handle);
    if (!found)
        refuse_kernel("cudaGraphSetConditional: there is no such conditional handle",
                      address_of(__builtin_return_address(0)));
    found->value = value;
}

cudaError_t simt_add_node(cudaGraphNode_t* node, cudaGraph_t to, const cudaGraphNode_t* after, size_t count,
                          cudaGraphNodeParams* what) {
    const char* call = "cudaGraphAddNode";
    if (!what) return refuse(cudaErrorInvalidValue, "%s: a null pointer", call);
    switch (what->type) {
        case cudaGraphNodeTypeKernel:
            return cudaGraphAddKernelNode(node, to, after, count, &what->kernel);
        case cudaGraphNodeTypeMemcpy:
            return cudaGraphAddMemcpyNode(node, to, after, count, &what->memcpy.copyParams);
        case cudaGraphNodeTypeMemset:
            return cudaGraphAddMemsetNode(node, to, after, count, &what->memset);
        case cudaGraphNodeTypeHost:
            return cudaGraphAddHostNode(node, to, after, count, &what->host);
        case cudaGraphNodeTypeGraph:
            return cudaGraphAddChildGraphNode(node, to, after, count, what->graph.graph);
        case cudaGraphNodeTypeEmpty:
            return cudaGraphAddEmptyNode(node, to, after, count);
        case cudaGraphNodeTypeMemAlloc:
            return cudaGraphAddMemAllocNode(node, to, after, count, &what->alloc);
        case cudaGraphNodeTypeMemFree:
            return cudaGraphAddMemFreeNode(node, to, after, count, what->free.dptr);
        case cudaGraphNodeTypeConditional:
            return add_conditional(node, to, after, count, what->conditional);
    }
    return refuse(cudaErrorInvalidValue, "%s: there are no nodes of type %d", call, int(what->type));
}

}  // extern "C"
