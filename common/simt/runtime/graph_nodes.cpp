// Nodes by what they do: how they are made of a call's parameters, asked for them and changed.
#include <algorithm>

#include "simt/engine/error_state.h"
#include "simt/memory/copy.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/graph.h"
#include "simt/runtime/host_order.h"
#include "simt/runtime/known_kernels.h"

namespace simt {
namespace {

/// Elements of which all bytes are the same are filled as by cudaMemset, others copied from a row of them.
cudaError_t fill(const cudaMemsetParams& what) {
    const char* call = "a memset node";
    const size_t bytes = what.width * what.elementSize;
    const size_t pitch = what.height > 1 ? what.pitch : bytes;
    std::vector<char> row(bytes);
    for (size_t i = 0; i < bytes; i++)
        row[i] = char(what.value >> 8 * (i % what.elementSize));
    const bool all_the_same = std::equal(row.begin() + (bytes > 0), row.end(), row.begin());
    if (all_the_same) return fill_rows({call, what.dst, pitch, bytes > 0 ? row[0] : 0, bytes, what.height});
    return copy_rows({call, what.dst, pitch, row.data(), 0, bytes, what.height, cudaMemcpyHostToDevice});
}

// Of each kind of parameters: the node that they make, or what is wrong with them. A kernel's arguments are copied here.

cudaError_t make_node(const char* call, const cudaKernelNodeParams* what, graph_node& made) {
    if (!what || !what->func) return refuse_null(call);
    if (what->extra)
        return refuse(cudaErrorNotSupported, "%s: the CPU backend takes arguments by kernelParams", call);
    const kernel_type* type = find_kernel(what->func);
    if (!type) return refuse_unknown_kernel(call);
    const launch_config config(what->gridDim, what->blockDim, what->sharedMemBytes);
    made.type = cudaGraphNodeTypeKernel;
    made.kernel = what->func;
    made.work = [func = what->func, config, call = type->call,
                 arguments = closure_of(*type, what->kernelParams)] {
        return launch_now(func, nullptr, config, call, arguments);
    };
    return cudaSuccess;
}

cudaError_t make_node(const char* call, const cudaMemcpy3DParms* what, graph_node& made) {
    if (!what) return refuse_null(call);
    made = {cudaGraphNodeTypeMemcpy, {}, [copy = *what] { return copy_3d("a memcpy node", copy); }};
    made.said = *what;
    return cudaSuccess;
}

cudaError_t make_node(const char* call, const cudaMemsetParams* what, graph_node& made) {
    if (!what) return refuse_null(call);
    if (what->elementSize != 1 && what->elementSize != 2 && what->elementSize != 4)
        return refuse(cudaErrorInvalidValue, "%s: elements of %u bytes; 1, 2 and 4 are possible", call,
                      what->elementSize);
    made = {cudaGraphNodeTypeMemset, {}, [filling = *what] { return fill(filling); }};
    made.said = *what;
    return cudaSuccess;
}

cudaError_t make_node(const char* call, const cudaHostNodeParams* what, graph_node& made) {
    if (!what || !what->fn) return refuse_null(call);
    made = {cudaGraphNodeTypeHost, {}, [host = *what] {
                make_way_for_host_function();
                host.fn(host.userData);
                return cudaSuccess;
            }};
    made.said = *what;
    return cudaSuccess;
}

cudaError_t make_node(const char*, const row_copy* what, graph_node& made) {
    made = {cudaGraphNodeTypeMemcpy, {}, [copy = *what] { return copy_as_asked(copy); }};
    cudaMemcpy3DParms said{};
    said.srcPtr = make_cudaPitchedPtr(const_cast<void*>(what->src), what->width, what->width, 1);
    said.dstPtr = make_cudaPitchedPtr(what->dst, what->width, what->width, 1);
    said.extent = make_cudaExtent(what->width, 1, 1);
    said.kind = what->kind;
    made.said = said;
    return cudaSuccess;
}
/// So many bytes in one row.
row_copy copy_of_bytes(void* dst, const void* src, size_t bytes, cudaMemcpyKind kind) {
    return {"a memcpy node", dst, bytes, src, bytes, bytes, 1, kind};
}

template <class parameters>
cudaError_t add_made(const char* call, cudaGraphNode_t* node, cudaGraph_t to, const cudaGraphNode_t* after,
                     size_t count, const parameters* what) {
    graph_node made;
    if (const cudaError_t bad = make_node(call, what, made)) return bad;
    return add(call, node, to, after, count, std::move(made));
}

/// The node does something else of its kind from now on.
template <class parameters>
cudaError_t change(const char* call, graph_node* node, const parameters* what) {
    graph_node made;
    if (!node) return refuse_graph(call);
    if (const cudaError_t bad = make_node(call, what, made)) return bad;
    if (node->type != made.type)
        return refuse(cudaErrorInvalidValue, "%s: the node is of another type", call);
    node->kernel = made.kernel;
    node->work = made.work;
    node->said = made.said;
    return remember(cudaSuccess);
}
template <class parameters>
cudaError_t change_in(const char* call, cudaGraphExec_t exec, cudaGraphNode_t node, const parameters* what) {
    const std::lock_guard lock(graphs_mutex());
    return change(call, find_node(exec, node), what);
}
template <class parameters>
cudaError_t change_in(const char* call, cudaGraphNode_t node, const parameters* what) {
    const std::lock_guard lock(graphs_mutex());
    return change(call, find_node(node), what);
}

template <class parameters>
cudaError_t tell(const char* call, cudaGraphNode_t node, parameters* what) {
    const std::lock_guard lock(graphs_mutex());
    const graph_node* found = find_node(node);
    if (!what) return refuse_null(call);
    if (!found) return refuse_graph(call);
    const auto* said = std::get_if<parameters>(&found->said);
    if (!said)
        return refuse(cudaErrorInvalidValue,
                      "%s: the node is of another type, or was captured: nobody keeps its parameters", call);
    *what = *said;
    return remember(cudaSuccess);
}

}  // namespace
}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t to, const cudaGraphNode_t* after,
                                     size_t count, void* dst, const void* src, size_t bytes,
                                     cudaMemcpyKind kind) {
    const row_copy what = copy_of_bytes(dst, src, bytes, kind);
    return add_made("cudaGraphAddMemcpyNode1D", node, to, after, count, &what);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    const std::lock_guard lock(graphs_mutex());
    const graph_node* found = find_node(node);
    if (!type) return refuse_null("cudaGraphNodeGetType");
    if (!found) return refuse_graph("cudaGraphNodeGetType");
    *type = found->type;
    return remember(cudaSuccess);
}

// Of each kind of node with parameters: it is added, and changed in its graph and in one that is executable.
#define SIMT_NODE(kind, parameters)                                                            \
    cudaError_t cudaGraphAdd##kind##Node(cudaGraphNode_t* node, cudaGraph_t to,                \
                                         const cudaGraphNode_t* after, size_t count,           \
                                         const parameters* what) {                             \
        return add_made("cudaGraphAdd" #kind "Node", node, to, after, count, what);            \
    }                                                                                          \
    cudaError_t cudaGraph##kind##NodeSetParams(cudaGraphNode_t node, const parameters* what) { \
        return change_in("cudaGraph" #kind "NodeSetParams", node, what);                       \
    }                                                                                          \
    cudaError_t cudaGraphExec##kind##NodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, \
                                                   const parameters* what) {                   \
        return change_in("cudaGraphExec" #kind "NodeSetParams", exec, node, what);             \
    }
// And tells them.
#define SIMT_TOLD_NODE(kind, parameters)                                                 \
    SIMT_NODE(kind, parameters)                                                          \
    cudaError_t cudaGraph##kind##NodeGetParams(cudaGraphNode_t node, parameters* what) { \
        return tell("cudaGraph" #kind "NodeGetParams", node, what);                      \
    }
SIMT_NODE(Kernel, cudaKernelNodeParams)
SIMT_TOLD_NODE(Memcpy, cudaMemcpy3DParms)
SIMT_TOLD_NODE(Memset, cudaMemsetParams)
SIMT_TOLD_NODE(Host, cudaHostNodeParams)
#undef SIMT_TOLD_NODE
#undef SIMT_NODE

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* dst, const void* src, size_t bytes,
                                           cudaMemcpyKind kind) {
    const row_copy what = copy_of_bytes(dst, src, bytes, kind);
    return change_in("cudaGraphMemcpyNodeSetParams1D", node, &what);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* dst,
                                               const void* src, size_t bytes, cudaMemcpyKind kind) {
    const row_copy what = copy_of_bytes(dst, src, bytes, kind);
    return change_in("cudaGraphExecMemcpyNodeSetParams1D", exec, node, &what);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int enabled) {
    const char* call = "cudaGraphNodeSetEnabled";
    const std::lock_guard lock(graphs_mutex());
    graph_node* found = find_node(exec, node);
    if (!found) return refuse_graph(call);
    if (found->type > cudaGraphNodeTypeMemset)
        return refuse(cudaErrorInvalidValue, "%s: the node is no kernel, copy or fill", call);
    found->is_enabled = enabled != 0;
    return remember(cudaSuccess);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int* enabled) {
    const std::lock_guard lock(graphs_mutex());
    const graph_node* found = find_node(exec, node);
    if (!enabled) return refuse_null("cudaGraphNodeGetEnabled");
    if (!found) return refuse_graph("cudaGraphNodeGetEnabled");
    *enabled = found->is_enabled;
    return remember(cudaSuccess);
}

}  // extern "C"
