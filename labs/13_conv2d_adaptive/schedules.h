// Lab 13: the schedules, and which one serves which filter. Given.
#pragma once
#include <array>
#include <iterator>

#include "lab/backend.h"
#include "plan.h"

/// Found on an H200 by trying about 20 schedules for each of these filters, 4096 x 4096 pixels. A filter gets
/// the first that serves it. Filters as high as they are wide have a kernel of their own: a height known to
/// the compiler is worth 1 to 5 %. `blocks` 0 is a direct kernel.
// clang-format off
constexpr schedule ALL_SCHEDULES[] = {
    //  filter  columns, rows, warps, unrolled, blocks, unit
    { 1,  1,  4, 2,  4,  1,   0, 0},   { 1,  0,  4, 8,  8,  8,   2, 8},
    { 3,  3,  4, 2,  4,  3,   0, 0},   { 3,  0,  4, 8,  8,  8,   2, 8},
    { 5,  5,  4, 4,  4,  5,   0, 0},   { 5,  0,  4, 8,  8,  8,   2, 8},
    { 7,  7,  4, 4,  3,  7,   8, 4},   { 7,  0,  4, 8,  8,  6,   2, 4},
    { 9,  9,  4, 4,  4,  9,   8, 4},   { 9,  0,  4, 8,  8,  4,   2, 4},
    {11, 11,  4, 4,  8, 11,   4, 4},   {11,  0,  4, 8,  8,  3,   2, 4},
    {13, 13,  4, 4,  4,  6,   6, 4},   {13,  0,  4, 8,  4,  3,   4, 4},
    {15, 15,  4, 4,  4,  5,   4, 4},   {15,  0,  4, 8,  4,  3,   4, 4},
    {17, 17,  4, 8,  4,  2,   4, 4},   {17,  0,  4, 2, 12,  8,   3, 4},
    {19, 19,  4, 2, 12,  8,   3, 4},   {19,  0,  4, 2, 12,  8,   3, 4},
    {21, 21,  8, 2,  8,  4,   3, 4},   {21,  0,  8, 2, 12,  4,   2, 4},
    {23, 23,  8, 2, 12,  3,   2, 1},   {23,  0,  8, 2, 12,  3,   2, 2},
    {25, 25,  4, 6, 12,  2,   2, 4},   {25,  0,  8, 2, 16,  3,   2, 4},
    {27, 27,  8, 2, 16,  3,   2, 4},   {27,  0,  8, 2, 16,  3,   2, 2},
    {29, 29,  4, 4, 12,  2,   2, 4},   {29,  0,  8, 2, 12,  2,   2, 2},
    {31, 31,  8, 2, 16,  2,   2, 1},   {31,  0,  8, 2,  8,  2,   3, 4},
    {33, 33,  8, 2, 12,  3,   2, 2},   {33,  0,  8, 2,  8,  2,   3, 4},
    {35, 35,  8, 4, 12,  1,   1, 2},   {35,  0,  8, 2,  8,  2,   3, 4},
    {37, 37,  8, 4, 12,  1,   1, 4},   {37,  0,  8, 2,  8,  1,   3, 4},
    {39, 39,  8, 4, 12,  1,   1, 4},   {39,  0,  8, 2,  8,  1,   3, 4},
    {41, 41,  8, 4, 12,  1,   1, 4},   {41,  0,  8, 2,  8,  1,   4, 4},
    {43, 43,  8, 4, 12,  1,   1, 2},   {43,  0,  8, 2,  8,  1,   4, 4},
};
// clang-format on

/// The schedule for a width and a height, or, with height 0, for any height.
constexpr schedule schedule_of(int filter_width, int filter_height) {
    for (const schedule& cut : ALL_SCHEDULES)
        if (cut.filter_width == filter_width && cut.filter_height == filter_height) return cut;
    throw "no such schedule";
}

/// One of each kind: direct, the whole filter in a body, twins, two planes, two planes with twins.
constexpr schedule ONE_OF_EACH[] = {schedule_of(3, 3), schedule_of(7, 7), schedule_of(9, 0),
                                    schedule_of(27, 27), schedule_of(33, 0)};

/// The schedules of this build. The CPU backend has one of each kind: every schedule is a kernel to compile,
/// and there its speed does not matter.
constexpr auto SCHEDULES = [] {
    std::array<schedule, lab::ON_GPU ? std::size(ALL_SCHEDULES) : std::size(ONE_OF_EACH)> built = {};
    for (size_t k = 0; k < built.size(); k++)
        built[k] = lab::ON_GPU ? ALL_SCHEDULES[k] : ONE_OF_EACH[k];
    return built;
}();
