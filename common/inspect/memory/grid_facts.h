// Races between blocks: who touched each word of global memory, kept so that the order of arrival does not
// matter, unless the kernel makes it matter with locks, flags or tickets.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "inspect/memory/block_order.h"
#include "inspect/memory/block_shadow.h"
#include "inspect/memory/device_state.h"
#include "inspect/memory/incident.h"
#include "inspect/memory/ordered_touches.h"
#include "inspect/memory/short_mutex.h"
#include "inspect/memory/touched_bytes.h"
#include "inspect/memory/touched_words.h"

namespace inspect {

/// What the blocks of one launch did to global memory and __device__ variables.
class grid_facts {
public:
    /// Adds what a block did to all pages but those of shared memory. Thread-safe.
    void add(const block_shadow& shadow, uint64_t block, const block_order& order);
    /// A block releases something at this word, now. Thread-safe, as all that follow.
    order_mark release(place where);
    /// When something was last released there; 0: never.
    uint64_t last_release(place where);
    /// A block acquires what was released at this word, now.
    order_mark acquire(place where);
    /// Of the launch, if somebody wants them.
    touched_bytes touched;
    bool has_releases() const { return sequence.load(std::memory_order_relaxed) != 0; }
    /// Looks for words that different blocks touched, one of them with a write; then forgets everything.
    void find_races(uint32_t launch, const device_state& memory, incident_table& found);

private:
    struct chunk {
        short_mutex mutex;
        touched_words open;       // no order holds between blocks
        std::vector<bool> split;  // by word
        bool is_split(uint32_t word) const { return !split.empty() && split[word]; }
        void add(touched_words& words, place where, bool is_byte, touch what);
    };
    chunk& chunk_at(place base);
    static void split_word(chunk& facts, uint32_t word);
    void add_page(chunk& facts, const shadow_page& page, uint64_t block, const block_order& order);
    void add_touch(chunk& facts, place where, bool is_byte, stamp when, const touch& what,
                   const block_order& order);
    void find_open_races(const incident& model, const device_state& memory, incident_table& found);
    void find_ordered_races(incident race, const device_state& memory, incident_table& found);

    short_mutex mutex;
    std::map<place, std::unique_ptr<chunk>> chunks;  // by the place of their first byte
    short_mutex order_mutex;
    std::atomic<uint64_t> sequence{0};        // of what happens at words by which blocks are ordered
    std::map<place, uint64_t> last_releases;  // by word
    std::vector<ordered_touch> ordered;       // touches that come before a release or after an acquisition
};

}  // namespace inspect
