// Lab 19, the contract: what conv2d_multi_gpu.cu must offer. Leave this file as it is.
#pragma once
#include "lab/contract.h"

// All functions apply a filter of `filter_height` rows of `filter_width` taps, both odd, `passes` times (1 or more): the
// first time to `in`, then to what came of it before. Both images have `height` rows of `width` pixels; ghost cells are 0
// in every pass. Host memory; nothing overlaps.
//
// The image is cut into `devices` strips: strip k has the rows from k * height / devices (rounded down) up to, and
// without, (k + 1) * height / devices. It lies on device k of those that there are, or on k % count where there are only
// `count`. Only the rows that a neighbour's filter reaches, filter_height / 2 of them at each seam, go from one strip to
// another between two passes, and nothing goes by way of the host.
//
// Fewer than 1 device, and a strip of fewer rows than filter_height / 2 with a neighbour, throw std::invalid_argument,
// whose text holds the rows of the shortest strip and filter_height / 2. More than 16384 taps throw
// std::invalid_argument, whose text holds their number and that limit. A failing CUDA call throws std::runtime_error,
// whose text names the device that was the current one: "device 2". What was the current device is that again in the end,
// whatever happens.

/// Pass by pass: all devices filter, then the rows are exchanged, then the next pass begins.
void conv2d_in_turn(std::span<float> out, std::span<const float> in, std::span<const float> filter, int width,
                    int height, int filter_width, int filter_height, int passes, int devices);
LAB_EXPORT(conv2d_in_turn, out, in, filter, width, height, filter_width, filter_height, passes, devices);

/// The rows that neighbours need come first and are sent while the device filters the others.
void conv2d_overlapped(std::span<float> out, std::span<const float> in, std::span<const float> filter,
                       int width, int height, int filter_width, int filter_height, int passes, int devices);
LAB_EXPORT(conv2d_overlapped, out, in, filter, width, height, filter_width, filter_height, passes, devices);
