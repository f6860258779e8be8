// Cooperative launches under the inspector: what comes before grid.sync() is ordered before what comes after it.
#include <cooperative_groups.h>

#include "expect.h"

namespace cg = cooperative_groups;

__global__ void right(int* a, int* b) {
    __shared__ int s_kept;
    if (threadIdx.x == 0) s_kept = int(blockIdx.x);
    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    cg::this_grid().sync();
    b[blockIdx.x * blockDim.x + threadIdx.x] =
        a[(gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x] + s_kept;
    cg::this_grid().sync();
    a[(gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x] = 2;
}
__global__ void race_before(int* a, int* b) {
    a[blockIdx.x] = 1;  // HERE before
    b[blockIdx.x] = a[gridDim.x - 1 - blockIdx.x];
    cg::this_grid().sync();
    a[blockIdx.x] = 2;
}
__global__ void race_after(int* a, int* b) {
    b[blockIdx.x] = 3;
    cg::this_grid().sync();
    a[blockIdx.x / 2] = int(blockIdx.x);  // HERE after
}
__global__ void unwritten(int* a, int* b) {
    if (blockIdx.x == 0) a[0] = 1;
    cg::this_grid().sync();
    b[blockIdx.x] = a[blockIdx.x];  // HERE unwritten
}

template <void (*kernel)(int*, int*)>
static void run() {
    int *a = device<int>(4 * 32, UNINITIALISED_MEMORY), *b = device<int>(4 * 32, UNINITIALISED_MEMORY);
    void* arguments[] = {&a, &b};
    cudaLaunchCooperativeKernel(kernel, 4, kernel == right ? 32 : 1, arguments);
}

static void is_counted_whole() {
    const inspect::report seen = inspected(run<right>);
    EXPECT(seen.launches.size() == 1 && !seen.launches[0].is_sampled());
    const inspect::counts total = seen.total();
    EXPECT(total.global.stores.lanes == 3 * 128 && total.global.loads.lanes == 128);
    EXPECT(total.shared.stores.lanes == 4 && total.shared.loads.lanes == 128);
}

int main() {
    inspect::begin();
    run_case(is_counted_whole);
    return check_cases(__FILE__, {{"right", run<right>, "", ""},
                                  {"before", run<race_before>, "race", "block"},
                                  {"after", run<race_after>, "race", "block"},
                                  {"unwritten", run<unwritten>, "uninitialised-read", "reads"}});
}
