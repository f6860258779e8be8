// A small picture of which values of an output are wrong, in characters: for reports.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "problem/compare.h"

namespace check {

struct wrong_picture {
    static constexpr char RIGHT = '.', WRONG = 'x', NOT_A_NUMBER = '?';
    static constexpr int MOST_COLUMNS = 64, MOST_ROWS = 48;

    int width = 0, height = 0;            // of the output, in pixels; 0: there is no picture
    int cell_width = 1, cell_height = 1;  // pixels that one character stands for
    std::vector<std::string> rows;        // the worst of the pixels, and of a pixel's channels
};

/// Of an output and what compare() found in it.
wrong_picture picture_of(std::span<const float> out, const comparison& found, const shape& where);

}  // namespace check
