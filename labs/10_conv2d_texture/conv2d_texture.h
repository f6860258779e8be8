// Lab 10, the contract: what conv2d_texture.cu must offer. Leave this file as it is.
#pragma once
#include "lab/border.h"
#include "lab/contract.h"

// Everywhere: out[y][x] = sum over i = -ry..ry and j = -rx..rx of in[y + i][x + j] * filter[i + ry][j + rx],
// where `in` and `out` hold `height` rows of `width` pixels, row after row, the filter `filter_height` =
// 2 ry + 1 rows of `filter_width` = 2 rx + 1 taps. Sizes are at least 1 and need not be multiples of
// anything; the filter may be larger than the image. Ghost cells are 0, but for conv2d_texture_border. Host
// memory; nothing overlaps.
//
// No kernel loads anything from global memory: the image comes from a texture made anew in every call, the
// filter from constant memory (from a texture in conv2d_texture_filter). Every output fetches every one of
// its taps, ghost cells too; threads without an output fetch nothing for one.
//
// Throws std::invalid_argument, naming the number and the limit, for more than 16384 taps where they lie in
// constant memory, and for a texture that is wider or higher than the device's 2D textures can be
// (cudaDevAttrMaxTexture2DWidth and -Height). A failing CUDA call throws std::runtime_error (CUDA_CHECK
// does). Whatever comes of a call, its device memory is given back.

/// The image is padded on the host to (width + 2 rx) x (height + 2 ry); that is what the texture holds.
void conv2d_texture_padded(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height);
LAB_EXPORT(conv2d_texture_padded, out, in, filter, width, height, filter_width, filter_height);

/// The texture holds the image and nothing else. What stands where the image ends, `mode`, is the business of
/// its address mode: the kernel does not test whether a tap falls inside the image.
void conv2d_texture_border(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height, lab::border mode);
LAB_EXPORT(conv2d_texture_border, out, in, filter, width, height, filter_width, filter_height, mode);

/// Two textures, one for the image and one for the filter,
/// which may then have more taps than constant memory holds.
void conv2d_texture_filter(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height);
LAB_EXPORT(conv2d_texture_filter, out, in, filter, width, height, filter_width, filter_height);

/// Every block fetches its tile of 32 x 8 outputs and the halo around it into shared memory, every cell once,
/// and takes its sums from there; other tiles are welcome if they fetch no more. A tile with halo that does
/// not fit in 48 KB is no error: the answer is then that of conv2d_texture_border.
void conv2d_texture_shared(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                           int width, int height, int filter_width, int filter_height);
LAB_EXPORT(conv2d_texture_shared, out, in, filter, width, height, filter_width, filter_height);
