// The device as the worker sees it.
#include "worker/device.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "call/channel.h"
#include "lab/errors.h"
#include "worker/crash.h"
#include "worker/offer.h"

#ifdef __CUCC__
#include "simt/engine/devices.h"
#include "simt/engine/error_state.h"
#include "simt/engine/observer.h"
#endif

namespace worker {
namespace {

std::string describe(cudaError_t error) {
    return std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ")";
}

cudaDeviceProp properties_of_device() {
    int device = 0;
    cudaDeviceProp properties{};
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    return properties;
}

}  // namespace

std::string start_device() {
    const std::string name = properties_of_device().name;
    CUDA_CHECK(cudaFree(nullptr));
    in_use();  // the CPU backend reserves its device memory now
    return name;
}

void tell_block_limits(std::span<int64_t> limits) {
    const cudaDeviceProp device = properties_of_device();
    const int64_t known[] = {int64_t(device.sharedMemPerBlock), int64_t(device.sharedMemPerBlockOptin),
                             device.regsPerBlock, device.maxThreadsPerBlock};
    std::copy_n(known, std::min(limits.size(), std::size(known)), limits.begin());
}
const bool limits_are_offered = offer_function(channel::BLOCK_LIMITS, "limits", tell_block_limits);

device_state settle_device() {
    device_state left;
    (void)cudaGetDevice(&left.current);
    if (left.current != 0) (void)cudaSetDevice(0);  // as the next call expects it
    const cudaError_t unchecked = cudaGetLastError();
    const cudaError_t failed = cudaDeviceSynchronize();
    if (failed != cudaSuccess) {
        left.trouble = "a kernel failed: " + describe(failed);
    } else if (unchecked != cudaSuccess) {
        left.unchecked = describe(unchecked);
    }
    // An ordinary error is forgotten once it has been asked for; one that is still there has taken the
    // context with it.
    (void)cudaGetLastError();
    left.lost = cudaDeviceSynchronize() != cudaSuccess;
    return left;
}

locked_pages::locked_pages(std::span<std::byte> memory) {
    if (memory.empty()) return;
    CUDA_CHECK(cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterDefault));
    begin_ = memory.data();
}

locked_pages::~locked_pages() {
    if (begin_) (void)cudaHostUnregister(begin_);
}

locked_pages::locked_pages(locked_pages&& other) noexcept : begin_(std::exchange(other.begin_, nullptr)) {}

#ifndef __CUCC__

namespace {

std::array<uint32_t, 3> block_of_last_launch{};

}  // namespace

std::array<uint32_t, 3> last_block() {
    return block_of_last_launch;
}
void forget_block() {
    block_of_last_launch = {};
}

const char* meaning_of_address(uintptr_t) {
    return "illegal address";
}

check::leftovers in_use() {
    return {};
}

void fail_call(uint64_t, bool) {}
int lend_devices(int, int) {
    return 0;
}
void label_host_memory(std::span<const std::byte>, const std::string&, bool) {}
void forget_host_memory() {}
void unlock_host_memory(std::span<const std::byte>) {}

#else

std::array<uint32_t, 3> last_block() {
    const uint3 block = simt::last_block();
    return {block.x, block.y, block.z};
}
void forget_block() {
    simt::forget_block();
}

// "used" keeps it in the program although nothing here reads it.
[[gnu::used]] const auto& cpu_mark = channel::CPU_MARK;

const char* meaning_of_address(uintptr_t address) {
    const bool on_device = address >= simt::device_begin && address < simt::device_end;
    return on_device ? "device memory used by host code: copy it with cudaMemcpy" : "illegal address";
}

check::leftovers in_use() {
    size_t free_bytes = 0, total_bytes = 0;
    if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess) return {};
    return {total_bytes - free_bytes, simt::live_textures(),    simt::live_streams(),
            simt::live_events(),      simt::live_host_pieces(), simt::live_plans()};
}

void fail_call(uint64_t number, bool loses_device) {
    simt::fail_call(number, loses_device);
}

int lend_devices(int count, int current) {
    simt::lend_devices(count, current);
    return simt::current_device();
}

void label_host_memory(std::span<const std::byte> memory, const std::string& name, bool is_output) {
    simt::label_host_range(memory.data(), memory.size(), name, is_output);
}

void forget_host_memory() {
    simt::forget_host_ranges();
}

void unlock_host_memory(std::span<const std::byte> memory) {
    simt::unlock_host_range(memory.data(), memory.size());
}

#endif

}  // namespace worker

#ifndef __CUCC__

// nvcc's <<<grid, block, ...>>> hands its arguments to this function of CUDA's first. The linker (worker.sh)
// sends the call here and gives the real one the other name.
unsigned push_configuration(dim3 grid, dim3 block, size_t shared_bytes,
                            CUstream_st* stream) asm("__wrap___cudaPushCallConfiguration");
unsigned push_for_cuda(dim3 grid, dim3 block, size_t shared_bytes,
                       CUstream_st* stream) asm("__real___cudaPushCallConfiguration");

unsigned push_configuration(dim3 grid, dim3 block, size_t shared_bytes, CUstream_st* stream) {
    worker::block_of_last_launch = {block.x, block.y, block.z};
    return push_for_cuda(grid, block, shared_bytes, stream);
}

// New memory may hold what the call before computed there, which is right where this one stores nothing: it is filled
// with NaN before anybody, in whatever stream, has it.
cudaError_t malloc_filled(void** memory, size_t bytes) asm("__wrap_cudaMalloc");
cudaError_t malloc_of_cuda(void** memory, size_t bytes) asm("__real_cudaMalloc");
cudaError_t malloc_pitch_filled(void** memory, size_t* pitch, size_t width,
                                size_t height) asm("__wrap_cudaMallocPitch");
cudaError_t malloc_pitch_of_cuda(void** memory, size_t* pitch, size_t width,
                                 size_t height) asm("__real_cudaMallocPitch");

static cudaError_t filled(void* memory, size_t bytes) {
    if (bytes == 0) return cudaSuccess;
    const cudaError_t error = cudaMemset(memory, 0xff, bytes);
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

cudaError_t malloc_filled(void** memory, size_t bytes) {
    const cudaError_t error = malloc_of_cuda(memory, bytes);
    return error == cudaSuccess ? filled(*memory, bytes) : error;
}

cudaError_t malloc_pitch_filled(void** memory, size_t* pitch, size_t width, size_t height) {
    const cudaError_t error = malloc_pitch_of_cuda(memory, pitch, width, height);
    return error == cudaSuccess ? filled(*memory, *pitch * height) : error;
}

#endif
