// Managed memory, __managed__ variables and page-locked memory that kernels use: one address for host and device.
#include <cmath>

#include "api_test.h"

__managed__ int counter = 40;
__device__ __managed__ float table[4];
__device__ int device_only;

struct node {
    int value;
    node* next;
};

__global__ void add_one(float* data, int size) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < size) data[x] += 1.0f;
}
__global__ void use_variables(int* by_pointer) {
    atomicAdd(&counter, 1);
    atomicAdd(by_pointer, 1);
    table[threadIdx.x] *= 2;
}
__global__ void sum_list(const node* first, int* sum) {
    *sum = 0;
    for (const node* one = first; one; one = one->next)
        *sum += one->value;
}

static void host_and_kernels_share_it() {
    constexpr int SIZE = 1000;
    float* data = nullptr;
    EXPECT_OK(cudaMallocManaged(&data, SIZE * sizeof(float)));
    EXPECT(std::isnan(data[0]) && std::isnan(data[SIZE - 1]));
    for (int i = 0; i < SIZE; i++)
        data[i] = float(i);
    for (int turn = 0; turn < 2; turn++) {
        add_one<<<8, 128>>>(data, SIZE);
        EXPECT_OK(cudaDeviceSynchronize());
        for (int i = 0; i < SIZE; i++)
            data[i] *= 2;
    }
    bool is_right = true;
    for (int i = 0; i < SIZE; i++)
        is_right &= data[i] == float(4 * i + 6);
    EXPECT(is_right);
    EXPECT_OK(cudaFree(data));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFree(data));
}

static void copies_take_it_for_either_side() {
    float *managed = nullptr, *device = nullptr, host[4] = {1, 2, 3, 4};
    EXPECT_OK(cudaMallocManaged(&managed, sizeof host));
    EXPECT_OK(cudaMalloc(&device, sizeof host));
    EXPECT_OK(cudaMemcpy(managed, host, sizeof host, cudaMemcpyHostToDevice));
    EXPECT(managed[3] == 4);
    managed[3] = 7;
    EXPECT_OK(cudaMemcpy(device, managed, sizeof host, cudaMemcpyHostToDevice));
    EXPECT_OK(cudaMemcpy(managed + 1, device + 3, sizeof(float), cudaMemcpyDeviceToHost));
    EXPECT_OK(cudaMemcpy(host, managed, sizeof host, cudaMemcpyDefault));
    EXPECT(host[0] == 1 && host[1] == 7 && host[2] == 3 && host[3] == 7);
    EXPECT_OK(cudaMemset(managed, 0, sizeof host));
    EXPECT(managed[3] == 0);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(managed, host, 17, cudaMemcpyDefault));
    EXPECT_OK(cudaFree(managed));
    EXPECT_OK(cudaFree(device));
}

static void pointers_inside_it_are_the_same_on_both_sides() {
    node* nodes[3] = {};
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(cudaMallocManaged(&nodes[i], sizeof(node)));
        *nodes[i] = {1 << i, i > 0 ? nodes[i - 1] : nullptr};
    }
    int* sum = nullptr;
    EXPECT_OK(cudaMallocManaged(&sum, sizeof(int), cudaMemAttachHost));
    sum_list<<<1, 1>>>(nodes[2], sum);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(*sum == 7);
    for (node* one : nodes)
        EXPECT_OK(cudaFree(one));
    EXPECT_OK(cudaFree(sum));
}

static void variables() {
    for (int i = 0; i < 4; i++)
        table[i] = float(i);
    use_variables<<<1, 4>>>(&counter);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(counter == 48 && table[3] == 6);
    int host = 0;
    EXPECT_OK(cudaMemcpyFromSymbol(&host, counter, sizeof host));
    EXPECT(host == 48);
    EXPECT_OK(cudaMemcpy(&host, &counter, sizeof host, cudaMemcpyDefault));
    EXPECT_OK(cudaMemPrefetchAsync(&counter, sizeof counter, 0));
}

static void what_the_runtime_knows_of_a_pointer() {
    float *managed = nullptr, *device = nullptr, *pinned = nullptr, host = 0;
    EXPECT_OK(cudaMallocManaged(&managed, 64));
    EXPECT_OK(cudaMalloc(&device, 64));
    EXPECT_OK(cudaMallocHost(&pinned, 64));
    cudaPointerAttributes of{};
    EXPECT_OK(cudaPointerGetAttributes(&of, managed + 1));
    EXPECT(of.type == cudaMemoryTypeManaged && of.devicePointer == managed + 1 &&
           of.hostPointer == managed + 1);
    EXPECT_OK(cudaPointerGetAttributes(&of, &counter));
    EXPECT(of.type == cudaMemoryTypeManaged);
    EXPECT_OK(cudaPointerGetAttributes(&of, device));
    EXPECT(of.type == cudaMemoryTypeDevice && of.hostPointer == nullptr);
    EXPECT_OK(cudaPointerGetAttributes(&of, pinned));
    EXPECT(of.type == cudaMemoryTypeHost && of.devicePointer == pinned);
    EXPECT_OK(cudaPointerGetAttributes(&of, &host));
    EXPECT(of.type == cudaMemoryTypeUnregistered);
    EXPECT_OK(cudaFree(managed));
    EXPECT_OK(cudaFree(device));
    EXPECT_OK(cudaFreeHost(pinned));
}

static void page_locked_memory_is_the_hosts_and_kernels_use_it() {
    float *host = nullptr, *device = nullptr;
    size_t before = 0, after = 0, total = 0;
    EXPECT_OK(cudaMemGetInfo(&before, &total));
    EXPECT_OK(cudaHostAlloc(&host, 4 * sizeof(float), cudaHostAllocMapped));
    EXPECT_OK(cudaMemGetInfo(&after, &total));
    EXPECT(before == after);
    EXPECT(std::isnan(host[0]));
    EXPECT_OK(cudaHostGetDevicePointer(&device, host, 0));
    for (int i = 0; i < 4; i++)
        host[i] = float(i);
    add_one<<<1, 4>>>(device, 4);
    add_one<<<1, 4>>>(host, 4);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(host[0] == 2 && host[3] == 5);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(device, host, 4, cudaMemcpyDeviceToHost));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFree(host));
    EXPECT_OK(cudaFreeHost(host));
    float own[4] = {};
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, own, 0));
    EXPECT_OK(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped));
    EXPECT_OK(cudaHostGetDevicePointer(&device, own, 0));
    add_one<<<1, 4>>>(device, 4);
    EXPECT(own[3] == 1);
    EXPECT_OK(cudaHostUnregister(own));
}

static void advice_is_checked() {
    char *managed = nullptr, *device = nullptr;
    EXPECT_OK(cudaMallocManaged(&managed, 100));
    EXPECT_OK(cudaMalloc(&device, 100));
    EXPECT_OK(cudaMemPrefetchAsync(managed, 100, 0, nullptr));
    EXPECT_OK(cudaMemPrefetchAsync(managed + 50, 50, cudaCpuDeviceId));
    EXPECT_OK(cudaMemPrefetchAsync(managed, 100, {cudaMemLocationTypeDevice, 0}, 0, nullptr));
    EXPECT_OK(cudaMemAdvise(managed, 100, cudaMemAdviseSetReadMostly, 0));
    EXPECT_OK(cudaMemAdvise(managed, 100, cudaMemAdviseSetPreferredLocation, {cudaMemLocationTypeHost, 0}));
    EXPECT_OK(cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachGlobal));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemPrefetchAsync(managed, 101, 0));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemPrefetchAsync(device, 100, 0));
    EXPECT_REFUSED(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 100, 3));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemAdvise(managed, 100, cudaMemoryAdvise(9), 0));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachSingle));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMallocManaged(&device, 0));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMallocManaged(&device, 8, 0));
    EXPECT_OK(cudaFree(managed));
}

/// What the runtime says of a range, as one int.
static int asked(cudaMemRangeAttribute attribute, const void* begin, size_t bytes) {
    int answer = -99;
    EXPECT_OK(cudaMemRangeGetAttribute(&answer, sizeof answer, attribute, begin, bytes));
    return answer;
}

static void advice_is_told_back() {
    constexpr size_t PAGE = 4096, ALL = 3 * PAGE;
    char* managed = nullptr;
    EXPECT_OK(cudaMallocManaged(&managed, ALL));
    EXPECT(asked(cudaMemRangeAttributeReadMostly, managed, ALL) == 0);
    EXPECT(asked(cudaMemRangeAttributePreferredLocation, managed, ALL) == cudaInvalidDeviceId);
    EXPECT(asked(cudaMemRangeAttributeLastPrefetchLocation, managed, ALL) == cudaInvalidDeviceId);

    // Of a range is said what holds for all of it. Advice is for whole pages.
    EXPECT_OK(cudaMemAdvise(managed + PAGE + 1, 10, cudaMemAdviseSetReadMostly, 0));
    EXPECT(asked(cudaMemRangeAttributeReadMostly, managed, ALL) == 0);
    EXPECT(asked(cudaMemRangeAttributeReadMostly, managed + PAGE, PAGE) == 1);
    EXPECT(asked(cudaMemRangeAttributeReadMostly, managed + PAGE, PAGE + 1) == 0);
    EXPECT(asked(cudaMemRangeAttributeReadMostly, managed + PAGE - 1, 2) == 0);
    EXPECT_OK(cudaMemAdvise(managed, ALL, cudaMemAdviseUnsetReadMostly, 0));
    EXPECT(asked(cudaMemRangeAttributeReadMostly, managed + PAGE, PAGE) == 0);

    EXPECT_OK(cudaMemAdvise(managed, ALL, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    EXPECT(asked(cudaMemRangeAttributePreferredLocation, managed, ALL) == cudaCpuDeviceId);
    EXPECT(asked(cudaMemRangeAttributePreferredLocationType, managed, ALL) == cudaMemLocationTypeHost);
    EXPECT_OK(cudaMemPrefetchAsync(managed, ALL, 0));
    EXPECT(asked(cudaMemRangeAttributeLastPrefetchLocation, managed, ALL) == 0);
    EXPECT_OK(cudaMemPrefetchAsync(managed, PAGE, cudaCpuDeviceId));
    EXPECT(asked(cudaMemRangeAttributeLastPrefetchLocation, managed, ALL) == cudaInvalidDeviceId);
    EXPECT(asked(cudaMemRangeAttributeLastPrefetchLocation, managed, PAGE) == cudaCpuDeviceId);

    EXPECT_OK(cudaMemAdvise(managed, ALL, cudaMemAdviseSetAccessedBy, 0));
    EXPECT_OK(cudaMemAdvise(managed, PAGE, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
    int devices[3], place = 0;
    void* results[] = {devices, &place};
    size_t sizes[] = {sizeof devices, sizeof place};
    cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeAccessedBy,
                                          cudaMemRangeAttributePreferredLocation};
    EXPECT_OK(cudaMemRangeGetAttributes(results, sizes, attributes, 2, managed, PAGE));
    EXPECT(devices[0] == cudaCpuDeviceId && devices[1] == 0 && devices[2] == cudaInvalidDeviceId);
    EXPECT(place == cudaCpuDeviceId);
    EXPECT(asked(cudaMemRangeAttributeAccessedBy, managed, ALL) == 0);

    EXPECT_REFUSED(cudaErrorInvalidValue,
                   cudaMemRangeGetAttribute(&place, 4, cudaMemRangeAttribute(9), managed, ALL));
    EXPECT_REFUSED(cudaErrorInvalidValue,
                   cudaMemRangeGetAttribute(&place, 8, cudaMemRangeAttributeReadMostly, managed, ALL));
    EXPECT_REFUSED(cudaErrorInvalidValue,
                   cudaMemRangeGetAttribute(&place, 4, cudaMemRangeAttributeReadMostly, managed, ALL + 1));
    EXPECT_OK(cudaFree(managed));
}

static void advice_goes_with_the_memory() {
    // Addresses of freed memory are used again when there is enough of it.
    bool is_new = true;
    for (int turn = 0; turn < 200; turn++) {
        char* managed = nullptr;
        constexpr size_t BYTES = 4 << 20;
        EXPECT_OK(cudaMallocManaged(&managed, BYTES));
        is_new &= asked(cudaMemRangeAttributeReadMostly, managed, BYTES) == 0;
        EXPECT_OK(cudaMemAdvise(managed, BYTES, cudaMemAdviseSetReadMostly, 0));
        EXPECT_OK(cudaFree(managed));
    }
    EXPECT(is_new);
}

static void device_memory_stays_closed_to_the_host() {
    float *managed = nullptr, *device = nullptr;
    EXPECT_OK(cudaMallocManaged(&managed, 64));
    EXPECT_OK(cudaMalloc(&device, 64));
    add_one<<<1, 1>>>(device, 1);
    const child_end end = in_child([&] {
        managed[0] = 1;
        device[0] = 1;
    });
    EXPECT(end.signal == SIGSEGV && end.text.find("device-pointer-on-host") != std::string::npos);
    EXPECT_OK(cudaFree(managed));
}

int main() {
    return run_cases({host_and_kernels_share_it, copies_take_it_for_either_side,
                      pointers_inside_it_are_the_same_on_both_sides, variables,
                      what_the_runtime_knows_of_a_pointer, page_locked_memory_is_the_hosts_and_kernels_use_it,
                      advice_is_checked, advice_is_told_back, advice_goes_with_the_memory,
                      device_memory_stays_closed_to_the_host});
}
