// Products of small matrices that a warp makes together: which lane has which element, and what is multiplied.
#pragma once
#include <cstdint>

#include "vector_types.h"

namespace simt {

enum class matrix_use : uint8_t { a, b, accumulator };
enum class matrix_element : uint8_t { float16, bfloat16, tf32, signed8, unsigned8, integer, single, twice };

struct element_place {
    int row, column;
};

/// The lanes' shares of a matrix as PTX documents them for mma.sync: eight rows (of B: columns) by four threads, each
/// of which has `run` neighbours. (How wmma shares a matrix, NVIDIA does not say.)
struct matrix_share {
    matrix_use use;
    int rows, columns, run;

    /// How many different elements a lane has; what a fragment has beyond that are the same once more.
    constexpr SIMT_ALWAYS_INLINE int elements() const { return rows * columns / 32; }
    constexpr SIMT_ALWAYS_INLINE element_place place(int lane, int slot) const {
        const bool is_b = use == matrix_use::b;
        const int outer_size = is_b ? columns : rows, inner_size = is_b ? rows : columns;
        const int outer_pieces = outer_size / 8, inner_pieces = inner_size / (4 * run);
        const int piece = slot % elements() / run;
        const int outer_piece = is_b ? piece / inner_pieces : piece % outer_pieces;
        const int inner_piece = is_b ? piece % inner_pieces : piece / outer_pieces;
        const int outer = outer_piece * 8 + lane / 4;
        const int inner = (inner_piece * 4 + lane % 4) * run + slot % run;
        return is_b ? element_place{inner, outer} : element_place{outer, inner};
    }
};

/// d = a * b + c, as one lane knows it: its elements of each.
struct matrix_product {
    int m, n, k;
    matrix_element factors, of_c, of_d;
    bool saturates;  // integers
    const void *a, *b, *c;
    void* d;
};

constexpr SIMT_ALWAYS_INLINE int bytes_of_element(matrix_element type) {
    return type == matrix_element::twice                                          ? 8
           : type == matrix_element::float16 || type == matrix_element::bfloat16  ? 2
           : type == matrix_element::signed8 || type == matrix_element::unsigned8 ? 1
                                                                                  : 4;
}
/// A factor's neighbours fill four bytes, an accumulator's are two.
constexpr SIMT_ALWAYS_INLINE matrix_share share_of(matrix_use use, int m, int n, int k, matrix_element type) {
    if (use == matrix_use::accumulator) return {use, m, n, 2};
    const int run = bytes_of_element(type) < 4 ? 4 / bytes_of_element(type) : 1;
    return use == matrix_use::a ? matrix_share{use, m, k, run} : matrix_share{use, k, n, run};
}

}  // namespace simt
