// Formulas of places and tests, as kernels have them, and what becomes of one if a single token of it is wrong.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace check {

/// What formulas are made of: in pairs, each variable beside its partner in the other direction.
enum variable {
    X,
    Y,  // an output, or what it would be: blockIdx * blockDim + threadIdx
    THREAD_X,
    THREAD_Y,  // a thread in its block
    BLOCK_X,
    BLOCK_Y,  // a block in its grid
    TILE_COLUMN,
    TILE_ROW,  // an output in the tile of its block
    J,
    I,  // a tap, from 0 on
    MIDDLE_J,
    MIDDLE_I,  // the same, counted from the middle tap
    COLUMN,
    ROW,  // a cell of a tile
    LEFT,
    TOP,  // where the tile's first cell stands in the image
    FROM_X,
    FROM_Y,  // a pixel
    WIDTH,
    HEIGHT,  // of the image
    FILTER_WIDTH,
    FILTER_HEIGHT,  //
    RADIUS_X,
    RADIUS_Y,  //
    THREADS_X,
    THREADS_Y,  // of a block
    OUTPUTS_X,
    OUTPUTS_Y,  // of a block
    TILE_WIDTH,
    TILE_HEIGHT,  // in cells
    PITCH,
    NUMBER,  // from row to row of cells; of a thread's outputs
    // In the third direction, of volumes: each beside the pair of the same place in PAIR_OF.
    Z,
    TILE_SLICE,
    K,
    SLICE,
    FRONT,
    FROM_Z,
    DEPTH,
    FILTER_DEPTH,
    OUTPUTS_Z,
    TILE_DEPTH,
    VARIABLES
};
inline constexpr variable PAIR_OF[] = {X,     TILE_COLUMN,  J,         COLUMN,    LEFT, FROM_X,
                                       WIDTH, FILTER_WIDTH, OUTPUTS_X, TILE_WIDTH};
static_assert(std::size(PAIR_OF) == VARIABLES - Z);
using variables = std::array<int64_t, VARIABLES>;

/// A product that no wrong factor makes too large for its type.
inline int64_t times(int64_t a, int64_t b) {
    constexpr int64_t FARTHEST = int64_t(1) << 40, FARTHEST_FACTOR = 1 << 20;
    return std::clamp(a, -FARTHEST, FARTHEST) * std::clamp(b, -FARTHEST_FACTOR, FARTHEST_FACTOR);
}

class formula {
public:
    struct node;

    /// Of integers, names of variables, + - * / %, relations, && and ||, with the precedence of C. Throws
    /// std::logic_error on anything else: formulas stand in the source.
    explicit formula(std::string_view text);
    /// A test is 1 or 0. What is divided by 0 is far from every place.
    int64_t of(const variables& values) const;
    /// With another operator, operand, name or number in one place, or 1 more or less at the end; each once. Names of the
    /// third direction take part if the formula has one.
    std::vector<formula> with_one_change() const;
    const std::string& text() const { return text_; }

private:
    explicit formula(std::shared_ptr<const node> root);
    /// Operands first, then what is done with them.
    struct step {
        char operation = 0;  // 'n' and 'v' for a number and a variable
        int64_t operand = 0;
    };
    static void write_steps(const node& one, std::vector<step>& steps);

    std::shared_ptr<const node> root_;
    std::string text_;
    std::vector<step> steps_;
};

}  // namespace check
