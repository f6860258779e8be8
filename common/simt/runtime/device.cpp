// The emulated devices: their properties, settings and state. They are all alike and share their settings.
#include "simt/include/simt/device.h"

#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

#include "simt/engine/devices.h"
#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/engine/limits.h"
#include "simt/memory/allocations.h"
#include "simt/memory/heap.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/host_order.h"
#include "simt/runtime/kernel_output.h"
#include "simt/runtime/launch_in_flight.h"
#include "simt/runtime/pool.h"
#include "simt/runtime/transform_plans.h"
#include "simt/texture/array.h"
#include "simt/texture/texture_object.h"

namespace simt {
namespace {

constexpr int CUDA_VERSION = 12000;
constexpr char OWN_PEER[] = "the device is no peer of its own";

struct device_settings {
    std::mutex mutex;
    unsigned int flags = cudaDeviceScheduleAuto;
    cudaFuncCache cache = cudaFuncCachePreferNone;
    // What a device starts with; they change nothing here.
    std::map<cudaLimit, size_t> limits = {{cudaLimitStackSize, 1024},
                                          {cudaLimitPrintfFifoSize, 8650752},
                                          {cudaLimitDevRuntimePendingLaunchCount, 2048},
                                          {cudaLimitMaxL2FetchGranularity, 64},
                                          {cudaLimitPersistingL2CacheSize, 0}};
};
device_settings& of_device = *new device_settings;  // never destroyed, see allocations.cpp

bool is_known(cudaLimit limit) {
    return limit == cudaLimitMallocHeapSize || of_device.limits.count(limit) != 0;
}

void copy_triple(int (&to)[3], const int (&from)[3]) {
    std::memcpy(to, from, sizeof to);
}

void describe_memories(cudaDeviceProp& device) {
    device.totalGlobalMem = device_memory_info().total;
    device.sharedMemPerBlock = SHARED_PER_BLOCK;
    device.sharedMemPerBlockOptin = SHARED_PER_BLOCK_OPTIN;
    device.sharedMemPerMultiprocessor = SHARED_PER_MULTIPROCESSOR;
    device.reservedSharedMemPerBlock = SHARED_RESERVED_PER_BLOCK;
    device.totalConstMem = CONSTANT_BYTES;
    device.memPitch = LARGEST_PITCH;
    device.memoryBusWidth = MEMORY_BUS_BITS;
    device.l2CacheSize = L2_BYTES;
    device.persistingL2CacheMaxSize = L2_PERSISTING_BYTES;
    device.globalL1CacheSupported = 1;
    device.localL1CacheSupported = 1;
    device.unifiedAddressing = 1;
    device.canMapHostMemory = 1;
    device.cooperativeLaunch = 1;
    device.managedMemory = 1;
    device.hostRegisterSupported = 1;
    device.concurrentManagedAccess = 1;
    device.memoryPoolsSupported = 1;
    device.memoryClockRate = MEMORY_CLOCK_KHZ;
}

void describe_threads(cudaDeviceProp& device) {
    device.regsPerBlock = REGISTERS;
    device.regsPerMultiprocessor = REGISTERS;
    device.warpSize = WARP_SIZE;
    device.maxThreadsPerBlock = MAX_THREADS_PER_BLOCK;
    copy_triple(device.maxThreadsDim, MAX_BLOCK);
    copy_triple(device.maxGridSize, MAX_GRID);
    device.multiProcessorCount = MULTIPROCESSORS;
    device.maxThreadsPerMultiProcessor = MAX_THREADS_PER_MULTIPROCESSOR;
    device.maxBlocksPerMultiProcessor = MAX_BLOCKS_PER_MULTIPROCESSOR;
    device.streamPrioritiesSupported = 1;
    device.concurrentKernels = 1;
    device.asyncEngineCount = COPY_ENGINES;
    device.deviceOverlap = 1;
    device.singleToDoublePrecisionPerfRatio = FLOATS_PER_DOUBLE;
    device.clockRate = CLOCK_KHZ;
    device.computeMode = cudaComputeModeDefault;
}

void describe_textures(cudaDeviceProp& device) {
    device.textureAlignment = TEXTURE_ALIGNMENT;
    device.texturePitchAlignment = TEXTURE_PITCH_ALIGNMENT;
    device.surfaceAlignment = TEXTURE_ALIGNMENT;
    device.maxTexture1DLayered[0] = int(MAX_TEXTURE_LAYER);
    device.maxTexture2DLayered[0] = device.maxTexture2DLayered[1] = int(MAX_TEXTURE_LAYER);
    device.maxTexture1DLayered[1] = device.maxTexture2DLayered[2] = int(MAX_LAYERS);
    device.maxTexture1D = int(MAX_TEXTURE_1D);
    for (int i = 0; i < 2; i++)
        device.maxTexture2D[i] = int(MAX_TEXTURE_2D[i]);
    for (int i = 0; i < 3; i++)
        device.maxTexture2DLinear[i] = int(MAX_TEXTURE_PITCHED[i]);
    for (int i = 0; i < 3; i++)
        device.maxTexture3D[i] = int(MAX_TEXTURE_3D);
}

}  // namespace
}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    if (!count) return refuse(cudaErrorInvalidValue, "cudaGetDeviceCount: a null pointer for the result");
    *count = device_count();
    return remember_on_host(cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
    if (const cudaError_t bad = check_device("cudaSetDevice", device)) return bad;
    the_asked_work().device = device;
    return remember_on_host(cudaSuccess);
}

cudaError_t cudaGetDevice(int* device) {
    if (!device) return refuse(cudaErrorInvalidValue, "cudaGetDevice: a null pointer for the result");
    *device = current_device();
    return remember_on_host(cudaSuccess);
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
    if (!device || !wanted) return refuse(cudaErrorInvalidValue, "cudaChooseDevice: a null pointer");
    return cudaGetDevice(device);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (const cudaError_t bad = check_device("cudaGetDeviceProperties", device)) return bad;
    if (!properties)
        return refuse(cudaErrorInvalidValue, "cudaGetDeviceProperties: a null pointer for the result");
    *properties = {};
    std::snprintf(properties->name, sizeof properties->name, "CPU backend (limits of an NVIDIA H200)");
    std::memcpy(properties->uuid.bytes, "simt-cpu-backend", sizeof properties->uuid.bytes);
    properties->major = 9;
    properties->minor = 0;
    describe_memories(*properties);
    describe_threads(*properties);
    describe_textures(*properties);
    return remember(cudaSuccess);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    const std::lock_guard lock(of_device.mutex);
    of_device.flags = flags;
    return remember(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
    if (!flags) return refuse(cudaErrorInvalidValue, "cudaGetDeviceFlags: a null pointer for the result");
    const std::lock_guard lock(of_device.mutex);
    *flags = of_device.flags;
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize() {
    if (const cudaError_t bad = refuse_in_capture("cudaDeviceSynchronize")) return bad;
    // But for one in flight a launch is over when it returns: its error can be left, and what the observer has to know.
    wait_as_told({stream_step::kind::host_waits_for_all, 0, 0, true, 0, current_device()});
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceReset() {
    while (is_any_in_flight())
        wait_for_landing();
    show_kernel_output();
    empty_pools();
    destroy_all_plans();
    if (device_is_far()) return ask_device<cudaDeviceReset>();
    clear_errors();
    destroy_all_textures();
    destroy_all_surfaces();
    free_all_arrays();
    release_everything();
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    if (!value) return refuse(cudaErrorInvalidValue, "cudaDeviceGetLimit: a null pointer for the result");
    if (!is_known(limit)) {
        return refuse(cudaErrorUnsupportedLimit, "cudaDeviceGetLimit: the CPU backend has no limit %d",
                      int(limit));
    }
    if (device_is_far()) return look_at_device<cudaDeviceGetLimit>(value, limit);
    const std::lock_guard lock(of_device.mutex);
    *value = limit == cudaLimitMallocHeapSize ? heap_limit() : of_device.limits[limit];
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    if (!is_known(limit)) {
        return refuse(cudaErrorUnsupportedLimit, "cudaDeviceSetLimit: the CPU backend has no limit %d",
                      int(limit));
    }
    if (device_is_far()) return ask_device<cudaDeviceSetLimit>(limit, value);
    const std::lock_guard lock(of_device.mutex);
    if (limit != cudaLimitMallocHeapSize)
        of_device.limits[limit] = value;
    else
        set_heap_limit(value);
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    if (!config)
        return refuse(cudaErrorInvalidValue, "cudaDeviceGetCacheConfig: a null pointer for the result");
    const std::lock_guard lock(of_device.mutex);
    *config = of_device.cache;
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
    const std::lock_guard lock(of_device.mutex);
    of_device.cache = config;
    return remember(cudaSuccess);
}

cudaError_t cudaInitDevice(int device, unsigned int, unsigned int flags) {
    if (const cudaError_t bad = check_device("cudaInitDevice", device)) return bad;
    if (flags != 0) return refuse(cudaErrorInvalidValue, "cudaInitDevice: flags must be 0");
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
    if (const cudaError_t bad = check_device("cudaDeviceGetPCIBusId", device)) return bad;
    if (!id || length <= 0)
        return refuse(cudaErrorInvalidValue, "cudaDeviceGetPCIBusId: no room for the result");
    std::snprintf(id, size_t(length), "0000:%02x:00.0", unsigned(device));
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
    const char* call = "cudaDeviceGetByPCIBusId";
    if (!device || !id) return refuse(cudaErrorInvalidValue, "%s: a null pointer", call);
    unsigned domain = 0, bus = 0, slot = 0;
    const bool is_id = std::sscanf(id, "%x:%x:%x", &domain, &bus, &slot) == 3;
    if (!is_id || domain != 0 || slot != 0 || bus >= unsigned(device_count()))
        return refuse(cudaErrorInvalidValue, "%s: there is no device %s", call, id);
    *device = int(bus);
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
    if (const cudaError_t bad = check_device("cudaDeviceCanAccessPeer", device)) return bad;
    if (const cudaError_t bad = check_device("cudaDeviceCanAccessPeer", peer)) return bad;
    if (!can_access)
        return refuse(cudaErrorInvalidValue, "cudaDeviceCanAccessPeer: a null pointer for the result");
    *can_access = device != peer;
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr wanted, int device, int peer) {
    const char* call = "cudaDeviceGetP2PAttribute";
    if (const cudaError_t bad = check_device(call, device)) return bad;
    if (const cudaError_t bad = check_device(call, peer)) return bad;
    if (!value) return refuse(cudaErrorInvalidValue, "%s: a null pointer for the result", call);
    if (device == peer) return refuse(cudaErrorInvalidDevice, "%s: %s", call, OWN_PEER);
    *value = wanted != cudaDevP2PAttrPerformanceRank;  // all are linked alike
    return remember(cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache() {
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
    const char* call = "cudaDeviceEnablePeerAccess";
    if (flags != 0) return refuse(cudaErrorInvalidValue, "%s: flags must be 0", call);
    if (const cudaError_t bad = check_device(call, peer)) return bad;
    const int device = current_device();
    if (device == peer) return refuse(cudaErrorInvalidDevice, "%s: %s", call, OWN_PEER);
    if (!let_reach(device, peer, true))
        return refuse(cudaErrorPeerAccessAlreadyEnabled, "%s: device %d reaches device %d already", call,
                      device, peer);
    return remember(cudaSuccess);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    const char* call = "cudaDeviceDisablePeerAccess";
    if (const cudaError_t bad = check_device(call, peer)) return bad;
    if (!let_reach(current_device(), peer, false))
        return refuse(cudaErrorPeerAccessNotEnabled, "%s: it was never enabled", call);
    return remember(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    if (!version)
        return refuse(cudaErrorInvalidValue, "cudaRuntimeGetVersion: a null pointer for the result");
    *version = CUDA_VERSION;
    return remember(cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int* version) {
    if (!version) return refuse(cudaErrorInvalidValue, "cudaDriverGetVersion: a null pointer for the result");
    constexpr int LATEST = 12080;  // that anything here needs: conditional nodes of graphs
    *version = LATEST;
    return remember(cudaSuccess);
}

}  // extern "C"
