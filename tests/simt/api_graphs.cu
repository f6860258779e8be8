// Graphs: captured from streams, made node by node, changed, launched; and what cannot be captured.
#include "api_test.h"

constexpr int N = 64;

__device__ int g_value;

__global__ void add(int* out, int value) {
    out[threadIdx.x] += value;
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
    spoilt_by(cudaErrorStreamCaptureUnsupported, [&] {
        return cudaMemcpyToSymbolAsync(g_value, &value, sizeof value, 0, cudaMemcpyHostToDevice, at.stream);
    });
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

int main() {
    return run_cases({a_captured_stream_does_nothing_yet, streams_join_a_capture, what_cannot_be_captured,
                      node_by_node, updates_and_clones, refused, errors_of_nodes});
}
