// Who touched the words of a chunk of memory: for each word, or byte of a split one,
// the two lowest blocks of each kind.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "inspect/memory/block_clock.h"
#include "simt/engine/observer.h"

namespace inspect {

// A fact says who: block + 1: 30 bits | thread 10 | site 24; zero: nobody.
// Blocks beyond 2^30 - 2 count as one.
inline constexpr int BLOCK_SHIFT = 34, THREAD_OF_FACT_SHIFT = 24;
inline constexpr uint64_t LAST_BLOCK = (uint64_t{1} << 30) - 2;

inline uint64_t make_fact(uint64_t block, stamp who) {
    return (block < LAST_BLOCK ? block + 1 : LAST_BLOCK + 1) << BLOCK_SHIFT |
           uint64_t{thread_of(who)} << THREAD_OF_FACT_SHIFT | site_of_stamp(who);
}
inline uint64_t block_of(uint64_t fact) {
    return (fact >> BLOCK_SHIFT) - 1;
}
inline uint32_t thread_of_fact(uint64_t fact) {
    return fact >> THREAD_OF_FACT_SHIFT & 1023;
}

/// The two lowest blocks that touched something: enough to see whether two different blocks did.
struct lowest_blocks {
    uint64_t first = 0, second = 0;  // facts

    void add(uint64_t who) {
        const uint64_t block = block_of(who);
        if (second != 0 && block >= block_of(second)) return;
        if (first == 0 || block < block_of(first)) {
            second = first;
            first = who;
        } else if (block != block_of(first)) {
            second = who;
        }
    }
    void add(const lowest_blocks& more);
};

struct writers {
    lowest_blocks who;
    uint32_t value = 0;
    bool values_differ = false;

    void add(uint64_t fact, uint32_t stored, bool is_certain) {
        const bool is_first = who.first == 0;
        values_differ |= !is_certain || (!is_first && stored != value);
        if (is_first) value = stored;
        who.add(fact);
    }
};

/// What one block did to a word.
struct touch {
    access_kind kind{};
    uint64_t fact = 0;
    uint32_t value = 0;  // of a write
    bool is_certain = false;
};

/// Who touched a word.
struct touches {
    lowest_blocks readers, atomics;
    writers written;

    void add(const touches& more);
    /// False if it was one block, or nobody changed anything or in another way than by atomic operations.
    bool may_race() const;
};

/// Words by their number in the chunk; byte 0 stands for the whole word unless it is split.
class touched_words {
public:
    void add(uint32_t word, uint32_t byte, const touch& what) {
        switch (what.kind) {
            case access_kind::read:
                entry(readers, byte, word).add(what.fact);
                break;
            case access_kind::atomic:
                entry(atomics, byte, word).add(what.fact);
                break;
            case access_kind::write:
                entry(written, byte, word).add(what.fact, what.value, what.is_certain);
                break;
        }
    }
    touches at(uint32_t word, uint32_t byte) const;
    /// The same as at(word, byte).may_race(), in less time.
    bool may_race(uint32_t word, uint32_t byte) const;
    void split(uint32_t word);
    /// True if nobody wrote or updated anything, not even a byte.
    bool is_unchanged() const;

private:
    /// For every word, or for byte 0 of a split one; then for bytes 1, 2 and 3. Empty until used.
    template <class type>
    using planes = std::array<std::vector<type>, 4>;
    template <class type>
    static type& entry(planes<type>& all, uint32_t byte, uint32_t word) {
        if (all[byte].empty()) all[byte].resize(simt::CHUNK_BYTES / 4);
        return all[byte][word];
    }
    template <class type>
    static type lookup(const planes<type>& all, uint32_t byte, uint32_t word);

    planes<lowest_blocks> readers, atomics;
    planes<writers> written;
};

}  // namespace inspect
