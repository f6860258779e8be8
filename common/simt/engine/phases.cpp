// The phases of cuda::barrier: a word in shared or global memory that counts who is missing.
#include "simt/include/simt/phases.h"

#include "simt/engine/runner.h"
#include "simt/engine/unwritten.h"

namespace simt {
namespace {

constexpr int PHASE_SHIFT = 2 * PHASE_COUNT_BITS;

/// What is in memory that nobody wrote.
simt_phase_word never_begun() {
    return simt_phase_word(unwritten_byte()) * 0x0101010101010101u;
}

simt_phase_word make_word(simt_phase_word missing, simt_phase_word all, simt_phase_word phase) {
    return missing | all << PHASE_COUNT_BITS | phase << PHASE_SHIFT;
}
unsigned phase_of(simt_phase_word word) {
    return unsigned(word >> PHASE_SHIFT);
}

/// As the observer sees it threads meet in one half of the word or the other: who waits for the end of one phase does not come after those who are at
/// the next one already.
void tell_half(const simt_phase_word* word, bool odd, uintptr_t site) {
    const uint32_t* half = reinterpret_cast<const uint32_t*>(word) + odd;
    tell_access(half, sizeof *half, access_kind::atomic, site);
}

simt_phase_word load(const simt_phase_word* word, uintptr_t site) {
    const simt_phase_word now = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    if (now == never_begun()) refuse_kernel("a cuda::barrier that init() has not been called for", site);
    return now;
}

/// The word when so many threads have come.
simt_phase_word after_arrival(simt_phase_word before, simt_phase_word threads, bool drop) {
    const simt_phase_word missing = (before & PHASE_COUNT_MASK) - threads;
    const simt_phase_word all = (before >> PHASE_COUNT_BITS & PHASE_COUNT_MASK) - (drop ? threads : 0);
    const unsigned phase = phase_of(before);
    return missing != 0 ? make_word(missing, all, phase) : make_word(all, all, phase + 1);
}

}  // namespace
}  // namespace simt

using namespace simt;

extern "C" {

void simt_phase_begin(simt_phase_word* word, long long threads) {
    const uintptr_t site = address_of(__builtin_return_address(0));
    if (threads < 1 || threads > MOST_THREADS_OF_PHASE)
        refuse_kernel("a cuda::barrier for " + std::to_string(threads) + " threads", site);
    tell_access(word, sizeof *word, access_kind::write, site);
    __atomic_store_n(word, make_word(threads, threads, 0), __ATOMIC_SEQ_CST);
}

unsigned int simt_phase_arrive(simt_phase_word* word, long long threads, bool drop) {
    const uintptr_t site = address_of(__builtin_return_address(0));
    simt_phase_word before = load(word, site), after;
    tell_half(word, phase_of(before) & 1, site);
    do {
        const long long missing = missing_threads(before);
        if (threads < 1 || threads > missing)
            refuse_kernel(std::to_string(threads) + " threads arrive at a cuda::barrier that waits for " +
                              std::to_string(missing) + " more",
                          site);
        after = after_arrival(before, threads, drop);
    } while (!__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    if (phase_of(after) != phase_of(before)) current_runner->wake_waiting(word);
    return phase_of(before);
}

unsigned int simt_phase_of(const simt_phase_word* word, bool odd) {
    const uintptr_t site = address_of(__builtin_return_address(0));
    const unsigned phase = phase_of(load(word, site));
    tell_half(word, odd, site);
    return phase;
}

void simt_phase_wait(const simt_phase_word* word, unsigned int phase) {
    const uintptr_t site = address_of(__builtin_return_address(0));
    if (phase_of(load(word, site)) != phase) return;
    const uintptr_t address = address_of(word);
    const bool is_of_block = current_block->is_shared(address);
    // Threads of other blocks may come to one in global memory.
    if (is_of_block)
        current_runner->wait_for(word, site);
    else
        current_runner->give_way();
}

}  // extern "C"
