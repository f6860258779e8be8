// Device memory: with guard zones on a GPU, exact on the CPU backend, whose inspector guards it.
//
// Why two ways: the CPU backend keeps every allocation apart from its neighbours and its inspector reports
// each stray access with file, line, block and thread. Guard zones of our own would make the first stray
// bytes look like valid memory there. A GPU says nothing about them, so there the zones are ours, and they
// are looked at when the data is copied back or freed.
#include "lab/buffer.h"

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "lab/backend.h"
#include "lab/recorder.h"

namespace lab::detail {
namespace {

constexpr int FRESH = 0xff;               // every byte of fresh memory: the bits are a NaN
constexpr size_t ZONE_BYTES = 64 * 1024;  // covers a halo of several rows, and keeps cudaMalloc's alignment

/// Index of the first or last byte of a guard zone that is no longer FRESH; -1 if all are.
ptrdiff_t first_changed(const std::vector<uint8_t>& zone) {
    for (size_t i = 0; i < zone.size(); i++) {
        if (zone[i] != FRESH) return ptrdiff_t(i);
    }
    return -1;
}

ptrdiff_t last_changed(const std::vector<uint8_t>& zone) {
    for (size_t i = zone.size(); i > 0; i--) {
        if (zone[i - 1] != FRESH) return ptrdiff_t(i - 1);
    }
    return -1;
}

std::vector<uint8_t> read_zone(const uint8_t* from, size_t bytes) {
    std::vector<uint8_t> zone(bytes);
    CUDA_CHECK(cudaMemcpy(zone.data(), from, bytes, cudaMemcpyDeviceToHost));
    return zone;
}

std::string elements(size_t count) {
    return std::to_string(count) + (count == 1 ? " element" : " elements");
}

/// Device memory between two zones, and what a message calls it.
struct guarded {
    const uint8_t* begin;
    size_t bytes, zone_bytes, element_bytes;
    std::string name;
};

guarded linear(const void* data, size_t bytes, size_t element_bytes) {
    return {static_cast<const uint8_t*>(data), bytes, ZONE_BYTES, element_bytes,
            "a device buffer of " + elements(bytes / element_bytes)};
}

guarded pitched(const void* data, int height, size_t pitch, size_t element_bytes) {
    return {static_cast<const uint8_t*>(data), pitch * size_t(height), pitch, element_bytes,
            "a pitched image of " + std::to_string(height) + (height == 1 ? " row" : " rows")};
}

/// What was written into the zones; empty if nothing was.
std::string damage_around(const guarded& memory) {
    const std::vector<uint8_t> behind = read_zone(memory.begin + memory.bytes, memory.zone_bytes);
    if (const ptrdiff_t last = last_changed(behind); last >= 0) {
        const size_t distance = size_t(last) / memory.element_bytes + 1;
        return "a kernel wrote past the end of " + memory.name + ", up to " + elements(distance) + " too far";
    }
    const std::vector<uint8_t> before = read_zone(memory.begin - memory.zone_bytes, memory.zone_bytes);
    if (const ptrdiff_t first = first_changed(before); first >= 0) {
        const size_t distance = (memory.zone_bytes - size_t(first) - 1) / memory.element_bytes + 1;
        return "a kernel wrote before the start of " + memory.name + ", up to " + elements(distance) +
               " too early";
    }
    return "";
}

void throw_on_damage(const guarded& memory) {
    const std::string damage = damage_around(memory);
    if (!damage.empty()) throw std::runtime_error(damage);
}

/// Notes damage found when memory is freed: a destructor cannot throw, the worker fails the call instead.
void note_damage(const guarded& memory) {
    try {
        const std::string damage = damage_around(memory);
        if (current_call().damage.empty()) current_call().damage = damage;
    } catch (const std::exception&) {
        // The launch failed and took the memory with it; that error has been thrown already.
    }
}

}  // namespace

void* allocate_linear(size_t bytes) {
    void* memory = nullptr;
    if constexpr (!ON_GPU) {
        CUDA_CHECK(cudaMalloc(&memory, bytes));  // the backend fills it with 0xff
        return memory;
    }
    CUDA_CHECK(cudaMalloc(&memory, bytes + 2 * ZONE_BYTES));
    CUDA_CHECK(cudaMemset(memory, FRESH, bytes + 2 * ZONE_BYTES));
    return static_cast<uint8_t*>(memory) + ZONE_BYTES;
}

void verify_linear(const void* data, size_t bytes, size_t element_bytes) {
    if constexpr (!ON_GPU) return;
    throw_on_damage(linear(data, bytes, element_bytes));
}

void free_linear(void* data, size_t bytes, size_t element_bytes) noexcept {
    if (data == nullptr) return;
    if constexpr (ON_GPU) {
        note_damage(linear(data, bytes, element_bytes));
        data = static_cast<uint8_t*>(data) - ZONE_BYTES;
    }
    cudaFree(data);
}

// On a GPU a pitched image has one more row above and one below, which are its guard zones.

void* allocate_pitched(size_t row_bytes, int height, size_t& pitch) {
    void* memory = nullptr;
    if constexpr (!ON_GPU) {
        CUDA_CHECK(cudaMallocPitch(&memory, &pitch, row_bytes, size_t(height)));
        return memory;
    }
    CUDA_CHECK(cudaMallocPitch(&memory, &pitch, row_bytes, size_t(height) + 2));
    CUDA_CHECK(cudaMemset(memory, FRESH, pitch * (size_t(height) + 2)));
    return static_cast<uint8_t*>(memory) + pitch;
}

void verify_pitched(const void* data, int height, size_t pitch, size_t element_bytes) {
    if constexpr (!ON_GPU) return;
    throw_on_damage(pitched(data, height, pitch, element_bytes));
}

void free_pitched(void* data, int height, size_t pitch, size_t element_bytes) noexcept {
    if (data == nullptr) return;
    if constexpr (ON_GPU) {
        note_damage(pitched(data, height, pitch, element_bytes));
        data = static_cast<uint8_t*>(data) - pitch;
    }
    cudaFree(data);
}

void copy_bytes(void* to, const void* from, size_t bytes, cudaMemcpyKind direction) {
    timed_copy([&] { CUDA_CHECK(cudaMemcpy(to, from, bytes, direction)); });
}

void copy_rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t row_bytes,
               size_t height, cudaMemcpyKind direction) {
    timed_copy(
        [&] { CUDA_CHECK(cudaMemcpy2D(to, to_pitch, from, from_pitch, row_bytes, height, direction)); });
}

void expect_same_size(const char* what, size_t host, size_t device) {
    if (host == device) return;
    throw std::invalid_argument(std::string(what) + ": the host has " + elements(host) + ", the device has " +
                                elements(device) + "; both must be the same");
}

size_t checked_area(int width, int height) {
    if (width > 0 && height > 0) return size_t(width) * size_t(height);
    throw std::invalid_argument("pitched_image: size " + std::to_string(width) + "x" +
                                std::to_string(height) + ", but width and height must be at least 1");
}

}  // namespace lab::detail
