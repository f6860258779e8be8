// Device memory: allocation, copies, freed memory, and every way to use it wrongly.
#include <sys/resource.h>

#include <cmath>

#include "api_test.h"

__global__ void add_one(float* data, int size) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < size) data[x] += 1.0f;
}
__global__ void read_one(const float* data, int index, float* out) {
    *out = data[index];
}

bool all_nan(const std::vector<float>& values) {
    for (const float value : values) {
        if (!std::isnan(value)) return false;
    }
    return true;
}

void fresh_memory_is_nan() {
    const int size = 100'003;
    float* d_data = nullptr;
    EXPECT_OK(cudaMalloc(&d_data, size * sizeof(float)));
    EXPECT(address_of(d_data) % simt::CHUNK_BYTES == 0);
    std::vector<float> values(size, 0.0f);
    EXPECT_OK(cudaMemcpy(values.data(), d_data, size * sizeof(float), cudaMemcpyDeviceToHost));
    EXPECT(all_nan(values));
    EXPECT_OK(cudaFree(d_data));
    EXPECT_OK(cudaFree(nullptr));
    const float* d_constant = nullptr;  // a pointer to const is fine, too
    EXPECT_OK(cudaMalloc(&d_constant, 64));
    EXPECT_OK(cudaFree(const_cast<float*>(d_constant)));
}

void copies_in_all_directions() {
    const size_t bytes = 5 * sizeof(float);
    float in[5] = {1, 2, 3, 4, 5}, out[5] = {}, host[5] = {};
    float *d_a = nullptr, *d_b = nullptr;
    EXPECT_OK(cudaMalloc(&d_a, bytes));
    EXPECT_OK(cudaMalloc(&d_b, bytes));
    EXPECT_OK(cudaMemcpy(d_a, in, bytes, cudaMemcpyHostToDevice));
    add_one<<<1, 32>>>(d_a, 5);
    EXPECT_OK(cudaMemcpy(d_b, d_a, bytes, cudaMemcpyDeviceToDevice));
    EXPECT_OK(cudaMemcpy(out, d_b, bytes, cudaMemcpyDeviceToHost));
    EXPECT(out[0] == 2 && out[4] == 6);
    EXPECT_OK(cudaMemcpy(host, out, bytes, cudaMemcpyHostToHost));
    EXPECT(host[4] == 6);
    EXPECT_OK(cudaMemcpyAsync(d_b + 1, in, 8, cudaMemcpyDefault));
    EXPECT_OK(cudaMemcpy(out, d_b, bytes, cudaMemcpyDefault));
    EXPECT(out[0] == 2 && out[1] == 1 && out[2] == 2 && out[3] == 5);
    EXPECT_OK(cudaMemset(d_a, 0, bytes));
    EXPECT_OK(cudaMemcpy(out, d_a, bytes, cudaMemcpyDeviceToHost));
    EXPECT(out[0] == 0 && out[4] == 0);
    EXPECT_OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
    EXPECT_OK(cudaFree(d_a));
    EXPECT_OK(cudaFree(d_b));
}

void wrong_uses() {
    const size_t bytes = 64;
    char host[64] = {};
    char *d_data = nullptr, *d_freed = nullptr;
    EXPECT_OK(cudaMalloc(&d_data, bytes));
    EXPECT_OK(cudaMalloc(&d_freed, bytes));
    EXPECT_OK(cudaFree(d_freed));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFree(d_freed));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFree(d_data + 1));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFree(host));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(d_data, host, bytes, cudaMemcpyDeviceToHost));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(host, d_data, bytes, cudaMemcpyHostToDevice));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(d_data, host, bytes, cudaMemcpyDeviceToDevice));
    EXPECT_REFUSED(cudaErrorInvalidMemcpyDirection, cudaMemcpy(d_data, host, bytes, cudaMemcpyKind(7)));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(d_data, host, bytes + 1, cudaMemcpyHostToDevice));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(d_data + 1, host, bytes, cudaMemcpyHostToDevice));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(d_freed, host, bytes, cudaMemcpyHostToDevice));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(nullptr, host, bytes, cudaMemcpyHostToDevice));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(d_data, nullptr, bytes, cudaMemcpyHostToDevice));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemset(host, 0, bytes));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemset(d_data, 0, bytes + 1));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMalloc((void**)nullptr, 4));
    EXPECT_REFUSED(cudaErrorMemoryAllocation, cudaMalloc(&d_freed, size_t(1) << 46));
    EXPECT_REFUSED(cudaErrorMemoryAllocation, cudaMalloc(&d_freed, size_t(-1)));
    EXPECT_OK(cudaMalloc(&d_freed, 0));
    EXPECT(d_freed == nullptr);
    EXPECT_OK(cudaFree(d_data));
}

void freed_addresses_come_back_late() {
    std::vector<uintptr_t> seen;
    for (int i = 0; i < 50; i++) {
        void* d_data = nullptr;
        EXPECT_OK(cudaMalloc(&d_data, 1000));
        for (const uintptr_t address : seen)
            EXPECT(address != address_of(d_data));
        seen.push_back(address_of(d_data));
        EXPECT_OK(cudaFree(d_data));
    }
}

/// Runs before anything else has reserved device memory: with little of it, it is soon used up.
void freed_addresses_come_back() {
    const child_end end = in_child([] {
        const rlimit limit = {size_t(512) << 20, size_t(512) << 20};
        setrlimit(RLIMIT_AS, &limit);
        size_t free_before = 0, free_after = 0, total = 0;
        EXPECT_OK(cudaMemGetInfo(&free_before, &total));
        for (size_t used = 0; used < 3 * total; used += size_t(8) << 20) {
            void* d_data = nullptr;
            EXPECT_OK(cudaMalloc(&d_data, size_t(8) << 20));
            EXPECT_OK(cudaFree(d_data));
        }
        void* d_data = nullptr;
        EXPECT_REFUSED(cudaErrorMemoryAllocation, cudaMalloc(&d_data, total));
        EXPECT_OK(cudaMalloc(&d_data, total / 2));
        EXPECT_REFUSED(cudaErrorMemoryAllocation, cudaMalloc(&d_data, total / 2));
        EXPECT_OK(cudaFree(d_data));
        EXPECT_OK(cudaMemGetInfo(&free_after, &total));
        EXPECT(total == size_t(128) << 20 && free_after == free_before);
        _exit(failures);
    });
    EXPECT(end.code == 0 && end.text.empty());
}

void freed_memory_reads_as_nan() {
    float *d_data = nullptr, *d_out = nullptr;
    float value = 0;
    EXPECT_OK(cudaMalloc(&d_data, 64));
    EXPECT_OK(cudaMalloc(&d_out, 4));
    EXPECT_OK(cudaMemset(d_data, 0, 64));
    EXPECT_OK(cudaFree(d_data));
    read_one<<<1, 1>>>(d_data, 3, d_out);
    EXPECT_OK(cudaMemcpy(&value, d_out, 4, cudaMemcpyDeviceToHost));
    EXPECT(std::isnan(value));
    EXPECT_OK(cudaFree(d_out));
}

void what_was_asked_for_is_in_use() {
    size_t before = 0, between = 0, after = 0, total = 0;
    void* d_data = nullptr;
    EXPECT_OK(cudaMemGetInfo(&before, &total));
    EXPECT_OK(cudaMalloc(&d_data, 4000));
    EXPECT_OK(cudaMemGetInfo(&between, &total));
    EXPECT_OK(cudaFree(d_data));
    EXPECT_OK(cudaMemGetInfo(&after, &total));
    EXPECT(between + 4000 == before && after == before);
}

void neighbours_are_far_apart() {
    char *d_a = nullptr, *d_b = nullptr;
    EXPECT_OK(cudaMalloc(&d_a, 100));
    EXPECT_OK(cudaMalloc(&d_b, 100));
    const uintptr_t a = address_of(d_a), b = address_of(d_b);
    const uintptr_t distance = a < b ? b - a - 100 : a - b - 100;
    EXPECT(distance >= simt::GUARD_BYTES);
    const auto is_at = [](uintptr_t address, uintptr_t begin) {
        const simt::allocation* near = simt::allocation_near(address);
        return near && near->begin == begin;
    };
    EXPECT(is_at(a, a) && is_at(a + 99, a) && is_at(a + 100, a) && is_at(a - 1, a));
    EXPECT(is_at(b - 1, b) && is_at(b - 200, b) && is_at(b + 5000, b));
    EXPECT(simt::allocation_near(a)->live);
    EXPECT_OK(cudaFree(d_a));
    EXPECT(is_at(a, a) && !simt::allocation_near(a)->live);
    EXPECT_OK(cudaFree(d_b));
}

void observers_hear_of_host_side_events() {
    host_events seen;
    float host[8] = {};
    float *d_a = nullptr, *d_b = nullptr;
    EXPECT_OK(cudaMalloc(&d_a, 32));
    EXPECT_OK(cudaMalloc(&d_b, 32));
    EXPECT_OK(cudaMemcpy(d_a + 1, host, 8, cudaMemcpyHostToDevice));
    EXPECT_OK(cudaMemset(d_a, 0, 32));
    EXPECT_OK(cudaMemcpy(d_b, d_a, 16, cudaMemcpyDeviceToDevice));
    EXPECT_OK(cudaMemcpy(host, d_b, 4, cudaMemcpyDeviceToHost));
    EXPECT_OK(cudaMemset2D(d_b, 8, 0, 4, 2));
    EXPECT_OK(cudaFree(d_a));
    const uintptr_t a = address_of(d_a), b = address_of(d_b);
    const std::vector<host_events::event> wanted = {
        {"allocated", a, 32}, {"allocated", b, 32}, {"wrote", a + 4, 8}, {"wrote", a, 32}, {"copied", b, 16},
        {"read", b, 4},       {"wrote", b, 4},      {"wrote", b + 8, 4}, {"freed", a, 32}};
    EXPECT(seen.events == wanted);
    EXPECT(seen.allocations[1].serial == seen.allocations[0].serial + 1);
    EXPECT_OK(cudaFree(d_b));
}

void copies_pass_labels_on() {
    float in[12] = {}, out[12] = {}, filter[6] = {}, other[12] = {};
    simt::label_host_range(in, sizeof in, "in");
    simt::label_host_range(out, sizeof out, "out", true);
    simt::label_host_range(filter, sizeof filter, "filter");
    float *d_in = nullptr, *d_out = nullptr, *d_rows = nullptr, *d_none = nullptr;
    size_t pitch = 0;
    EXPECT_OK(cudaMalloc(&d_in, sizeof in));
    EXPECT_OK(cudaMalloc(&d_out, sizeof out));
    EXPECT_OK(cudaMalloc(&d_none, sizeof other));
    EXPECT_OK(cudaMallocPitch(&d_rows, &pitch, 16, 3));
    EXPECT_OK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    EXPECT_OK(cudaMemcpy(d_none, other, sizeof other, cudaMemcpyHostToDevice));
    EXPECT_OK(cudaMemcpy((char*)d_rows + pitch, in + 4, 16, cudaMemcpyHostToDevice));  // row by row
    EXPECT_OK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    EXPECT_OK(cudaMemcpy(out, d_in, sizeof out, cudaMemcpyDeviceToHost));  // keeps its first name
    const auto label = [](const void* pointer) { return simt::allocation_near(address_of(pointer))->label; };
    EXPECT(label(d_in) == "in" && label(d_out) == "out" && label(d_rows) == "in" && label(d_none).empty());
    EXPECT_OK(cudaMemcpy(d_in + 6, filter, sizeof filter, cudaMemcpyHostToDevice));
    EXPECT(label(d_in).empty());  // two arrays, and no name for both
    // Named data has an end, past which a GPU's runtime would read on.
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(d_in, in + 1, sizeof in, cudaMemcpyHostToDevice));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy(out + 11, d_out, 8, cudaMemcpyDeviceToHost));
    simt::forget_host_ranges();
    EXPECT_OK(cudaMemcpy(d_none, in, sizeof in, cudaMemcpyHostToDevice));
    EXPECT(label(d_none).empty());
    for (float* pointer : {d_in, d_out, d_rows, d_none})
        EXPECT_OK(cudaFree(pointer));
}

void page_locked_memory() {
    float* host = nullptr;
    float* d_data = nullptr;
    EXPECT_OK(cudaMallocHost(&host, 64));
    EXPECT_OK(cudaMalloc(&d_data, 64));
    host[3] = 7.0f;
    EXPECT_OK(cudaMemcpy(d_data, host, 64, cudaMemcpyHostToDevice));
    cudaPointerAttributes attributes;
    EXPECT_OK(cudaPointerGetAttributes(&attributes, host + 1));
    EXPECT(attributes.type == cudaMemoryTypeHost);
    EXPECT_OK(cudaPointerGetAttributes(&attributes, d_data + 1));
    EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == d_data + 1);
    EXPECT_OK(cudaPointerGetAttributes(&attributes, &attributes));
    EXPECT(attributes.type == cudaMemoryTypeUnregistered);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFree(host));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFreeHost(d_data));
    EXPECT_OK(cudaFreeHost(host));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFreeHost(host));
    EXPECT_OK(cudaFreeHost(nullptr));
    float on_stack[4];
    EXPECT_OK(cudaHostRegister(on_stack, sizeof on_stack, cudaHostRegisterDefault));
    EXPECT_REFUSED(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(on_stack, 4, 0));
    EXPECT_OK(cudaHostUnregister(on_stack));
    EXPECT_REFUSED(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(on_stack));
    EXPECT_OK(cudaFree(d_data));
}

void host_code_cannot_touch_device_memory() {
    float* d_data = nullptr;
    EXPECT_OK(cudaMalloc(&d_data, 64));
    EXPECT_OK(cudaMemset(d_data, 0, 64));
    add_one<<<1, 1>>>(d_data, 1);  // opens device memory, and must close it again
    const child_end read = in_child([&] { _exit(int(d_data[2])); });  // HERE host_read
    const child_end write = in_child([&] { d_data[3] = 1.0f; });
    const std::string place =
        "api_memory.cu:" + std::to_string(marked_line(__FILE__, "host_read")) + ": device-pointer-on-host";
    EXPECT(read.signal == SIGSEGV && is_one_line(read.text));
    EXPECT(read.text.find(place) != std::string::npos);
    EXPECT(write.signal == SIGSEGV && is_one_line(write.text));
    EXPECT_OK(cudaFree(d_data));
}

/// Runs before anything else has reserved device memory.
void little_address_space() {
    const auto with_limit = [](size_t bytes) {
        return in_child([bytes] {
            const rlimit limit = {bytes, bytes};
            setrlimit(RLIMIT_AS, &limit);
            float* d_data = nullptr;
            const cudaError_t error = cudaMalloc(&d_data, 1 << 20);
            if (error != cudaSuccess) _exit(int(error));
            add_one<<<4, 64>>>(d_data, 256);
            _exit(cudaDeviceSynchronize() == cudaSuccess ? 100 : 101);
        });
    };
    const child_end enough = with_limit(size_t(2) << 30);
    EXPECT(enough.code == 100 && enough.text.empty());
    const child_end tight = with_limit(size_t(512) << 20);
    EXPECT(tight.code == 100 && tight.text.empty());
    const child_end too_little = with_limit(size_t(100) << 20);
    EXPECT(too_little.code == cudaErrorMemoryAllocation);
    EXPECT(too_little.text.find("ulimit -v") != std::string::npos);
}

void small_files_only() {
    const child_end end = in_child([] {
        const rlimit limit = {1 << 20, 1 << 20};
        setrlimit(RLIMIT_FSIZE, &limit);
        void* d_data = nullptr;
        _exit(int(cudaMalloc(&d_data, 64)));
    });
    EXPECT(end.signal == 0 && end.code == cudaErrorMemoryAllocation);
    EXPECT(end.text.find("ulimit") != std::string::npos);
}

int main() {
    return run_cases({little_address_space, small_files_only, freed_addresses_come_back, fresh_memory_is_nan,
                      copies_in_all_directions, wrong_uses, freed_addresses_come_back_late,
                      freed_memory_reads_as_nan, what_was_asked_for_is_in_use, neighbours_are_far_apart,
                      observers_hear_of_host_side_events, copies_pass_labels_on, page_locked_memory,
                      host_code_cannot_touch_device_memory});
}
