// Several emulated devices: memory that a kernel's device does not reach, and whose operation is whose.
#include <cstdlib>

#include "expect.h"
#include "inspect/report/timeline.h"

static const bool are_there = setenv("SIMT_DEVICES", "2", 1) == 0;  // before anybody asks

__global__ void store(float* to, float value) {
    *to = value;
}
__global__ void follow(float* out, float* const* list) {
    *out = *list[0];  // HERE pointer in memory
}
__global__ void change(float* const* list) {
    *list[0] = 1;  // HERE store through it
}

static float* on_device(int device) {
    float* memory = nullptr;
    cudaSetDevice(device);
    cudaMalloc(&memory, sizeof *memory);
    store<<<1, 1>>>(memory, float(device));
    cudaDeviceSynchronize();
    return memory;
}

/// On device 0, of a value on device 1.
static float** list_of_other() {
    float *other = on_device(1), **list = nullptr;
    cudaSetDevice(0);
    cudaMalloc(&list, sizeof *list);
    cudaMemcpy(list, &other, sizeof other, cudaMemcpyHostToDevice);
    return list;
}

static void pointer_in_memory() {
    float* const own = on_device(0);
    follow<<<1, 1>>>(own, list_of_other());
}

static void store_through_it() {
    change<<<1, 1>>>(list_of_other());
}

static void reached() {
    float *const own = on_device(0), **list = list_of_other();
    cudaDeviceEnablePeerAccess(1, 0);
    follow<<<1, 1>>>(own, list);
    change<<<1, 1>>>(list);
    cudaDeviceDisablePeerAccess(1);
}

/// A kernel that is given an address and does not use it does nothing wrong.
__global__ void ignore(const float*) {}

static void passed_only() {
    float* const other = on_device(1);
    cudaSetDevice(0);
    ignore<<<1, 1>>>(other);
}

static void belong_to_devices() {
    const inspect::report seen = inspected([] {
        float *const first = on_device(0), *const second = on_device(1);
        cudaStream_t stream = nullptr;
        cudaStreamCreate(&stream);
        cudaMemcpyPeerAsync(second, 1, first, 0, sizeof *first, stream);
        store<<<1, 1, 0, stream>>>(second, 3);
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    });
    // The copy comes from device 0, whose row it stands in; its stream is of device 1.
    EXPECT(are_there &&
           inspect::timeline(seen) ==
               "  > to the device, # kernel, < to the host, ~ to another device, each as if it took "
               "one slot\n  device 0\n  default     #\n  stream 1     ~\n  device 1\n"
               "  default     #\n  stream 1      #\n");
}

int main() {
    inspect::begin();
    run_case(belong_to_devices);
    const char* const names_both = "device 0 does not reach the memory of device 1";
    return check_cases(__FILE__, {{"pointer in memory", pointer_in_memory, "peer-access", names_both},
                                  {"store through it", store_through_it, "peer-access", names_both},
                                  {"reached", reached, "", ""},
                                  {"passed only", passed_only, "", ""}});
}
