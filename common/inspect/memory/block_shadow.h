// Shadow memory of the block that a runner executes: for every word it touches, who read and wrote it last.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "inspect/memory/block_clock.h"
#include "inspect/memory/event.h"

namespace inspect {

/// A place in one of the memories: space in the upper half, offset in the lower.
using place = uint64_t;
inline constexpr place make_place(space where, uint32_t offset) {
    return place{static_cast<uint32_t>(where)} << 32 | offset;
}
inline constexpr space space_of_place(place p) {
    return static_cast<space>(p >> 32);
}
inline constexpr uint32_t offset_of(place p) {
    return static_cast<uint32_t>(p);
}

/// Threads that did the same to a word (read it, updated it atomically)
/// and that no barrier has ordered since.
struct crowd {
    // Flags of `last`: the word has been touched by several lanes of one warp, or by several warps.
    static constexpr stamp SEVERAL_LANES = 1, SEVERAL_WARPS = 2;

    stamp last = 0;
    /// SEVERAL_LANES: mask of the lanes; SEVERAL_WARPS: one thread of another warp than last's.
    uint32_t others = 0;

    /// The current thread (of `me`, a stamp with time and site) joins.
    void join(stamp me, const block_clock& clock) {
        if (!join_quickly(me, clock.barrier())) join_after_warp_barrier(me, clock);
    }
    /// The same unless a warp's barrier has passed since the last one joined;
    /// then it does nothing and returns false.
    [[gnu::always_inline]] bool join_quickly(stamp me, stamp barrier) {
        if (last >= barrier && (last & SEVERAL_WARPS)) return true;  // no more can be said of it
        const uint32_t thread = thread_of(me), before = thread_of(last);
        if (last < barrier || (thread == before && !(last & FLAGS))) {
            last = me;  // all earlier ones are ordered before everything that may follow
            return true;
        }
        const bool is_now = last >> TIME_SHIFT == me >> TIME_SHIFT;
        if (!is_now || thread / LANES != before / LANES) return false;
        others = (last & SEVERAL_LANES ? others : 1u << before % LANES) | 1u << thread % LANES;
        last = me | SEVERAL_LANES;
        return true;
    }
    /// A stamp of a thread other than that of `me`, not ordered before it; 0 if all are ordered.
    stamp conflict(stamp me, const block_clock& clock) const;

private:
    void join_after_warp_barrier(stamp me, const block_clock& clock);
};

/// Who wrote to a word last, and what.
struct last_write {
    static constexpr uint32_t VALUE_KNOWN = 1, VALUES_DIFFER = 2;

    stamp writer = 0;
    uint32_t value = 0;  // what the last plain write stored
    uint32_t flags = 0;
};

inline constexpr uint32_t PAGE_BYTES = 256;
inline constexpr uint32_t PAGE_WORDS = PAGE_BYTES / 4;

/// One of these for every word of a page, or for every byte of a word where a block also touches single bytes.
template <class type>
class per_cell {
public:
    type& at(uint32_t word, uint32_t byte) { return byte == 0 ? words[word] : (*bytes)[byte - 1][word]; }
    const type& at(uint32_t word, uint32_t byte) const {
        return byte == 0 ? words[word] : (*bytes)[byte - 1][word];
    }
    type& of_word(uint32_t word) { return words[word]; }
    const type& of_word(uint32_t word) const { return words[word]; }
    /// Every byte gets what the word has.
    void split(uint32_t word) {
        if (!bytes) bytes = std::make_unique<byte_planes>();
        for (auto& plane : *bytes)
            plane[word] = words[word];
    }
    void clear(bool has_split_words) {
        words.fill({});
        if (has_split_words) *bytes = {};
    }

private:
    using byte_planes = std::array<std::array<type, PAGE_WORDS>, 3>;
    std::array<type, PAGE_WORDS> words{};  // or byte 0
    std::unique_ptr<byte_planes> bytes;    // 1 to 3, made on first use, then kept
};

/// Shadow of 256 bytes. What every access looks at lies in one cache line, and who reads touches no more than readers: the
/// pages of a block then stay in the first-level cache.
struct alignas(64) shadow_page {
    static constexpr stamp NEVER = ~stamp{0};

    place base = ~place{0};
    // Barriers of the block (their stamps): since this one it has only been read; with this one that was looked at.
    stamp only_read_since = NEVER, looked_at = NEVER;
    stamp latest_write = 0;
    uint64_t split_words = 0;
    bool written = false;
    bool has_atomics = false;
    std::unique_ptr<per_cell<crowd>> atomics;  // made on first use, then kept
    per_cell<crowd> readers;
    per_cell<last_write> writes;
    std::array<uint8_t, PAGE_BYTES> states;

    bool holds(place where) const { return base == where / PAGE_BYTES * PAGE_BYTES; }
    /// True if all bytes are initialised and nothing but reads has come since the block's latest barrier.
    bool is_only_read(stamp barrier) const { return only_read_since == barrier; }
    /// Before a read: finds out whether that is so, once after each barrier.
    void look(stamp barrier) {
        if (looked_at != barrier) look_again(barrier);
    }
    void note_write(stamp now) {
        written = true;
        latest_write = now;
        only_read_since = NEVER;
    }
    /// After a change of states: nothing is known of the page as a whole.
    void forget_look() { only_read_since = looked_at = NEVER; }
    bool is_split(uint32_t word) const { return split_words >> word & 1; }
    void split_word(uint32_t word);
    /// The byte of a word that stands for this place: 0 for all of it, if the word is not split.
    uint32_t byte_at(place where) const { return is_split(where % PAGE_BYTES / 4) ? where % 4 : 0; }
    /// Who wrote there last.
    last_write& write_at(place where) { return writes.at(where % PAGE_BYTES / 4, byte_at(where)); }
    void make_atomics();
    /// Nobody has touched anything; where words are split stays.
    void forget_touches();

private:
    void look_again(stamp barrier);
};

/// Gives a fresh page its byte states.
class page_source {
public:
    virtual ~page_source() = default;
    virtual void fill_states(uint8_t* states, place base) = 0;
};

/// The pages of one block. A block touches little memory, so its shadow stays in the cache,
/// and no two runners share it.
class block_shadow {
public:
    explicit block_shadow(page_source& source) : source(source) {
        resize(1024);
        start_block();
    }

    /// Forgets all pages.
    void start_block() {
        used = 0;
        epoch++;
        std::fill(std::begin(recent), std::end(recent), &no_page);
    }
    shadow_page& page_at(place where) {
        const uint64_t tag = epoch << 40 | where / PAGE_BYTES;
        const slot& found = first[first_slot(tag)];
        return __builtin_expect(found.tag == tag, 1) ? *found.page : find_page(tag, where);
    }
    /// Mostly the page at a place; but perhaps another one, or none.
    shadow_page& recent_at(place where) { return *recent[recent_slot(where)]; }
    /// The page at a place, which is then found by recent_at(), too.
    shadow_page& page_for(place where) {
        shadow_page*& found = recent[recent_slot(where)];
        if (!found->holds(where)) found = &page_at(where);
        return *found;
    }

    template <class action>
    void for_each_page(const action& act) const {
        for (size_t i = 0; i < used; i++)
            act(*pages[i]);
    }

private:
    struct slot {
        uint64_t tag = 0;
        shadow_page* page = nullptr;
    };
    size_t first_slot(uint64_t tag) const { return (tag * 0x9E3779B97F4A7C15u >> 32) & mask; }
    shadow_page& find_page(uint64_t tag, place where);
    shadow_page& make_page(place where);
    void insert(uint64_t tag, shadow_page* page);
    void resize(size_t count);

    page_source& source;
    std::vector<slot> slots;  // open addressing; slots of earlier epochs count as empty
    slot* first = nullptr;    // slots.data(), slots.size() - 1: read at every access
    size_t mask = 0;
    std::vector<std::unique_ptr<shadow_page>> pages;
    size_t used = 0;
    uint64_t epoch = 0;  // counts blocks
    static constexpr int RECENT_BITS = 8;
    static size_t recent_slot(place where) {
        return offset_of(where) / PAGE_BYTES * 0x9E3779B1u >> (32 - RECENT_BITS);
    }
    shadow_page* recent[1 << RECENT_BITS];  // one for each hash of their places
    shadow_page no_page;                    // at no place
};

}  // namespace inspect
