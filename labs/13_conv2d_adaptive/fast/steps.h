// Lab 13: steps on the way to the schedules, one shape for all filters each. Given, to be timed in place of them.
#pragma once
#include "schedule.h"

// 4 columns of one row, one filter row in a loop body.
constexpr tile_schedule STEP_6[] = {
    // filter, rows, warps, unrolled
    {3, 0, 1, 8, 1},  {5, 0, 1, 8, 1},  {7, 0, 1, 8, 1},  {9, 0, 1, 8, 1},
    {11, 0, 1, 8, 1}, {13, 0, 1, 8, 1}, {17, 0, 1, 8, 1}, {21, 0, 1, 8, 1},
    {27, 0, 1, 8, 1}, {33, 0, 1, 8, 1}, {43, 0, 1, 8, 1},
};

// 4 columns of 4 rows, one filter row in a loop body.
constexpr tile_schedule STEP_7[] = {
    {3, 0, 4, 4, 1},  {5, 0, 4, 4, 1},  {7, 0, 4, 4, 1},  {9, 0, 4, 4, 1},
    {11, 0, 4, 4, 1}, {13, 0, 4, 4, 1}, {17, 0, 4, 4, 1}, {21, 0, 4, 4, 1},
    {27, 0, 4, 4, 1}, {33, 0, 4, 4, 1}, {43, 0, 4, 4, 1},
};

// 4 columns of 4 rows, as many filter rows in a loop body as the instruction cache holds.
constexpr tile_schedule STEP_8[] = {
    {3, 0, 4, 4, 3},  {5, 0, 4, 4, 5},  {7, 0, 4, 4, 7},  {9, 0, 4, 4, 9},
    {11, 0, 4, 4, 9}, {13, 0, 4, 4, 7}, {17, 0, 4, 4, 5}, {21, 0, 4, 4, 4},
    {27, 0, 4, 4, 3}, {33, 0, 4, 4, 3}, {43, 0, 4, 4, 2},
};
