// Memory in the order of streams, and the pools it is taken from.
#include "api_test.h"

unsigned long long attribute_of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    unsigned long long value = 0;
    EXPECT_OK(cudaMemPoolGetAttribute(pool, attribute, &value));
    return value;
}

void pools_count_what_is_taken() {
    cudaStream_t stream = nullptr;
    cudaMemPool_t pool = nullptr;
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    int *a = nullptr, *b = nullptr, *c = nullptr;
    EXPECT_OK(cudaMallocAsync(&a, 1000, stream));
    EXPECT_OK(cudaMallocAsync(&b, 3000, stream));
    EXPECT(attribute_of(pool, cudaMemPoolAttrUsedMemCurrent) == 4000);
    EXPECT_OK(cudaFreeAsync(a, stream));
    EXPECT_OK(cudaMalloc(&c, 500));
    EXPECT_OK(cudaFreeAsync(c, stream));  // of no pool
    EXPECT(attribute_of(pool, cudaMemPoolAttrUsedMemCurrent) == 3000);
    EXPECT(attribute_of(pool, cudaMemPoolAttrUsedMemHigh) == 4000);
    unsigned long long zero = 0;
    EXPECT_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
    EXPECT(attribute_of(pool, cudaMemPoolAttrUsedMemHigh) == 3000);
    EXPECT_OK(cudaFree(b));
    EXPECT(attribute_of(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaFreeAsync(b, stream));
    EXPECT_OK(cudaStreamDestroy(stream));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaMallocAsync(&a, 4, stream));
}

void own_pools() {
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    properties.maxSize = 2000;
    cudaMemPool_t pool = nullptr, current = nullptr, first = nullptr;
    EXPECT_OK(cudaMemPoolCreate(&pool, &properties));
    char *a = nullptr, *b = nullptr;
    EXPECT_OK(cudaMallocAsync(&a, 1500, pool, nullptr));
    EXPECT_REFUSED(cudaErrorMemoryAllocation, cudaMallocFromPoolAsync(&b, 1500, pool, nullptr));
    EXPECT_OK(cudaDeviceGetMemPool(&first, 0));
    EXPECT_OK(cudaDeviceSetMemPool(0, pool));
    EXPECT_OK(cudaDeviceGetMemPool(&current, 0));
    EXPECT(current == pool && first != pool);
    EXPECT_OK(cudaMallocAsync(&b, 500, nullptr));
    EXPECT(attribute_of(pool, cudaMemPoolAttrUsedMemCurrent) == 2000);
    unsigned long long threshold = 1 << 20;
    int reuse = 0;
    EXPECT_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    EXPECT(attribute_of(pool, cudaMemPoolAttrReleaseThreshold) == threshold);
    EXPECT_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
    reuse = 7;
    EXPECT_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
    EXPECT(reuse == 0);
    EXPECT_OK(cudaMemPoolTrimTo(pool, 0));
    EXPECT_OK(cudaFreeAsync(a, nullptr));
    EXPECT_OK(cudaFreeAsync(b, nullptr));
    EXPECT_OK(cudaMemPoolDestroy(pool));
    EXPECT_OK(cudaDeviceGetMemPool(&current, 0));
    EXPECT(current == first);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&b, 4, pool, nullptr));
    properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    EXPECT_REFUSED(cudaErrorNotSupported, cudaMemPoolCreate(&pool, &properties));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemPoolDestroy(first));
}

int main() {
    return run_cases({pools_count_what_is_taken, own_pools});
}
