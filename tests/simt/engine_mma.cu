// Tensor cores by inline PTX: tiles come by cp.async, operands by ldmatrix, products by mma.sync. The same on a GPU
// (nvcc -std=c++20 -arch=sm_90).
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

#include "../support/device_array.h"

__device__ unsigned int shared_address(const void* pointer) {
    return static_cast<unsigned int>(__cvta_generic_to_shared(pointer));
}

/// 16 bytes of a thread; what is behind `valid` bytes becomes 0.
__device__ void copy_async(void* to, const void* from, int valid) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(shared_address(to)), "l"(from),
                 "r"(valid));
}

constexpr int M = 16, N = 8, K = 16;

/// c (16 x 8) = a (16 x 16) * b (16 x 8), of halves or bfloats, by one warp. Of b's last row only the first half is there.
template <class number, bool halves>
__global__ void multiply(float* c, const number* a, const number* b) {
    __shared__ alignas(16) number s_a[M * K], s_b[K * N];
    const int lane = threadIdx.x;
    copy_async(&s_a[lane * 8], &a[lane * 8], 16);
    if (lane < 16) copy_async(&s_b[lane * 8], &b[lane * 8], lane == 15 ? 8 : 16);
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group 0;\n" ::);
    __syncthreads();
    unsigned int x[4], y[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(shared_address(&s_a[lane % 16 * K + lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];\n"
                 : "=r"(y[0]), "=r"(y[1])
                 : "r"(shared_address(&s_b[lane % 16 * N])));
    float sum[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    if constexpr (halves)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
            "{%0,%1,%2,%3};\n"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    else
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
            "{%0,%1,%2,%3};\n"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    const int row = lane / 4, column = lane % 4 * 2;
    for (int k = 0; k < 4; k++)
        c[(row + k / 2 * 8) * N + column + k % 2] = sum[k];
}

template <class number, bool halves>
static void check_halves() {
    std::vector<number> a, b;
    for (int i = 0; i < M * K; i++)
        a.push_back(number(float(i * 7 % 23) - 11.0f));
    for (int i = 0; i < K * N; i++)
        b.push_back(number(float(i * 5 % 19) * 0.25f));
    device_array<number> d_a(a.size()), d_b(b.size());
    device_array<float> d_c(M * N);
    cudaMemcpy(d_a.data, a.data(), a.size() * sizeof(number), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b.data, b.data(), b.size() * sizeof(number), cudaMemcpyHostToDevice);
    multiply<number, halves><<<1, 32>>>(d_c.data, d_a.data, d_b.data);
    const std::vector<float> c = d_c.host();
    for (int row = 0; row < M; row++) {
        for (int column = 0; column < N; column++) {
            float sum = float(1 + column % 2 + row / 8 * 2);
            for (int k = 0; k < K; k++) {
                const bool is_there = k < K - 1 || column < N / 2;
                if (is_there) sum += float(a[row * K + k]) * float(b[k * N + column]);
            }
            EXPECT(c[row * N + column] == sum);
        }
    }
}

/// Of numbers, whose places in a and b are a lane's own: out is 16 x 8 (8 x 8 of doubles).
__global__ void multiply_others(float* by_tf32, int* by_bytes, double* by_doubles) {
    const int lane = threadIdx.x, row = lane / 4, in_row = lane % 4;
    const auto a = [](int i, int k) { return float(i - 2 * k); };
    const auto b = [](int k, int j) { return float(3 * k + j - 9); };
    float sum[4] = {};
    const unsigned int x[4] = {__float_as_uint(a(row, in_row)), __float_as_uint(a(row + 8, in_row)),
                               __float_as_uint(a(row, in_row + 4)), __float_as_uint(a(row + 8, in_row + 4))};
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%10, %11, %12, %13};"
        : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(__float_as_uint(b(in_row, row))),
          "r"(__float_as_uint(b(in_row + 4, row))), "f"(0.0f), "f"(0.0f), "f"(0.0f), "f"(0.5f));
    int total[4] = {};
    const auto four = [&](int i, int k, bool is_b) {
        unsigned int word = 0;
        for (int t = 0; t < 4; t++)
            word |= (unsigned(int(is_b ? b(k + t, i) : a(i, k + t))) & 255u) << (8 * t);
        return word;
    };
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+r"(total[0]), "+r"(total[1]), "+r"(total[2]), "+r"(total[3])
        : "r"(four(row, in_row * 4, false)), "r"(four(row + 8, in_row * 4, false)),
          "r"(four(row, in_row * 4, true)));
    double twice[2] = {};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(twice[0]), "+d"(twice[1])
                 : "d"(double(a(row, in_row))), "d"(double(b(in_row, row))));
    for (int k = 0; k < 4; k++) {
        const int at = (row + k / 2 * 8) * N + in_row * 2 + k % 2;
        by_tf32[at] = sum[k];
        by_bytes[at] = total[k];
        if (k < 2) by_doubles[at] = twice[k];
    }
}

static void check_others() {
    device_array<float> by_tf32(M * N);
    device_array<int> by_bytes(M * N);
    device_array<double> by_doubles(8 * N);
    multiply_others<<<1, 32>>>(by_tf32.data, by_bytes.data, by_doubles.data);
    const auto sum = [](int row, int column, int length) {
        int result = 0;
        for (int k = 0; k < length; k++)
            result += (row - 2 * k) * (3 * k + column - 9);
        return result;
    };
    for (int row = 0; row < M; row++) {
        for (int column = 0; column < N; column++) {
            const bool is_last = row >= 8 && column % 2 == 1;
            EXPECT(by_tf32.at(row * N + column) == float(sum(row, column, 8)) + (is_last ? 0.5f : 0.0f));
            EXPECT(by_bytes.at(row * N + column) == sum(row, column, 16));
            if (row < 8) EXPECT(by_doubles.at(row * N + column) == sum(row, column, 4));
        }
    }
}

/// Loads and stores of several registers, of shared memory, and atomics.
__global__ void move(float4* to, const float4* from, unsigned int* counter) {
    __shared__ alignas(16) float s_four[4 * 32];
    const int i = threadIdx.x;
    float x, y, z, w;
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                 : "l"(from + i));
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(shared_address(&s_four[4 * i])), "f"(w), "f"(z));
    asm volatile("st.shared.v2.b32 [%0 + 8], {%1, %2};" ::"r"(shared_address(&s_four[4 * i])), "f"(y), "f"(x)
                 : "memory");
    asm volatile("bar.sync 0;");
    unsigned int next, old;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(next) : "r"(shared_address(&s_four[(4 * i + 4) % 128])));
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(counter), "r"(2));
    asm volatile("red.global.max.s32 [%0], %1;" ::"l"(counter + 1), "r"(i - 7));
    asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to + i), "f"(s_four[4 * i]),
                 "f"(s_four[4 * i + 3]), "f"(__uint_as_float(next)),
                 "f"(old < 64 && old % 2 == 0 ? 1.0f : 0.0f));
}

static void check_moves() {
    std::vector<float4> numbers;
    for (int i = 0; i < 32; i++)
        numbers.push_back({float(i), i + 0.25f, i + 0.5f, i + 0.75f});
    device_array<float4> from(32), to(32);
    device_array<unsigned int> counter(2);
    cudaMemcpy(from.data, numbers.data(), numbers.size() * sizeof(float4), cudaMemcpyHostToDevice);
    move<<<1, 32>>>(to.data, from.data, counter.data);
    for (int i = 0; i < 32; i++) {
        const float4 got = to.at(i);
        EXPECT(got.x == i + 0.75f && got.y == float(i) && got.z == (i + 1) % 32 + 0.75f && got.w == 1.0f);
    }
    EXPECT(counter.at(0) == 64 && counter.at(1) == 24);
}

int main() {
    return run_cases(
        {check_halves<__half, true>, check_halves<__nv_bfloat16, false>, check_others, check_moves});
}
