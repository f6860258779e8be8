// What the worker asks of CUDA, on either backend.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "call/leftovers.h"

namespace worker {

/// Makes the context, so that no call pays for it. Returns the device's name; throws std::runtime_error with
/// CUDA's reason.
std::string start_device();

/// Fills in what a block may have here, as cudaDeviceProp says: bytes of shared memory without and with
/// opting in, registers, threads. The judge calls it by the name channel::BLOCK_LIMITS.
void tell_block_limits(std::span<int64_t> limits);

/// What a call left behind on the device.
struct device_state {
    std::string trouble;    // a kernel that failed after the function returned; empty if none did
    std::string unchecked;  // an error that nobody asked about, harmless by itself
    int current = 0;        // the device that it has left as the current one
    bool lost = false;      // the device keeps its error: only a new process can go on
};
device_state settle_device();

/// What exists on the device now. On a GPU nothing: its driver rounds, keeps some, and does not tell the rest.
check::leftovers in_use();

/// From now on the `number`th call of CUDA says that it failed, 0: none does; or it is the last that its device does.
/// Nothing on a GPU.
void fail_call(uint64_t number, bool loses_device = false);

/// From now on the CPU backend has so many devices, all as new, and `current` is the current one. On a GPU nothing, and
/// the current one is the first. Returns which it is.
int lend_devices(int count, int current);

/// Page-locks host memory for as long as this lives: the device reads and writes it without a copy in between.
class locked_pages {
public:
    /// Throws std::runtime_error with CUDA's reason.
    explicit locked_pages(std::span<std::byte> memory);
    ~locked_pages();
    locked_pages(locked_pages&& other) noexcept;
    locked_pages& operator=(locked_pages&&) = delete;

private:
    void* begin_ = nullptr;
};

/// Threads of the last launch since it was forgotten, across, down and deep; zeros if there was none.
std::array<uint32_t, 3> last_block();
void forget_block();

/// Tells the inspector what the contract calls this host memory, so that its reports can use the name.
void label_host_memory(std::span<const std::byte> memory, const std::string& name, bool is_output);
void forget_host_memory();
/// An array of a call that is over goes: what the call page-locked of it and did not unlock is no longer locked. Nothing
/// on a GPU.
void unlock_host_memory(std::span<const std::byte> memory);

}  // namespace worker
