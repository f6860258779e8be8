// Inline PTX that has functions on the CPU backend; and the ranges of NVTX, which say nothing here.
#include <nvtx3/nvToolsExt.h>

#include "engine_test.h"

struct seen {
    unsigned lane, warp, below, up_to, own, from, above, clock_has_run;
    unsigned long long clock, nanoseconds;
};

__global__ void look(seen* all) {
    seen s;
    asm("mov.u32 %0, %%laneid;" : "=r"(s.lane));
    asm volatile("mov.u32 %0,%%warpid ;\n\t" : "=r"(s.warp)::"memory");
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(s.below));
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(s.up_to));
    asm("mov.u32 %0, %%lanemask_eq;" : "=r"(s.own));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(s.from));
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(s.above));
    unsigned long long before;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(before));
    __asm__ __volatile__("membar.gl;" ::: "memory");
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(s.clock));
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(s.nanoseconds));
    s.clock_has_run = s.clock >= before;
    all[threadIdx.x + blockDim.x * threadIdx.y] = s;
}

static void check_special_registers() {
    constexpr unsigned WIDTH = 16, HEIGHT = 5;
    device_array<seen> all(WIDTH * HEIGHT);
    look<<<1, dim3(WIDTH, HEIGHT)>>>(all.data);
    unsigned thread = 0;
    for (const seen& s : all.host()) {
        const unsigned lane = thread % 32, own = 1u << lane;
        EXPECT(s.lane == lane && s.warp == thread / 32 && s.own == own && s.below == own - 1);
        EXPECT(s.up_to == (own | s.below) && s.from == ~s.below && s.above == (s.from & ~own));
        EXPECT(s.clock_has_run == 1 && s.nanoseconds > 1'700'000'000'000'000'000);  // it is after 2023
        thread++;
    }
}

__global__ void instructions(unsigned* out, unsigned a, unsigned b, unsigned c) {
    asm("bfind.u32 %0, %1;" : "=r"(out[0]) : "r"(0u));
    asm("bfind.u32 %0, %1;" : "=r"(out[1]) : "r"(a + 1));
    asm("vabsdiff4.u32.u32.u32.add"
        " %0, %1, %2, %3;"
        : "=r"(out[2])
        : "r"(a), "r"(b), "r"(c));
}

__global__ void fields(unsigned* out, unsigned value, unsigned from, unsigned bits) {
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(out[0]) : "r"(value), "r"(from), "r"(bits));
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(out[1]) : "r"(value), "r"(from), "r"(bits));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(out[2]) : "r"(value), "r"(0x55555555u), "r"(from), "r"(bits));
    asm("brev.b32 %0, %1;" : "=r"(out[3]) : "r"(value));
    asm("clz.b32 %0, %1;" : "=r"(out[4]) : "r"(value));
    asm("popc.b32 %0, %1;" : "=r"(out[5]) : "r"(value));
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(out[6]) : "r"(value), "r"(value));
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(out[7]) : "r"(value), "r"(0x80u), "r"(0xc4b3u));
}

/// By hand, from the PTX ISA.
static void check_fields() {
    device_array<unsigned> out(8);
    fields<<<1, 1>>>(out.data, 0xf0a50001u, 20, 8);
    EXPECT((out.host() ==
            std::vector<unsigned>{0x0a, 0x0a, 0x50155555, 0x8000a50f, 0, 9, 0xe235ca5a, 0xff80fff0}));
    fields<<<1, 1>>>(out.data, 0xf0a50001u, 24, 12);  // beyond the highest bit
    EXPECT(out.host()[0] == 0xf0 && out.host()[1] == 0xfffffff0u && out.host()[2] == 0x01555555u);
    fields<<<1, 1>>>(out.data, 0xf0a50001u, 40, 4);
    EXPECT(out.host()[0] == 0 && out.host()[1] == ~0u && out.host()[2] == 0x55555555u);
    fields<<<1, 1>>>(out.data, 0xf0a50001u, 4, 0);
    EXPECT(out.host()[0] == 0 && out.host()[1] == 0 && out.host()[2] == 0x55555555u);
}

static void check_instructions() {
    device_array<unsigned> out(3);
    instructions<<<1, 1>>>(out.data, 0x01020304, 0xff020300, 5);
    EXPECT((out.host() == std::vector<unsigned>{~0u, 24, 254 + 4 + 5}));
}

__global__ void where(unsigned* out) {
    unsigned multiprocessors;
    asm("mov.u32 %0, %%smid;" : "=r"(out[blockIdx.x]));
    asm("mov.u32 %0, %%nsmid;" : "=r"(multiprocessors));
    if (out[blockIdx.x] >= multiprocessors) __trap();
}

static void check_multiprocessors() {
    int multiprocessors = 0;
    EXPECT(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess);
    device_array<unsigned> out(multiprocessors + 2);
    where<<<multiprocessors + 2, 1>>>(out.data);
    EXPECT(out.at(1) == 1 && out.at(multiprocessors - 1) == unsigned(multiprocessors - 1));
    EXPECT(out.at(multiprocessors) == 0 && out.at(multiprocessors + 1) == 1);
}

__device__ void leave(int calls, int* behind) {
    if (calls > 0) {
        leave(calls - 1, behind);
        *behind = 1;
    } else {
        asm volatile("exit;");
    }
}

/// Threads end in functions that others have called; those that are left meet without them.
__global__ void leave_early(int* out, int calls) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x % 4 == 3) leave(calls, out);
    if (threadIdx.x >= 32) leave(calls, out);
    out[1 + blockIdx.x * 32 + threadIdx.x] = __shfl_down_sync(0x77777777, s[63 - threadIdx.x], 4);
}
__global__ void leave_at_once(int* out) {
    leave(2, out);
}

static void check_exit() {
    device_array<int> out(1 + 2 * 32);
    const std::vector<int> unset = out.host();
    leave_early<<<2, 64>>>(out.data, 3);
    const std::vector<int> left = out.host();
    EXPECT(left[0] == unset[0]);
    for (int i = 0; i < 64; i++)
        EXPECT(left[1 + i] == (i % 4 == 3 ? unset[1 + i] : i % 32 < 28 ? 59 - i % 32 : 63 - i % 32));
    leave_at_once<<<3, 100>>>(out.data);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && out.host() == left);
    leave_early<<<2, 64>>>(out.data, 0);  // threads begin on stacks that others have left
    EXPECT(out.host() == left);
}

/// Inputs are what they were before the first instruction, which writes; words and flags pass between threads.
__global__ void in_one_statement(unsigned* out) {
    unsigned x = 5, calls = 0;
    if (x == 5)
        asm("{ add.u32 %0, %1, 1; add.u32 %0, %0, %1; }" : "=r"(x) : "r"(x));
    else
        x = 0;
    out[0] = x;
    asm("{ .reg .u32 t; add.u32 t, %1, %1; add.u32 %0, t, %1; }" : "=r"(x) : "r"(++calls));
    out[1] = x * 10 + calls;
    unsigned short low = 0x12ff;
    asm("{ .reg .u8 byte; ld.volatile.u8 byte, [%1]; cvt.u16.u8 %0, byte; }" : "=h"(low) : "l"(out));
    out[2] = low;
    asm volatile("st.release.gpu.v4.u32 [%0], {%1, %2, %1, %2};" ::"l"(out + 4), "r"(3), "r"(4) : "memory");
    asm volatile("ld.acquire.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(calls) : "l"(out + 6) : "memory");
    out[3] = x * 10 + calls;
}

static void check_statements() {
    device_array<unsigned> out(8);
    in_one_statement<<<1, 1>>>(out.data);
    EXPECT((out.host() == std::vector<unsigned>{11, 31, 11, 34, 3, 4, 3, 4}));
}

static void check_ranges() {
    EXPECT(nvtxRangePushA("outer") == 0 && nvtxRangePush("inner") == 1);
    EXPECT(nvtxRangePop() == 1 && nvtxRangePop() == 0);
    nvtxRangeEnd(nvtxRangeStartA("both"));
}

int main() {
    return run_cases({check_special_registers, check_instructions, check_fields, check_exit, check_statements,
                      check_multiprocessors, check_ranges});
}
