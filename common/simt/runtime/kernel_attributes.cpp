// Attributes of kernels and the occupancy that follows from them.
// Registers are unknown: no GPU compiler has run.
#include <algorithm>
#include <map>
#include <mutex>

#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/engine/kernel_list.h"
#include "simt/engine/limits.h"
#include "simt/engine/symbols.h"
#include "simt/include/simt/device.h"
#include "simt/runtime/checks.h"

namespace simt {
namespace {

struct kernel_settings {
    size_t dynamic_shared = 0;
    bool dynamic_shared_set = false;  // else dynamic_shared says nothing
    int carveout = cudaSharedmemCarveoutDefault;
};

struct settings_list {
    std::mutex mutex;
    std::map<const void*, kernel_settings> kernels;
};

settings_list& settings() {
    static auto* list = new settings_list;  // never destroyed, see allocations.cpp
    return *list;
}

size_t left_of(size_t limit, size_t taken) {
    return limit > taken ? limit - taken : 0;
}

cudaError_t set_dynamic_shared(const void* kernel, int value) {
    const size_t fixed = static_shared_bytes(kernel);
    const size_t largest = left_of(SHARED_PER_BLOCK_OPTIN, fixed);
    if (value < 0 || size_t(value) > largest) {
        return refuse(
            cudaErrorInvalidValue,
            "cudaFuncSetAttribute: %d bytes of dynamic shared memory; the kernel, with %zu bytes of its own, "
            "may have 0 to %zu",
            value, fixed, largest);
    }
    const std::lock_guard lock(settings().mutex);
    kernel_settings& changed = settings().kernels[kernel];
    changed.dynamic_shared = size_t(value);
    changed.dynamic_shared_set = true;
    return done("cudaFuncSetAttribute");
}

cudaError_t set_carveout(const void* kernel, int value) {
    if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared) {
        return refuse(cudaErrorInvalidValue,
                      "cudaFuncSetAttribute: a carveout of %d %%; -1 to 100 are possible", value);
    }
    const std::lock_guard lock(settings().mutex);
    settings().kernels[kernel].carveout = value;
    return remember(cudaSuccess);
}

cudaError_t check_banks(const char* call, cudaSharedMemConfig config) {
    if (config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte)
        return remember(cudaSuccess);
    return refuse(cudaErrorInvalidValue, "%s: there are no banks of kind %d", call, int(config));
}

/// Blocks of this shape that fit one multiprocessor at once; 0 if one alone does not. As the real runtime, it does not look at
/// the kernel's __launch_bounds__.
int resident_blocks(const void* kernel, int block_size, size_t dynamic_shared) {
    if (block_size > MAX_THREADS_PER_BLOCK || dynamic_shared > dynamic_shared_limit(kernel)) return 0;
    const int warps = (block_size + WARP_SIZE - 1) / WARP_SIZE;
    const int by_threads = MAX_THREADS_PER_MULTIPROCESSOR / WARP_SIZE / warps;
    // Shared memory is handed out in units of 128 bytes.
    const size_t asked = static_shared_bytes(kernel) + dynamic_shared;
    const size_t taken = (asked + 127) / 128 * 128 + SHARED_RESERVED_PER_BLOCK;
    const int by_shared = int(SHARED_PER_MULTIPROCESSOR / taken);
    return std::min({MAX_BLOCKS_PER_MULTIPROCESSOR, by_threads, by_shared});
}

// The calls themselves, by names that are no template's as well.
constexpr cudaError_t (*set_attribute)(const void*, cudaFuncAttribute, int) = cudaFuncSetAttribute;
constexpr cudaError_t (*get_attributes)(cudaFuncAttributes*, const void*) = cudaFuncGetAttributes;
constexpr cudaError_t (*max_active_blocks)(int*, const void*, int, size_t, unsigned int) =
    cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags;
constexpr cudaError_t (*available_dynamic_shared)(size_t*, const void*, int,
                                                  int) = cudaOccupancyAvailableDynamicSMemPerBlock;

/// The attribute as it can be read back.
size_t chosen_dynamic_shared(const void* kernel) {
    {
        const std::lock_guard lock(settings().mutex);
        const auto found = settings().kernels.find(kernel);
        if (found != settings().kernels.end() && found->second.dynamic_shared_set)
            return found->second.dynamic_shared;
    }
    return dynamic_shared_limit(kernel);
}

}  // namespace

size_t dynamic_shared_limit(const void* kernel) {
    const std::lock_guard lock(settings().mutex);
    // Without asking for more, 48 KB; asking for less changes nothing.
    size_t limit = kernel ? left_of(SHARED_PER_BLOCK, static_shared_bytes(kernel)) : SHARED_PER_BLOCK;
    for (const auto& [other, chosen] : settings().kernels) {
        if (!kernel || other == kernel) limit = std::max(limit, chosen.dynamic_shared);
    }
    return limit;
}

}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    if (device_is_far()) return ask_device<set_attribute>(kernel, attribute, value);
    if (!kernel)
        return refuse(cudaErrorInvalidDeviceFunction, "cudaFuncSetAttribute: a null pointer for the kernel");
    switch (attribute) {
        case cudaFuncAttributeMaxDynamicSharedMemorySize:
            return set_dynamic_shared(kernel, value);
        case cudaFuncAttributePreferredSharedMemoryCarveout:
            return set_carveout(kernel, value);
    }
    return refuse(cudaErrorInvalidValue, "cudaFuncSetAttribute: there is no attribute %d", int(attribute));
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
    if (device_is_far()) return fact_of_device<get_attributes>(attributes, kernel);
    if (!kernel)
        return refuse(cudaErrorInvalidDeviceFunction, "cudaFuncGetAttributes: a null pointer for the kernel");
    if (!attributes)
        return refuse(cudaErrorInvalidValue, "cudaFuncGetAttributes: a null pointer for the result");
    *attributes = {};
    attributes->sharedSizeBytes = static_shared_bytes(kernel);
    attributes->maxThreadsPerBlock = most_threads_of(kernel);
    attributes->ptxVersion = 90;
    attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = int(chosen_dynamic_shared(kernel));
    const std::lock_guard lock(settings().mutex);
    const auto found = settings().kernels.find(kernel);
    const bool known = found != settings().kernels.end();
    attributes->preferredShmemCarveout = known ? found->second.carveout : int(cudaSharedmemCarveoutDefault);
    return remember(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache) {
    if (!kernel)
        return refuse(cudaErrorInvalidDeviceFunction,
                      "cudaFuncSetCacheConfig: a null pointer for the kernel");
    return remember(cudaSuccess);
}

cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig config) {
    const char* call = "cudaFuncSetSharedMemConfig";
    if (!kernel) return refuse(cudaErrorInvalidDeviceFunction, "%s: a null pointer for the kernel", call);
    return check_banks(call, config);
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
    return check_banks("cudaDeviceSetSharedMemConfig", config);
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    if (!config)
        return refuse(cudaErrorInvalidValue, "cudaDeviceGetSharedMemConfig: a null pointer for the result");
    *config = cudaSharedMemBankSizeFourByte;
    return remember(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int block_size, size_t dynamic_shared,
                                                                   unsigned int flags) {
    if (device_is_far())
        return fact_of_device<max_active_blocks>(blocks, kernel, block_size, dynamic_shared, flags);
    if (!blocks || !kernel || block_size <= 0) {
        return refuse(cudaErrorInvalidValue,
                      "cudaOccupancyMaxActiveBlocksPerMultiprocessor: blocks of %d threads, or a "
                      "null pointer",
                      block_size);
    }
    *blocks = resident_blocks(kernel, block_size, dynamic_shared);
    return remember(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int block_size,
                                                          size_t dynamic_shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, block_size, dynamic_shared,
                                                                  0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamic_shared, const void* kernel, int blocks,
                                                      int block_size) {
    if (device_is_far())
        return fact_of_device<available_dynamic_shared>(dynamic_shared, kernel, blocks, block_size);
    if (!dynamic_shared || !kernel || block_size <= 0 || blocks <= 0 ||
        resident_blocks(kernel, block_size, 0) < blocks) {
        return refuse(
            cudaErrorInvalidValue,
            "cudaOccupancyAvailableDynamicSMemPerBlock: %d blocks of %d threads do not fit a multiprocessor",
            blocks, block_size);
    }
    // As the real runtime counts it, which does not take the reserved kilobyte off here.
    const size_t share = SHARED_PER_MULTIPROCESSOR / size_t(blocks);
    const size_t available = left_of(share, static_shared_bytes(kernel));
    *dynamic_shared = std::min(available, chosen_dynamic_shared(kernel));
    return remember(cudaSuccess);
}

}  // extern "C"
