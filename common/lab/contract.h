// What a lab's contract header needs: spans, the exceptions that it names, with their text, and the line that offers
// its functions to the worker. It is the first header of a lab's file, and compiled once for all of them.
#pragma once
#include <span>
#include <stdexcept>
#include <string>

/// LAB_EXPORT(conv2d_naive, out, in, filter, width, height): offers the function to the worker and names its
/// parameters. It stands under the declaration, once a function. Only the worker's build gives it a meaning.
#ifndef LAB_EXPORT
#define LAB_EXPORT(function, ...) static_assert(true)
#endif
