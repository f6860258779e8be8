// Arithmetic intrinsics on values whose results are known.
#include "engine_test.h"

__global__ void integers(int* out) {
    int i = 0;
    out[i++] = __popc(0xf0f0u) == 8 && __popcll(~0ull) == 64;
    out[i++] = __ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1ll << 40) == 41;
    out[i++] = __clz(0) == 32 && __clz(1) == 31 && __clzll(0) == 64 && __clzll(1) == 63;
    out[i++] = __brev(1u) == 0x80000000u && __brev(0x0000ffffu) == 0xffff0000u;
    out[i++] = __mulhi(1 << 30, 8) == 2 && __mulhi(-1, 1) == -1 && __umulhi(~0u, 2u) == 1;
    out[i++] = __mul24(-3, 5) == -15 && __umul24(0x1000003u, 2u) == 6;
    out[i++] = __byte_perm(0x33221100u, 0x77665544u, 0x7610u) == 0x77661100u;
    out[i++] = __funnelshift_l(0x80000000u, 1u, 1) == 3 && __funnelshift_r(2u, 1u, 1) == 0x80000001u;
    out[i++] = __sad(-3, 4, 10) == 17 && __usad(3u, 1u, 1u) == 3;
    out[i++] = min(-1, 2) == -1 && max(-1, 2) == 2 && min(1u, 2u) == 1 && max(3ll, 4ll) == 4;
    out[i++] = min(2, 3u) == 2u && max(1.5f, 1.25) == 1.5 && min(2.0f, 1.0f) == 1.0f;
    out[i++] = abs(-3) == 3 && abs(-2.5f) == 2.5f && warpSize == 32;
}

__global__ void packed(int* out, unsigned int a, unsigned int b) {  // 0x01ff8003, 0x02017f05
    int i = 0;
    out[i++] = __vadd4(a, b) == 0x0300ff08u && __vadd2(a, b) == 0x0400ff08u;
    out[i++] = __vsub4(a, b) == 0xfffe01feu && __vsub2(a, b) == 0xfffe00feu;
    out[i++] = __vabsdiffu4(a, b) == 0x01fe0102u && __vabsdiffu2(a, b) == 0x000200feu;
    out[i++] = __vavgu4(a, b) == 0x02808004u && __vhaddu4(a, b) == 0x01807f04u;
    out[i++] = __vmaxu4(a, b) == 0x02ff8005u && __vminu4(a, b) == 0x01017f03u;
    out[i++] = __vmaxs4(a, b) == 0x02017f05u && __vmins4(a, b) == 0x01ff8003u;
    out[i++] = __vcmpgtu4(a, b) == 0x00ffff00u && __vcmpgts4(a, b) == 0 && __vcmpeq2(a, a) == ~0u;
    out[i++] = __dp4a(a, b, 10u) == 10 + 1 * 2 + 255 * 1 + 128 * 127 + 3 * 5;
    out[i++] = __dp4a(int(a), int(b), -10) == -10 + 1 * 2 - 1 * 1 - 128 * 127 + 3 * 5;
    out[i++] =
        __dp4a(make_char4(3, -128, -1, 1), make_char4(5, 127, 1, 2), -10) == __dp4a(int(a), int(b), -10);
    out[i++] = __dp2a_lo(a, b, 10u) == 10 + 0x8003 * 5 + 0x01ff * 0x7f &&
               __dp2a_hi(a, b, 10u) == 10 + 0x8003 * 1 + 0x01ff * 2;
    out[i++] = __dp2a_lo(int(a), int(b), -10) == -10 - 32765 * 5 + 0x01ff * 0x7f;
    out[i++] =
        __dp2a_hi(make_short2(-32765, 0x01ff), make_char4(5, 127, 1, 2), -10) == -10 - 32765 + 0x01ff * 2;
    out[i++] = __umul64hi(~0ull, 2) == 1 && __mul64hi(-1, 1) == -1;
}

__global__ void floats(int* out, float half, float nan) {
    int i = 0;
    out[i++] = __fmaf_rn(half, 4.0f, 1.0f) == 3.0f && fmaf(half, half, half) == 0.75f;
    out[i++] = __fdividef(1.0f, half) == 2.0f && __fdiv_rn(1.0f, 4.0f) == 0.25f && __frcp_rn(half) == 2.0f;
    out[i++] = rsqrtf(4.0f) == half && rsqrt(16.0) == 0.25 && __fsqrt_rn(9.0f) == 3.0f;
    out[i++] = __saturatef(1.5f) == 1.0f && __saturatef(-1.0f) == 0.0f && __saturatef(half) == half;
    out[i++] = __saturatef(nan) == 0.0f && fmaxf(nan, 1.0f) == 1.0f && max(nan, 1.0f) == 1.0f;
    out[i++] =
        __expf(0.0f) == 1.0f && __logf(1.0f) == 0.0f && __powf(2.0f, 3.0f) == 8.0f && __cosf(0.0f) == 1.0f;
    out[i++] = __float2int_rn(2.5f) == 2 && __float2int_rz(-2.7f) == -2 && __float2int_rd(-2.1f) == -3 &&
               __float2int_ru(2.1f) == 3 && __int2float_rn(7) == 7.0f;
    out[i++] = __float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f &&
               __uint_as_float(__float_as_uint(half)) == half && __double_as_longlong(0.0) == 0;
    out[i++] = __fadd_rn(half, half) == 1.0f && __fmul_rn(half, half) == 0.25f && __dadd_rn(1, 2) == 3;
    out[i++] = sinpif(0.5f) == 1.0f && exp2f(3.0f) == 8.0f && floorf(-half) == -1.0f && isnan(nan);
}

struct pixel {
    unsigned char grey;
};
__device__ int as_int(float a) {
    return a;
}
template <class T>
__device__ T as(float a) {
    T made = a;
    return made;
}
/// Without a cast a number becomes an integer as with one.
__global__ void converted(int* out, unsigned char* bytes, pixel* one, float large, float below, float nan) {
    int i = 0, whole = large, sum = 7;
    unsigned int positive = below;
    bytes[1] = below * 2 + 1;
    bytes[2] += below * 30;
    one->grey = 0.5f * below;
    sum += nan;
    out[i++] = whole == 2147483647 && positive == 0 && sum == 0;
    out[i++] = bytes[1] == 0 && bytes[2] == 0 && one->grey == 0;
    out[i++] = as_int(-large) == -2147483647 - 1 && as<unsigned char>(below) == 0 && as<int>(nan) == 0;
    const uchar4 colour = make_uchar4(below, 300.5f + below * 0, nan, 255);
    out[i++] = colour.x == 0 && colour.y == 44 && colour.z == 0;
    long long far = 0;
    far = large * large * large;
    out[i++] = far == 9223372036854775807ll && (whole = below < 0 ? below : large) == -5;
    sum = 100;
    sum *= 1e300;
    out[i++] = sum == 2147483647;
}
__global__ void rounded(int* out, int odd, double third) {  // 2^24 + 1, 1/3
    int i = 0;
    out[i++] = __int2float_rz(odd) == 16777216.0f && __int2float_ru(odd) == 16777218.0f;
    out[i++] = __int2float_rd(-odd) == -16777218.0f && __int2float_rz(-odd) == -16777216.0f;
    out[i++] = __double2float_rd(third) < third && __double2float_ru(third) > third;
    out[i++] = __hadd(-3, 2) == -1 && __rhadd(-3, 2) == 0 && __uhadd(~0u, ~0u) == ~0u && __urhadd(1, 2) == 2;
    out[i++] =
        __brevll(1) == 1ull << 63 && __funnelshift_lc(1, 2, 32) == 1 && __funnelshift_rc(1, 2, 33) == 2;
    out[i++] = norm3df(1, 2, 2) == 3.0f && rhypotf(3, 4) == 0.2f && rnorm3df(0, 0, 4) == 0.25f;
}

__global__ void cached(float* out, const float* __restrict__ in) {
    __stcs(&out[0], __ldg(&in[0]) + __ldcs(&in[1]) + __ldcg(&in[2]));
    const long long before = clock64();
    out[1] = float(clock64() >= before);
}

static void expect_all(const device_array<int>& results, const char* what) {
    const auto got = results.host();
    for (size_t i = 0; i < got.size(); i++) {
        expect(got[i] == 1,
               std::string(what) + ": a right result in line " + std::to_string(i + 2) + " of the kernel");
    }
}

static void check_arithmetic() {
    device_array<int> integer_results(12), packed_results(14), float_results(10), converted_results(6),
        rounded_results(6);
    integers<<<1, 1>>>(integer_results.data);
    expect_all(integer_results, "integers");
    packed<<<1, 1>>>(packed_results.data, 0x01ff8003u, 0x02017f05u);
    expect_all(packed_results, "packed");
    floats<<<1, 1>>>(float_results.data, 0.5f, nanf(""));
    expect_all(float_results, "floats");
    device_array<unsigned char> bytes(4);
    device_array<pixel> one(1);
    cudaMemset(bytes.data, 10, 4);
    converted<<<1, 1>>>(converted_results.data, bytes.data, one.data, 3e9f, -5.0f, nanf(""));
    expect_all(converted_results, "converted");
    rounded<<<1, 1>>>(rounded_results.data, (1 << 24) + 1, 1.0 / 3);
    expect_all(rounded_results, "rounded");
}

static void check_cached_loads() {
    device_array<float> in(3), out(2);
    const float values[3] = {1, 2, 4};
    cudaMemcpy(in.data, values, sizeof values, cudaMemcpyHostToDevice);
    cached<<<1, 1>>>(out.data, in.data);
    EXPECT(out.host()[0] == 7.0f && out.host()[1] == 1.0f);
}

/// Down, up and towards zero around the exact value: from below, from above, and no further than one step apart.
template <class type>
__device__ bool encloses(type down, type up, type to_zero, long double exact) {
    const type after = static_cast<type>(nextafter(double(down), double(INFINITY)));
    const type next = sizeof(type) == 4 ? static_cast<type>(nextafterf(float(down), INFINITY)) : after;
    return down <= exact && exact <= up && (up == down || up == next) && to_zero == (exact < 0 ? up : down);
}
#define ENCLOSES(name, exact, ...) \
    encloses(name##_rd(__VA_ARGS__), name##_ru(__VA_ARGS__), name##_rz(__VA_ARGS__), exact)

__global__ void rounded(int* ok, float a, float b, double c, long long n) {
    const long double x = a, y = b, z = c;
    ok[0] = ENCLOSES(__fadd, x + y, a, b) && ENCLOSES(__fadd, -x - y, -a, -b);
    ok[1] = ENCLOSES(__fsub, x - y, a, b) && ENCLOSES(__fsub, y - x, b, a);
    ok[2] = ENCLOSES(__fmul, x * y, a, b) && ENCLOSES(__fmul, -x * y, -a, b);
    ok[3] = ENCLOSES(__fdiv, x / y, a, b) && ENCLOSES(__frcp, 1 / x, a);
    ok[4] = ENCLOSES(__fsqrt, sqrtl(x), a) && ENCLOSES(__dsqrt, sqrtl(z), c);
    ok[5] = ENCLOSES(__fmaf, x * y - x, a, b, -a) && ENCLOSES(__fma, -z * z + x, -c, c, double(a));
    ok[6] = ENCLOSES(__dadd, z + x, c, double(a)) && ENCLOSES(__dmul, z * x, c, double(a));
    ok[7] = ENCLOSES(__ddiv, z / y, c, double(b)) && ENCLOSES(__drcp, -1 / z, -c);
    ok[8] = ENCLOSES(__double2float, z, c) && ENCLOSES(__double2float, -z, -c);
    ok[9] = ENCLOSES(__ll2float, (long double)(n), n) && ENCLOSES(__ll2double, (long double)(-n), -n);
    ok[10] = __fadd_rd(1, 1e-10f) == 1 && __fadd_ru(1, 1e-10f) == 1.00000012f && a + b == __fadd_rn(a, b);
    ok[11] = __fadd_rz(3e38f, 3e38f) == 3.402823466e38f && isinf(__fadd_ru(3e38f, 3e38f));
}

static void check_rounded() {
    device_array<int> results(12);
    rounded<<<1, 1>>>(results.data, 1.1f, 0.3f, 0.1, 1234567890123456789);
    expect_all(results, "rounded");
}

__global__ void scopes(int* sums) {
    atomicAdd_block(&sums[0], 1);
    atomicAdd_system(&sums[1], 2);
    atomicMax_system(&sums[2], int(threadIdx.x));
    atomicExch_system(&sums[3], 7);
    atomicCAS_system(&sums[4], 0, 5);
    atomicOr_block(&sums[5], 1 << threadIdx.x % 8);
}

static void check_scopes() {
    device_array<int> sums(6);
    scopes<<<1, 32>>>(sums.data);
    EXPECT((sums.host() == std::vector<int>{32, 64, 31, 7, 5, 255}));
}

int main() {
    return run_cases({check_arithmetic, check_cached_loads, check_rounded, check_scopes});
}
