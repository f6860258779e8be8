// What a lab's contract header needs: spans, and the line that offers its functions to the worker.
#pragma once
#include <span>

/// LAB_EXPORT(conv2d_naive, out, in, filter, width, height): offers the function to the worker and names its
/// parameters. It stands under the declaration, once a function. Only the worker's build gives it a meaning.
#ifndef LAB_EXPORT
#define LAB_EXPORT(function, ...) static_assert(true)
#endif
