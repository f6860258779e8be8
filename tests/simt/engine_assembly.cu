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

static void check_ranges() {
    EXPECT(nvtxRangePushA("outer") == 0 && nvtxRangePush("inner") == 1);
    EXPECT(nvtxRangePop() == 1 && nvtxRangePop() == 0);
    nvtxRangeEnd(nvtxRangeStartA("both"));
}

int main() {
    return run_cases(
        {check_special_registers, check_instructions, check_fields, check_multiprocessors, check_ranges});
}
