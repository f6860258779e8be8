// What cudaDeviceGetAttribute answers.
#include "simt/engine/devices.h"
#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/engine/limits.h"
#include "simt/include/simt/device.h"
#include "simt/runtime/checks.h"

namespace simt {
namespace {

struct attribute_value {
    cudaDeviceAttr attribute;
    int value;
};

// As an H200 reports them, except where the emulation is poorer: kernels cannot use any memory of the host.
// Streams overlap here by their order, which the inspector judges, though not in time.
constexpr attribute_value ATTRIBUTES[] = {
    {cudaDevAttrMaxThreadsPerBlock, MAX_THREADS_PER_BLOCK},
    {cudaDevAttrMaxBlockDimX, MAX_BLOCK[0]},
    {cudaDevAttrMaxBlockDimY, MAX_BLOCK[1]},
    {cudaDevAttrMaxBlockDimZ, MAX_BLOCK[2]},
    {cudaDevAttrMaxGridDimX, MAX_GRID[0]},
    {cudaDevAttrMaxGridDimY, MAX_GRID[1]},
    {cudaDevAttrMaxGridDimZ, MAX_GRID[2]},
    {cudaDevAttrMaxSharedMemoryPerBlock, int(SHARED_PER_BLOCK)},
    {cudaDevAttrTotalConstantMemory, int(CONSTANT_BYTES)},
    {cudaDevAttrWarpSize, WARP_SIZE},
    {cudaDevAttrMaxPitch, LARGEST_PITCH},
    {cudaDevAttrMaxRegistersPerBlock, REGISTERS},
    {cudaDevAttrClockRate, CLOCK_KHZ},
    {cudaDevAttrTextureAlignment, int(TEXTURE_ALIGNMENT)},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrMultiProcessorCount, MULTIPROCESSORS},
    {cudaDevAttrKernelExecTimeout, 0},
    {cudaDevAttrIntegrated, 0},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrComputeMode, cudaComputeModeDefault},
    {cudaDevAttrMaxTexture1DWidth, int(MAX_TEXTURE_1D)},
    {cudaDevAttrMaxTexture2DWidth, int(MAX_TEXTURE_2D[0])},
    {cudaDevAttrMaxTexture2DHeight, int(MAX_TEXTURE_2D[1])},
    {cudaDevAttrMaxTexture3DWidth, int(MAX_TEXTURE_3D)},
    {cudaDevAttrMaxTexture3DHeight, int(MAX_TEXTURE_3D)},
    {cudaDevAttrMaxTexture3DDepth, int(MAX_TEXTURE_3D)},
    {cudaDevAttrMaxTexture2DLayeredWidth, int(MAX_TEXTURE_LAYER)},
    {cudaDevAttrMaxTexture2DLayeredHeight, int(MAX_TEXTURE_LAYER)},
    {cudaDevAttrMaxTexture2DLayeredLayers, int(MAX_LAYERS)},
    {cudaDevAttrSurfaceAlignment, int(TEXTURE_ALIGNMENT)},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrEccEnabled, 0},
    {cudaDevAttrPciBusId, 0},
    {cudaDevAttrPciDeviceId, 0},
    {cudaDevAttrTccDriver, 0},
    {cudaDevAttrHostNativeAtomicSupported, 0},
    {cudaDevAttrMemoryClockRate, MEMORY_CLOCK_KHZ},
    {cudaDevAttrGlobalMemoryBusWidth, MEMORY_BUS_BITS},
    {cudaDevAttrL2CacheSize, L2_BYTES},
    {cudaDevAttrMaxThreadsPerMultiProcessor, MAX_THREADS_PER_MULTIPROCESSOR},
    {cudaDevAttrAsyncEngineCount, COPY_ENGINES},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrMaxTexture1DLayeredWidth, int(MAX_TEXTURE_LAYER)},
    {cudaDevAttrMaxTexture1DLayeredLayers, int(MAX_LAYERS)},
    {cudaDevAttrPciDomainId, 0},
    {cudaDevAttrTexturePitchAlignment, int(TEXTURE_PITCH_ALIGNMENT)},
    {cudaDevAttrMaxTexture1DLinearWidth, int(MAX_TEXTURE_LINEAR)},
    {cudaDevAttrMaxTexture2DLinearWidth, int(MAX_TEXTURE_PITCHED[0])},
    {cudaDevAttrMaxTexture2DLinearHeight, int(MAX_TEXTURE_PITCHED[1])},
    {cudaDevAttrMaxTexture2DLinearPitch, int(MAX_TEXTURE_PITCHED[2])},
    {cudaDevAttrComputeCapabilityMajor, 9},
    {cudaDevAttrComputeCapabilityMinor, 0},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, int(SHARED_PER_MULTIPROCESSOR)},
    {cudaDevAttrMaxRegistersPerMultiprocessor, REGISTERS},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrIsMultiGpuBoard, 0},
    {cudaDevAttrMultiGpuBoardGroupID, 0},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, FLOATS_PER_DOUBLE},
    {cudaDevAttrPageableMemoryAccess, 0},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrComputePreemptionSupported, 0},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 0},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, int(SHARED_PER_BLOCK_OPTIN)},
    {cudaDevAttrCanFlushRemoteWrites, 0},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
    {cudaDevAttrDirectManagedMemAccessFromHost, 0},
    {cudaDevAttrMaxBlocksPerMultiprocessor, MAX_BLOCKS_PER_MULTIPROCESSOR},
    {cudaDevAttrMaxPersistingL2CacheSize, L2_PERSISTING_BYTES},
    {cudaDevAttrReservedSharedMemoryPerBlock, int(SHARED_RESERVED_PER_BLOCK)},
    {cudaDevAttrSparseCudaArraySupported, 0},
    {cudaDevAttrHostRegisterReadOnlySupported, 0},
    {cudaDevAttrTimelineSemaphoreInteropSupported, 0},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {cudaDevAttrGPUDirectRDMASupported, 0},
    {cudaDevAttrClusterLaunch, 0},
};

}  // namespace

cudaError_t check_device(const char* call, int device) {
    const int count = device_count();
    if (device >= 0 && device < count) return cudaSuccess;
    if (count == 1)
        return refuse(cudaErrorInvalidDevice, "%s: there is no device %d; the CPU backend is device 0", call,
                      device);
    return refuse(cudaErrorInvalidDevice, "%s: there is no device %d; the CPU backend has 0 to %d", call,
                  device, count - 1);
}

}  // namespace simt

using namespace simt;

extern "C" cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr wanted, int device) {
    if (device_is_far()) return look_at_device<cudaDeviceGetAttribute>(value, wanted, device);
    if (const cudaError_t bad = check_device("cudaDeviceGetAttribute", device)) return bad;
    if (!value) return refuse(cudaErrorInvalidValue, "cudaDeviceGetAttribute: a null pointer for the result");
    for (const attribute_value& entry : ATTRIBUTES) {
        if (entry.attribute != wanted) continue;
        *value = entry.value;
        return done("cudaDeviceGetAttribute");
    }
    return refuse(cudaErrorInvalidValue, "cudaDeviceGetAttribute: the CPU backend has no attribute %d",
                  int(wanted));
}
