// Instructions and intrinsics beside a GPU: of each the results for many operands, as one number, which was recorded on an
// H100. With the argument `record` the program prints them: nvcc -std=c++20 -arch=sm_90 and run it there.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstring>
#include <string>

#include "../support/device_array.h"

/// One instruction of inline PTX: three words in, one out.
#define PTX(name, text)                                                            \
    __device__ unsigned int name(unsigned int a, unsigned int b, unsigned int c) { \
        unsigned int d = 0;                                                        \
        asm volatile(text : "=r"(d) : "r"(a), "r"(b), "r"(c));                     \
        return d;                                                                  \
    }
PTX(ptx_add, "add.u32 %0, %1, %2;")
PTX(ptx_sub, "sub.s32 %0, %1, %2;")
PTX(ptx_mul_lo, "mul.lo.u32 %0, %1, %2;")
PTX(ptx_mul_hi, "mul.hi.s32 %0, %1, %2;")
PTX(ptx_mad, "mad.lo.s32 %0, %1, %2, %3;")
PTX(ptx_min, "min.s32 %0, %1, %2;")
PTX(ptx_max, "max.u32 %0, %1, %2;")
PTX(ptx_and, "and.b32 %0, %1, %2;")
PTX(ptx_or, "or.b32 %0, %1, %2;")
PTX(ptx_xor, "xor.b32 %0, %1, %2;")
PTX(ptx_not, "not.b32 %0, %1;")
PTX(ptx_neg, "neg.s32 %0, %1;")
PTX(ptx_abs, "abs.s32 %0, %1;")
PTX(ptx_shl, "shl.b32 %0, %1, %3;")
PTX(ptx_shr, "shr.u32 %0, %1, %3;")
PTX(ptx_shr_signed, "shr.s32 %0, %1, %3;")
PTX(ptx_shf_l, "shf.l.wrap.b32 %0, %1, %2, %3;")
PTX(ptx_shf_r, "shf.r.wrap.b32 %0, %1, %2, %3;")
PTX(ptx_lop3, "lop3.b32 %0, %1, %2, %3, 0xe2;")
PTX(ptx_lop3_sum, "lop3.b32 %0, %1, %2, %3, 150;")
PTX(ptx_sad, "sad.u32 %0, %1, %2, %3;")
PTX(ptx_dp4a, "dp4a.s32.s32 %0, %1, %2, %3;")
PTX(ptx_dp4a_unsigned, "dp4a.u32.u32 %0, %1, %2, %3;")
PTX(ptx_bfe, "bfe.u32 %0, %1, %3, 7;")
PTX(ptx_prmt, "prmt.b32 %0, %1, %2, %3;")
PTX(ptx_mov, "mov.b32 %0, %2;")
PTX(ptx_shuffle, "shfl.sync.bfly.b32 %0, %1, 5, 0x1f, 0xffffffff;")
PTX(ptx_shuffle_up, "shfl.sync.up.b32 %0, %1, 3, 0x1000, 0xffffffff;")
PTX(ptx_shuffle_idx, "shfl.sync.idx.b32 %0, %1, 2, 0x181f, -1;")

// Several instructions, with registers and predicates of their own.
PTX(ptx_selp, "{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.b32 %0, %1, %3, p; }")
PTX(ptx_predicates,
    "{\n\t.reg .pred p, q;\n\t.reg .b32 t;\n\tsetp.hi.u32 p, %1, %2;\n\tsetp.ne.s32 q, %2, %3;"
    "and.pred p, p, q; mov.b32 t, 7; @p add.u32 t, t, %1; @!p xor.b32 t, t, %3; not.pred q, q;"
    "selp.u32 %0, t, 5, q; @p mov.b32 %0, t; }")
PTX(ptx_compare,
    "{ .reg .pred p; .reg .f32 x, y; mov.b32 x, %1; mov.b32 y, %2; mov.b32 %0, 0;"
    "setp.eq.f32 p, x, y; @p or.b32 %0, %0, 1; setp.ne.f32 p, x, y; @p or.b32 %0, %0, 2;"
    "setp.le.f32 p, x, y; @p or.b32 %0, %0, 4; setp.geu.f32 p, x, y; @p or.b32 %0, %0, 8;"
    "setp.neu.f32 p, x, y; @p or.b32 %0, %0, 16; setp.ltu.f32 p, x, 0f3F800000; @p or.b32 %0, %0, 32; }")
#define PTX_SHUFFLE_IF(kind)                                                       \
    "{ .reg .pred p; .reg .b32 t, to; and.b32 to, %2, 31; shfl.sync." kind         \
    ".b32 t|p, %1, 3, to, -1; @p add.u32 t, t, %3; mov.b32 %0, t; shfl.sync." kind \
    ".b32 t|p, %1, %2, 0x0c1f, 0xffffffff; @!p xor.b32 %0, %0, t; @p sub.u32 %0, %0, t; }"
PTX(ptx_shuffle_up_if, PTX_SHUFFLE_IF("up"))
PTX(ptx_shuffle_down_if, PTX_SHUFFLE_IF("down"))
PTX(ptx_shuffle_idx_if, PTX_SHUFFLE_IF("idx"))
PTX(ptx_shuffle_bfly_if, PTX_SHUFFLE_IF("bfly"))
#undef PTX_SHUFFLE_IF
PTX(ptx_votes,
    "{ .reg .pred p, q; .reg .b32 t; setp.lt.u32 p, %1, %2; vote.sync.ballot.b32 %0, p, 0xffffffff;"
    "vote.sync.any.pred q, p, -1; @q add.u32 %0, %0, 1; setp.ge.u32 p, %1, 9; vote.sync.all.pred q, p, -1;"
    "@q add.u32 %0, %0, %3; and.b32 t, %1, 3; match.any.sync.b32 t, t, 0xffffffff; xor.b32 %0, %0, t; }")
PTX(ptx_video,
    "{ .reg .b32 t; vshr.u32.u32.u32.clamp.add %0, %1, %3, %2; vshl.u32.u32.u32.clamp.add t, %1, %3, %2;"
    "vadd.u32.u32.u32.add %0, %0, t, %1; }")
PTX(ptx_converted,
    "{ .reg .u8 b; .reg .s8 s; .reg .u16 h; .reg .f32 x; .reg .s32 i; .reg .u64 l; .reg .f64 d;"
    "cvt.u8.u32 b, %1; cvt.u16.u8 h, b; cvt.u32.u16 %0, h; cvt.s8.s32 s, %2; cvt.s32.s8 i, s;"
    "xor.b32 %0, %0, i; cvt.rn.f32.s32 x, %3; mov.b32 i, x; add.u32 %0, %0, i; mov.b32 x, %1;"
    "cvt.rzi.s32.f32 i, x; xor.b32 %0, %0, i; cvt.f64.f32 d, x; cvt.rzi.u64.f64 l, d; cvt.u32.u64 i, l;"
    "add.u32 %0, %0, i; }")
PTX(ptx_carried,
    "{ .reg .u32 low, high; add.cc.u32 low, %1, %2; addc.cc.u32 high, %2, %3; addc.u32 %0, %3, 0;"
    "mad.lo.cc.u32 low, %1, %3, low; madc.hi.cc.u32 high, %1, %3, high; madc.lo.u32 %0, %0, %2, %1;"
    "sub.cc.u32 low, low, %3; subc.cc.u32 high, high, %1; subc.u32 %0, %0, low; xor.b32 %0, %0, high; }")
#undef PTX

/// The same of numbers, whose bits the words are.
#define PTX_FLOATS(name, text)                                                                           \
    __device__ unsigned int name(unsigned int a, unsigned int b, unsigned int c) {                       \
        float d = 0;                                                                                     \
        asm(text : "=f"(d) : "f"(__uint_as_float(a)), "f"(__uint_as_float(b)), "f"(__uint_as_float(c))); \
        return __float_as_uint(d);                                                                       \
    }
PTX_FLOATS(ptx_add_floats, "add.f32 %0, %1, %2;")
PTX_FLOATS(ptx_mul_floats, "mul.rn.f32 %0, %1, %2;")
PTX_FLOATS(ptx_fma, "fma.rn.f32 %0, %1, %2, %3;")
PTX_FLOATS(ptx_min_floats, "min.f32 %0, %1, %2;")
PTX_FLOATS(ptx_max_floats, "max.f32 %0, %1, %2;")
PTX_FLOATS(ptx_sqrt, "sqrt.rn.f32 %0, %1;")
PTX_FLOATS(ptx_mov_bits, "mov.b32 %0, %1;")
PTX_FLOATS(ptx_toward_zero, "{ .reg .f32 x; mul.rz.f32 x, %1, %2; fma.rz.f32 %0, x, %2, %3; }")
#undef PTX_FLOATS

/// From floats to words of other formats.
__device__ unsigned int ptx_tf32(unsigned int a, unsigned int, unsigned int) {
    unsigned int d;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(d) : "f"(__uint_as_float(a)));
    return d & ~0x1fffu;
}
__device__ unsigned int ptx_halves(unsigned int a, unsigned int b, unsigned int) {
    unsigned int d;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
    return d;
}
__device__ unsigned int ptx_bfloats(unsigned int a, unsigned int b, unsigned int) {
    unsigned int d;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
    return d;
}
__device__ unsigned int ptx_wide(unsigned int a, unsigned int b, unsigned int) {
    unsigned long long d;
    unsigned int low, high;
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(d) : "r"(a), "r"(b));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(d));
    return low ^ high * 3;
}
__device__ unsigned int ptx_pack(unsigned int a, unsigned int b, unsigned int) {
    unsigned long long d;
    asm("mov.b64 %0, {%1, %2};" : "=l"(d) : "r"(a), "r"(b));
    asm("add.u64 %0, %1, %2;" : "=l"(d) : "l"(d), "l"(0x100000001ull));
    return static_cast<unsigned int>(d >> 32) * 5 ^ static_cast<unsigned int>(d);
}

#define WORD(value) static_cast<unsigned int>(value)
#define NUMBER(word) __uint_as_float(word)
#define BITS(number) __float_as_uint(number)
#define LOW_HALF(word) __ushort_as_half(static_cast<unsigned short>(word))
#define LOW_BFLOAT(word) __ushort_as_bfloat16(static_cast<unsigned short>(word))
/// NaNs are of many patterns.
__device__ unsigned int number_bits(float value) {
    return isnan(value) ? 0x7fc00000u : BITS(value);
}
__device__ unsigned int told(unsigned int value, bool first, bool second) {
    return value ^ (first ? 0x5bd1e995u : 0u) ^ (second ? 0x27d4eb2fu : 0u);
}
__device__ unsigned int larger_and_which(int a, int b) {
    bool first;
    const int chosen = __vibmax_s32(a, b, &first);
    return told(WORD(chosen), first, false);
}
__device__ unsigned int smaller_and_which(unsigned int a, unsigned int b) {
    bool high, low;
    const unsigned int chosen = __vibmin_u16x2(a, b, &high, &low);
    return told(chosen, high, low);
}
template <class type>
__device__ unsigned int there_and_back(float value) {
    const type stored(value);
    return number_bits(float(stored)) ^ WORD(stored.__x) << 24 ^ WORD(int(stored)) * 7;
}

// Every line is one kind: its name and its value, by a, b and c.
#define BOTH_WIDTHS(X, name) X(name##2, name##2(a, b)) X(name##4, name##4(a, b))
// clang-format off
#define ALL(X)                                                                                                 \
    X(add, ptx_add(a, b, c)) X(sub, ptx_sub(a, b, c)) X(mul_lo, ptx_mul_lo(a, b, c))                           \
    X(mul_hi, ptx_mul_hi(a, b, c)) X(mad, ptx_mad(a, b, c)) X(min, ptx_min(a, b, c)) X( max, ptx_max(a, b, c)) \
    X(bit_and, ptx_and(a, b, c)) X(bit_or, ptx_or(a, b, c)) X(bit_xor, ptx_xor(a, b, c))                       \
    X(bit_not, ptx_not(a, b, c)) X(neg, ptx_neg(a, b, c)) X(abs, ptx_abs(a, b, c))                             \
    X(shl, ptx_shl(a, b, c % 48)) X( shr, ptx_shr( a, b, c % 48)) X(shr_signed, ptx_shr_signed(a, b, c % 48))  \
    X(shf_l, ptx_shf_l(a, b, c)) X(shf_r, ptx_shf_r(a, b, c)) X(lop3, ptx_lop3(a, b, c))                       \
    X(lop3_sum, ptx_lop3_sum(a, b, c)) X( sad, ptx_sad( a, b, c)) X(dp4a, ptx_dp4a(a, b, c))                   \
    X(dp4a_unsigned, ptx_dp4a_unsigned(a, b, c)) X(bfe, ptx_bfe(a, b, c % 64)) X(prmt, ptx_prmt(a, b, c))      \
    X(mov, ptx_mov(a, b, c)) X( shuffle, ptx_shuffle( a, b, c)) X(shuffle_up, ptx_shuffle_up(a, b, c))         \
    X(shuffle_idx, ptx_shuffle_idx(a, b, c)) X(add_floats, number_bits(NUMBER(ptx_add_floats(a, b, c))))       \
    X( mul_floats, number_bits(NUMBER(ptx_mul_floats( a, b, c))))                                              \
    X(fma, number_bits(NUMBER(ptx_fma(a, b, c)))) X(min_floats, number_bits(NUMBER(ptx_min_floats(a, b, c))))  \
    X(max_floats, number_bits(NUMBER(ptx_max_floats(a, b, c))))                                                \
    X( sqrt, number_bits(NUMBER(ptx_sqrt( a, b, c)))) X(mov_bits, ptx_mov_bits(a, b, c))                       \
    X(wide, ptx_wide(a, b, c)) X(pack, ptx_pack(a, b, c)) X(tf32, isfinite(NUMBER(a)) ? ptx_tf32(a, b, c) : 0) \
    X(halves, ptx_halves(a, b, c)) X( bfloats, ptx_bfloats( a, b, c)) BOTH_WIDTHS(X, __vadd)                   \
    BOTH_WIDTHS(X, __vsub) BOTH_WIDTHS(X, __vaddus) BOTH_WIDTHS(X, __vsubus) BOTH_WIDTHS(X, __vaddss)          \
    BOTH_WIDTHS(X, __vsubss) BOTH_WIDTHS( X, __vabsdiffu) BOTH_WIDTHS(X, __vabsdiffs) BOTH_WIDTHS(X, __vavgu)  \
    BOTH_WIDTHS(X, __vavgs) BOTH_WIDTHS(X, __vhaddu) BOTH_WIDTHS(X, __vmaxu) BOTH_WIDTHS(X, __vminu)           \
    BOTH_WIDTHS( X, __vmaxs) BOTH_WIDTHS(X, __vmins) BOTH_WIDTHS(X, __vcmpeq) BOTH_WIDTHS(X, __vcmpgtu)        \
    BOTH_WIDTHS(X, __vcmples) BOTH_WIDTHS(X, __vsetne) BOTH_WIDTHS(X, __vsetgeu) BOTH_WIDTHS( X, __vsetlts)    \
    BOTH_WIDTHS(X, __vsads) BOTH_WIDTHS(X, __vsadu) X(__vabs2, __vabs2(a)) X(__vabs4, __vabs4(a))              \
    X(__vabsss2, __vabsss2(a)) X(__vabsss4, __vabsss4(a)) X( __vneg2, __vneg2( a)) X(__vneg4, __vneg4(a))      \
    X(__vnegss2, __vnegss2(a)) X(__vnegss4, __vnegss4(a)) X(__vimax3_s32, WORD(__vimax3_s32(a, b, c)))         \
    X( __vimin3_u32, __vimin3_u32( a, b, c)) X(__viaddmax_s32, WORD(__viaddmax_s32(a, b, c)))                  \
    X(__viaddmin_u32, __viaddmin_u32(a, b, c)) X( __viaddmax_s16x2, __viaddmax_s16x2( a, b, c))                \
    X(__viaddmin_u16x2, __viaddmin_u16x2(a, b, c)) X(__vimax3_s16x2_relu, __vimax3_s16x2_relu(a, b, c))        \
    X( __vimin3_s32_relu, WORD(__vimin3_s32_relu( a, b, c)))                                                   \
    X(__viaddmax_s32_relu, WORD(__viaddmax_s32_relu(a, b, c))) X(__vimin_s16x2_relu, __vimin_s16x2_relu(a, b)) \
    X( larger_and_which, larger_and_which( a, b)) X(smaller_and_which, smaller_and_which(a, b))                \
    X(half_to_bfloat, __bfloat16_as_ushort(__nv_bfloat16(__half2float(LOW_HALF( a)))))                         \
    X(bfloat_to_half, __half_as_ushort(__half(LOW_BFLOAT( a))))                                                \
    X(half_to_char, WORD(static_cast<signed char>(LOW_HALF( a)))) X(half_to_short, WORD(short(LOW_HALF(a))))   \
    X( half_to_byte, WORD(static_cast<unsigned char>( LOW_HALF(a))))                                           \
    X(e4m3, __nv_cvt_float_to_fp8(NUMBER(a), __NV_SATFINITE, __NV_E4M3))                                       \
    X( e4m3_beyond, __nv_cvt_float_to_fp8( NUMBER(a), __NV_NOSAT, __NV_E4M3))                                  \
    X(e5m2, __nv_cvt_float_to_fp8( NUMBER(a), __NV_SATFINITE, __NV_E5M2))                                      \
    X(e5m2_beyond, __nv_cvt_float_to_fp8( NUMBER(a), __NV_NOSAT, __NV_E5M2))                                   \
    X(e4m3_of_half, __nv_cvt_halfraw_to_fp8( LOW_HALF(a), __NV_SATFINITE, __NV_E4M3))                          \
    X(e5m2_of_bfloats, __nv_cvt_bfloat16raw_to_fp8( LOW_BFLOAT(a), __NV_SATFINITE, __NV_E5M2))                 \
    X(e4m3_back, number_bits(__half(__nv_cvt_fp8_to_halfraw( a & 255, __NV_E4M3))))                            \
    X(e5m2_back, number_bits(__half(__nv_cvt_fp8_to_halfraw( a & 255, __NV_E5M2))))                            \
    X(e4m3_class, there_and_back< __nv_fp8_e4m3>( NUMBER(a)))                                                  \
    X(e5m2_class, there_and_back< __nv_fp8_e5m2>( NUMBER( a)))                                                 \
    X(selp, ptx_selp(a, b, c)) X(predicates, ptx_predicates(a, b, c)) X(compare, ptx_compare( a, b, c))        \
    X(shuffle_up_if, ptx_shuffle_up_if(a, b, c)) X(shuffle_down_if, ptx_shuffle_down_if(a, b, c))              \
    X(shuffle_idx_if, ptx_shuffle_idx_if(a, b, c)) X(shuffle_bfly_if, ptx_shuffle_bfly_if(a, b, c))            \
    X(votes, ptx_votes(a, b, c)) X(video, ptx_video(a, b, c)) X( converted, ptx_converted( a, b, c))           \
    X(carried, ptx_carried( a, b, c)) X(toward_zero, number_bits(NUMBER(ptx_toward_zero(a, b, c))))
// clang-format on

#define NAME(name, value) #name,
static const char* const NAMES[] = {ALL(NAME)};
#undef NAME
constexpr int COUNT = sizeof NAMES / sizeof *NAMES;

enum class kind {
#define KIND(name, value) of_##name,
    ALL(KIND)
#undef KIND
};

__global__ void compute(unsigned int* out, const unsigned int* in, kind which, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;  // all lanes are there
    const unsigned int a = in[i], b = in[count + i], c = in[2 * count + i];
    switch (which) {
#define CASE(name, value) \
    case kind::of_##name: \
        out[i] = (value); \
        break;
        ALL(CASE)
#undef CASE
    }
}

/// Words of every kind: few bits, numbers near the ends of formats, and any.
static std::vector<unsigned int> operands(int count) {
    std::vector<unsigned int> words;
    unsigned int state = 1;
    const auto next = [&] { return state = state * 1664525u + 1013904223u; };
    for (int i = 0; i < 3 * count; i++) {
        const unsigned int word = next() >> 8 | next() << 16, small = (next() >> 20) % 64;
        const unsigned int number = (100 + small) << 23 | (word & 0x807fffffu);
        const unsigned int ties = number & 0xfff00000u,
                           seldom[] = {0, ~0u, 0x80008000u, 0x7f800000u, 0x7fc00000u, small};
        words.push_back(i % 8 == 0 ? seldom[small % 6] : i % 4 == 1 ? number : i % 4 == 2 ? ties : word);
    }
    return words;
}

static unsigned int hash(const std::vector<unsigned int>& words) {
    unsigned int sum = 2166136261u;
    for (const unsigned int word : words)
        sum = (sum ^ word) * 16777619u;
    return sum;
}

static std::vector<unsigned int> results() {
    constexpr int LENGTH = 8192;
    device_array<unsigned int> in(3 * LENGTH), out(LENGTH);
    const std::vector<unsigned int> words = operands(LENGTH);
    cudaMemcpy(in.data, words.data(), words.size() * sizeof words[0], cudaMemcpyHostToDevice);
    std::vector<unsigned int> all;
    for (int k = 0; k < COUNT; k++) {
        compute<<<LENGTH / 256, 256>>>(out.data, in.data, kind(k), LENGTH);
        all.push_back(hash(out.host()));
    }
    return all;
}

/// On an H100, and the same on an H200.
static const unsigned int RECORDED[] = {
#include "instructions.h"
};

static void check_results() {
    const std::vector<unsigned int> all = results();
    EXPECT(sizeof RECORDED / sizeof *RECORDED == COUNT);
    for (int k = 0; k < COUNT; k++) {
        if (all[k] != RECORDED[k]) std::fprintf(stderr, "%s is not as on a GPU\n", NAMES[k]);
        EXPECT(all[k] == RECORDED[k]);
    }
}

int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "record") {
        const std::vector<unsigned int> all = results();
        for (int k = 0; k < COUNT; k++)
            std::printf("    0x%08x,  // %s\n", all[k], NAMES[k]);
        return 0;
    }
    return run_cases({check_results});
}
