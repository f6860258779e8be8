// Order that threads make themselves: compare-and-swap loops, locks and flags, and ways to get them wrong.
#include "detection.h"

constexpr int THREADS = 64, BLOCKS = 8, N = BLOCKS * THREADS;

__device__ int d_lock, d_other_lock;

__device__ void lock(int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
}
__device__ void unlock(int* lock) {
    __threadfence();
    atomicExch(lock, 0);
}
__device__ float value_of_thread(const float* in) {
    return in[blockIdx.x * THREADS + threadIdx.x];
}

// The Programming Guide's way to any atomic operation. Its first read is a guess that the swap checks.
template <bool RIGHT>
__global__ void compare_and_swap(float* out, const float* in) {
    auto* const address = reinterpret_cast<unsigned int*>(out);
    const float value = value_of_thread(in);
    if (RIGHT) {
        unsigned int old = *address, assumed;
        do {
            assumed = old;
            old = atomicCAS(address, assumed, __float_as_uint(__uint_as_float(assumed) + value));
        } while (assumed != old);
    } else {
        atomicAdd(out, value);  // HERE compare_and_swap: race
        if (*address == 0) atomicAdd(out, value);
    }
}

// The same for a maximum: who sees a larger one need not swap.
template <bool RIGHT>
__global__ void maximum(float* out, const float* in) {
    auto* const address = reinterpret_cast<int*>(out);
    const float value = value_of_thread(in);
    int old = *address;  // HERE maximum: race
    while (value > __int_as_float(old)) {
        const int assumed = old;
        if (RIGHT) {
            old = atomicCAS(address, assumed, __float_as_int(value));
        } else {
            *address = old = __float_as_int(value);  // HERE maximum: race
        }
    }
}

// A lock in shared memory, taken by all threads of a block.
template <bool RIGHT>
__global__ void lock_of_block(float* out, const float* in) {
    __shared__ int s_lock;
    __shared__ float s_sum;
    if (threadIdx.x == 0) s_lock = 0, s_sum = 0;
    __syncthreads();  // nobody has the lock
    if (RIGHT) {
        while (atomicCAS(&s_lock, 0, 1) != 0) {
        }
        s_sum += value_of_thread(in);
        __threadfence_block();
        atomicExch(&s_lock, 0);
    } else {
        s_sum += value_of_thread(in);  // HERE lock_of_block: race
    }
    __syncthreads();  // all have added
    if (threadIdx.x == 0) atomicAdd(out, s_sum);
}

// A lock in device memory, taken by all threads of all blocks.
template <bool RIGHT>
__global__ void after_the_lock(float* out, const float* in) {
    const float value = value_of_thread(in);
    lock(&d_lock);
    if (RIGHT) out[0] += value;
    unlock(&d_lock);
    if (!RIGHT) out[0] += value;  // HERE after_the_lock: race
}

template <bool RIGHT>
__global__ void unlock_without_fence(float* out, const float* in) {
    const float value = value_of_thread(in);
    if (threadIdx.x != 0) return;
    lock(&d_lock);
    out[0] += value;  // HERE unlock_without_fence: race
    if (RIGHT) __threadfence();
    atomicExch(&d_lock, 0);
}

// The lock is opened by a store.
template <bool RIGHT>
__global__ void unlock_by_store(float* out, const float* in) {
    const float value = value_of_thread(in);
    while (atomicExch(&d_lock, 1) != 0) {  // HERE unlock_by_store: race
    }
    out[0] += value;  // HERE unlock_by_store: race
    __threadfence();
    if (RIGHT) {
        *const_cast<volatile int*>(&d_lock) = 0;
    } else {
        d_lock = 0;  // HERE unlock_by_store: benign-race
    }
}

template <bool RIGHT>
__global__ void two_locks(float* out, const float* in) {
    const float value = value_of_thread(in);
    int* const mine = RIGHT || blockIdx.x % 2 == 0 ? &d_lock : &d_other_lock;
    if (threadIdx.x != 0) return;
    lock(mine);
    out[0] += value;  // HERE two_locks: race
    unlock(mine);
}

// Looking at what is still being added up.
template <bool RIGHT>
__global__ void look_without_lock(float* out, const float* in) {
    const float value = value_of_thread(in);
    lock(&d_lock);
    out[0] += value;  // HERE look_without_lock: race
    if (RIGHT) out[1] = fmaxf(out[1], out[0]);
    unlock(&d_lock);
    if (!RIGHT && out[0] < 0) out[1] = 1;
}

// Each thread writes its own entry before it makes it known under the lock; who counts last reads all.
template <bool RIGHT>
__global__ void published(float* out, const float* in, float* entries, int* count) {
    const int x = blockIdx.x * THREADS + threadIdx.x;
    if (RIGHT) entries[x] = in[x];
    lock(&d_lock);
    const bool is_last = ++*count == N;
    unlock(&d_lock);
    if (!RIGHT) entries[x] = in[x];  // HERE published: race
    if (!is_last) return;
    float sum = 0;
    for (int i = 0; i < N; i++)
        sum += entries[i];
    out[0] = sum;
}

// One warp waits for another one of its block.
template <bool RIGHT>
__global__ void flag_of_block(float* out, const float* in) {
    __shared__ volatile int s_flag;
    __shared__ float s_value;
    if (threadIdx.x == 0) s_flag = 0;
    __syncthreads();  // the flag is down
    if (threadIdx.x == 40) {
        if (RIGHT) s_value = in[0] + 1;
        __threadfence_block();
        s_flag = 1;
        if (!RIGHT) s_value = in[0] + 1;  // HERE flag_of_block: race
    }
    if (threadIdx.x < 32) {
        while (s_flag == 0) {
        }
        if (threadIdx.x == 0 && blockIdx.x == 0) out[0] = s_value;
    }
}

template <bool RIGHT>
__global__ void no_wait(float* out, const float* in) {
    __shared__ volatile int s_flag;
    __shared__ float s_value;
    if (threadIdx.x == 0) s_flag = 0;
    __syncthreads();  // the flag is down
    if (threadIdx.x == 40) {
        s_value = in[0] + 1;  // HERE no_wait: race
        __threadfence_block();
        s_flag = 1;
    }
    if (threadIdx.x == 0) {
        while (RIGHT && s_flag == 0) {
        }
        if (blockIdx.x == 0) out[0] = s_value;
    }
}

// Each block adds to what the block before it has left.
template <bool RIGHT>
__global__ void chain(float* out, const float* in, float* sums, volatile int* flags) {
    const int x = blockIdx.x;
    if (threadIdx.x != 0) return;
    float sum = in[x];
    if (x > 0) {
        while (flags[x - 1] == 0) {  // HERE chain: race
        }
        sum += sums[x - 1];  // HERE chain: race
    }
    sums[x] = sum;
    if (RIGHT) __threadfence();
    flags[x] = 1;
    if (x == BLOCKS - 1) out[0] = sum;
}

// A fence for the block is none for the grid.
template <bool RIGHT>
__global__ void narrow_fence(float* out, const float* in, float* sums, int* flags) {
    const int x = blockIdx.x;
    if (threadIdx.x != 0) return;
    float sum = in[x];
    if (x > 0) {
        while (atomicAdd(&flags[x - 1], 0) == 0) {
        }
        sum += sums[x - 1];  // HERE narrow_fence: race
    }
    sums[x] = sum;
    if (RIGHT) {
        __threadfence();
    } else {
        __threadfence_block();
    }
    atomicExch(&flags[x], 1);
    if (x == BLOCKS - 1) out[0] = sum;
}

// Blocks take turns: what the one before wrote is there, of this block or another.
template <bool RIGHT>
__global__ void turns(float* out, const float* in, volatile int* turn) {
    if (threadIdx.x == 0) {
        while (*turn != int(blockIdx.x)) {
        }
    }
    __syncthreads();                                 // it is this block's turn
    if (threadIdx.x == 5) out[0] += in[blockIdx.x];  // HERE turns: race
    if (RIGHT) __threadfence();
    __syncthreads();  // it is done
    if (threadIdx.x != 0) return;
    if (RIGHT) __threadfence();
    atomicExch(const_cast<int*>(turn), int(blockIdx.x) + 1);
}

using sum_kernel = void(float*, const float*);

/// in is 0, 1, 2 ...; twice, because a kernel has to leave its lock as it was.
bool gives(float wanted, sum_kernel* kernel) {
    const device_array<float> in(ramp(N)), out(zeros(2));
    bool is_right = true;
    for (int turn = 0; turn < 2; turn++) {
        cudaMemset(out, 0, 2 * sizeof(float));
        kernel<<<BLOCKS, THREADS>>>(out, in);
        is_right &= out.host()[0] == wanted;
    }
    return is_right;
}

template <class... parameters, class... arguments>
bool gives_with(float wanted, void (*kernel)(float*, const float*, parameters...), arguments... more) {
    const device_array<float> in(ramp(N)), out(zeros(1));
    kernel<<<BLOCKS, THREADS>>>(out, in, more...);
    return out.host()[0] == wanted;
}

constexpr float SUM = N * (N - 1) / 2, OF_BLOCKS = BLOCKS * (BLOCKS - 1) / 2;
constexpr float OF_FIRST_THREADS = THREADS * OF_BLOCKS;

int main(int argc, char** argv) {
    return detect(__FILE__, argc, argv,
                  {
                      {"compare_and_swap", [](auto right) { return gives(SUM, compare_and_swap<right>); }},
                      {"maximum", [](auto right) { return gives(N - 1, maximum<right>); }},
                      {"lock_of_block", [](auto right) { return gives(SUM, lock_of_block<right>); }},
                      {"after_the_lock", [](auto right) { return gives(SUM, after_the_lock<right>); }},
                      {"unlock_without_fence",
                       [](auto right) { return gives(OF_FIRST_THREADS, unlock_without_fence<right>); }},
                      {"unlock_by_store", [](auto right) { return gives(SUM, unlock_by_store<right>); }},
                      {"two_locks", [](auto right) { return gives(OF_FIRST_THREADS, two_locks<right>); }},
                      {"look_without_lock", [](auto right) { return gives(SUM, look_without_lock<right>); }},
                      {"published",
                       [](auto right) {
                           const device_array<float> entries(zeros(N));
                           const device_array<int> count(std::vector<int>(1));
                           return gives_with(SUM, published<right>, (float*)entries, (int*)count);
                       }},
                      {"flag_of_block", [](auto right) { return gives(1, flag_of_block<right>); }},
                      {"no_wait", [](auto right) { return gives(1, no_wait<right>); }},
                      {"chain",
                       [](auto right) {
                           const device_array<float> sums(zeros(BLOCKS));
                           const device_array<int> flags(std::vector<int>(BLOCKS, 0));
                           return gives_with(OF_BLOCKS, chain<right>, (float*)sums,
                                             (volatile int*)(int*)flags);
                       }},
                      {"narrow_fence",
                       [](auto right) {
                           const device_array<float> sums(zeros(BLOCKS));
                           const device_array<int> flags(std::vector<int>(BLOCKS, 0));
                           return gives_with(OF_BLOCKS, narrow_fence<right>, (float*)sums, (int*)flags);
                       }},
                      {"turns",
                       [](auto right) {
                           const device_array<int> turn(std::vector<int>(1));
                           return gives_with(OF_BLOCKS, turns<right>, (volatile int*)(int*)turn);
                       }},
                  });
}
