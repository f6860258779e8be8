// Numbers of 16 bits under the inspector: a half is one access of 2 bytes, a pair one of 4, an atomic addition one.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "expect.h"

template <class type>
__global__ void copy(type* to, const type* from) {
    to[threadIdx.x] = from[threadIdx.x] + from[threadIdx.x + 1];
}
__global__ void add(half* sum, half2* sums) {
    atomicAdd(sum, half(1));
    atomicAdd(sums, half2{1, 1});
}

/// 32 lanes, two loads and a store of whole elements.
template <class type>
static void is_counted() {
    const inspect::report seen = inspected([] {
        type *in = device<type>(33), *out = device<type>(32);
        copy<<<1, 32>>>(out, in);
    });
    EXPECT(seen.findings.empty());
    const inspect::memory_traffic global = seen.total().global;
    EXPECT(global.loads.lanes == 64 && global.loads.requests == 2 && global.loads.bytes == 64 * sizeof(type));
    EXPECT(global.stores.lanes == 32 && global.stores.requests == 1 &&
           global.stores.bytes == 32 * sizeof(type));
    EXPECT(global.stores.sectors == sizeof(type));
}

static void atomics() {
    const inspect::report seen = inspected([] {
        half* sum = device<half>(2);
        half2* sums = device<half2>(1);
        add<<<1, 32>>>(sum, sums);
    });
    EXPECT(seen.findings.empty());
    EXPECT(seen.total().global.atomics.lanes == 64 && seen.total().global.loads.lanes == 0);
    EXPECT(seen.lines().size() == 2);
}

int main() {
    inspect::begin();
    return run_cases({is_counted<half>, is_counted<half2>, is_counted<__nv_bfloat16>,
                      is_counted<__nv_bfloat162>, atomics});
}
