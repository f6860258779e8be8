// The outputs that one block of a launch computes, as far as sizes tell.
#pragma once
#include "inspect/report/report.h"
#include "problem/problem.h"

namespace check {

inline constexpr int MOST_FACTOR = 8;  // outputs of a thread, in a row or below each other

struct output_tile {
    int width = 0, height = 0;  // pixels; where threads take single values of pixels, the width is rounded up
    int row_values = 0;         // of a row of the tile: width times channels where blocks take whole pixels
    bool has_halo = false;      // shared memory holds exactly these outputs' pixels with the halo around them
};

/// From grid, block and shared memory: the tile whose halo fills shared memory, else the block's own size, or that
/// without the halo of steps after the filter, or a matrix of outputs for every warp, else the image divided by the grid.
/// Of a volume that of a slice, and nothing is told of its halo.
output_tile tile_of(const inspect::launch& launch, const problem_2d& problem);

/// Cells of a row of the tile that fills dynamic shared memory; 0 where it may lie there in another way: rows with a gap
/// behind them, sums of its rows behind it, more than one launch.
int tile_row_cells(const inspect::report& seen, const problem_2d& problem);

/// True if kernels load as many values of in as right ones do, inside of it or not: then ghost cells are
/// tested, and what is read beside the array is read by mistake.
bool loads_as_many_as_right(const problem_2d& problem, const inspect::report& seen);

}  // namespace check
