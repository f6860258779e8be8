// Warps whose lanes count on each other to be as far, without __syncwarp(): as programs for older GPUs are.
#include <cmath>

#include "../support/device_array.h"

constexpr int BLOCK_SIZE = 256, BLOCKS = 3;

__device__ void add_up(volatile float* s, int t) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}
__global__ void reduce(float* sums) {
    extern __shared__ float s_all[];
    const int t = threadIdx.x;
    s_all[t] = float(t % 7);
    __syncthreads();
    for (int k = blockDim.x / 2; k > 32; k /= 2) {
        if (t < k) s_all[t] += s_all[t + k];
        __syncthreads();
    }
    if (t < 32) add_up(s_all, t);
    if (t == 0) sums[blockIdx.x] = s_all[0];
}

static void check_reduction() {
    device_array<float> sums(BLOCKS);
    reduce<<<BLOCKS, BLOCK_SIZE, BLOCK_SIZE * sizeof(float)>>>(sums.data);
    float sum = 0;
    for (int t = 0; t < BLOCK_SIZE; t++)
        sum += float(t % 7);
    EXPECT(sums.at(0) == sum && sums.at(BLOCKS - 1) == sum);
}

/// Prefix sums of each warp, again and again: what a lane keeps for its neighbour is read at the end of the loop, by odd lanes.
__global__ void scan(int* out, int times) {
    __shared__ int s_sums[BLOCK_SIZE / 32 * 48];
    const int lane = threadIdx.x % 32, at = threadIdx.x / 32 * 48 + 16 + lane;
    s_sums[at - 16] = 0;
    int sum = 0;
    for (int k = 0; k < times; k++) {
        s_sums[at] = lane + k;
        __threadfence_block();
        s_sums[at] += s_sums[at - 1];
        __threadfence_block();
        s_sums[at] += s_sums[at - 2];
        s_sums[at] += s_sums[at - 4];
        s_sums[at] += s_sums[at - 8];
        s_sums[at] += s_sums[at - 16];
        sum += s_sums[at];
        s_sums[at] = k;
        if (lane % 2 == 1) sum += 1000 * s_sums[at - 1];
    }
    out[threadIdx.x] = sum;
}

static void check_scan() {
    constexpr int TIMES = 5;
    device_array<int> out(BLOCK_SIZE);
    scan<<<1, BLOCK_SIZE>>>(out.data, TIMES);
    for (int t = 0; t < BLOCK_SIZE; t++) {
        int sum = 0;
        for (int k = 0; k < TIMES; k++) {
            for (int lane = 0; lane <= t % 32; lane++)
                sum += lane + k;
            if (t % 2 == 1) sum += 1000 * k;
        }
        EXPECT(out.at(t) == sum);
    }
}

struct pixel {
    float red, green, blue;
};

/// A warp sorts its pixels where they are: ranks, of which equal ones are moved apart, and then all at once.
__global__ void sort(pixel* out, const float* keys) {
    __shared__ pixel s_pixels[32];
    __shared__ int s_ranks[32];
    __shared__ float s_largest;
    const int t = threadIdx.x;
    s_pixels[t] = {keys[t], float(t), 0};
    __syncthreads();
    int rank = 0;
    for (int i = 0; i < 32; i++)
        rank += s_pixels[i].red < s_pixels[t].red;
    s_ranks[t] = rank;
    for (int i = 0; i < 31; i++) {
        if (t > i && s_ranks[t] == s_ranks[i]) ++s_ranks[t];
    }
    s_pixels[s_ranks[t]] = s_pixels[t];
    if (t == 31) s_largest = s_pixels[31].red;
    out[t] = s_pixels[t];
    out[t].blue = s_largest;
}

static void check_sort() {
    std::vector<float> keys;
    for (int t = 0; t < 32; t++)
        keys.push_back(float(t * 11 % 32 / 2));
    device_array<float> d_keys(32);
    device_array<pixel> out(32);
    cudaMemcpy(d_keys.data, keys.data(), 32 * sizeof(float), cudaMemcpyHostToDevice);
    sort<<<1, 32>>>(out.data, d_keys.data);
    for (int i = 0; i < 32; i++) {
        const pixel is = out.at(i);
        EXPECT(is.red == float(i / 2) && keys[size_t(is.green)] == is.red && is.blue == 15.0f);
        if (i % 2 == 1) EXPECT(is.green > out.at(i - 1).green);
    }
}

/// Eight lanes transpose 8 x 8 numbers by pointers into shared memory.
__global__ void transpose(float* out) {
    __shared__ float s_tile[8 * 9];
    const int x = threadIdx.x;
    float *column = &s_tile[x], *row = s_tile + x * 9;
    for (int y = 0; y < 8; y++)
        column[y * 9] = float(10 * y + x);
    for (int k = 0; k < 8; k++)
        out[x * 8 + k] = row[k];
    for (int k = 0; k < 8; k++)
        *(row + k) = -1.0f;
}

static void check_transpose() {
    device_array<float> out(64);
    transpose<<<1, 8>>>(out.data);
    for (int i = 0; i < 64; i++)
        EXPECT(out.at(i) == float(10 * (i / 8) + i % 8));
}

/// The first lane adds up what the others have left, each in a function that is called.
__device__ __noinline__ int left_by(const int* all, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += all[i];
    return sum;
}
__global__ void leave(int* out) {
    __shared__ int s_left[32], s_count;
    const int t = threadIdx.x;
    if (t == 0) s_count = 0;
    s_left[t] = t * t;
    if (t == 31) s_count = s_left[0] + 32;
    if (t == 0) out[0] = left_by(s_left, s_count) + s_left[31];
    s_left[t] = 0;
}

static void check_leader() {
    device_array<int> out(1);
    leave<<<1, 32>>>(out.data);
    EXPECT(out.at(0) == 31 * 32 * 63 / 6 + 31 * 31);
}

/// Every lane gets the sum of its sixteen, in memory that the function is given.
__device__ void add_across(float* sums) {
    const int t = threadIdx.x;
    for (int k = 8; k > 0; k /= 2) {
        sums[t] += sums[t ^ k];
        __syncwarp();
    }
}
__device__ void add_across_volatile(volatile float* sums) {
    const int t = threadIdx.x;
    for (int k = 8; k > 0; k /= 2)
        sums[t] = sums[t] + sums[t ^ k];
}
__global__ void add_sixteens(float* out, bool is_volatile) {
    __shared__ float s_sums[BLOCK_SIZE];
    s_sums[threadIdx.x] = float(threadIdx.x);
    __syncthreads();
    if (is_volatile)
        add_across_volatile(s_sums);
    else
        add_across(s_sums);
    out[threadIdx.x] = s_sums[threadIdx.x];
}

static void check_butterfly() {
    device_array<float> out(BLOCK_SIZE);
    for (bool is_volatile : {false, true}) {
        add_sixteens<<<1, BLOCK_SIZE>>>(out.data, is_volatile);
        for (int t = 0; t < BLOCK_SIZE; t++)
            EXPECT(out.at(t) == float(t / 16 * 16 * 16 + 120));
    }
}

/// All threads meet, and then all but one warp; some at another place, some return, some come to a barrier.
__global__ void part(int* out) {
    __shared__ volatile int s_words[BLOCK_SIZE];
    const int t = threadIdx.x, warp = t / 32;
    s_words[t] = t;
    int seen = s_words[t ^ 1];
    if (warp != 3) {
        s_words[t] = 1000 + t;
        seen += s_words[t ^ 1];
    } else {
        s_words[t] = 2000 + t;
        seen += s_words[t ^ 2];
    }
    if (warp == 7) {
        out[t] = seen;
        return;
    }
    if (t % 32 == 5) s_words[t] = t;
    if (warp == 6) {
        s_words[t] = 3 * t;
        seen += s_words[t ^ 31];
    }
    out[t] = seen;
}

static void check_parting() {
    device_array<int> out(BLOCKS * BLOCK_SIZE);
    for (int block_size : {32, 100, BLOCK_SIZE}) {
        part<<<1, block_size>>>(out.data);
        for (int t = 0; t < block_size / 32 * 32; t++) {
            const int warp = t / 32, first = t ^ 1, second = warp == 3 ? 2000 + (t ^ 2) : 1000 + (t ^ 1);
            EXPECT(out.at(t) == first + second + (warp == 6 ? 3 * (t ^ 31) : 0));
        }
    }
}

/// In global memory, too; the last word is read past the volatile pointer.
__global__ void reduce_in_place(int* numbers, int* sums) {
    int* const mine = numbers + blockIdx.x * blockDim.x;
    const int t = threadIdx.x;
    if (t < 64) mine[t] += mine[t + 64];
    __syncthreads();
    if (t < 32) {
        volatile int* all = mine;
        all[t] += all[t + 32];
        all[t] += all[t + 16];
        all[t] += all[t + 8];
        all[t] += all[t + 4];
        all[t] += all[t + 2];
        all[t] += all[t + 1];
    }
    if (t == 0) sums[blockIdx.x] = mine[0];
}

static void check_global() {
    constexpr int SIZE = 128;
    const std::vector<int> ones(BLOCKS * SIZE, 1);
    device_array<int> numbers(ones.size()), sums(BLOCKS);
    cudaMemcpy(numbers.data, ones.data(), ones.size() * sizeof(int), cudaMemcpyHostToDevice);
    reduce_in_place<<<BLOCKS, SIZE>>>(numbers.data, sums.data);
    for (int block = 0; block < BLOCKS; block++)
        EXPECT(sums.at(block) == SIZE);
}

/// A lane may wait for a word that a later place of the text writes, or another warp.
__global__ void signal(volatile int* flags, int* out) {
    __shared__ volatile int s_flag;
    if (threadIdx.x == 0) s_flag = 0;
    __syncthreads();
    if (threadIdx.x == 40) {
        while (s_flag == 0) {
        }
        out[0] = flags[1] + 1;
    }
    if (threadIdx.x == 3) {
        flags[1] = 6;
        s_flag = 1;
    }
}

static void check_waiting() {
    device_array<int> flags(2), out(1);
    signal<<<1, 64>>>(flags.data, out.data);
    EXPECT(out.at(0) == 7);
}

int main() {
    return run_cases({check_reduction, check_scan, check_sort, check_transpose, check_leader, check_butterfly,
                      check_parting, check_global, check_waiting});
}
