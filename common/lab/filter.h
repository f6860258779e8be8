// The way of a filter into constant memory.
#pragma once
#include <cstddef>
#include <span>

#include "lab/errors.h"
#include "lab/timing.h"

namespace lab {

/// Throws std::invalid_argument, naming both numbers, if constant memory made for
/// `room` taps cannot hold `taps` of them.
void expect_room_for(size_t taps, size_t room);

/// Copies a filter to `c_filter`, a __constant__ array, where all kernels launched
/// from then on read it; timed as a transfer. Throws std::invalid_argument, naming
/// both numbers, if the filter has more taps than fit.
template <size_t MAX_TAPS>
void set_filter(const float (&c_filter)[MAX_TAPS], std::span<const float> filter,
                const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    expect_room_for(filter.size(), MAX_TAPS);
    timed_copy(
        [&] {
            throw_on_error(cudaMemcpyToSymbol(c_filter, filter.data(), filter.size_bytes()),
                           "set_filter(c_filter, filter)", file, line);
        },
        file, line);
}

}  // namespace lab
