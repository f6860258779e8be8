// Every way to declare shared memory: each variable is one per block,
// apart from all others, and aligned as asked.
#include "engine_test.h"

constexpr int THREADS = 64;

extern __shared__ float s_namespace[];  // the same bytes as every other dynamic array

struct pair {
    int first, second;
};
struct alignas(16) quad {
    float v[4];
};

/// Filled by every thread, summed by thread 0.
template <class T, int WARPS = 2>
__device__ T block_sum(T value) {
    __shared__ T s_partial[WARPS][32];
    s_partial[threadIdx.x / 32][threadIdx.x % 32] = value;
    __syncthreads();  // every value before the sum
    T sum = 0;
    if (threadIdx.x == 0) {
        for (int i = 0; i < int(blockDim.x); i++)
            sum += s_partial[i / 32][i % 32];
    }
    __syncthreads();  // the sum before the next call's values
    return sum;
}

template <class T>
struct dynamic_view {
    __device__ T* get() const {
        extern __shared__ int s_raw[];
        return reinterpret_cast<T*>(s_raw);
    }
    __device__ int count_calls() const {
        __shared__ int s_calls;
        if (threadIdx.x == 0) s_calls = 1;
        __syncthreads();  // the start before the count
        atomicAdd(&s_calls, 1);
        __syncthreads();  // all counts before they are read
        return s_calls;
    }
};

/// Two arrays of a function that calls itself: one variable, as on a GPU.
__device__ int recursive(int depth) {
    __shared__ int s_deepest;
    s_deepest = depth;
    if (depth < 3) recursive(depth + 1);
    return s_deepest;
}

__global__ void kinds(int* out, float* sums) {
    __shared__ int s_several[4], s_single, s_table[2][3];
    static __shared__ volatile int s_flag;
    volatile __shared__ float s_before[3];
    unsigned __shared__ int s_amid[2];
    __shared__ alignas(128) unsigned char s_aligned[3];
    __shared__ __align__(64) float s_old_aligned[2];
    __shared__ quad s_quad;
    __shared__ pair s_pairs[2];
    __shared__ struct {
        int a;
        float b;
    } s_unnamed;
    __shared__ union overlay {
        int bits;
        float value;
    } s_overlay;
    __shared__ float(*s_pointer)[3];
    const int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < 4; i++)
            s_several[i] = i;
        s_single = 10;
        s_table[1][2] = 20;
        s_flag = 30;
        s_before[2] = 40;
        s_amid[1] = 50;
        s_aligned[2] = 60;
        s_old_aligned[1] = 70;
        s_quad.v[3] = 80;
        s_pairs[1] = {90, 100};
        s_unnamed = {110, 120};
        s_overlay.value = 1.0f;
        s_pointer = nullptr;
    }
    __syncthreads();  // thread 0's values before all read them
    const int sum = s_several[3] + s_single + s_table[1][2] + s_flag + int(s_before[2]) + int(s_amid[1]) +
                    s_aligned[2] + int(s_old_aligned[1]) + int(s_quad.v[3]) + s_pairs[1].first +
                    s_pairs[1].second + s_unnamed.a + int(s_unnamed.b) + (s_overlay.bits == 0x3f800000) +
                    (s_pointer == nullptr);
    if (t == int(blockDim.x) - 1) atomicAdd(&out[0], sum);
    const bool aligned = reinterpret_cast<size_t>(s_aligned) % 128 == 0 &&
                         reinterpret_cast<size_t>(s_old_aligned) % 64 == 0 &&
                         reinterpret_cast<size_t>(&s_quad) % 16 == 0;
    if (aligned) atomicAdd(&out[1], 1);

    const int whole = block_sum(1);
    const float real = block_sum<float>(0.5f);
    const int again = block_sum<int, 2>(t);
    if (t == 0) {
        atomicAdd(&out[2], whole);
        atomicAdd(&sums[0], real);
        atomicAdd(&out[3], again);
        atomicAdd(&out[4], recursive(0));
    }
    const int calls = dynamic_view<int>().count_calls() + dynamic_view<float>().count_calls();
    if (t == 0) atomicAdd(&out[5], calls);
}

template <class T>
__global__ void dynamic(T* out, int* same, int n) {
    extern __shared__ __align__(16) unsigned char s_bytes[];
    extern volatile __shared__ float2 s_pairs[], s_also[];
    extern __shared__ T s_rows[][32];
    T* values = reinterpret_cast<T*>(s_bytes);
    const int t = threadIdx.x;
    values[t] = T(t);
    __syncthreads();  // written forwards before it is read backwards
    s_rows[n / 32][t % 32] = values[n - 1 - t];
    const auto own = [=] {
        const auto in_row = [=](int row) { return s_rows[row][t % 32]; };
        return in_row(n / 32);
    };
    out[t] = own();
    const void* here = dynamic_view<T>().get();
    if (here == s_bytes && here == s_namespace && here == (void*)s_pairs && here == (void*)s_also)
        atomicAdd(same, 1);
}

static void check_kinds() {
    constexpr int BLOCKS = 3;
    device_array<int> out(8);
    device_array<float> sums(1);
    kinds<<<BLOCKS, THREADS>>>(out, sums);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(out.at(0) == BLOCKS * (3 + 10 + 20 + 30 + 40 + 50 + 60 + 70 + 80 + 90 + 100 + 110 + 120 + 1 + 1));
    EXPECT(out.at(1) == BLOCKS * THREADS);
    EXPECT(out.at(2) == BLOCKS * THREADS);
    EXPECT(sums.at(0) == BLOCKS * 0.5f * THREADS);
    EXPECT(out.at(3) == BLOCKS * THREADS * (THREADS - 1) / 2);
    EXPECT(out.at(4) == BLOCKS * 3);
    EXPECT(out.at(5) == BLOCKS * 2 * (THREADS + 1));
}

static void check_dynamic() {
    device_array<float> values(32);
    device_array<int> same(1);
    dynamic<<<1, 32, 64 * sizeof(float)>>>((float*)values, (int*)same, 32);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(same.at(0) == 32);
    EXPECT(values.at(0) == 31);
    EXPECT(values.at(31) == 0);
}

int main() {
    return run_cases({check_kinds, check_dynamic});
}
