// Managed and page-locked memory under the inspector: counted like global memory, checked like it, but for what the host
// may have written.
#include "expect.h"

__managed__ int m_counter;
__device__ __managed__ int m_table[32];

__global__ void copy(float* to, const float* from, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n) to[x] = from[x];  // HERE past
}
__global__ void race(int* a) {
    a[threadIdx.x / 2] = threadIdx.x;  // HERE race
}
__global__ void race_of_blocks() {
    m_counter = m_counter + 1;  // HERE blocks
}
__global__ void past_variable() {
    int* const table = m_table;
    table[threadIdx.x + 1] = 1;  // HERE variable
}

template <class type>
static type* managed(size_t count) {
    type* memory = nullptr;
    cudaMallocManaged(&memory, count * sizeof(type));
    return memory;
}

static void is_counted() {
    const inspect::report seen = inspected([] {
        float *in = managed<float>(64), *out = nullptr;
        cudaMallocHost(&out, 64 * sizeof(float));
        for (int i = 0; i < 64; i++)
            in[i] = float(i);
        copy<<<2, 32>>>(out, in, 64);
        cudaDeviceSynchronize();
        EXPECT(out[63] == 63);
        cudaFree(in);
        cudaFreeHost(out);
    });
    EXPECT(seen.findings.empty());
    const inspect::memory_traffic& global = seen.total().global;
    EXPECT(global.loads.lanes == 64 && global.loads.requests == 2 && global.loads.sectors == 8);
    EXPECT(global.stores.lanes == 64 && global.stores.requests == 2 && global.stores.sectors == 8);
}

static void is_freed() {
    inspect::take();
    float *leaks = managed<float>(4), *pinned = nullptr;
    cudaMallocHost(&pinned, 64);
    const inspect::report seen = inspect::take();
    EXPECT(seen.findings.size() == 1 && seen.findings[0].kind == "leak");
    cudaFree(leaks);
    cudaFreeHost(pinned);
}

static void run_past() {
    float *in = managed<float>(40), *out = managed<float>(64);
    copy<<<2, 32>>>(out, in, 41);
    cudaDeviceSynchronize();
}
static void run_race() {
    int* a = managed<int>(16);
    race<<<1, 32>>>(a);
    cudaDeviceSynchronize();
}
static void run_blocks() {
    m_counter = 0;
    race_of_blocks<<<2, 1>>>();
    cudaDeviceSynchronize();
}
static void run_variable() {
    past_variable<<<1, 32>>>();
    cudaDeviceSynchronize();
}
static void run_right() {
    int* a = managed<int>(32);
    race<<<1, 1>>>(a);
    cudaDeviceSynchronize();
    a[0] = 3;
}

int main() {
    inspect::begin();
    run_case(is_counted);
    run_case(is_freed);
    return check_cases(__FILE__, {{"past", run_past, "out-of-bounds", "reads element 40"},
                                  {"race", run_race, "race", "written"},
                                  {"blocks", run_blocks, "race", "m_counter"},
                                  {"variable", run_variable, "out-of-bounds", "m_table[32]"},
                                  {"right", run_right, "", ""}});
}
