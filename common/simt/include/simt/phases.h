// Waiting for some threads of a block: phases, which <cuda/barrier> and <cuda/pipeline> are made of, and tiles.
#pragma once
#include <cstddef>

#include "types.h"

/// How many threads are still missing in the phase, how many a phase has, and how many phases are over: 20, 20 and 24
/// bits.
typedef unsigned long long simt_phase_word;

extern "C" {
/// The first phase begins.
SIMT_DEVICE void simt_phase_begin(simt_phase_word* word, long long threads);
/// So many threads have come, and will come no more if they `drop` out. The number of the phase that they came to.
SIMT_DEVICE unsigned int simt_phase_arrive(simt_phase_word* word, long long threads, bool drop);
/// The number of the phase that is not over yet. The thread comes after all who came to phases of this kind, `odd` or
/// even ones.
SIMT_DEVICE unsigned int simt_phase_of(const simt_phase_word* word, bool odd);
/// Lets others run until that phase is over, at least.
SIMT_DEVICE void simt_phase_wait(const simt_phase_word* word, unsigned int phase);

/// An asynchronous copy of 4, 8 or 16 bytes, without which the phase cannot end.
SIMT_DEVICE void simt_phase_memcpy_async(const simt_phase_word* word, void* to, const void* from,
                                         size_t bytes);
/// What must be there before so many threads arrive, now.
SIMT_DEVICE void simt_phase_copies(const simt_phase_word* word, long long threads);

/// Waits for the other threads of a tile of 64, 128, .. 512; what the one of rank `source` brought.
SIMT_DEVICE uint64_t simt_tile(unsigned int threads, uint64_t value, unsigned int source);

/// Ends the launch: a kernel asks for what it must not.
[[noreturn]] SIMT_DEVICE void simt_refuse(const char* why);
}

namespace simt {
inline constexpr int PHASE_COUNT_BITS = 20;
inline constexpr simt_phase_word PHASE_COUNT_MASK = (1 << PHASE_COUNT_BITS) - 1;
inline constexpr long long MOST_THREADS_OF_PHASE = PHASE_COUNT_MASK - 1;
SIMT_INLINE long long missing_threads(simt_phase_word word) {
    return static_cast<long long>(word & PHASE_COUNT_MASK);
}
}  // namespace simt
