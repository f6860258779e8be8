// What only Hopper GPUs have (sm_90a): matrix products of four warps, barriers in shared memory, registers that
// warps hand to each other. Other architectures compile empty bodies, which nobody calls there.
#pragma once
#include <cstdint>

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HOPPER_ASM(...) asm volatile(__VA_ARGS__)
#else
#define HOPPER_ASM(...) ((void)0)
#endif

namespace hopper {

constexpr int WARPGROUP = 128;  // threads that issue a product together

/// An address in shared memory as the instructions below want it.
__device__ inline uint32_t shared_address(const void* memory) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(memory));
}

// ---- Barriers. A phase ends when `count` threads have arrived; then the next one begins.

__device__ inline void make_barrier(uint64_t* barrier, int count) {
    HOPPER_ASM("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count));
}

__device__ inline void arrive(uint64_t* barrier) {
    HOPPER_ASM("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

/// Returns when the phase of this parity has ended: 0 for the first, 1 for the second, 0 for the third.
__device__ inline void wait_for_phase(uint64_t* barrier, uint32_t parity) {
    HOPPER_ASM(
        "{\n.reg .pred ended;\nagain:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n@!ended bra again;\n}" ::"r"(
            shared_address(barrier)),
        "r"(parity)
        : "memory");
}

/// Waits for all threads of so many groups, who share the barrier of this number, 1 to 15.
__device__ inline void meet(int number, int groups) {
    HOPPER_ASM("bar.sync %0, %1;" ::"r"(number), "r"(groups * WARPGROUP) : "memory");
}

/// What this thread stored into shared memory is seen by matrix units and copy engine, if whoever tells them to read has met it
/// at a barrier.
__device__ inline void show_to_engines() {
    HOPPER_ASM("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Barriers that this thread has made are seen by the copy engine.
__device__ inline void show_to_copy_engine() {
    HOPPER_ASM("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// ---- The copy engine. (The ways in and out are stack_map.h's.)

/// The engine will soon ask for what this map, a parameter of the kernel, says.
__device__ inline void announce_map(const void* map) {
    HOPPER_ASM("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

/// Until the engine has read all boxes of this thread.
__device__ inline void wait_until_read() {
    HOPPER_ASM("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

// ---- Registers. All warps of a group say it; the kernel must have been launched with as many as are handed on.

template <int REGISTERS>
__device__ inline void keep_registers() {
    HOPPER_ASM("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

template <int REGISTERS>
__device__ inline void take_registers() {
    HOPPER_ASM("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

// ---- Products. They are asynchronous: begin, multiply, multiply, .., finish; until then nobody touches operands or sums.

__device__ inline void begin_products() {
    HOPPER_ASM("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ inline void finish_products() {
    HOPPER_ASM("wgmma.commit_group.sync.aligned;" ::: "memory");
    HOPPER_ASM("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// clang-format off
#define SUMS_4(s, k) "+f"(s[k]), "+f"(s[k + 1]), "+f"(s[k + 2]), "+f"(s[k + 3])
#define SUMS_16(s, k) SUMS_4(s, k), SUMS_4(s, k + 4), SUMS_4(s, k + 8), SUMS_4(s, k + 12)
#define SUMS_32(s, k) SUMS_16(s, k), SUMS_16(s, k + 16)
// clang-format on

/// sums (64 x 64) = a (64 x 16 halves) * b (16 x 64 halves in shared memory) + (keep ? sums : 0). Of each, a thread has
/// the elements that the instruction's layout gives it.
__device__ __forceinline__ void multiply(float (&sums)[32], const uint32_t (&a)[4], uint64_t b, int keep) {
    HOPPER_ASM(
        "{\n.reg .pred keep;\nsetp.ne.b32 keep, %37, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
        "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,"
        "%27,%28,%29,%30,%31}, {%32,%33,%34,%35}, %36, keep, 1, 1, 0;\n}"
        : SUMS_32(sums, 0)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(keep));
}

/// The same for 128 columns.
__device__ __forceinline__ void multiply(float (&sums)[64], const uint32_t (&a)[4], uint64_t b, int keep) {
    HOPPER_ASM(
        "{\n.reg .pred keep;\nsetp.ne.b32 keep, %69, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
        "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,"
        "%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,"
        "%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, {%64,%65,%66,%67}, %68, keep, 1, 1, 0;\n}"
        : SUMS_32(sums, 0), SUMS_32(sums, 32)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(keep));
}

#undef SUMS_4
#undef SUMS_16
#undef SUMS_32

}  // namespace hopper
