// Several emulated devices: whose memory, streams, events and variables these are.
#include <cstdlib>

#include "api_test.h"
#include "simt/engine/error_state.h"

namespace {

const bool are_there = setenv("SIMT_DEVICES", "3", 1) == 0;  // before anybody asks

__constant__ float c_factor;

__global__ void multiply(float* out, const float* in) {
    *out = c_factor * *in;
}

float* on_device(int device, float value) {
    float* memory = nullptr;
    EXPECT_OK(cudaSetDevice(device));
    EXPECT_OK(cudaMalloc(&memory, sizeof value));
    EXPECT_OK(cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice));
    return memory;
}

float value_of(const float* memory) {
    float value = 0;
    EXPECT_OK(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

void the_current_device() {
    int count = 0, device = -1;
    EXPECT_OK(cudaGetDeviceCount(&count));
    EXPECT(are_there && count == 3);
    EXPECT_OK(cudaSetDevice(2));
    EXPECT_OK(cudaGetDevice(&device));
    EXPECT(device == 2);
    EXPECT_REFUSED(cudaErrorInvalidDevice, cudaSetDevice(3));
    EXPECT_OK(cudaGetDevice(&device));
    EXPECT(device == 2);
}

void copies_name_the_owners() {
    float *first = on_device(0, 1), *second = on_device(1, 2);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpyPeer(second, 0, first, 0, 4));
    EXPECT_OK(cudaMemcpyPeer(second, 1, first, 0, 4));
    EXPECT(value_of(second) == 1);
    const float value = 4;
    EXPECT_OK(cudaMemcpy(second, &value, sizeof value, cudaMemcpyHostToDevice));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpyPeerAsync(first, 1, second, 1, 4));
    EXPECT_OK(cudaMemcpyPeerAsync(first, 0, second, 1, 4));
    EXPECT(value_of(first) == 4);
    EXPECT_OK(cudaFree(first));
    EXPECT_OK(cudaFree(second));
}

void streams_and_events_belong_to_a_device() {
    cudaStream_t stream;
    cudaEvent_t event;
    float* memory = on_device(1, 3);
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_OK(cudaSetDevice(0));
    EXPECT_OK(cudaEventCreate(&event));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaEventRecord(event, stream));
    EXPECT_OK(cudaEventRecord(event));
    EXPECT_OK(cudaStreamWaitEvent(stream, event, 0));
    multiply<<<1, 1, 0, stream>>>(memory, memory);
    EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    EXPECT(value_of(memory) == 3);
    EXPECT_OK(cudaEventDestroy(event));
    EXPECT_OK(cudaStreamDestroy(stream));
    EXPECT_OK(cudaFree(memory));
}

/// After the first of these calls: what is asked of device 1 fails, whatever it is, and the others go on.
void a_device_is_lost() {
    float *first = on_device(0, 1), *second = on_device(1, 2), value = 0, *more = nullptr;
    cudaStream_t stream = nullptr;
    EXPECT_OK(cudaStreamCreate(&stream));
    simt::fail_call(1, true);
    EXPECT_OK(cudaMemcpy(second, first, sizeof value, cudaMemcpyDefault));
    EXPECT(cudaMemcpy(&value, second, sizeof value, cudaMemcpyDeviceToHost) == cudaErrorDevicesUnavailable);
    EXPECT(value == 0);
    EXPECT(cudaMalloc(&more, sizeof value) == cudaErrorDevicesUnavailable && more == nullptr);
    EXPECT(cudaDeviceSynchronize() == cudaErrorDevicesUnavailable);
    cudaGetLastError();
    multiply<<<1, 1>>>(second, second);
    EXPECT(cudaGetLastError() == cudaErrorDevicesUnavailable);
    EXPECT_OK(cudaSetDevice(0));
    EXPECT(value_of(first) == 1);
    EXPECT(cudaStreamSynchronize(stream) == cudaErrorDevicesUnavailable);
    simt::fail_call(0);
    EXPECT(value_of(second) == 1);
    EXPECT_OK(cudaStreamDestroy(stream));
    EXPECT_OK(cudaFree(first));
    EXPECT_OK(cudaFree(second));
    cudaGetLastError();
}

void each_has_its_variables() {
    for (int device = 0; device < 3; device++) {
        float* in = on_device(device, 10);
        const float factor = float(device + 1);
        if (device < 2) EXPECT_OK(cudaMemcpyToSymbol(c_factor, &factor, sizeof factor));
        EXPECT_OK(cudaFree(in));
    }
    for (int device = 0; device < 3; device++) {
        float* memory = on_device(device, 10);
        multiply<<<1, 1>>>(memory, memory);
        EXPECT(value_of(memory) == (device < 2 ? 10.0f * float(device + 1) : 0.0f));
        EXPECT_OK(cudaFree(memory));
    }
}

void peers_are_enabled_once() {
    int can = -1;
    EXPECT_OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    EXPECT(can == 1);
    EXPECT_OK(cudaDeviceCanAccessPeer(&can, 1, 1));
    EXPECT(can == 0);
    EXPECT_OK(cudaSetDevice(0));
    EXPECT_REFUSED(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
    EXPECT_OK(cudaDeviceEnablePeerAccess(1, 0));
    EXPECT_REFUSED(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
    const float one = 1;
    EXPECT_OK(cudaMemcpyToSymbol(c_factor, &one, sizeof one));
    float *own = on_device(0, 0), *other = on_device(1, 7);
    EXPECT_OK(cudaSetDevice(0));
    multiply<<<1, 1>>>(own, other);
    EXPECT(value_of(own) == 7);
    EXPECT_OK(cudaDeviceDisablePeerAccess(1));
    EXPECT_REFUSED(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
    multiply<<<1, 1>>>(own, other);  // from here on the device is spoilt
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
}

/// A pointer that no argument shows.
__global__ void follow(float* out, float* const* list) {
    *out = *list[threadIdx.x];
}

void a_hidden_pointer_is_followed() {
    EXPECT_OK(cudaSetDevice(0));
    EXPECT_OK(cudaDeviceEnablePeerAccess(2, 0));
    float *own = on_device(0, 0), *reached = on_device(2, 5), *other = on_device(1, 7);
    EXPECT_OK(cudaSetDevice(0));
    float** list = nullptr;
    EXPECT_OK(cudaMalloc(&list, 2 * sizeof *list));
    float* const pointers[] = {reached, other};
    EXPECT_OK(cudaMemcpy(list, pointers, sizeof pointers, cudaMemcpyHostToDevice));
    follow<<<1, 1>>>(own, list);
    EXPECT(value_of(own) == 5);
    multiply<<<1, 0>>>(own, other);  // is no launch
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    const std::string said = stderr_of([&] { follow<<<1, 2>>>(own, list); });
    EXPECT(said.find("thread (1,0,0): device 0 does not reach the memory of device 1") != std::string::npos);
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
    EXPECT_OK(cudaDeviceReset());
}

}  // namespace

int main() {
    return run_cases({the_current_device, copies_name_the_owners, streams_and_events_belong_to_a_device,
                      a_device_is_lost, each_has_its_variables, a_hidden_pointer_is_followed,
                      peers_are_enabled_once});
}
