// Tensor cores by nvcuda::wmma: a warp loads, multiplies and stores small matrices together.
// Products are exact, sums are float's (double's, int's), in the order of k.
#pragma once
#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "simt/matrices.h"
#include "simt/phases.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

namespace detail {

using simt::matrix_element;
using simt::matrix_use;

template <class type>
struct element;  // of a fragment: how it is kept, in memory, and what the engine calls it
#define SIMT_ELEMENT(type, kept, name)                               \
    template <>                                                      \
    struct element<type> {                                           \
        using storage = kept;                                        \
        static constexpr matrix_element NAME = matrix_element::name; \
    };
SIMT_ELEMENT(__half, __half, float16)
SIMT_ELEMENT(__nv_bfloat16, __nv_bfloat16, bfloat16)
SIMT_ELEMENT(precision::tf32, float, tf32)
SIMT_ELEMENT(signed char, signed char, signed8)
SIMT_ELEMENT(unsigned char, unsigned char, unsigned8)
SIMT_ELEMENT(int, int, integer)
SIMT_ELEMENT(float, float, single)
SIMT_ELEMENT(double, double, twice)
#undef SIMT_ELEMENT

template <class use>
inline constexpr matrix_use USE = std::is_same_v<use, matrix_a>   ? matrix_use::a
                                  : std::is_same_v<use, matrix_b> ? matrix_use::b
                                                                  : matrix_use::accumulator;
template <class type, class... types>
inline constexpr bool IS_ONE_OF = (std::is_same_v<type, types> || ...);

/// What tensor cores multiply.
template <class use, int m, int n, int k, class type>
constexpr bool exists() {
    const bool is_sum = std::is_same_v<use, accumulator>;
    const bool is_wide = k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
    const bool is_tf32 = m == 16 && n == 16 && k == 8, is_double = m == 8 && n == 8 && k == 4;
    if (std::is_same_v<type, double>) return is_double;
    if (is_tf32) return std::is_same_v<type, std::conditional_t<is_sum, float, precision::tf32>>;
    return is_wide && (is_sum ? IS_ONE_OF<type, __half, float, int>
                              : IS_ONE_OF<type, __half, __nv_bfloat16, signed char, unsigned char>);
}

/// So many bytes that a lane moves by one instruction.
template <size_t bytes>
using word = std::conditional_t<
    bytes == 16, double2,
    std::conditional_t<bytes == 8, uint2, std::conditional_t<bytes == 4, unsigned int, unsigned short>>>;

}  // namespace detail

/// A matrix, or a lane's elements of it: x[i]. Which these are is up to the hardware, but for accumulators of one type
/// and shape they are the same.
template <class use, int m, int n, int k, class type, class layout = void>
struct fragment {
    static_assert(detail::exists<use, m, n, k, type>(),
                  "tensor cores have no fragment of this shape and type");
    static_assert(std::is_same_v<use, accumulator> == std::is_void_v<layout>,
                  "factors are row_major or col_major, accumulators are not");
    using element_type = type;
    using storage_element_type = typename detail::element<type>::storage;
    static constexpr simt::matrix_share simt_share =
        simt::share_of(detail::USE<use>, m, n, k, detail::element<type>::NAME);
    // Factors of __half have as many as for the largest shape, some of them twice.
    static constexpr int num_elements =
        std::is_same_v<type, __half> && !std::is_same_v<use, accumulator> ? 16 : simt_share.elements();
    static constexpr int num_storage_elements = num_elements;
    storage_element_type x[num_elements];
};

namespace detail {

/// A lane's run of neighbours, in memory one after the other or `stride` apart: copy(word of both), or one by one.
template <class pointer, class fragment_type, class mover>
SIMT_INLINE void for_each_run(fragment_type& share, pointer* memory, unsigned int stride, bool is_row_major,
                              const mover& move) {
    using kept = typename std::remove_const_t<fragment_type>::storage_element_type;
    constexpr simt::matrix_share SHARE = fragment_type::simt_share;
    if (reinterpret_cast<size_t>(memory) % 16 != 0 || stride * sizeof(kept) % 16 != 0)
        simt_refuse("a matrix of wmma begins at a multiple of 32 bytes, and its rows are multiples of 16");
    // Neighbours along a row, but in B along a column.
    const bool is_together = is_row_major == (SHARE.use != matrix_use::b);
    constexpr int STEP = SHARE.run;
    for (int slot = 0; slot < SHARE.elements(); slot += STEP) {
        if (is_together) {
            const simt::element_place at = SHARE.place(int(simt::ptx::laneid()), slot);
            using whole = word<STEP * sizeof(kept)>;
            move(reinterpret_cast<std::conditional_t<std::is_const_v<pointer>, const whole, whole>*>(
                     memory + (is_row_major ? at.row * stride + at.column : at.column * stride + at.row)),
                 &share.x[slot]);
            continue;
        }
        for (int i = 0; i < STEP; i++) {
            const simt::element_place at = SHARE.place(int(simt::ptx::laneid()), slot + i);
            move(memory + (is_row_major ? at.row * stride + at.column : at.column * stride + at.row),
                 &share.x[slot + i]);
        }
    }
}

template <class fragment_type, class pointer>
SIMT_INLINE void load(fragment_type& to, const pointer* from, unsigned int stride, bool is_row_major) {
    simt::meet_for_matrices();
    for_each_run(
        to, from, stride, is_row_major, [](const auto* memory, auto* kept) __attribute__((always_inline)) {
            const auto read = *memory;
            __builtin_memcpy(static_cast<void*>(kept), &read, sizeof read);
        });
    constexpr int DIFFERENT = fragment_type::simt_share.elements();
    for (int slot = DIFFERENT; slot < fragment_type::num_elements; slot++)
        to.x[slot] = to.x[slot - DIFFERENT];
}

}  // namespace detail

template <class use, int m, int n, int k, class type, class layout>
SIMT_INLINE void fill_fragment(fragment<use, m, n, k, type, layout>& all,
                               typename detail::element<type>::storage value) {
    for (auto& one : all.x)
        one = value;
}

/// The matrix at `from`, whose rows (columns, if it is col_major) begin `stride` elements after each other.
template <class use, int m, int n, int k, class type, class layout,
          class = std::enable_if_t<!std::is_void_v<layout>>>
SIMT_INLINE void load_matrix_sync(fragment<use, m, n, k, type, layout>& to,
                                  const typename detail::element<type>::storage* from, unsigned int stride) {
    detail::load(to, from, stride, std::is_same_v<layout, row_major>);
}
template <int m, int n, int k, class type>
SIMT_INLINE void load_matrix_sync(fragment<accumulator, m, n, k, type>& to, const type* from,
                                  unsigned int stride, layout_t layout) {
    detail::load(to, from, stride, layout == mem_row_major);
}
template <int m, int n, int k, class type>
SIMT_INLINE void store_matrix_sync(type* to, const fragment<accumulator, m, n, k, type>& from,
                                   unsigned int stride, layout_t layout) {
    simt::meet_for_matrices();
    detail::for_each_run(
        from, to, stride, layout == mem_row_major,
        [](auto* memory, const auto* kept) __attribute__((always_inline)) {
            std::remove_pointer_t<decltype(memory)> written;
            __builtin_memcpy(static_cast<void*>(&written), kept, sizeof written);
            *memory = written;
        });
}

/// d = a * b + c. `saturates`: integers stop at the ends of int.
template <int m, int n, int k, class factor, class layout_a, class layout_b, class type_c, class type_d>
SIMT_INLINE void mma_sync(fragment<accumulator, m, n, k, type_d>& d,
                          const fragment<matrix_a, m, n, k, factor, layout_a>& a,
                          const fragment<matrix_b, m, n, k, factor, layout_b>& b,
                          const fragment<accumulator, m, n, k, type_c>& c, bool saturates = false) {
    constexpr bool IS_INTEGER = detail::IS_ONE_OF<factor, signed char, unsigned char>;
    using exact = std::conditional_t<IS_INTEGER, int,
                                     std::conditional_t<std::is_same_v<factor, double>, double, float>>;
    static_assert((std::is_same_v<type_c, exact> && std::is_same_v<type_d, exact>) ||
                      (std::is_same_v<factor, __half> && detail::IS_ONE_OF<type_c, __half, float> &&
                       detail::IS_ONE_OF<type_d, __half, float>),
                  "tensor cores do not add products of this type to accumulators of that one");
    if (!IS_INTEGER && saturates)
        simt_refuse("mma_sync of floating point with saturation is not on the CPU backend");
    const simt::matrix_product product = {m,
                                          n,
                                          k,
                                          detail::element<factor>::NAME,
                                          detail::element<type_c>::NAME,
                                          detail::element<type_d>::NAME,
                                          saturates,
                                          a.x,
                                          b.x,
                                          c.x,
                                          d.x};
    simt::meet_for_matrices(&product);
}

/// The nearest number with 10 bits behind the point; a tie goes away from zero, as cvt.rna does.
SIMT_INLINE float __float_to_tf32(float value) {
    return __uint_as_float(simt::ptx::cvt_tf32_f32(value));
}

}  // namespace wmma
}  // namespace nvcuda
