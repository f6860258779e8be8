// Lab 13: what conv2d_adaptive.cu offers to the kernels of tile.h and direct.h.
#pragma once
#include <cuda_runtime.h>

/// The taps in constant memory, two by two: a row of the filter begins with a pair, and where its width is
/// odd its last pair is half empty. Two taps arrive with one load.
__device__ const float2* filter_pairs();

/// Adds what `row` contributes to a thread's sums. The row lies under `filter_rows` rows of the filter that
/// begin at `pairs`, and `r` rows below the first of them that the thread's first output wants: output row t
/// wants it times filter row r - t, if there is one. The pixel under tap j of output column q is
/// row[shift + j + q].
template <int filter_width, int filter_rows, int shift, int ROWS, int COLUMNS, int PIXELS>
__device__ void add_row(float (&sum)[ROWS][COLUMNS], const float (&row)[PIXELS], int r, const float2* pairs);
