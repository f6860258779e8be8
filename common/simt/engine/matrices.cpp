// What a warp multiplies at mma_sync: the lanes' elements, put together, and the sums, handed out again.
#include "simt/engine/matrices.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "simt/engine/runner.h"
#include "simt/engine/wide_vectors.h"
#include "simt/include/simt/float16_bits.h"

namespace simt {
namespace {

constexpr int LARGEST_SIZE = 512;  // 32 x 16

bool doubled = false;  // set between launches

/// Of every lane and slot: where its element stands in a matrix by rows.
struct share_table {
    matrix_share share{};
    uint16_t at[LARGEST_SIZE];

    /// The tables of this runner change little: a kernel multiplies one kind of matrices.
    const share_table& of(const matrix_share& wanted) {
        if (share.use == wanted.use && share.rows == wanted.rows && share.columns == wanted.columns &&
            share.run == wanted.run)
            return *this;
        share = wanted;
        for (int i = 0; i < WARP_SIZE * share.elements(); i++) {
            const element_place place = share.place(i / share.elements(), i % share.elements());
            at[i] = uint16_t(place.row * share.columns + place.column);
        }
        return *this;
    }
};

template <class type>
type read_as(const void* elements, int slot) {
    type value;
    memcpy(&value, static_cast<const char*>(elements) + slot * sizeof value, sizeof value);
    return value;
}
template <class type>
void write_as(void* elements, int slot, type value) {
    memcpy(static_cast<char*>(elements) + slot * sizeof value, &value, sizeof value);
}

/// The lanes' elements as one matrix by rows, which then becomes one of numbers: both are loops of vector instructions.
template <class kept, class number, class conversion>
void gather_as(number* matrix, const share_table& table, const matrix_product* const (&lanes)[WARP_SIZE],
               const void* matrix_product::*elements, const conversion& to_number) {
    const int each = table.share.elements();
    kept by_rows[LARGEST_SIZE];
    const uint16_t* at = table.at;
    for (const matrix_product* lane : lanes) {
        for (int slot = 0; slot < each; slot++)
            by_rows[*at++] = read_as<kept>(lane->*elements, slot);
    }
    for (int i = 0; i < WARP_SIZE * each; i++)
        matrix[i] = to_number(by_rows[i]);
}

template <class number>
void gather(number* matrix, const share_table& table, matrix_element type,
            const matrix_product* const (&lanes)[WARP_SIZE], const void* matrix_product::*elements) {
    const auto as = [&]<class kept>(kept, const auto& to_number) {
        gather_as<kept>(matrix, table, lanes, elements, to_number);
    };
    const auto same = [](auto element) { return number(element); };
    switch (type) {
        case matrix_element::float16:
            return as(uint16_t{}, [](uint16_t bits) { return number(float16_format<10>::to_float(bits)); });
        case matrix_element::bfloat16:
            return as(uint16_t{}, [](uint16_t bits) { return number(float16_format<7>::to_float(bits)); });
        case matrix_element::signed8:
            return as(int8_t{}, same);
        case matrix_element::unsigned8:
            return as(uint8_t{}, same);
        case matrix_element::integer:
            return as(int32_t{}, same);
        case matrix_element::twice:
            return as(double{}, same);
        default:
            return as(float{}, same);
    }
}

void store(void* elements, int slot, matrix_element type, bool, float sum) {
    if (type == matrix_element::float16)
        write_as(elements, slot, float16_format<10>::from(sum));
    else
        write_as(elements, slot, sum);
}
void store(void* elements, int slot, matrix_element, bool, double sum) {
    write_as(elements, slot, sum);
}
void store(void* elements, int slot, matrix_element, bool saturates, int64_t sum) {
    if (saturates) sum = sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum;
    write_as(elements, slot, int32_t(uint32_t(sum)));
}

// Products of half, bfloat16 and tf32 are exact in float, those of bytes in any integer. (Where a float ends they are not,
// and g++ must not fuse them on some processors alone: -ffp-contract=off.)
void add_product(float& sum, float a, float b) {
    sum += a * b;
}
void add_product(int64_t& sum, int64_t a, int64_t b) {
    sum += a * b;
}
void add_product(double& sum, double a, double b) {
    sum = std::fma(a, b, sum);
}

/// sum (m x n) += a (m x k) * b (k x n), by rows, in the order of k.
template <class number>
WITH_WIDE_VECTORS void add_products(number* __restrict sum, const number* __restrict a,
                                    const number* __restrict b, int m, int n, int k) {
    for (int row = 0; row < m; row++) {
        for (int step = 0; step < k; step++) {
            for (int column = 0; column < n; column++)
                add_product(sum[row * n + column], a[row * k + step], b[step * n + column]);
        }
    }
}

void check_tf32(const float* matrix, int size, uintptr_t site) {
    for (int i = 0; i < size; i++) {
        if (std::isfinite(matrix[i]) && (read_as<uint32_t>(matrix, i) & 0x1fff) != 0)
            refuse_kernel("mma_sync of a tf32 fragment with an element that __float_to_tf32 has not made",
                          site);
    }
}

template <class number>
void multiply(const matrix_product* const (&lanes)[WARP_SIZE], uintptr_t site) {
    static thread_local share_table tables[3];
    const matrix_product& what = *lanes[0];
    const auto table_of = [&](matrix_use use, matrix_element type) -> const share_table& {
        return tables[int(use)].of(share_of(use, what.m, what.n, what.k, type));
    };
    const share_table& sums = table_of(matrix_use::accumulator, what.of_c);
    number a[LARGEST_SIZE], b[LARGEST_SIZE], sum[LARGEST_SIZE];
    gather(a, table_of(matrix_use::a, what.factors), what.factors, lanes, &matrix_product::a);
    gather(b, table_of(matrix_use::b, what.factors), what.factors, lanes, &matrix_product::b);
    gather(sum, sums, what.of_c, lanes, &matrix_product::c);
    if (doubled) std::for_each(a, a + what.m * what.k, [](number& factor) { factor *= 2; });
    if constexpr (sizeof(number) == sizeof(float)) {
        if (what.factors == matrix_element::tf32) {
            check_tf32(a, what.m * what.k, site);
            check_tf32(b, what.k * what.n, site);
        }
    }
    add_products(sum, a, b, what.m, what.n, what.k);
    const uint16_t* at = sums.at;
    for (const matrix_product* lane : lanes) {
        for (int slot = 0; slot < sums.share.elements(); slot++)
            store(lane->d, slot, what.of_d, what.saturates, sum[*at++]);
    }
}

}  // namespace

void double_products(bool wanted) {
    doubled = wanted;
}

void multiply_matrices(const matrix_product* const (&lanes)[WARP_SIZE], uintptr_t site) {
    switch (lanes[0]->factors) {
        case matrix_element::twice:
            return multiply<double>(lanes, site);
        case matrix_element::signed8:
        case matrix_element::unsigned8:
            return multiply<int64_t>(lanes, site);
        default:
            return multiply<float>(lanes, site);
    }
}

}  // namespace simt
