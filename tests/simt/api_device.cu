// The device, kernels' attributes and occupancy. The expected numbers were read from an H200.
#include "api_test.h"
#include "check/modes/occupancy.h"

__global__ void plain(float* out) {
    extern __shared__ float s_tile[];
    s_tile[threadIdx.x] = 0.0f;
    out[threadIdx.x] = s_tile[threadIdx.x];
}
__global__ void with_tile(float* out) {
    __shared__ float s_tile[1000];
    s_tile[threadIdx.x] = out[0];
    __syncthreads();  // all elements are written
    out[1] = s_tile[3];
}

void properties() {
    cudaDeviceProp device;
    int count = 0, current = -1, value = 0;
    EXPECT_OK(cudaGetDeviceCount(&count));
    EXPECT_OK(cudaGetDevice(&current));
    EXPECT(count == 1 && current == 0);
    EXPECT_OK(cudaGetDeviceProperties(&device, 0));
    EXPECT(strstr(device.name, "CPU backend") != nullptr);
    EXPECT(device.major == 9 && device.minor == 0 && device.multiProcessorCount == 132 &&
           device.warpSize == 32);
    EXPECT(device.sharedMemPerBlock == 49152 && device.sharedMemPerBlockOptin == 232448);
    EXPECT(device.totalConstMem == 65536 && device.maxThreadsPerBlock == 1024 &&
           device.maxThreadsDim[2] == 64);
    EXPECT(device.totalGlobalMem > 0);
    EXPECT(std::string(device.uuid.bytes, 16) == "simt-cpu-backend");
    EXPECT_OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    EXPECT(value == 232448);
    EXPECT_OK(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0));
    EXPECT(value > 0);
    EXPECT_REFUSED(cudaErrorInvalidDevice, cudaSetDevice(7));
    EXPECT_REFUSED(cudaErrorInvalidDevice, cudaSetDevice(-1));
    EXPECT_REFUSED(cudaErrorInvalidDevice, cudaGetDeviceProperties(&device, 3));
    EXPECT_REFUSED(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 4));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, cudaDeviceAttr(999), 0));
    size_t limit = 0;
    EXPECT_OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20));
    EXPECT_OK(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
    EXPECT(limit == 1 << 20);
    int peers = 0;
    EXPECT_REFUSED(cudaErrorInvalidDevice,
                   cudaDeviceGetP2PAttribute(&peers, cudaDevP2PAttrAccessSupported, 0, 1));
    EXPECT_OK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
    EXPECT_OK(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
    EXPECT(limit == 1 << 20);
    EXPECT_REFUSED(cudaErrorUnsupportedLimit, cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 2));
    EXPECT_OK(cudaInitDevice(0, 0, 0));
    EXPECT_REFUSED(cudaErrorInvalidDevice, cudaInitDevice(1, 0, 0));
    char id[16];
    EXPECT_OK(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    EXPECT_OK(cudaDeviceGetByPCIBusId(&value, id));
    EXPECT(value == 0);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&value, "0000:77:00.0"));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&value, "first"));
}

/// What can be asked for in two ways is the same in both.
void attributes_and_properties() {
    using property = int cudaDeviceProp::*;
    constexpr std::pair<cudaDeviceAttr, property> BOTH[] = {
        {cudaDevAttrMaxThreadsPerBlock, &cudaDeviceProp::maxThreadsPerBlock},
        {cudaDevAttrWarpSize, &cudaDeviceProp::warpSize},
        {cudaDevAttrMaxRegistersPerBlock, &cudaDeviceProp::regsPerBlock},
        {cudaDevAttrClockRate, &cudaDeviceProp::clockRate},
        {cudaDevAttrGpuOverlap, &cudaDeviceProp::deviceOverlap},
        {cudaDevAttrMultiProcessorCount, &cudaDeviceProp::multiProcessorCount},
        {cudaDevAttrIntegrated, &cudaDeviceProp::integrated},
        {cudaDevAttrCanMapHostMemory, &cudaDeviceProp::canMapHostMemory},
        {cudaDevAttrComputeMode, &cudaDeviceProp::computeMode},
        {cudaDevAttrConcurrentKernels, &cudaDeviceProp::concurrentKernels},
        {cudaDevAttrEccEnabled, &cudaDeviceProp::ECCEnabled},
        {cudaDevAttrMemoryClockRate, &cudaDeviceProp::memoryClockRate},
        {cudaDevAttrGlobalMemoryBusWidth, &cudaDeviceProp::memoryBusWidth},
        {cudaDevAttrL2CacheSize, &cudaDeviceProp::l2CacheSize},
        {cudaDevAttrMaxThreadsPerMultiProcessor, &cudaDeviceProp::maxThreadsPerMultiProcessor},
        {cudaDevAttrAsyncEngineCount, &cudaDeviceProp::asyncEngineCount},
        {cudaDevAttrUnifiedAddressing, &cudaDeviceProp::unifiedAddressing},
        {cudaDevAttrStreamPrioritiesSupported, &cudaDeviceProp::streamPrioritiesSupported},
        {cudaDevAttrGlobalL1CacheSupported, &cudaDeviceProp::globalL1CacheSupported},
        {cudaDevAttrMaxRegistersPerMultiprocessor, &cudaDeviceProp::regsPerMultiprocessor},
        {cudaDevAttrManagedMemory, &cudaDeviceProp::managedMemory},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, &cudaDeviceProp::singleToDoublePrecisionPerfRatio},
        {cudaDevAttrPageableMemoryAccess, &cudaDeviceProp::pageableMemoryAccess},
        {cudaDevAttrConcurrentManagedAccess, &cudaDeviceProp::concurrentManagedAccess},
        {cudaDevAttrComputePreemptionSupported, &cudaDeviceProp::computePreemptionSupported},
        {cudaDevAttrCooperativeLaunch, &cudaDeviceProp::cooperativeLaunch},
        {cudaDevAttrMaxBlocksPerMultiprocessor, &cudaDeviceProp::maxBlocksPerMultiProcessor},
        {cudaDevAttrMaxPersistingL2CacheSize, &cudaDeviceProp::persistingL2CacheMaxSize},
        {cudaDevAttrHostRegisterSupported, &cudaDeviceProp::hostRegisterSupported},
        {cudaDevAttrMemoryPoolsSupported, &cudaDeviceProp::memoryPoolsSupported},
    };
    cudaDeviceProp device;
    EXPECT_OK(cudaGetDeviceProperties(&device, 0));
    for (const auto& [attribute, field] : BOTH) {
        int value = -1;
        EXPECT_OK(cudaDeviceGetAttribute(&value, attribute, 0));
        EXPECT(value == device.*field);
    }
    // Programs that have a use for streams look at these first.
    EXPECT(device.asyncEngineCount == 3 && device.concurrentKernels == 1);
}

void banks() {
    cudaSharedMemConfig config{};
    EXPECT_OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
    EXPECT_OK(cudaFuncSetSharedMemConfig(plain, cudaSharedMemBankSizeDefault));
    EXPECT_OK(cudaDeviceGetSharedMemConfig(&config));
    EXPECT(config == cudaSharedMemBankSizeFourByte);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaDeviceSetSharedMemConfig(cudaSharedMemConfig(3)));
}

void function_attributes() {
    const auto largest = cudaFuncAttributeMaxDynamicSharedMemorySize;
    cudaFuncAttributes attributes;
    EXPECT_OK(cudaFuncGetAttributes(&attributes, with_tile));
    EXPECT(attributes.sharedSizeBytes == 4000 && attributes.maxThreadsPerBlock == 1024);
    EXPECT(attributes.maxDynamicSharedSizeBytes == 48 * 1024 - 4000 && attributes.binaryVersion == 90);
    EXPECT_OK(cudaFuncSetAttribute(plain, largest, 227 * 1024));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFuncSetAttribute(plain, largest, 227 * 1024 + 1));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFuncSetAttribute(plain, largest, -1));
    EXPECT_OK(cudaFuncSetAttribute(with_tile, largest, 227 * 1024 - 4000));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFuncSetAttribute(with_tile, largest, 227 * 1024 - 3999));
    EXPECT_OK(cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    EXPECT_OK(cudaFuncGetAttributes(&attributes, plain));
    EXPECT(attributes.preferredShmemCarveout == 50 && attributes.maxDynamicSharedSizeBytes == 227 * 1024);
    EXPECT_REFUSED(cudaErrorInvalidValue,
                   cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFuncSetAttribute(plain, cudaFuncAttribute(3), 1));
    EXPECT_REFUSED(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&attributes, (const void*)nullptr));
    EXPECT_OK(cudaFuncSetAttribute(with_tile, largest, 8192));
    EXPECT_OK(cudaFuncGetAttributes(&attributes, with_tile));
    EXPECT(attributes.maxDynamicSharedSizeBytes == 8192);
}

/// After function_attributes(): plain may use 227 KB, with_tile 48 KB.
void occupancy() {
    const size_t bytes[] = {0, 1024, 4096, 12000, 16384, 48 * 1024, 100000, 227 * 1024, 227 * 1024 + 1};
    struct row {
        int block_size;
        int plain[9], with_tile[9];
    };
    const row rows[] = {{1, {32, 32, 32, 17, 13, 4, 2, 1, 0}, {32, 32, 25, 13, 10, 0, 0, 0, 0}},
                        {96, {21, 21, 21, 17, 13, 4, 2, 1, 0}, {21, 21, 21, 13, 10, 0, 0, 0, 0}},
                        {257, {7, 7, 7, 7, 7, 4, 2, 1, 0}, {7, 7, 7, 7, 7, 0, 0, 0, 0}},
                        {768, {2, 2, 2, 2, 2, 2, 2, 1, 0}, {2, 2, 2, 2, 2, 0, 0, 0, 0}},
                        {1024, {2, 2, 2, 2, 2, 2, 2, 1, 0}, {2, 2, 2, 2, 2, 0, 0, 0, 0}},
                        {1025, {0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0}}};
    for (const row& expected : rows) {
        for (int i = 0; i < 9; i++) {
            int blocks = -1;
            EXPECT_OK(
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, expected.block_size, bytes[i]));
            EXPECT(blocks == expected.plain[i]);
            EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_tile, expected.block_size,
                                                                    bytes[i]));
            EXPECT(blocks == expected.with_tile[i]);
        }
    }
    int blocks = 0, grid_size = 0, block_size = 0;
    EXPECT_REFUSED(cudaErrorInvalidValue,
                   cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 0, 0));
    EXPECT_OK(cudaOccupancyMaxPotentialBlockSize(&grid_size, &block_size, plain));
    EXPECT(grid_size == 264 && block_size == 1024);
    EXPECT_OK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid_size, &block_size, plain, 0, 100, 0));
    EXPECT(grid_size == 132 * 32 && block_size == 64);
    EXPECT_OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid_size, &block_size, plain,
                                                             [](int size) { return size_t(size) * 200; }));
    EXPECT(block_size == 576 && grid_size == 264);  // 2 x 576 threads, more than one block of 1024
    size_t available = 0;
    EXPECT_OK(cudaOccupancyAvailableDynamicSMemPerBlock(&available, plain, 4, 64));
    EXPECT(available == 58368);
    EXPECT_OK(cudaOccupancyAvailableDynamicSMemPerBlock(&available, with_tile, 32, 64));
    EXPECT(available == 3296);
    EXPECT_REFUSED(cudaErrorInvalidValue,
                   cudaOccupancyAvailableDynamicSMemPerBlock(&available, plain, 33, 64));
}

/// The arithmetic that bounds are printed with, against what the backend answers for the same device.
void occupancy_by_hand() {
    cudaDeviceProp device;
    EXPECT_OK(cudaGetDeviceProperties(&device, 0));
    EXPECT_OK(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   int(device.sharedMemPerBlockOptin)));
    check::gpu_facts gpu;
    gpu.threads = device.maxThreadsPerMultiProcessor;
    gpu.blocks = device.maxBlocksPerMultiProcessor;
    gpu.registers = device.regsPerMultiprocessor;
    gpu.shared_bytes = device.sharedMemPerMultiprocessor;
    gpu.shared_bytes_of_block = device.sharedMemPerBlockOptin;
    gpu.reserved_bytes = device.reservedSharedMemPerBlock;
    for (int threads : {1, 31, 32, 33, 64, 96, 256, 324, 1000, 1024}) {
        for (size_t bytes : {0, 4, 1296, 3000, 16384, 49152, 100000, 232448}) {
            int blocks = -1;
            EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, threads, bytes));
            EXPECT(blocks == check::occupancy_of(gpu, threads, bytes, 0).blocks);
        }
    }
}

void one_device_has_no_peers() {
    EXPECT_REFUSED(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
    EXPECT_REFUSED(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1, 0));
    EXPECT_REFUSED(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
}

void older_names() {
    size_t bytes = 0;
    EXPECT_OK(cudaThreadSynchronize());
    EXPECT_OK(cudaThreadSetLimit(cudaLimitStackSize, 4096));
    EXPECT_OK(cudaThreadGetLimit(&bytes, cudaLimitStackSize));
    EXPECT(bytes == 4096);
    EXPECT_OK(cudaThreadExit());
}

int main() {
    return run_cases({older_names, one_device_has_no_peers, properties, attributes_and_properties, banks,
                      occupancy_by_hand, function_attributes, occupancy});
}
