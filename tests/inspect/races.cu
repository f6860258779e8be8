// Races within a block and between blocks, and right programs that look alike.
#include "expect.h"

constexpr int N = 256;

__device__ int d_counter;
__device__ float d_table[N];

__global__ void missing_barrier(float* out) {
    __shared__ float s_tile[N];
    s_tile[threadIdx.x] = 1;  // HERE missing_barrier
    out[threadIdx.x] = s_tile[N - 1 - threadIdx.x];
}
__global__ void missing_barrier_in_warp(float* out) {
    __shared__ float s_tile[N];
    s_tile[threadIdx.x] = 1;  // HERE missing_barrier_in_warp
    out[threadIdx.x] = s_tile[threadIdx.x ^ 1];
}
__global__ void with_barrier(float* out) {
    __shared__ float s_tile[N];
    s_tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s_tile[N - 1 - threadIdx.x];
}
__global__ void second_barrier_missing(float* out) {
    __shared__ float s_tile[N];
    for (int k = 0; k < 4; k++) {
        s_tile[threadIdx.x] = k;  // HERE second_barrier_missing
        __syncthreads();
        out[k * N + threadIdx.x] = s_tile[N - 1 - threadIdx.x];
    }
}
__global__ void both_barriers(float* out) {
    __shared__ float s_tile[N];
    for (int k = 0; k < 4; k++) {
        s_tile[threadIdx.x] = k;
        __syncthreads();
        out[k * N + threadIdx.x] = s_tile[N - 1 - threadIdx.x];
        __syncthreads();
    }
}
// What lies beside the word has been read since the barrier when it is written, and read by others.
__global__ void written_beside_reads(float* out) {
    __shared__ float s_tile[N];
    s_tile[threadIdx.x] = 1;
    __syncthreads();
    const float sum = s_tile[(threadIdx.x + 1) % N];  // HERE written_beside_reads
    if (threadIdx.x == 96) s_tile[98] = sum;
    out[threadIdx.x] = sum;
}
__global__ void warp_barrier(float* out, int mask) {
    __shared__ float s_tile[N];
    s_tile[threadIdx.x] = 1;  // HERE warp_barrier_too_small
    __syncwarp();
    out[threadIdx.x] = s_tile[threadIdx.x ^ mask];
}
// Several lanes read a word before it is written again: only the warp's barrier orders that.
__global__ void warp_reads_then_writes(float* out) {
    __shared__ float s_tile[N];
    s_tile[threadIdx.x] = 1;
    __syncwarp();
    const float sum = s_tile[threadIdx.x] + s_tile[threadIdx.x ^ 1];
    __syncwarp();
    s_tile[threadIdx.x] = sum;
    __syncwarp();
    out[threadIdx.x] = s_tile[threadIdx.x ^ 2];
}
__global__ void half_warps(float* out, int mask) {
    __shared__ float s_tile[N];
    const unsigned half = threadIdx.x % 32 < 16 ? 0xffffu : 0xffff0000u;
    s_tile[threadIdx.x] = 1;  // HERE half_warp_too_small
    __syncwarp(half);
    out[threadIdx.x] = s_tile[threadIdx.x ^ mask];
}
__global__ void tree_without_barrier(float* out) {
    __shared__ float s_sum[N];
    s_sum[threadIdx.x] = 1;
    __syncthreads();
    for (int d = N / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) s_sum[threadIdx.x] += s_sum[threadIdx.x + d];  // HERE tree_without_barrier
    }
    if (threadIdx.x == 0) out[0] = s_sum[0];
}
// The last reader is the writer; the other reader stands at the same lane of another warp.
__global__ void reader_in_another_warp(float* out) {
    __shared__ float s_word;
    if (threadIdx.x == 0) s_word = 1;
    __syncthreads();
    float value = 0;
    if (threadIdx.x == 5 || threadIdx.x == 37) value = s_word;  // HERE reader_in_another_warp
    if (threadIdx.x == 37) s_word = value + 1;
    out[threadIdx.x] = value;
}
__global__ void bytes(unsigned char* out) {
    __shared__ unsigned char s_tile[N];
    s_tile[threadIdx.x] = threadIdx.x;  // neighbours share a word, not a byte
    __syncthreads();
    out[threadIdx.x] = s_tile[N - 1 - threadIdx.x];
}
__global__ void bytes_racing(unsigned char* out) {
    __shared__ unsigned char s_tile[N];
    s_tile[threadIdx.x] = threadIdx.x;  // HERE bytes_racing
    out[threadIdx.x] = s_tile[threadIdx.x ^ 1];
}
__global__ void global_racing(float* out) {
    out[threadIdx.x] = threadIdx.x;  // HERE global_racing
    out[N + threadIdx.x] = out[threadIdx.x ^ 1];
}
__global__ void device_variable_racing(float* out) {
    d_table[threadIdx.x] = threadIdx.x;  // HERE device_variable_racing
    out[threadIdx.x] = d_table[threadIdx.x ^ 1];
}
__global__ void same_value(int* out) {
    __shared__ int s_flag;
    s_flag = 1;  // HERE same_value
    __syncthreads();
    out[threadIdx.x] = s_flag;
}
__global__ void different_values(int* out) {
    __shared__ int s_flag;
    s_flag = threadIdx.x;  // HERE different_values
    __syncthreads();
    out[threadIdx.x] = s_flag;
}
__global__ void same_value_sometimes(int* out) {
    __shared__ int s_flag;
    s_flag = threadIdx.x / 200;  // HERE same_value_sometimes
    __syncthreads();
    out[threadIdx.x] = s_flag;
}
__global__ void atomics(int* out) {
    atomicAdd(&out[0], 1);
    atomicAdd(&d_counter, 1);
}
__global__ void write_then_own_atomic(int* out) {
    out[threadIdx.x] = 5;
    atomicAdd(&out[threadIdx.x], 1);
}
__global__ void write_against_atomic(int* out) {
    if (threadIdx.x == 3)
        out[0] = 5;  // HERE write_against_atomic
    else
        atomicAdd(&out[0], 1);
}
__global__ void read_against_atomic(int* out) {
    atomicAdd(&out[0], 1);  // HERE read_against_atomic
    out[1 + threadIdx.x] = out[0];
}
__global__ void atomics_then_barrier(int* out) {
    __shared__ int s_sum;
    if (threadIdx.x == 0) s_sum = 0;
    __syncthreads();
    atomicAdd(&s_sum, 1);
    __syncthreads();
    out[threadIdx.x] = s_sum;
}
__global__ void blocks_writing(float* out) {
    out[threadIdx.x] = blockIdx.x;  // HERE blocks_writing
}
__global__ void blocks_writing_same(float* out) {
    out[threadIdx.x] = 1;  // HERE blocks_writing_same
}
__global__ void block_reads_neighbour(float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[x] = 1;  // HERE block_reads_neighbour
    if (x > 0) out[512 + x] = out[x - 1];
}
// Block 0 does both, block 1 only reads.
__global__ void block_keeps_using_its_word(float* out) {
    if (blockIdx.x == 0) out[0] = 1;  // HERE block_keeps_using_its_word
    out[1 + blockIdx.x] = out[0];
}
__global__ void blocks_in_bytes(unsigned char* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;  // 3 bytes a block: two blocks share most words
}
__global__ void blocks_overlapping_bytes(unsigned char* out) {
    out[blockIdx.x * 2 + threadIdx.x] = blockIdx.x;  // HERE blocks_overlapping_bytes
}
__global__ void block_reads_atomic(int* out) {
    if (blockIdx.x == 0) {
        atomicAdd(&out[0], 1);  // HERE block_reads_atomic
    } else {
        out[blockIdx.x] = out[0];
    }
}
// A word that is all that is sent needs no fence, but accesses that are for that.
__global__ void word_for_others(unsigned* words) {
    unsigned seen = 0;
    if (blockIdx.x == 0)
        asm volatile("st.relaxed.gpu.global.u32 [%0], 7;" ::"l"(words) : "memory");
    else
        do {
            asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(words) : "memory");
        } while (seen == 0);
    words[1 + blockIdx.x] = seen;
}
__global__ void volatile_word(volatile unsigned* words) {
    if (blockIdx.x == 0)
        words[0] = 7;  // HERE volatile_word
    else
        while (words[0] == 0) {
        }
}
// What has been seen of a flag is copied before it is looked at.
__global__ void flag_copied(volatile int* flag, int* data) {
    if (blockIdx.x == 0) {
        *data = 5;
        __threadfence();
        *flag = 1;
    } else {
        int seen = 0;
        do {
            const int now = *flag;
            memcpy(&seen, &now, sizeof seen);
        } while (seen == 0);
        __threadfence();
        flag[1] = *data;
    }
}
__global__ void device_variable_between_blocks() {
    if (threadIdx.x == 0) d_counter = blockIdx.x;  // HERE device_variable_between_blocks
}
__global__ void set(float* out, float value) {
    out[threadIdx.x] = value;
}

int main() {
    return check_cases(
        __FILE__,
        {
            {"missing_barrier", [] { missing_barrier<<<1, N>>>(device<float>(N)); }, "race",
             "and read at line"},
            {"missing_barrier_in_warp", [] { missing_barrier_in_warp<<<1, N>>>(device<float>(N)); }, "race",
             "s_tile["},
            {"with_barrier", [] { with_barrier<<<1, N>>>(device<float>(N)); }, "", ""},
            {"written_beside_reads", [] { written_beside_reads<<<1, N>>>(device<float>(N)); }, "race",
             "s_tile[98]"},
            {"second_barrier_missing", [] { second_barrier_missing<<<1, N>>>(device<float>(4 * N)); }, "race",
             "no barrier between"},
            {"both_barriers", [] { both_barriers<<<1, N>>>(device<float>(4 * N)); }, "", ""},
            {"warp_barrier", [] { warp_barrier<<<1, N>>>(device<float>(N), 1); }, "", ""},
            {"warp_barrier_too_small", [] { warp_barrier<<<1, N>>>(device<float>(N), 32); }, "race",
             "s_tile["},
            {"warp_reads_then_writes", [] { warp_reads_then_writes<<<1, N>>>(device<float>(N)); }, "", ""},
            {"half_warp", [] { half_warps<<<1, N>>>(device<float>(N), 8); }, "", ""},
            {"half_warp_too_small", [] { half_warps<<<1, N>>>(device<float>(N), 16); }, "race", "s_tile["},
            {"tree_without_barrier", [] { tree_without_barrier<<<1, N>>>(device<float>(1)); }, "race",
             "s_sum["},
            {"reader_in_another_warp", [] { reader_in_another_warp<<<1, 64>>>(device<float>(64)); }, "race",
             "is read here by thread (5,0,0) and written at line"},
            {"bytes", [] { bytes<<<1, N>>>(device<unsigned char>(N)); }, "", ""},
            {"bytes_racing", [] { bytes_racing<<<1, N>>>(device<unsigned char>(N)); }, "race", "s_tile[1]"},
            {"global_racing", [] { global_racing<<<1, N>>>(device<float>(2 * N)); }, "race",
             "element 0 of allocation"},
            {"device_variable_racing", [] { device_variable_racing<<<1, N>>>(device<float>(N)); }, "race",
             "d_table[0]"},
            {"same_value", [] { same_value<<<1, N>>>(device<int>(N)); }, "benign-race",
             "s_flag[0] is written here"},
            {"different_values", [] { different_values<<<1, N>>>(device<int>(N)); }, "race", "s_flag[0]"},
            {"same_value_sometimes", [] { same_value_sometimes<<<1, N>>>(device<int>(N)); }, "race",
             "s_flag[0]"},
            {"atomics", [] { atomics<<<4, N>>>(device<int>(1)); }, "", ""},
            {"write_then_own_atomic", [] { write_then_own_atomic<<<1, N>>>(device<int>(N)); }, "", ""},
            {"write_against_atomic", [] { write_against_atomic<<<1, 32>>>(device<int>(1)); }, "race",
             "atomically updated"},
            {"read_against_atomic", [] { read_against_atomic<<<1, 32>>>(device<int>(33)); }, "race",
             "element 0"},
            {"atomics_then_barrier", [] { atomics_then_barrier<<<1, N>>>(device<int>(N)); }, "", ""},
            {"blocks_writing", [] { blocks_writing<<<4, 32>>>(device<float>(32)); }, "race",
             "by block (0,0,0) and written on this line by block (1,0,0)"},
            {"blocks_writing_same", [] { blocks_writing_same<<<4, 32>>>(device<float>(32)); }, "benign-race",
             "both storing the same value"},
            {"block_reads_neighbour", [] { block_reads_neighbour<<<4, 32>>>(device<float>(1024)); }, "race",
             "element 31 of allocation"},
            {"block_keeps_using_its_word", [] { block_keeps_using_its_word<<<2, 1>>>(device<float>(3)); },
             "race", "by block (0,0,0) and read at line"},
            {"blocks_in_bytes", [] { blocks_in_bytes<<<5, 3>>>(device<unsigned char>(15)); }, "", ""},
            {"blocks_overlapping_bytes",
             [] { blocks_overlapping_bytes<<<5, 3>>>(device<unsigned char>(15)); }, "race",
             "element 2 of allocation"},
            {"block_reads_atomic", [] { block_reads_atomic<<<2, 1>>>(device<int>(2)); }, "race",
             "read at line"},
            {"device_variable_between_blocks", [] { device_variable_between_blocks<<<3, 32>>>(); }, "race",
             "d_counter[0]"},
            {"word_for_others", [] { word_for_others<<<4, 1>>>(device<unsigned>(5)); }, "", ""},
            {"volatile_word", [] { volatile_word<<<2, 1>>>(device<unsigned>(1)); }, "race", "element 0"},
            {"flag_copied", [] { flag_copied<<<2, 1>>>(device<int>(2), device<int>(1)); }, "", ""},
            {"two_launches",
             [] {
                 float* out = device<float>(32);
                 set<<<1, 32>>>(out, 1);
                 set<<<1, 32>>>(out, 2);
             },
             "", ""},
        });
}
