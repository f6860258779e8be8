// Graphs: captured from streams, made node by node, changed, launched; and what cannot be captured.
#include <fstream>

#include "api_test.h"

constexpr int N = 64;

__device__ int g_value;

__global__ void add(int* out, int value) {
    out[threadIdx.x] += value;
}
__global__ void add_variable(int* out) {
    out[threadIdx.x] += g_value;
}
__global__ void scale(int* out, int value) {
    out[threadIdx.x] *= value;
}

/// Device memory of zeros, a stream, and the first element.
struct bench {
    int* d_out = nullptr;
    cudaStream_t stream = nullptr;
    bench() {
        EXPECT_OK(cudaMalloc(&d_out, N * sizeof(int)));
        EXPECT_OK(cudaMemset(d_out, 0, N * sizeof(int)));
        EXPECT_OK(cudaStreamCreate(&stream));
    }
    ~bench() {
        EXPECT_OK(cudaStreamDestroy(stream));
        EXPECT_OK(cudaFree(d_out));
    }
    int first() const {
        int value = -1;
        EXPECT_OK(cudaMemcpy(&value, d_out, sizeof value, cudaMemcpyDeviceToHost));
        return value;
    }
};

void launch_once(cudaGraph_t graph, cudaStream_t stream) {
    cudaGraphExec_t exec = nullptr;
    EXPECT_OK(cudaGraphInstantiate(&exec, graph));
    EXPECT_OK(cudaGraphLaunch(exec, stream));
    EXPECT_OK(cudaStreamSynchronize(stream));
    EXPECT_OK(cudaGraphExecDestroy(exec));
}

void a_captured_stream_does_nothing_yet() {
    bench at;
    int seen = -1, value = 3;
    cudaGraph_t graph = nullptr;
    EXPECT_OK(cudaStreamBeginCapture(at.stream, cudaStreamCaptureModeGlobal));
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    EXPECT_OK(cudaStreamIsCapturing(at.stream, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    add<<<1, N, 0, at.stream>>>(at.d_out, value);
    value = 100;  // the kernel's arguments are taken when it is captured ...
    EXPECT_OK(cudaMemcpyAsync(&seen, at.d_out, sizeof seen, cudaMemcpyDeviceToHost, at.stream));
    EXPECT_OK(cudaLaunchHostFunc(
        at.stream, [](void* data) { *static_cast<int*>(data) += 1000; }, &seen));
    EXPECT_OK(cudaStreamEndCapture(at.stream, &graph));
    EXPECT(seen == -1 && at.first() == 0);
    size_t count = 0;
    EXPECT_OK(cudaGraphGetNodes(graph, nullptr, &count));
    EXPECT(count == 3);
    cudaGraphNode_t nodes[4] = {};
    count = 4;
    EXPECT_OK(cudaGraphGetNodes(graph, nodes, &count));
    EXPECT(count == 3 && nodes[2] != nullptr && nodes[3] == nullptr);
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    EXPECT_OK(cudaGraphNodeGetType(nodes[1], &type));
    EXPECT(type == cudaGraphNodeTypeMemcpy);
    launch_once(graph, at.stream);
    EXPECT(seen == 1003);
    launch_once(graph, at.stream);
    EXPECT(seen == 1006 && at.first() == 6);
    EXPECT_OK(cudaGraphDestroy(graph));
}

/// Two streams by events; the order of the nodes is that of their dependencies.
void streams_join_a_capture() {
    bench at;
    cudaStream_t other = nullptr;
    cudaEvent_t fork = nullptr, join = nullptr;
    EXPECT_OK(cudaStreamCreate(&other));
    EXPECT_OK(cudaEventCreate(&fork));
    EXPECT_OK(cudaEventCreate(&join));
    cudaGraph_t graph = nullptr;
    EXPECT_OK(cudaStreamBeginCapture(at.stream, cudaStreamCaptureModeGlobal));
    add<<<1, N, 0, at.stream>>>(at.d_out, 2);
    EXPECT_OK(cudaEventRecord(fork, at.stream));
    EXPECT_OK(cudaStreamWaitEvent(other, fork));
    scale<<<1, N, 0, other>>>(at.d_out, 10);
    EXPECT_REFUSED(cudaErrorCapturedEvent, cudaEventQuery(fork));
    EXPECT_REFUSED(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(other, &graph));
    EXPECT_OK(cudaEventRecord(join, other));
    EXPECT_OK(cudaStreamWaitEvent(at.stream, join));
    add<<<1, N, 0, at.stream>>>(at.d_out, 1);
    EXPECT_OK(cudaStreamEndCapture(at.stream, &graph));
    size_t roots = 0;
    EXPECT_OK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    EXPECT(roots == 1);
    launch_once(graph, at.stream);
    EXPECT(at.first() == 21);
    EXPECT_OK(cudaGraphDestroy(graph));
    // Without the way back.
    EXPECT_OK(cudaStreamBeginCapture(at.stream, cudaStreamCaptureModeGlobal));
    EXPECT_OK(cudaEventRecord(fork, at.stream));
    EXPECT_OK(cudaStreamWaitEvent(other, fork));
    add<<<1, N, 0, other>>>(at.d_out, 1);
    EXPECT_REFUSED(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(at.stream, &graph));
    EXPECT(graph == nullptr && at.first() == 21);
    EXPECT_OK(cudaStreamDestroy(other));
}

void copies_to_variables() {
    bench at;
    int *locked = nullptr, back = 0;
    cudaGraph_t graph = nullptr;
    EXPECT_OK(cudaMallocHost(&locked, sizeof(int)));
    *locked = 5;
    EXPECT_OK(cudaStreamBeginCapture(at.stream, cudaStreamCaptureModeGlobal));
    EXPECT_OK(cudaMemcpyToSymbolAsync(g_value, locked, sizeof(int), 0, cudaMemcpyHostToDevice, at.stream));
    add_variable<<<1, N, 0, at.stream>>>(at.d_out);
    EXPECT_OK(cudaMemcpyFromSymbolAsync(&back, g_value, sizeof back, 0, cudaMemcpyDeviceToHost, at.stream));
    EXPECT_OK(cudaStreamEndCapture(at.stream, &graph));
    *locked = 7;  // read when the graph runs
    EXPECT(at.first() == 0);
    launch_once(graph, at.stream);
    EXPECT(at.first() == 7 && back == 7);
    EXPECT_OK(cudaGraphDestroy(graph));
    EXPECT_OK(cudaFreeHost(locked));
}

void what_cannot_be_captured() {
    bench at;
    int value = 0;
    cudaGraph_t graph = nullptr;
    EXPECT_REFUSED(cudaErrorStreamCaptureUnsupported,
                   cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
    EXPECT_REFUSED(cudaErrorIllegalState, cudaStreamEndCapture(at.stream, &graph));
    const auto spoilt_by = [&](cudaError_t error, const auto& call) {
        EXPECT_OK(cudaStreamBeginCapture(at.stream, cudaStreamCaptureModeGlobal));
        EXPECT_REFUSED(error, call());
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        EXPECT_OK(cudaStreamIsCapturing(at.stream, &status));
        EXPECT(status == cudaStreamCaptureStatusInvalidated);
        EXPECT_REFUSED(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(at.d_out, 0, 4, at.stream));
        EXPECT_REFUSED(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(at.stream, &graph));
    };
    spoilt_by(cudaErrorStreamCaptureUnsupported, [&] { return cudaStreamSynchronize(at.stream); });
    spoilt_by(cudaErrorStreamCaptureUnsupported, [] { return cudaDeviceSynchronize(); });
    spoilt_by(cudaErrorStreamCaptureImplicit,
              [&] { return cudaMemcpy(&value, at.d_out, sizeof value, cudaMemcpyDeviceToHost); });
    spoilt_by(cudaErrorStreamCaptureImplicit, [&] {
        add<<<1, N>>>(at.d_out, 1);
        return cudaPeekAtLastError();
    });
    spoilt_by(cudaErrorStreamCaptureUnsupported, [&] { return cudaMalloc(&at.d_out, 4); });
    EXPECT(at.first() == 0);
}

cudaKernelNodeParams call_of(void* kernel, void** arguments) {
    cudaKernelNodeParams call = {};
    call.func = kernel;
    call.gridDim = dim3(1);
    call.blockDim = dim3(N);
    call.kernelParams = arguments;
    return call;
}

void node_by_node() {
    bench at;
    int two = 2, ten = 10, seen = -1;
    void* of_two[] = {&at.d_out, &two};
    void* of_ten[] = {&at.d_out, &ten};
    cudaGraph_t graph = nullptr, inner = nullptr;
    cudaGraphNode_t fill, adds, scales, copies, child, empty, inside;
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    EXPECT_OK(cudaGraphCreate(&inner, 0));
    cudaMemsetParams ones = {at.d_out, 0, 0x00010002, 4, N, 1};
    EXPECT_OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &ones));
    // In another order than they are added: what counts are the dependencies.
    const cudaKernelNodeParams scale_it = call_of((void*)scale, of_ten);
    const cudaKernelNodeParams add_it = call_of(reinterpret_cast<void*>(&add), of_two);
    EXPECT_OK(cudaGraphAddKernelNode(&scales, graph, &fill, 1, &scale_it));
    EXPECT_OK(cudaGraphAddKernelNode(&adds, graph, &fill, 1, &add_it));
    EXPECT_OK(cudaGraphAddDependencies(graph, &adds, &scales, 1));
    EXPECT_OK(cudaGraphAddKernelNode(&inside, inner, nullptr, 0, &add_it));
    EXPECT_OK(cudaGraphAddChildGraphNode(&child, graph, &scales, 1, inner));
    EXPECT_OK(cudaGraphAddEmptyNode(&empty, graph, &child, 1));
    EXPECT_OK(
        cudaGraphAddMemcpyNode1D(&copies, graph, &empty, 1, &seen, at.d_out, 4, cudaMemcpyDeviceToHost));
    two = 100;  // arguments are copied when a node is added
    cudaGraphExec_t exec = nullptr;
    EXPECT_OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    EXPECT_OK(cudaGraphLaunch(exec, at.stream));
    EXPECT(seen == 0x10004 * 10 + 2);
    // An executable graph is a copy: it changes by calls of its own.
    EXPECT_OK(cudaGraphKernelNodeSetParams(adds, &scale_it));
    EXPECT_OK(cudaGraphLaunch(exec, at.stream));
    EXPECT(seen == 0x10004 * 10 + 2);
    two = 3;
    EXPECT_OK(cudaGraphExecKernelNodeSetParams(exec, adds, &add_it));
    EXPECT_OK(cudaGraphLaunch(exec, at.stream));
    EXPECT(seen == 0x10005 * 10 + 2);
    EXPECT_OK(cudaGraphDestroy(graph));
    EXPECT_OK(cudaGraphLaunch(exec, at.stream));
    EXPECT_OK(cudaGraphExecDestroy(exec));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphLaunch(exec, at.stream));
    EXPECT_OK(cudaGraphDestroy(inner));
}

cudaGraph_t captured_sum(bench& at, int value, bool twice) {
    cudaGraph_t graph = nullptr;
    EXPECT_OK(cudaStreamBeginCapture(at.stream, cudaStreamCaptureModeGlobal));
    add<<<1, N, 0, at.stream>>>(at.d_out, value);
    if (twice) add<<<1, N, 0, at.stream>>>(at.d_out, value);
    EXPECT_OK(cudaStreamEndCapture(at.stream, &graph));
    return graph;
}

void updates_and_clones() {
    bench at;
    const cudaGraph_t one = captured_sum(at, 1, false), five = captured_sum(at, 5, false),
                      two = captured_sum(at, 1, true);
    cudaGraphExec_t exec = nullptr;
    EXPECT_OK(cudaGraphInstantiate(&exec, one));
    cudaGraphExecUpdateResultInfo info = {};
    EXPECT_OK(cudaGraphExecUpdate(exec, five, &info));
    EXPECT_OK(cudaGraphLaunch(exec, at.stream));
    EXPECT(info.result == cudaGraphExecUpdateSuccess && at.first() == 5);
    cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
    EXPECT_REFUSED(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, two, nullptr, &result));
    EXPECT(result == cudaGraphExecUpdateErrorTopologyChanged);
    cudaGraph_t clone = nullptr;
    EXPECT_OK(cudaGraphClone(&clone, two));
    EXPECT_OK(cudaGraphDestroy(two));
    launch_once(clone, at.stream);
    EXPECT(at.first() == 7);
    // A launch in a captured stream is a node.
    cudaGraph_t outer = nullptr;
    EXPECT_OK(cudaStreamBeginCapture(at.stream, cudaStreamCaptureModeGlobal));
    EXPECT_OK(cudaGraphLaunch(exec, at.stream));
    EXPECT_OK(cudaStreamEndCapture(at.stream, &outer));
    EXPECT(at.first() == 7);
    launch_once(outer, at.stream);
    EXPECT(at.first() == 12);
}

void refused() {
    bench at;
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t a, b;
    cudaGraphExec_t exec = nullptr;
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    EXPECT_OK(cudaGraphAddEmptyNode(&a, graph, nullptr, 0));
    EXPECT_OK(cudaGraphAddEmptyNode(&b, graph, &a, 1));
    EXPECT_OK(cudaGraphAddDependencies(graph, &b, &a, 1));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphInstantiate(&exec, graph));
    int unknown = 0;
    const cudaKernelNodeParams call = call_of(&unknown, nullptr);
    EXPECT_REFUSED(cudaErrorInvalidDeviceFunction, cudaGraphAddKernelNode(&a, graph, nullptr, 0, &call));
    const cudaMemsetParams odd = {at.d_out, 0, 0, 3, 1, 1};
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&a, graph, nullptr, 0, &odd));
    EXPECT_OK(cudaGraphDestroy(graph));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphDestroy(graph));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&a, graph, nullptr, 0));
}

/// What a kernel's node does wrong is the launch's error, at its place.
void errors_of_nodes() {
    bench at;
    cudaGraph_t graph = nullptr;
    EXPECT_OK(cudaStreamBeginCapture(at.stream, cudaStreamCaptureModeGlobal));
    add<<<1, 2 * 1024, 0, at.stream>>>(at.d_out, 1);
    EXPECT_OK(cudaStreamEndCapture(at.stream, &graph));
    cudaGraphExec_t exec = nullptr;
    EXPECT_OK(cudaGraphInstantiate(&exec, graph));
    const std::string text =
        stderr_of([&] { EXPECT(cudaGraphLaunch(exec, at.stream) == cudaErrorInvalidConfiguration); });
    EXPECT(text.find("2048") != std::string::npos);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
}

cudaMemAllocNodeParams memory_for(size_t bytes) {
    cudaMemAllocNodeParams asked = {};
    asked.poolProps.allocType = cudaMemAllocationTypePinned;
    asked.poolProps.location = {cudaMemLocationTypeDevice, 0};
    asked.bytesize = bytes;
    return asked;
}
uint64_t graph_bytes(cudaGraphMemAttributeType which) {
    uint64_t bytes = 77;
    EXPECT_OK(cudaDeviceGetGraphMemAttribute(0, which, &bytes));
    return bytes;
}

/// A graph that allocates `d_new`, adds 5 to what is there, which is -1 in new memory, and copies it to `to`.
cudaGraph_t allocating_graph(int*& d_new, cudaGraphNode_t& last, int* to) {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t taken, added;
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    cudaMemAllocNodeParams asked = memory_for(N * sizeof(int));
    EXPECT_OK(cudaGraphAddMemAllocNode(&taken, graph, nullptr, 0, &asked));
    d_new = static_cast<int*>(asked.dptr);
    int five = 5;
    void* arguments[] = {&d_new, &five};
    const cudaKernelNodeParams call = call_of(reinterpret_cast<void*>(add), arguments);
    EXPECT_OK(cudaGraphAddKernelNode(&added, graph, &taken, 1, &call));
    EXPECT_OK(
        cudaGraphAddMemcpyNode1D(&last, graph, &added, 1, to, d_new, sizeof(int), cudaMemcpyDeviceToHost));
    return graph;
}

void memory_of_a_graph_is_new_in_every_launch() {
    bench at;
    int* d_new = nullptr;
    int seen = 0;
    cudaGraphNode_t copied, freed;
    const cudaGraph_t graph = allocating_graph(d_new, copied, &seen);
    EXPECT_OK(cudaGraphAddMemFreeNode(&freed, graph, &copied, 1, d_new));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemset(d_new, 0, 4));  // before a launch it is no memory
    cudaGraphExec_t exec = nullptr, second = nullptr;
    EXPECT_OK(cudaGraphInstantiate(&exec, graph));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphInstantiate(&second, graph));
    cudaGraph_t clone = nullptr, parent = nullptr;
    EXPECT_REFUSED(cudaErrorNotSupported, cudaGraphClone(&clone, graph));
    EXPECT_OK(cudaGraphCreate(&parent, 0));
    EXPECT_REFUSED(cudaErrorNotSupported, cudaGraphAddChildGraphNode(&freed, parent, nullptr, 0, graph));
    cudaGraphExecUpdateResultInfo difference;
    EXPECT_REFUSED(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, graph, &difference));
    EXPECT(difference.result == cudaGraphExecUpdateErrorNotSupported);
    EXPECT_OK(cudaGraphDestroy(graph));
    for (int launch = 0; launch < 3; launch++) {
        seen = 0;
        EXPECT_OK(cudaGraphLaunch(exec, at.stream));
        EXPECT(seen == 4);
        EXPECT(graph_bytes(cudaGraphMemAttrUsedMemCurrent) == 0);
        EXPECT(graph_bytes(cudaGraphMemAttrUsedMemHigh) == N * sizeof(int));
    }
    uint64_t none = 0;
    EXPECT_OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &none));
    EXPECT(graph_bytes(cudaGraphMemAttrReservedMemHigh) == 0);
    EXPECT_OK(cudaDeviceGraphMemTrim(0));
    EXPECT_OK(cudaGraphExecDestroy(exec));
    EXPECT_OK(cudaGraphInstantiate(&exec, parent));
}

void memory_of_a_graph_outlives_the_launch() {
    bench at;
    int* d_new = nullptr;
    int seen = 0;
    cudaGraphNode_t copied, freed;
    const cudaGraph_t graph = allocating_graph(d_new, copied, &seen);
    cudaGraph_t freeing = nullptr;
    EXPECT_OK(cudaGraphCreate(&freeing, 0));
    EXPECT_OK(cudaGraphAddMemFreeNode(&freed, freeing, nullptr, 0, d_new));
    cudaGraphExec_t exec = nullptr, exec_freeing = nullptr;
    EXPECT_OK(cudaGraphInstantiate(&exec, graph));
    EXPECT_OK(cudaGraphInstantiate(&exec_freeing, freeing));
    const auto launch_and_use = [&] {
        EXPECT_OK(cudaGraphLaunch(exec, at.stream));
        add<<<1, N, 0, at.stream>>>(d_new, 6);
        EXPECT_OK(cudaMemcpy(&seen, d_new, sizeof seen, cudaMemcpyDeviceToHost));
        EXPECT(seen == 10);
        EXPECT(graph_bytes(cudaGraphMemAttrUsedMemCurrent) == N * sizeof(int));
    };
    launch_and_use();
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphLaunch(exec, at.stream));  // not freed
    EXPECT_OK(cudaFree(d_new));
    EXPECT(graph_bytes(cudaGraphMemAttrUsedMemCurrent) == 0);
    launch_and_use();
    EXPECT_OK(cudaFreeAsync(d_new, at.stream));
    launch_and_use();
    EXPECT_OK(cudaGraphLaunch(exec_freeing, at.stream));
    EXPECT(graph_bytes(cudaGraphMemAttrUsedMemCurrent) == 0);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphLaunch(exec_freeing, at.stream));  // freed before
    launch_and_use();
    EXPECT_OK(cudaGraphExecDestroy(exec));
    EXPECT_OK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    launch_and_use();
    launch_and_use();
    for (const cudaGraphExec_t one : {exec, exec_freeing})
        EXPECT_OK(cudaGraphExecDestroy(one));
    for (const cudaGraph_t one : {graph, freeing})
        EXPECT_OK(cudaGraphDestroy(one));
    EXPECT_OK(cudaMemcpy(&seen, d_new, sizeof seen, cudaMemcpyDeviceToHost));  // still
    EXPECT_OK(cudaFree(d_new));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFree(d_new));
}

void memory_that_is_captured() {
    bench at;
    int *d_new = nullptr, seen = 0;
    cudaGraph_t graph = nullptr;
    EXPECT_OK(cudaStreamBeginCapture(at.stream, cudaStreamCaptureModeGlobal));
    EXPECT_OK(cudaMallocAsync(&d_new, N * sizeof(int), at.stream));
    add<<<1, N, 0, at.stream>>>(d_new, 3);
    EXPECT_OK(cudaMemcpyAsync(&seen, d_new, sizeof seen, cudaMemcpyDeviceToHost, at.stream));
    EXPECT_OK(cudaFreeAsync(d_new, at.stream));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFreeAsync(at.d_out, at.stream));
    EXPECT_OK(cudaStreamEndCapture(at.stream, &graph));
    size_t count = 4;
    cudaGraphNode_t nodes[4];
    EXPECT_OK(cudaGraphGetNodes(graph, nodes, &count));
    EXPECT(count == 4);
    cudaGraphNodeType first, last;
    EXPECT_OK(cudaGraphNodeGetType(nodes[0], &first));
    EXPECT_OK(cudaGraphNodeGetType(nodes[3], &last));
    EXPECT(first == cudaGraphNodeTypeMemAlloc);
    EXPECT(last == cudaGraphNodeTypeMemFree);
    launch_once(graph, at.stream);
    EXPECT(seen == 2);
    EXPECT_OK(cudaGraphDestroy(graph));
}

void memory_that_no_graph_has() {
    bench at;
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node;
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, at.d_out));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, nullptr));
    cudaMemAllocNodeParams asked = memory_for(0);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &asked));
    asked = memory_for(size_t{1} << 60);
    EXPECT_REFUSED(cudaErrorMemoryAllocation, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &asked));
    asked = memory_for(4);
    asked.poolProps.location.id = 1;
    EXPECT_REFUSED(cudaErrorNotSupported, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &asked));
    asked.poolProps.location.type = cudaMemLocationTypeHost;
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &asked));
    uint64_t bytes = 1;
    EXPECT_REFUSED(cudaErrorInvalidDevice,
                   cudaDeviceGetGraphMemAttribute(9, cudaGraphMemAttrUsedMemCurrent, &bytes));
    EXPECT_REFUSED(cudaErrorInvalidValue,
                   cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &bytes));
}

void nodes_tell_and_change_what_they_do() {
    bench at;
    int seen[2] = {}, calls = 0, four = 4;
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t filled, added, copied, told;
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams fill = {at.d_out, 0, 1, 4, N, 1};
    EXPECT_OK(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill));
    void* arguments[] = {&at.d_out, &four};
    const cudaKernelNodeParams call = call_of(reinterpret_cast<void*>(add), arguments);
    EXPECT_OK(cudaGraphAddKernelNode(&added, graph, &filled, 1, &call));
    EXPECT_OK(
        cudaGraphAddMemcpyNode1D(&copied, graph, &added, 1, &seen[0], at.d_out, 4, cudaMemcpyDeviceToHost));
    cudaHostNodeParams host = {[](void* data) { ++*static_cast<int*>(data); }, &calls};
    EXPECT_OK(cudaGraphAddHostNode(&told, graph, &copied, 1, &host));
    cudaGraphExec_t exec = nullptr;
    EXPECT_OK(cudaGraphInstantiate(&exec, graph));
    const auto launched = [&] {
        EXPECT_OK(cudaGraphLaunch(exec, at.stream));
        EXPECT_OK(cudaStreamSynchronize(at.stream));
        return seen[0] + 100 * seen[1] + 10000 * calls;
    };
    EXPECT(launched() == 10005);

    cudaMemsetParams fill_told{};
    cudaMemcpy3DParms copy_told{};
    cudaHostNodeParams host_told{};
    EXPECT_OK(cudaGraphMemsetNodeGetParams(filled, &fill_told));
    EXPECT_OK(cudaGraphMemcpyNodeGetParams(copied, &copy_told));
    EXPECT_OK(cudaGraphHostNodeGetParams(told, &host_told));
    EXPECT(fill_told.dst == at.d_out && fill_told.value == 1 && fill_told.width == N);
    EXPECT(copy_told.dstPtr.ptr == &seen[0] && copy_told.extent.width == 4);
    EXPECT(host_told.fn == host.fn && host_told.userData == &calls);

    // What is executable changes alone; its graph does for those that are made of it later.
    fill_told.value = 2;
    EXPECT_OK(cudaGraphExecMemsetNodeSetParams(exec, filled, &fill_told));
    EXPECT(launched() == 20006);
    EXPECT_OK(cudaGraphMemsetNodeGetParams(filled, &fill_told));
    EXPECT(fill_told.value == 1);
    copy_told.dstPtr.ptr = &seen[1];
    EXPECT_OK(cudaGraphExecMemcpyNodeSetParams(exec, copied, &copy_told));
    EXPECT(launched() == 30606);
    EXPECT_OK(
        cudaGraphExecMemcpyNodeSetParams1D(exec, copied, &seen[0], at.d_out + 1, 4, cudaMemcpyDeviceToHost));
    EXPECT_OK(cudaGraphNodeSetEnabled(exec, added, 0));
    unsigned int enabled = 1;
    EXPECT_OK(cudaGraphNodeGetEnabled(exec, added, &enabled));
    EXPECT(enabled == 0 && launched() == 40602);
    EXPECT_OK(cudaGraphNodeSetEnabled(exec, added, 1));
    host_told.userData = &seen[1];
    EXPECT_OK(cudaGraphExecHostNodeSetParams(exec, told, &host_told));
    EXPECT(launched() == 40706);
    EXPECT_OK(cudaGraphExecDestroy(exec));
    EXPECT_OK(cudaGraphHostNodeSetParams(told, &host_told));
    EXPECT_OK(cudaGraphMemsetNodeSetParams(filled, &fill));
    EXPECT_OK(cudaGraphMemcpyNodeSetParams(copied, &copy_told));
    EXPECT_OK(cudaGraphMemcpyNodeSetParams1D(copied, &seen[0], at.d_out, 4, cudaMemcpyDeviceToHost));
    EXPECT_OK(cudaGraphInstantiate(&exec, graph));
    EXPECT(launched() == 40805);

    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphMemsetNodeGetParams(copied, &fill_told));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphMemsetNodeSetParams(copied, &fill));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphHostNodeGetParams(told, nullptr));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphNodeSetEnabled(exec, told, 0));
    fill.elementSize = 3;
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphExecMemsetNodeSetParams(exec, filled, &fill));
    EXPECT_OK(cudaGraphExecDestroy(exec));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphExecHostNodeSetParams(exec, told, &host_told));
    EXPECT_OK(cudaGraphDestroy(graph));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphHostNodeSetParams(told, &host_told));
}

void arrows_are_told_and_taken_away() {
    cudaGraph_t graph = nullptr, clone = nullptr;
    cudaGraphNode_t nodes[3], found[4] = {};
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    EXPECT_OK(cudaGraphAddEmptyNode(&nodes[0], graph, nullptr, 0));
    EXPECT_OK(cudaGraphAddEmptyNode(&nodes[1], graph, nodes, 1));
    EXPECT_OK(cudaGraphAddEmptyNode(&nodes[2], graph, nodes, 2));
    const auto edges_of = [](cudaGraph_t which) {
        size_t count = 0;
        EXPECT_OK(cudaGraphGetEdges(which, nullptr, nullptr, &count));
        return count;
    };
    size_t count = 4;
    EXPECT(edges_of(graph) == 3);
    EXPECT_OK(cudaGraphNodeGetDependencies(nodes[2], found, &count));
    EXPECT(count == 2 && found[0] == nodes[0] && found[1] == nodes[1]);
    EXPECT(found[2] == nullptr);
    count = 0;
    EXPECT_OK(cudaGraphNodeGetDependentNodes(nodes[0], nullptr, &count));
    EXPECT(count == 2);
    cudaGraphNode_t from[3], to[3];
    cudaGraphEdgeData data[3];
    count = 3;
    EXPECT_OK(cudaGraphGetEdges(graph, from, to, data, &count));
    EXPECT(count == 3 && from[0] == nodes[0] && to[0] == nodes[1] && from[2] == nodes[1] &&
           to[2] == nodes[2]);

    EXPECT_OK(cudaGraphClone(&clone, graph));
    EXPECT_OK(cudaGraphNodeFindInClone(&found[0], nodes[1], clone));
    EXPECT(found[0] != nodes[1]);
    EXPECT_OK(cudaGraphNodeGetDependentNodes(found[0], &found[1], data, &(count = 1)));
    EXPECT_OK(cudaGraphNodeFindInClone(&found[2], nodes[2], clone));
    EXPECT(count == 1 && found[1] == found[2]);

    EXPECT_OK(cudaGraphRemoveDependencies(graph, nodes, nodes + 2, 1));
    EXPECT(edges_of(graph) == 2 && edges_of(clone) == 3);
    const char* path = "/tmp/arrows_of_a_graph.dot";
    EXPECT_OK(cudaGraphDebugDotPrint(graph, path, 0));
    std::ifstream written(path);
    const std::string text{std::istreambuf_iterator<char>(written), {}};
    EXPECT(text.find("n1 [label=\"1: empty\"];") != std::string::npos);
    EXPECT(text.find("  n1 -> n2;\n}") != std::string::npos && text.find("n0 -> n2") == std::string::npos);
    EXPECT(remove(path) == 0);
    EXPECT_REFUSED(cudaErrorOperatingSystem, cudaGraphDebugDotPrint(graph, "/no/such/folder/a.dot", 0));
    EXPECT_OK(cudaGraphDestroyNode(nodes[1]));
    EXPECT(edges_of(graph) == 0);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphDestroyNode(nodes[1]));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, nodes, nodes + 1, 1));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&found[0], nodes[0], graph));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphGetEdges(graph, from, to, nullptr));
    EXPECT_OK(cudaGraphDestroy(clone));
    EXPECT_OK(cudaGraphDestroy(graph));
}

int main() {
    return run_cases({a_captured_stream_does_nothing_yet, streams_join_a_capture, copies_to_variables,
                      what_cannot_be_captured, node_by_node, updates_and_clones, refused, errors_of_nodes,
                      memory_of_a_graph_is_new_in_every_launch, memory_of_a_graph_outlives_the_launch,
                      memory_that_is_captured, memory_that_no_graph_has, nodes_tell_and_change_what_they_do,
                      arrows_are_told_and_taken_away});
}
