// Textbook access patterns: small kernels whose counts by the inspector
// stand beside those of a GPU's counters.
#pragma once
#include <cuda_runtime.h>

#include <vector>

/// One launch of one kernel.
struct pattern {
    const char* name;
    void (*run)();
};

extern const std::vector<pattern> GLOBAL_PATTERNS, MEMBER_PATTERNS, DIVERGENT_PATTERNS, SHARED_PATTERNS,
    OTHER_PATTERNS;

/// Device memory of 2^18 floats each, zeros: more than any pattern reaches.
extern float *d_out, *d_in;

template <class type>
type* out_as() {
    return reinterpret_cast<type*>(d_out);
}
template <class type>
const type* in_as() {
    return reinterpret_cast<const type*>(d_in);
}

// What the program does around its launches; on a GPU the profiler does the counting.

/// Before the first allocation.
void begin_counting();
/// After each launch: prints its counts. Ends the program if the launch or its kernel was wrong.
void count_launch(const char* name);
