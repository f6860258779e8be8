// __half, __half2, __nv_bfloat16, __nv_bfloat162: what CUDA's documentation and IEEE 754 say of their values.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

#include "engine_test.h"

static unsigned short bits_of(double value) {
    return __half_as_ushort(__half(value));
}

/// The nearest half, found by trying all: ties to even bits.
static unsigned short nearest(double value) {
    unsigned short best = 0;
    double distance = INFINITY;
    for (unsigned bits = 0; bits < 0x7c00; bits++) {
        const double candidate = __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
        const double away = std::fabs(candidate - std::fabs(value));
        if (away < distance || (away == distance && bits % 2 == 0)) {
            best = static_cast<unsigned short>(bits);
            distance = away;
        }
    }
    return best | (std::signbit(value) ? 0x8000 : 0);
}

static void every_half_is_its_float() {
    bool is_right = true;
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        const __half one = __ushort_as_half(static_cast<unsigned short>(bits));
        const unsigned exponent = bits >> 10 & 31, digits = bits & 1023;
        const double size =
            exponent == 0 ? std::ldexp(digits, -24) : std::ldexp(1024 + digits, int(exponent) - 25);
        const double value = bits & 0x8000 ? -size : size;
        if (exponent == 31) {
            is_right &= digits ? std::isnan(float(one)) : std::isinf(float(one));
            is_right &= __hisnan(one) == (digits != 0);
        } else {
            is_right &= float(one) == value && bits_of(value) == bits;
        }
    }
    EXPECT(is_right);
}

static void floats_are_rounded_once() {
    EXPECT(bits_of(0.0) == 0 && bits_of(-0.0) == 0x8000 && bits_of(1.0) == 0x3c00 && bits_of(-2.0) == 0xc000);
    EXPECT(bits_of(65504) == 0x7bff && bits_of(65519.99) == 0x7bff && bits_of(65520) == 0x7c00);
    EXPECT(bits_of(NAN) == 0x7fff && bits_of(-INFINITY) == 0xfc00);
    EXPECT(bits_of(std::ldexp(1, -25)) == 0 && bits_of(std::ldexp(1.0001, -25)) == 1 && bits_of(1e-30) == 0);
    bool is_right = true;
    unsigned state = 1;
    for (int i = 0; i < 300; i++) {
        state = state * 1664525 + 1013904223;
        const double value = std::ldexp(double(int(state)) / 4294967296.0, int(state >> 8 & 31) - 20);
        is_right &= std::fabs(value) < 65504 && bits_of(value) == nearest(value);
    }
    EXPECT(is_right);
    EXPECT(float(__float2half_rz(1.9999f)) == 1.9990234375f &&
           float(__float2half_ru(1.0001f)) == 1.0009765625f);
    EXPECT(float(__float2half_rd(-1.0001f)) == -1.0009765625f && float(__float2half_rz(1e6f)) == 65504);
    EXPECT(float(__float2half_ru(-1e6f)) == -65504 && std::isinf(float(__float2half_rd(-1e6f))));
}

static void sums_and_products() {
    const __half one = 1.0f, tiny = __float2half(0.00048828125f);  // half of the distance to the next one
    EXPECT(float(one + tiny) == 1 && float(__hadd(one, __half(0.0005f))) == 1.0009765625f);
    EXPECT(float(__half(3) * __half(0.1f)) == 0.2998046875f && float(one / __half(3)) == 0.333251953125f);
    EXPECT(float(__hfma(__half(255), __half(257), __half(1))) == INFINITY);
    EXPECT(float(__hfma(__half(1.0009765625f), __half(1.0009765625f), __half(-1))) ==
           __half2float(__double2half(1.0009765625 * 1.0009765625 - 1)));
    EXPECT(float(__hadd_sat(__half(0.75f), __half(0.75f))) == 1 && float(__hsub_sat(one, __half(2))) == 0);
    __half sum = 0;
    for (int i = 0; i < 4000; i++)
        sum += one;
    EXPECT(float(sum) == 2048);  // where one more is no more
    EXPECT(-one == __half(-1) && __habs(-one) == one && one < __half(2) && !(one > __half(2)) && one != tiny);
}

static void numbers_that_are_none() {
    const __half nan = NAN, one = 1;
    EXPECT(!__heq(nan, nan) && __hequ(nan, nan) && !__hne(nan, one) && __hneu(nan, one) && nan != nan);
    EXPECT(__hmax(nan, one) == one && __hisnan(__hmax_nan(nan, one)) && __hmin(one, nan) == one);
    EXPECT(__half_as_ushort(__hmax(__half(-0.0f), __half(0.0f))) == 0);
    EXPECT(__half_as_ushort(__hmin(__half(-0.0f), __half(0.0f))) == 0x8000);
    EXPECT(__hisinf(__half(-INFINITY)) == -1 && __hisinf(one) == 0);
}

static void to_integers_and_back() {
    EXPECT(__half2int_rn(2.5f) == 2 && __half2int_rz(-2.75f) == -2 && __half2int_ru(2.25f) == 3);
    EXPECT(__half2ushort_rn(__half(-3)) == 0 && __half2short_rz(__half(65504)) == 32767);
    EXPECT(__half2int_rz(__half(NAN)) == 0 && int(__half(-7.9f)) == -7 && bool(__half(0.5f)) &&
           !bool(__half(-0.0f)));
    EXPECT(float(__int2half_rn(2049)) == 2048 && float(__int2half_ru(2049)) == 2050);
    EXPECT(float(__uint2half_rn(100000)) == INFINITY && float(__ll2half_rz(-100000)) == -65504);
}

static void pairs() {
    const __half2 a = __floats2half2_rn(1, 2), b = __halves2half2(3, 4);
    const float2 sum = __half22float2(__hadd2(a, b)), fused = __half22float2(__hfma2(a, b, a));
    EXPECT(sum.x == 4 && sum.y == 6 && fused.x == 4 && fused.y == 10);
    EXPECT(__low2float(b) == 3 && __high2float(b) == 4 && float(__low2half2(b).y) == 3);
    EXPECT(float(__lowhigh2highlow(a).x) == 2 && float(__lows2half2(a, b).y) == 3 &&
           float(__highs2half2(a, b).x) == 2);
    EXPECT(__hbeq2(a, a) && !__hbeq2(a, __halves2half2(1, 3)) && float(__hlt2(a, b).y) == 1 &&
           float(__hgt2(a, b).x) == 0);
    EXPECT(float(h2sqrt(__half2half2(4)).x) == 2 && float(hexp2(__half(3))) == 8 &&
           float(hrcp(__half(8))) == 0.125f);
    EXPECT(float(__half2(1.5f, 2).x) == 1.5f && float(__half2{1, 2.5f}.y) == 2.5f);
    EXPECT(sizeof(half2) == 4 && alignof(half2) == 4 && sizeof(half) == 2);
}

static void bfloat16() {
    EXPECT(__bfloat16_as_ushort(__float2bfloat16(1.0f)) == 0x3f80);
    EXPECT(float(__float2bfloat16(1.00390625f)) == 1 &&
           float(__float2bfloat16(1.01171875f)) == 1.015625f);  // ties
    EXPECT(float(__nv_bfloat16(3.4e38f)) == INFINITY && float(__float2bfloat16_rz(3.4e38f)) > 3.38e38f);
    EXPECT(__bfloat16_as_ushort(__float2bfloat16(1e-45f)) == 0 &&
           __bfloat16_as_ushort(__nv_bfloat16(1e-40f)) == 1);
    bool is_right = true;
    for (unsigned bits = 0; bits < 0x7f80; bits++) {
        const float value = simt::same_bits<float>(bits << 16);
        is_right &= __bfloat162float(__ushort_as_bfloat16(static_cast<unsigned short>(bits))) == value;
        is_right &= __bfloat16_as_ushort(__float2bfloat16(value)) == bits;
    }
    EXPECT(is_right);
    const __nv_bfloat162 both = __floats2bfloat162_rn(1, 256), sum = both + __bfloat162bfloat162(1);
    EXPECT(__bfloat1622float2(sum).x == 2 && __bfloat1622float2(sum).y == 256);
}

__global__ void dot(const half2* a, const half2* b, float* out, half* total, half2* totals) {
    __shared__ half2 s_sums[32];
    s_sums[threadIdx.x] = __hmul2(a[threadIdx.x], b[threadIdx.x]);
    __syncthreads();
    half2 sum = s_sums[threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2)
        sum = __hadd2(sum, __shfl_down_sync(0xffffffff, sum, distance));
    if (threadIdx.x == 0) *out = __low2float(sum) + __high2float(sum);
    atomicAdd(total, half(0.5f));
    atomicAdd(totals, half2{1, 2});
}

static void in_kernels() {
    device_array<half2> a(32), b(32), totals(1);
    device_array<float> out(1);
    device_array<half> total(1);
    half2 values[32];
    for (int i = 0; i < 32; i++)
        values[i] = __floats2half2_rn(float(i), 1);
    cudaMemcpy(a.data, values, sizeof values, cudaMemcpyHostToDevice);
    for (half2& one : values)
        one = __float2half2_rn(2);
    cudaMemcpy(b.data, values, sizeof values, cudaMemcpyHostToDevice);
    dot<<<1, 32>>>(a.data, b.data, out.data, total.data, totals.data);
    EXPECT(out.at(0) == 2 * 496 + 64 && float(total.at(0)) == 16);
    EXPECT(float(totals.at(0).x) == 32 && float(totals.at(0).y) == 64);
}

int main() {
    return run_cases({every_half_is_its_float, floats_are_rounded_once, sums_and_products,
                      numbers_that_are_none, to_integers_and_back, pairs, bfloat16, in_kernels});
}
