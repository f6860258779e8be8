// Lab 13: the schedules, and which one serves which filter. Given.
#pragma once
#include <vector>

#include "lab/backend.h"
#include "plan.h"

// Found on an H200 by trying 10 to 80 schedules for each of these filters, 4096 x 4096 pixels. A filter gets
// the first that serves it, a direct one before a tile. Filters as high as they are wide have a kernel of
// their own: a height known to the compiler is worth 1 to 5 %.
// clang-format off
constexpr direct_schedule DIRECT[] = {
    // filter  rows, warps, ahead
    {1, 1,   3,  8},
    {3, 3,   5,  4},
    {5, 5,   4,  4, 256},
};
constexpr tile_schedule TILES[] = {
    //  filter   rows, warps, unrolled
                             { 1,  0,   8,  4, 4},
                             { 3,  0,   8,  4, 4},
                             { 5,  0,   6,  4, 4},
    { 7,  7,   4,  4, 7},    { 7,  0,   6,  4, 4},
    { 9,  9,  12,  4, 2},    { 9,  0,   6,  4, 3},
    {11, 11,   8,  4, 3},    {11,  0,   5,  4, 4},
    {13, 13,   6,  4, 4},    {13,  0,   6,  4, 4},
    {15, 15,  10,  4, 3},    {15,  0,   5,  4, 3},
    {17, 17,   8,  4, 2},    {17,  0,   5,  4, 3},
    {19, 19,   6,  4, 3},    {19,  0,   5,  4, 2},
    {21, 21,   5,  4, 3},    {21,  0,   6,  4, 2},
    {23, 23,   6,  4, 2},    {23,  0,   6,  4, 2},
    {25, 25,   5,  4, 2},    {25,  0,   6,  4, 2},
    {27, 27,   5,  8, 2},    {27,  0,   5,  4, 2},
    {29, 29,   5,  4, 2},    {29,  0,   5,  4, 2},
    {31, 31,   5,  8, 2},    {31,  0,   4,  4, 2},
    {33, 33,   5,  8, 2},    {33,  0,   4,  4, 2},
    {35, 35,   5,  8, 2},    {35,  0,   4,  4, 2},
    {37, 37,   4, 12, 2},    {37,  0,   4,  4, 2},
    {39, 39,   4, 10, 2},    {39,  0,   3,  4, 2},
    {41, 41,   6, 12, 1},    {41,  0,   8,  4, 1},
    {43, 43,   4,  6, 2},    {43,  0,   4,  8, 2},
};
// clang-format on

/// The table's schedule for a width and a height, or, with height 0, for any height.
template <class kind, size_t N>
constexpr kind schedule_of(const kind (&table)[N], int filter_width, int filter_height) {
    for (const kind& cut : table)
        if (cut.filter_width == filter_width && cut.filter_height == filter_height) return cut;
    throw "no such schedule";
}

// One of each kind: direct, the whole filter in a loop body, bodies and a rest, the same for a height that is
// known at run time only, and that with a wide window.
constexpr direct_schedule ONE_DIRECT[] = {schedule_of(DIRECT, 3, 3)};
constexpr tile_schedule SOME_TILES[] = {schedule_of(TILES, 7, 7), schedule_of(TILES, 9, 9),
                                        schedule_of(TILES, 9, 0), schedule_of(TILES, 33, 0)};

template <class adder>
std::vector<candidate> one_of_each_kind() {
    return candidates_of<adder, ONE_DIRECT, SOME_TILES>();
}

/// The schedules of this build. The CPU backend has one of each kind: every schedule is a kernel to compile,
/// and there its speed does not matter; nor does it where nvcc only has to accept a file (-DFEW_SCHEDULES).
template <class adder>
std::vector<candidate> all_schedules() {
#ifdef FEW_SCHEDULES
    constexpr bool ALL = false;
#else
    constexpr bool ALL = lab::ON_GPU;
#endif
    if constexpr (ALL)
        return candidates_of<adder, DIRECT, TILES>();
    else
        return one_of_each_kind<adder>();
}
