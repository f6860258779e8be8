// Graphs whose conditional nodes do, by a value that a kernel sets, one of several graphs, or one time and again; captures into
// a graph that is there.
#include "api_test.h"

__global__ void set(cudaGraphConditionalHandle handle, const int* value) {
    cudaGraphSetConditional(handle, *value);
}
__global__ void add(int* out, int value) {
    *out += value;
}
__global__ void count_down(cudaGraphConditionalHandle handle, int* value, int* rounds) {
    ++*rounds;
    cudaGraphSetConditional(handle, --*value > 0);
}

/// Two numbers on the device, 0 at first.
struct numbers {
    int *value = nullptr, *result = nullptr;
    numbers() {
        EXPECT_OK(cudaMalloc(&value, sizeof(int)));
        EXPECT_OK(cudaMalloc(&result, sizeof(int)));
        write(value, 0);
        write(result, 0);
    }
    ~numbers() {
        EXPECT_OK(cudaFree(value));
        EXPECT_OK(cudaFree(result));
    }
    static void write(int* to, int number) {
        EXPECT_OK(cudaMemcpy(to, &number, sizeof number, cudaMemcpyHostToDevice));
    }
    static int read(const int* from) {
        int number = -1;
        EXPECT_OK(cudaMemcpy(&number, from, sizeof number, cudaMemcpyDeviceToHost));
        return number;
    }
};

template <class... types>
cudaGraphNode_t add_kernel(cudaGraph_t graph, const cudaGraphNode_t* after, void* kernel,
                           types... arguments) {
    void* pointers[] = {&arguments...};
    cudaGraphNodeParams what = {cudaGraphNodeTypeKernel};
    what.kernel.func = kernel;
    what.kernel.gridDim = what.kernel.blockDim = dim3(1);
    what.kernel.kernelParams = pointers;
    cudaGraphNode_t node = nullptr;
    EXPECT_OK(cudaGraphAddNode(&node, graph, after, nullptr, after ? 1 : 0, &what));
    return node;
}

cudaGraphNodeParams conditional_of(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                                   unsigned size) {
    cudaGraphNodeParams what = {cudaGraphNodeTypeConditional};
    what.conditional.handle = handle;
    what.conditional.type = type;
    what.conditional.size = size;
    return what;
}

/// A graph that sets its value from `at.value`, then decides; body k adds 10 to the power of k.
cudaGraphExec_t deciding_graph(const numbers& at, cudaGraphConditionalNodeType type, unsigned size) {
    cudaGraph_t graph = nullptr;
    cudaGraphConditionalHandle handle = 0;
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    EXPECT_OK(cudaGraphConditionalHandleCreate(&handle, graph));
    const cudaGraphNode_t first = add_kernel(graph, nullptr, reinterpret_cast<void*>(set), handle, at.value);
    cudaGraphNodeParams what = conditional_of(handle, type, size);
    cudaGraphNode_t node = nullptr;
    EXPECT_OK(cudaGraphAddNode(&node, graph, &first, 1, &what));
    cudaGraphNodeType seen{};
    EXPECT_OK(cudaGraphNodeGetType(node, &seen));
    EXPECT(seen == cudaGraphNodeTypeConditional);
    int power = 1;
    for (unsigned k = 0; k < size; k++, power *= 10)
        add_kernel(what.conditional.phGraph_out[k], nullptr, reinterpret_cast<void*>(add), at.result, power);
    cudaGraphExec_t exec = nullptr;
    EXPECT_OK(cudaGraphInstantiate(&exec, graph));
    EXPECT_OK(cudaGraphDestroy(graph));  // the executable one has all that it needs
    return exec;
}

int result_for(const numbers& at, cudaGraphExec_t exec, int value) {
    numbers::write(at.value, value);
    numbers::write(at.result, 0);
    EXPECT_OK(cudaGraphLaunch(exec, nullptr));
    EXPECT_OK(cudaDeviceSynchronize());
    return numbers::read(at.result);
}

void if_and_else() {
    const numbers at;
    const cudaGraphExec_t alone = deciding_graph(at, cudaGraphCondTypeIf, 1);
    EXPECT(result_for(at, alone, 0) == 0);
    EXPECT(result_for(at, alone, 7) == 1);
    const cudaGraphExec_t both = deciding_graph(at, cudaGraphCondTypeIf, 2);
    EXPECT(result_for(at, both, 0) == 10);
    EXPECT(result_for(at, both, 1) == 1);
    EXPECT_OK(cudaGraphExecDestroy(alone));
    EXPECT_OK(cudaGraphExecDestroy(both));
}

void a_switch() {
    const numbers at;
    const cudaGraphExec_t exec = deciding_graph(at, cudaGraphCondTypeSwitch, 3);
    EXPECT(result_for(at, exec, 0) == 1);
    EXPECT(result_for(at, exec, 2) == 100);
    EXPECT(result_for(at, exec, 3) == 0);
    EXPECT_OK(cudaGraphExecDestroy(exec));
}

/// The value is 1 at the beginning of each launch; the body is captured.
void a_while_that_begins_with_a_value() {
    const numbers at;
    cudaGraph_t graph = nullptr;
    cudaStream_t stream = nullptr;
    cudaGraphConditionalHandle handle = 0;
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams what = conditional_of(handle, cudaGraphCondTypeWhile, 1);
    cudaGraphNode_t node = nullptr;
    EXPECT_OK(cudaGraphAddNode(&node, graph, nullptr, 0, &what));
    const cudaGraph_t body = what.conditional.phGraph_out[0];
    EXPECT_OK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    count_down<<<1, 1, 0, stream>>>(handle, at.value, at.result);
    EXPECT_OK(cudaStreamEndCapture(stream, nullptr));
    cudaGraphExec_t exec = nullptr;
    EXPECT_OK(cudaGraphInstantiate(&exec, graph));
    EXPECT(result_for(at, exec, 5) == 5);
    EXPECT(result_for(at, exec, 3) == 3);
    EXPECT(result_for(at, exec, 0) == 1);
    EXPECT_OK(cudaGraphExecDestroy(exec));
    EXPECT_OK(cudaGraphDestroy(graph));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphDestroy(body));  // it went with its graph
    EXPECT_OK(cudaStreamDestroy(stream));
}

/// A conditional node in the midst of a capture: the capture's graph is known while it grows.
void a_condition_in_a_capture() {
    const numbers at;
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr, ended = nullptr;
    cudaGraphConditionalHandle handle = 0;
    cudaStreamCaptureStatus status{};
    const cudaGraphNode_t* after = nullptr;
    size_t count = 77;
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_OK(cudaStreamGetCaptureInfo(stream, &status, nullptr));
    EXPECT(status == cudaStreamCaptureStatusNone);
    EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    EXPECT_OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &after, &count));
    EXPECT(status == cudaStreamCaptureStatusActive && graph != nullptr && count == 0);
    EXPECT_OK(cudaGraphConditionalHandleCreate(&handle, graph));
    set<<<1, 1, 0, stream>>>(handle, at.value);
    EXPECT_OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &after, nullptr, &count));
    EXPECT(count == 1);
    cudaGraphNodeParams what = conditional_of(handle, cudaGraphCondTypeIf, 1);
    cudaGraphNode_t node = nullptr;
    EXPECT_OK(cudaGraphAddNode(&node, graph, after, nullptr, count, &what));
    EXPECT_OK(
        cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
    add<<<1, 1, 0, stream>>>(at.result, 1);
    EXPECT_OK(cudaStreamEndCapture(stream, &ended));
    EXPECT(ended == graph);
    add_kernel(what.conditional.phGraph_out[0], nullptr, reinterpret_cast<void*>(add), at.result, 10);
    cudaGraphExec_t exec = nullptr;
    EXPECT_OK(cudaGraphInstantiate(&exec, graph));
    EXPECT(result_for(at, exec, 0) == 1);
    EXPECT(result_for(at, exec, 1) == 11);
    EXPECT_OK(cudaGraphExecDestroy(exec));
    EXPECT_OK(cudaGraphDestroy(graph));
    EXPECT_OK(cudaStreamDestroy(stream));
}

/// The inner node's graph adds; both values are set by one kernel each time.
void a_condition_inside_another() {
    const numbers at;
    cudaGraph_t graph = nullptr;
    cudaGraphConditionalHandle outer = 0, inner = 0;
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    EXPECT_OK(cudaGraphConditionalHandleCreate(&outer, graph, 1, cudaGraphCondAssignDefault));
    EXPECT_OK(cudaGraphConditionalHandleCreate(&inner, graph, 0, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop = conditional_of(outer, cudaGraphCondTypeWhile, 1);
    cudaGraphNode_t node = nullptr;
    EXPECT_OK(cudaGraphAddNode(&node, graph, nullptr, 0, &loop));
    const cudaGraph_t body = loop.conditional.phGraph_out[0];
    const cudaGraphNode_t asked = add_kernel(body, nullptr, reinterpret_cast<void*>(set), inner, at.value);
    const cudaGraphNode_t counted =
        add_kernel(body, &asked, reinterpret_cast<void*>(count_down), outer, at.value, at.result);
    cudaGraphNodeParams choice = conditional_of(inner, cudaGraphCondTypeSwitch, 3);
    EXPECT_OK(cudaGraphAddNode(&node, body, &counted, 1, &choice));
    add_kernel(choice.conditional.phGraph_out[2], nullptr, reinterpret_cast<void*>(add), at.result, 100);
    cudaGraphExec_t exec = nullptr;
    EXPECT_OK(cudaGraphInstantiate(&exec, graph));
    EXPECT(result_for(at, exec, 4) == 104);  // four rounds, the value of one of them is 2
    cudaGraph_t clone = nullptr;
    EXPECT_REFUSED(cudaErrorNotSupported, cudaGraphClone(&clone, graph));
    EXPECT_OK(cudaGraphExecDestroy(exec));
    EXPECT_OK(cudaGraphDestroy(graph));
}

void nodes_of_every_type() {
    const numbers at;
    cudaGraph_t graph = nullptr, child = nullptr;
    cudaGraphNode_t node = nullptr;
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    EXPECT_OK(cudaGraphCreate(&child, 0));
    add_kernel(child, nullptr, reinterpret_cast<void*>(add), at.result, 3);
    const auto append = [&](cudaGraphNodeParams& what) {
        const cudaGraphNode_t last = node;
        EXPECT_OK(cudaGraphAddNode(&node, graph, &last, nullptr, last ? 1 : 0, &what));
    };
    cudaGraphNodeParams what = {cudaGraphNodeTypeMemset};
    what.memset = {at.result, 0, 1, 4, 1, 1};
    append(what);
    what = {cudaGraphNodeTypeGraph};
    what.graph.graph = child;
    append(what);
    what = {cudaGraphNodeTypeEmpty};
    append(what);
    what = {cudaGraphNodeTypeMemAlloc};
    what.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    what.alloc.poolProps.location = {cudaMemLocationTypeDevice, 0};
    what.alloc.bytesize = sizeof(int);
    append(what);
    void* const taken = what.alloc.dptr;
    what = {cudaGraphNodeTypeMemcpy};
    what.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(at.result, sizeof(int), 1, 1);
    what.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(taken, sizeof(int), 1, 1);
    what.memcpy.copyParams.extent = make_cudaExtent(sizeof(int), 1, 1);
    what.memcpy.copyParams.kind = cudaMemcpyDeviceToDevice;
    append(what);
    const cudaGraphNode_t copied = node;
    node = add_kernel(graph, &copied, reinterpret_cast<void*>(add), static_cast<int*>(taken), 10);
    int seen = 0;
    what = {cudaGraphNodeTypeMemcpy};
    what.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(taken, sizeof(int), 1, 1);
    what.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(&seen, sizeof(int), 1, 1);
    what.memcpy.copyParams.extent = make_cudaExtent(sizeof(int), 1, 1);
    what.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
    append(what);
    what = {cudaGraphNodeTypeHost};
    what.host = {[](void* data) { *static_cast<int*>(data) += 100; }, &seen};
    append(what);
    what = {cudaGraphNodeTypeMemFree};
    what.free.dptr = taken;
    append(what);
    cudaGraphExec_t exec = nullptr;
    EXPECT_OK(cudaGraphInstantiate(&exec, graph));
    EXPECT_OK(cudaGraphLaunch(exec, nullptr));
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(seen == 114);  // 1 by the fill, 3, 10 and 100
}

void refused() {
    const numbers at;
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaStream_t stream = nullptr;
    cudaGraphConditionalHandle handle = 0;
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(&handle, graph));
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(nullptr, graph));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(&handle, graph, 0, 2));
    EXPECT_OK(cudaGraphConditionalHandleCreate(&handle, graph));
    cudaGraphNodeParams what = conditional_of(handle + 1, cudaGraphCondTypeIf, 1);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, 0, &what));
    what = conditional_of(handle, cudaGraphCondTypeIf, 3);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, 0, &what));
    what = conditional_of(handle, cudaGraphCondTypeWhile, 2);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, 0, &what));
    what = {static_cast<cudaGraphNodeType>(99)};
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, 0, &what));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, 0, nullptr));
    EXPECT_REFUSED(cudaErrorIllegalState, cudaStreamUpdateCaptureDependencies(stream, &node, 1));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0,
                                                                        cudaStreamCaptureModeGlobal));
    EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaStreamUpdateCaptureDependencies(stream, &node, 1));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaStreamEndCapture(stream, nullptr));
    EXPECT_OK(cudaStreamEndCapture(stream, &graph));
    EXPECT_OK(cudaStreamDestroy(stream));
}

/// A handle of no graph: the kernel ends, with the line.
void a_handle_that_there_is_not() {
    int* value = nullptr;
    EXPECT_OK(cudaMalloc(&value, sizeof(int)));
    EXPECT_OK(cudaMemset(value, 0, sizeof(int)));
    const std::string text = stderr_of([&] {
        set<<<1, 1>>>(1000, value);
        EXPECT(cudaDeviceSynchronize() != cudaSuccess);
    });
    EXPECT(text.find("no such conditional handle") != std::string::npos);
    EXPECT(text.find("api_conditional.cu:") != std::string::npos);
    EXPECT_OK(cudaDeviceReset());
}

int main() {
    return run_cases({if_and_else, a_switch, a_while_that_begins_with_a_value, a_condition_in_a_capture,
                      a_condition_inside_another, nodes_of_every_type, refused, a_handle_that_there_is_not});
}
