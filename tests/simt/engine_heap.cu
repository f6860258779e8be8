// malloc, free, new and delete in kernels: what they give, how much there is, and what the host may do with it.
#include "engine_test.h"

struct counted {
    int* count;
    int value;
    __device__ counted() : count(nullptr), value(5) {}
    __device__ ~counted() {
        if (count) atomicAdd(count, value);
    }
};

struct base {
    int first;
};
struct tagged : base {
    __host__ __device__ tagged(int x, int y) : base{x}, second(y) {}
    int second;
};

__global__ void objects(int* out) {
    auto* const one = new tagged(1, 2);
    out[0] = one->first + one->second;
    delete one;
    counted* const several = new counted[3];
    for (int i = 0; i < 3; i++) {
        out[1] += several[i].value;
        several[i].count = &out[2];
    }
    delete[] several;
    int* const bytes = (int*)std::malloc(64);
    bytes[15] = 7;
    out[3] = bytes[15];
    ::free(bytes);
    int* const nothing = nullptr;
    delete nothing;
    free(nothing);
}

__host__ __device__ int on_both_sides(int x) {
    auto* const own = new tagged(x, x);
    const int sum = own->first + own->second;
    delete own;
    return sum;
}
__global__ void both(int* out) {
    out[0] = on_both_sides(4);
}

__device__ void* d_kept;
__global__ void take(int* out, size_t bytes) {
    void* const large = malloc(bytes);
    out[0] = large != nullptr;
    d_kept = large;
}
__global__ void give_back() {
    free(d_kept);
}

/// Threads that each take memory and give it back, again and again.
__global__ void many(int* out) {
    for (int turn = 0; turn < 20; turn++) {
        int* const mine = new int[1 + threadIdx.x % 7];
        if (!mine) return;
        mine[0] = blockIdx.x * blockDim.x + threadIdx.x;
        __syncthreads();  // all have theirs
        atomicAdd(out, mine[0] == int(blockIdx.x * blockDim.x + threadIdx.x));
        delete[] mine;
    }
}

static void check_objects() {
    const device_array<int> out(4);
    objects<<<1, 1>>>(out);
    EXPECT(out.at(0) == 3 && out.at(1) == 15 && out.at(2) == 15 && out.at(3) == 7);
    both<<<1, 1>>>(out);
    EXPECT(out.at(0) == 8 && on_both_sides(4) == 8);
}

static void check_limit() {
    const device_array<int> out(1);
    size_t limit = 0;
    EXPECT(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize) == cudaSuccess && limit == 8 << 20);
    take<<<1, 1>>>(out, limit + 1);
    EXPECT(out.at(0) == 0);
    take<<<1, 1>>>(out, limit / 2);
    EXPECT(out.at(0) == 1);
    take<<<1, 1>>>(out, limit / 2 + 16);  // the first half is still in use
    EXPECT(out.at(0) == 0);
}

static void check_host() {
    const device_array<int> out(1);
    take<<<1, 1>>>(out, 64);
    void* address = nullptr;
    EXPECT(cudaMemcpyFromSymbol(&address, d_kept, sizeof address) == cudaSuccess);
    int values[16] = {};
    EXPECT(cudaMemcpy(values, address, sizeof values, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    EXPECT(cudaMemset(address, 0, 4) == cudaErrorInvalidValue);
    EXPECT(cudaFree(address) == cudaErrorInvalidValue);
    give_back<<<1, 1>>>();
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaErrorInvalidValue);
}

static void check_many() {
    const device_array<int> out(1);
    many<<<300, 64>>>(out);
    EXPECT(out.at(0) == 300 * 64 * 20);
}

int main() {
    return run_cases({check_objects, check_host, check_many, check_limit});
}
