// The kernels that most people write, in parts: the formulas of each part, as they spell them.
#pragma once
#include "diagnose/formula.h"

namespace check {

enum part {
    SIDE,
    FIRST_ROW_OF_TAPS,
    MORE_ROWS_OF_TAPS,
    FIRST_TAP,
    MORE_TAPS,
    TAP,  // the loops over the taps
    FROM_COLUMN,
    FROM_ROW,
    INSIDE,
    PLACE,  // a pixel: its place, and whether there is one
    LEFT_END,
    TOP_END,
    TILE_COLUMNS,
    TILE_ROWS,  // the tile
    FIRST_ROW,
    MORE_ROWS,
    FIRST_COLUMN,
    MORE_COLUMNS,
    STORE,
    READ,  // its cells
    PARTS
};

/// Formulas of one kernel, by their parts. The first spelling of a part is the one that stands where another is wrong.
struct spelled_part {
    part which;
    const char* text;
};
inline constexpr char INSIDE_IMAGE[] = "from_x >= 0 && from_x < width && from_y >= 0 && from_y < height";

/// Loops over the taps, with which everything begins.
inline constexpr spelled_part LOOPS[] = {
    {SIDE, "2 * rx + 1"},
    {FIRST_ROW_OF_TAPS, "0"},
    {FIRST_ROW_OF_TAPS, "0 - ry + ry"},
    {MORE_ROWS_OF_TAPS, "i < filter_height"},
    {MORE_ROWS_OF_TAPS, "im <= ry"},
    {FIRST_TAP, "0"},
    {FIRST_TAP, "0 - rx + rx"},
    {MORE_TAPS, "j < filter_width"},
    {MORE_TAPS, "jm <= rx"},
    {TAP, "i * filter_width + j"},
    {TAP, "(im + ry) * (2 * rx + 1) + jm + rx"},
};
/// A kernel that reads the image itself.
inline constexpr spelled_part DIRECT[] = {
    {FROM_COLUMN, "x + jm"},
    {FROM_COLUMN, "x + j - filter_width / 2"},
    {FROM_ROW, "y + im"},
    {FROM_ROW, "y + i - filter_height / 2"},
    {INSIDE, INSIDE_IMAGE},
    {INSIDE, "x + jm >= 0 && x + jm < width && y + im >= 0 && y + im < height"},
    {PLACE, "from_y * width + from_x"},
    {PLACE, "(y + im) * width + x + jm"},
};
/// A kernel whose blocks sweep over a tile and its halo, or a host that pads its image, which then is the tile.
inline constexpr spelled_part TILED[] = {
    {LEFT_END, "bx * outputs_x - rx"},
    {LEFT_END, "bx * outputs_x - filter_width / 2"},
    {TOP_END, "by * outputs_y - ry"},
    {TOP_END, "by * outputs_y - filter_height / 2"},
    {FROM_COLUMN, "left + column"},
    {FROM_COLUMN, "x - tx + column - filter_width / 2"},
    {FROM_COLUMN, "bx * outputs_x - rx + column"},
    {FROM_ROW, "top + row"},
    {FROM_ROW, "y - ty + row - filter_height / 2"},
    {FROM_ROW, "by * outputs_y - ry + row"},
    {INSIDE, INSIDE_IMAGE},
    {INSIDE, "left + column >= 0 && left + column < width && top + row >= 0 && top + row < height"},
    {PLACE, "from_y * width + from_x"},
    {TILE_COLUMNS, "outputs_x + filter_width - 1"},
    {TILE_COLUMNS, "outputs_x + 2 * rx"},
    {TILE_ROWS, "outputs_y + filter_height - 1"},
    {TILE_ROWS, "outputs_y + 2 * ry"},
    {FIRST_ROW, "ty"},
    {MORE_ROWS, "row < tile_height"},
    {FIRST_COLUMN, "tx"},
    {MORE_COLUMNS, "column < tile_width"},
    {STORE, "row * pitch + column"},
    {STORE, "(row - ry + ry) * pitch + column - rx + rx"},
    {READ, "(oy + i) * pitch + ox + j"},
    {READ, "oy * pitch + ox + i * pitch + j"},
    {READ, "(oy + i) * pitch + tx + j + n * threads_x"},
};

/// The first spelling of a part, faster than its formula can be evaluated: most parts of a wrong kernel are right.
inline int64_t meant(part which, bool tiled, const variables& v) {
    switch (which) {
        case SIDE:
            return 2 * v[RADIUS_X] + 1;
        case MORE_ROWS_OF_TAPS:
            return v[I] < v[FILTER_HEIGHT];
        case MORE_TAPS:
            return v[J] < v[FILTER_WIDTH];
        case TAP:
            return times(v[I], v[FILTER_WIDTH]) + v[J];
        case FROM_COLUMN:
            return tiled ? v[LEFT] + v[COLUMN] : v[X] + v[MIDDLE_J];
        case FROM_ROW:
            return tiled ? v[TOP] + v[ROW] : v[Y] + v[MIDDLE_I];
        case INSIDE:
            return v[FROM_X] >= 0 && v[FROM_X] < v[WIDTH] && v[FROM_Y] >= 0 && v[FROM_Y] < v[HEIGHT];
        case PLACE:
            return times(v[FROM_Y], v[WIDTH]) + v[FROM_X];
        case LEFT_END:
            return times(v[BLOCK_X], v[OUTPUTS_X]) - v[RADIUS_X];
        case TOP_END:
            return times(v[BLOCK_Y], v[OUTPUTS_Y]) - v[RADIUS_Y];
        case TILE_COLUMNS:
            return v[OUTPUTS_X] + v[FILTER_WIDTH] - 1;
        case TILE_ROWS:
            return v[OUTPUTS_Y] + v[FILTER_HEIGHT] - 1;
        case FIRST_ROW:
            return v[THREAD_Y];
        case MORE_ROWS:
            return v[ROW] < v[TILE_HEIGHT];
        case FIRST_COLUMN:
            return v[THREAD_X];
        case MORE_COLUMNS:
            return v[COLUMN] < v[TILE_WIDTH];
        case STORE:
            return times(v[ROW], v[PITCH]) + v[COLUMN];
        case READ:
            return times(v[TILE_ROW] + v[I], v[PITCH]) + v[TILE_COLUMN] + v[J];
        case FIRST_ROW_OF_TAPS:
        case FIRST_TAP:
        case PARTS:
            break;
    }
    return 0;
}

}  // namespace check
