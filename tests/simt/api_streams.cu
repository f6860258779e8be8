// Streams and events: names that must exist, times that go forward.
#include "api_test.h"

__global__ void fill(float* out, float value) {
    out[threadIdx.x] = value;
}

void streams() {
    cudaStream_t stream = nullptr, other = nullptr;
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    EXPECT(stream != other && stream != nullptr);
    float *d_data = nullptr, host[32] = {};
    EXPECT_OK(cudaMallocAsync(&d_data, sizeof host, stream));
    fill<<<1, 32, 0, stream>>>(d_data, 3.0f);
    EXPECT_OK(cudaGetLastError());
    EXPECT_OK(cudaMemcpyAsync(host, d_data, sizeof host, cudaMemcpyDeviceToHost, stream));
    EXPECT_OK(cudaStreamSynchronize(stream));
    EXPECT(host[31] == 3.0f);
    EXPECT_OK(cudaMemsetAsync(d_data, 0, sizeof host, other));
    EXPECT_OK(cudaStreamQuery(other));
    int calls = 0;
    EXPECT_OK(cudaLaunchHostFunc(
        stream, [](void* data) { ++*static_cast<int*>(data); }, &calls));
    EXPECT(calls == 1);
    EXPECT_OK(cudaFreeAsync(d_data, stream));
    EXPECT_OK(cudaStreamDestroy(stream));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaStreamDestroy(stream));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(stream));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaMemcpyAsync(host, host, 4, cudaMemcpyDefault, stream));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaStreamDestroy(nullptr));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 8));
    EXPECT_OK(cudaStreamSynchronize(nullptr));
    EXPECT_OK(cudaStreamDestroy(other));
}

void events() {
    cudaEvent_t start = nullptr, stop = nullptr, untimed = nullptr;
    float ms = -1.0f;
    EXPECT_OK(cudaEventCreate(&start));
    EXPECT_OK(cudaEventCreate(&stop));
    EXPECT_OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, stop));
    EXPECT_OK(cudaEventRecord(start));
    usleep(2000);
    EXPECT_OK(cudaEventRecord(stop));
    EXPECT_OK(cudaEventSynchronize(stop));
    EXPECT_OK(cudaEventQuery(stop));
    EXPECT_OK(cudaStreamWaitEvent(nullptr, stop));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaStreamWaitEvent(nullptr, stop, 1));
    EXPECT_OK(cudaEventElapsedTime(&ms, start, stop));
    EXPECT(ms >= 2.0f);
    EXPECT_OK(cudaEventElapsedTime(&ms, stop, start));
    EXPECT(ms <= -2.0f);
    EXPECT_OK(cudaEventRecord(untimed));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, untimed));
    EXPECT_OK(cudaEventDestroy(stop));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaEventRecord(stop));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, stop));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaEventDestroy(nullptr));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaEventCreateWithFlags(&stop, 0x100));
    EXPECT_OK(cudaEventDestroy(start));
    EXPECT_OK(cudaEventDestroy(untimed));
}

static int calls = 0;
static void CUDART_CB called(cudaStream_t, cudaError_t status, void* by) {
    calls += *static_cast<int*>(by) + int(status);
}

static void callbacks() {
    int by = 3;
    EXPECT_OK(cudaStreamAddCallback(nullptr, called, &by, 0));
    EXPECT(calls == 3);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaStreamAddCallback(nullptr, called, &by, 1));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaStreamAddCallback(nullptr, nullptr, &by, 0));
}

static void attributes_of_streams() {
    cudaStream_t stream = nullptr;
    cudaStreamAttrValue value = {};
    EXPECT_OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -2));
    EXPECT_OK(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &value));
    EXPECT(value.priority == -2);
    EXPECT_OK(cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value));
    EXPECT(value.syncPolicy == cudaSyncPolicyAuto);
    value.accessPolicyWindow = {&value, 100, 0.5f, cudaAccessPropertyPersisting, cudaAccessPropertyNormal};
    EXPECT_OK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
    cudaStreamAttrValue back = {};
    EXPECT_OK(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &back));
    EXPECT(back.accessPolicyWindow.num_bytes == 100 && back.accessPolicyWindow.hitRatio == 0.5f);
    value.accessPolicyWindow.hitRatio = 2.0f;
    EXPECT_REFUSED(cudaErrorInvalidValue,
                   cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
    EXPECT_OK(cudaCtxResetPersistingL2Cache());
    EXPECT_OK(cudaStreamDestroy(stream));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle,
                   cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &value));
}

int main() {
    return run_cases({streams, events, callbacks, attributes_of_streams});
}
