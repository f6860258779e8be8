// Memory that kernels take from the heap, by new and malloc, and ways to get it wrong.
#include "detection.h"

constexpr int THREADS = 64, COUNT = 8;

__device__ float* d_of_all;

template <bool RIGHT>
__global__ void too_far(float* out, const float* in) {
    float* const mine = new float[COUNT];
    for (int i = 0; i < COUNT + (RIGHT ? 0 : 1); i++)
        mine[i] = in[threadIdx.x];  // HERE too_far: out-of-bounds
    out[threadIdx.x] = mine[COUNT - 1];
    delete[] mine;
}

template <bool RIGHT>
__global__ void never_set(float* out, const float* in) {
    auto* const mine = static_cast<float*>(malloc(2 * sizeof(float)));
    if (RIGHT) mine[1] = in[threadIdx.x];
    out[threadIdx.x] = mine[1];  // HERE never_set: uninitialised-read
    free(mine);
}

template <bool RIGHT>
__global__ void used_after_free(float* out, const float* in) {
    float* const mine = new float(in[threadIdx.x]);
    if (RIGHT) out[threadIdx.x] = *mine;
    delete mine;
    if (!RIGHT) out[threadIdx.x] = *mine;  // HERE used_after_free: use-after-free
}

template <bool RIGHT>
__global__ void freed_twice(float* out, const float* in) {
    float* const mine = new float(in[threadIdx.x]);
    out[threadIdx.x] = *mine;
    delete mine;
    if (!RIGHT) delete mine;  // HERE freed_twice: use-after-free
}

template <bool RIGHT>
__global__ void never_freed(float* out, const float* in) {
    float* const mine = new float(in[threadIdx.x]);  // HERE never_freed: leak
    out[threadIdx.x] = *mine;
    if (RIGHT) delete mine;
}

template <bool RIGHT>
__global__ void frees_what_is_not_its_own(float* out, const float* in) {
    float* const mine = new float[COUNT];
    out[threadIdx.x] = mine[1] = in[threadIdx.x];
    if (!RIGHT) free(mine + 1);  // HERE frees_what_is_not_its_own: illegal-address
    delete[] mine;
}

// One thread takes memory for all of the block.
template <bool RIGHT>
__global__ void one_for_all(float* out, const float* in) {
    __shared__ float* s_all;
    if (threadIdx.x == 0) s_all = new float[THREADS];
    __syncthreads();                       // the memory is there
    s_all[threadIdx.x] = in[threadIdx.x];  // HERE one_for_all: race
    if (RIGHT) __syncthreads();            // all is written
    out[threadIdx.x] = 0 * s_all[THREADS - 1 - threadIdx.x] + in[threadIdx.x];
    __syncthreads();  // all is read
    if (threadIdx.x == 0) delete[] s_all;
}

// What one launch takes another one may use and give back.
__global__ void take(const float* in) {
    if (threadIdx.x == 0) d_of_all = new float[THREADS];
    __syncthreads();  // the memory is there
    d_of_all[threadIdx.x] = in[threadIdx.x];
}
template <bool RIGHT>
__global__ void give_back(float* out) {
    out[threadIdx.x] = d_of_all[threadIdx.x + (RIGHT ? 0 : 1)];  // HERE of_another_launch: out-of-bounds
    __syncthreads();                                             // all is read
    if (threadIdx.x == 0) delete[] d_of_all;
}

using copy_kernel = void(float*, const float*);

bool copies(copy_kernel* kernel) {
    return computes(ramp(THREADS), kernel, 1, THREADS, ramp(THREADS));
}

int main(int argc, char** argv) {
    return detect(__FILE__, argc, argv,
                  {
                      {"too_far", [](auto right) { return copies(too_far<right>); }},
                      {"never_set", [](auto right) { return copies(never_set<right>); }},
                      {"used_after_free", [](auto right) { return copies(used_after_free<right>); }},
                      {"freed_twice", [](auto right) { return copies(freed_twice<right>); }},
                      {"never_freed", [](auto right) { return copies(never_freed<right>); }},
                      {"frees_what_is_not_its_own",
                       [](auto right) { return copies(frees_what_is_not_its_own<right>); }},
                      {"one_for_all", [](auto right) { return copies(one_for_all<right>); }},
                      {"of_another_launch",
                       [](auto right) {
                           const device_array<float> in(ramp(THREADS)), out(THREADS);
                           take<<<1, THREADS>>>(in);
                           give_back<right><<<1, THREADS>>>(out);
                           return out.host() == ramp(THREADS);
                       }},
                  });
}
