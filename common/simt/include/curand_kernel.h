// curand_kernel.h: cuRAND's generators in kernels. XORWOW and Philox4x32-10, with the bits that cuRAND's give.
#pragma once
#include "cuda_runtime.h"

/// XORWOW (G. Marsaglia, "Xorshift RNGs", 2003): five words of an xorshift and a Weyl sequence.
struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

/// Philox4x32-10 (J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): a counter, encrypted.
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;  // how many words of `output` are used up
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace simt {

struct xorwow_words {
    unsigned int v[5];
};
/// The xorshift words count * 2^log2_unit steps later.
xorwow_words xorwow_after(const xorwow_words& words, unsigned long long count, int log2_unit);

/// Which function made the second value that a state keeps.
enum kept_value { KEPT_NOTHING = 0, KEPT_NORMAL = 1, KEPT_LOG_NORMAL = 2 };

template <class state_type>
SIMT_INLINE void forget_kept_values(state_type* state) {
    state->boxmuller_flag = state->boxmuller_flag_double = KEPT_NOTHING;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
}

SIMT_INLINE void jump(curandStateXORWOW_t* state, unsigned long long count, int log2_unit) {
    xorwow_words words;
    for (int i = 0; i < 5; i++)
        words.v[i] = state->v[i];
    words = xorwow_after(words, count, log2_unit);
    for (int i = 0; i < 5; i++)
        state->v[i] = words.v[i];
}

/// Ten rounds over the counter.
SIMT_INLINE uint4 philox(uint4 counter, uint2 key) {
    constexpr unsigned long long MULTIPLIER[2] = {0xd2511f53, 0xcd9e8d57};
    constexpr unsigned int KEY_STEP[2] = {0x9e3779b9, 0xbb67ae85};
    for (int round = 0; round < 10; round++) {
        const unsigned long long x = MULTIPLIER[0] * counter.x, z = MULTIPLIER[1] * counter.z;
        counter = {static_cast<unsigned int>(z >> 32) ^ counter.y ^ key.x, static_cast<unsigned int>(z),
                   static_cast<unsigned int>(x >> 32) ^ counter.w ^ key.y, static_cast<unsigned int>(x)};
        key.x += KEY_STEP[0];
        key.y += KEY_STEP[1];
    }
    return counter;
}
/// The counter's lower or upper half plus n. Of the lower one a carry goes on.
SIMT_INLINE void count_on(curandStatePhilox4_32_10_t* state, unsigned long long n) {
    const unsigned long long low = (static_cast<unsigned long long>(state->ctr.y) << 32 | state->ctr.x) + n;
    state->ctr.x = static_cast<unsigned int>(low);
    state->ctr.y = static_cast<unsigned int>(low >> 32);
    if (low < n && ++state->ctr.z == 0) ++state->ctr.w;
}
SIMT_INLINE void count_sequences_on(curandStatePhilox4_32_10_t* state, unsigned long long n) {
    const unsigned long long high = (static_cast<unsigned long long>(state->ctr.w) << 32 | state->ctr.z) + n;
    state->ctr.z = static_cast<unsigned int>(high);
    state->ctr.w = static_cast<unsigned int>(high >> 32);
}
SIMT_INLINE void encrypt(curandStatePhilox4_32_10_t* state) {
    state->output = philox(state->ctr, state->key);
}

// A random integer's place in (0, 1]: the product and the sum are rounded once, as nvcc compiles them.
constexpr float STEP_32 = 2.3283064e-10f;
constexpr double STEP_53 = 1.1102230246251565e-16;
SIMT_INLINE float uniform_of(unsigned int bits) {
    return fmaf(static_cast<float>(bits), STEP_32, STEP_32 / 2);
}
SIMT_INLINE double uniform_of(unsigned int low, unsigned int high) {
    const unsigned long long bits = low ^ static_cast<unsigned long long>(high) << 21;
    return fma(static_cast<double>(bits), STEP_53, STEP_53 / 2);
}

/// Two normal numbers (Box and Muller).
SIMT_INLINE float2 normals_of(unsigned int x, unsigned int y) {
    constexpr float TURN = STEP_32 * 6.2831855f;
    const float radius = sqrtf(-2.0f * logf(uniform_of(x)));
    const float angle = fmaf(static_cast<float>(y), TURN, TURN / 2);
    return {sinf(angle) * radius, cosf(angle) * radius};
}
SIMT_INLINE double2 normals_of(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1) {
    const unsigned long long bits = y0 ^ static_cast<unsigned long long>(y1) << 21;
    const double radius = sqrt(-2.0 * log(uniform_of(x0, x1)));
    const double half_turns = fma(static_cast<double>(bits), STEP_53 * 2, STEP_53);
    return {sin(half_turns * M_PI) * radius, cos(half_turns * M_PI) * radius};
}

}  // namespace simt

/// Generator number `subsequence` of this seed, `offset` numbers on. Subsequences are 2^67 numbers apart.
SIMT_DEVICE_INLINE void skipahead(unsigned long long count, curandStateXORWOW_t* state) {
    simt::jump(state, count, 0);
    state->d += 362437u * static_cast<unsigned int>(count);
}
SIMT_DEVICE_INLINE void skipahead_sequence(unsigned long long count, curandStateXORWOW_t* state) {
    simt::jump(state, count, 67);  // of 2^67 steps the Weyl sequence sees nothing
}
SIMT_DEVICE_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                    unsigned long long offset, curandStateXORWOW_t* state) {
    const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
    const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
    state->d = 6615241u + low + high;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    simt::forget_kept_values(state);
}
/// 32 random bits.
SIMT_DEVICE_INLINE unsigned int curand(curandStateXORWOW_t* state) {
    const unsigned int first = state->v[0] ^ state->v[0] >> 2, last = state->v[4];
    for (int i = 0; i < 4; i++)
        state->v[i] = state->v[i + 1];
    state->v[4] = last ^ last << 4 ^ first ^ first << 1;
    state->d += 362437u;
    return state->v[4] + state->d;
}

/// The same of Philox: subsequences are 2^66 numbers apart, four of a count of the counter.
SIMT_DEVICE_INLINE void skipahead(unsigned long long count, curandStatePhilox4_32_10_t* state) {
    state->STATE += static_cast<unsigned int>(count % 4);
    simt::count_on(state, count / 4 + state->STATE / 4);
    state->STATE %= 4;
    simt::encrypt(state);
}
SIMT_DEVICE_INLINE void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10_t* state) {
    simt::count_sequences_on(state, count);
    simt::encrypt(state);
}
SIMT_DEVICE_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                    unsigned long long offset, curandStatePhilox4_32_10_t* state) {
    state->ctr = {0, 0, 0, 0};
    state->key = {static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
    state->STATE = 0;
    simt::forget_kept_values(state);
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
SIMT_DEVICE_INLINE unsigned int curand(curandStatePhilox4_32_10_t* state) {
    const uint4 words = state->output;
    const unsigned int which = state->STATE++;
    if (state->STATE == 4) {
        state->STATE = 0;
        simt::count_on(state, 1);
        simt::encrypt(state);
    }
    return which == 0 ? words.x : which == 1 ? words.y : which == 2 ? words.z : words.w;
}
/// The next four numbers.
SIMT_DEVICE_INLINE uint4 curand4(curandStatePhilox4_32_10_t* state) {
    const uint4 now = state->output;
    simt::count_on(state, 1);
    simt::encrypt(state);
    const uint4 next = state->output;
    switch (state->STATE) {
        case 1:
            return {now.y, now.z, now.w, next.x};
        case 2:
            return {now.z, now.w, next.x, next.y};
        case 3:
            return {now.w, next.x, next.y, next.z};
        default:
            return now;
    }
}

/// Uniform in (0, 1].
template <class state_type>
SIMT_DEVICE_INLINE float curand_uniform(state_type* state) {
    return simt::uniform_of(curand(state));
}
SIMT_DEVICE_INLINE float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
    const uint4 bits = curand4(state);
    return {simt::uniform_of(bits.x), simt::uniform_of(bits.y), simt::uniform_of(bits.z),
            simt::uniform_of(bits.w)};
}
SIMT_DEVICE_INLINE double curand_uniform_double(curandStateXORWOW_t* state) {
    const unsigned int low = curand(state), high = curand(state);
    return simt::uniform_of(low, high);
}
/// Of Philox one has 32 random bits, two at once have 53.
SIMT_DEVICE_INLINE double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
    constexpr double STEP = 2.3283064365386963e-10;
    return fma(static_cast<double>(curand(state)), STEP, STEP);
}
SIMT_DEVICE_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
    const uint4 bits = curand4(state);
    return {simt::uniform_of(bits.x, bits.y), simt::uniform_of(bits.z, bits.w)};
}

/// Normal numbers of mean 0 and deviation 1. They are made in pairs: a state keeps the second one.
template <class state_type>
SIMT_DEVICE_INLINE float2 curand_normal2(state_type* state) {
    const unsigned int x = curand(state), y = curand(state);
    return simt::normals_of(x, y);
}
SIMT_DEVICE_INLINE float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
    const uint4 bits = curand4(state);
    const float2 first = simt::normals_of(bits.x, bits.y), second = simt::normals_of(bits.z, bits.w);
    return {first.x, first.y, second.x, second.y};
}
SIMT_DEVICE_INLINE double2 curand_normal2_double(curandStateXORWOW_t* state) {
    const unsigned int x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
    return simt::normals_of(x0, x1, y0, y1);
}
SIMT_DEVICE_INLINE double2 curand_normal2_double(curandStatePhilox4_32_10_t* state) {
    const uint4 bits = curand4(state);
    return simt::normals_of(bits.x, bits.y, bits.z, bits.w);
}
template <class state_type>
SIMT_DEVICE_INLINE float2 curand_log_normal2(state_type* state, float mean, float deviation) {
    const float2 normal = curand_normal2(state);
    return {expf(fmaf(deviation, normal.x, mean)), expf(fmaf(deviation, normal.y, mean))};
}
template <class state_type>
SIMT_DEVICE_INLINE double2 curand_log_normal2_double(state_type* state, double mean, double deviation) {
    const double2 normal = curand_normal2_double(state);
    return {exp(fma(deviation, normal.x, mean)), exp(fma(deviation, normal.y, mean))};
}

// One of a pair, as the first of which `pair` is made.
#define SIMT_ONE_OF_PAIR(flag, extra, kind, pair) \
    if (state->flag == kind) {                    \
        state->flag = simt::KEPT_NOTHING;         \
        return state->extra;                      \
    }                                             \
    const auto two = pair;                        \
    state->extra = two.y;                         \
    state->flag = kind;                           \
    return two.x;
template <class state_type>
SIMT_DEVICE_INLINE float curand_normal(state_type* state) {
    SIMT_ONE_OF_PAIR(boxmuller_flag, boxmuller_extra, simt::KEPT_NORMAL, curand_normal2(state))
}
template <class state_type>
SIMT_DEVICE_INLINE double curand_normal_double(state_type* state) {
    SIMT_ONE_OF_PAIR(boxmuller_flag_double, boxmuller_extra_double, simt::KEPT_NORMAL,
                     curand_normal2_double(state))
}
template <class state_type>
SIMT_DEVICE_INLINE float curand_log_normal(state_type* state, float mean, float deviation) {
    SIMT_ONE_OF_PAIR(boxmuller_flag, boxmuller_extra, simt::KEPT_LOG_NORMAL,
                     curand_log_normal2(state, mean, deviation))
}
template <class state_type>
SIMT_DEVICE_INLINE double curand_log_normal_double(state_type* state, double mean, double deviation) {
    SIMT_ONE_OF_PAIR(boxmuller_flag_double, boxmuller_extra_double, simt::KEPT_LOG_NORMAL,
                     curand_log_normal2_double(state, mean, deviation))
}
#undef SIMT_ONE_OF_PAIR
