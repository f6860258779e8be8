// Races between blocks: who touched each word of global memory, kept so that the order of arrival does not
// matter, unless the kernel makes it matter with tickets.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "inspect/memory/block_shadow.h"
#include "inspect/memory/device_state.h"
#include "inspect/memory/incident.h"
#include "inspect/memory/tickets.h"
#include "inspect/memory/touched_words.h"

namespace inspect {

/// What the blocks of one launch did to global memory and __device__ variables.
class grid_facts {
public:
    /// Adds what a block did to a page. Thread-safe.
    void add(const shadow_page& page, uint64_t block, const block_tickets& tickets);
    /// The block takes a ticket, now. Thread-safe.
    void take_ticket(place counter, uint64_t block);
    /// Looks for words that different blocks touched, one of them with a write; then forgets everything.
    void find_races(uint32_t launch, const device_state& memory, incident_table& found);

private:
    struct chunk {
        std::mutex mutex;
        touched_words open;       // no order holds between blocks
        touched_words released;   // before a ticket: ordered before what comes after the last one
        std::vector<bool> split;  // by word
        bool is_split(uint32_t word) const { return !split.empty() && split[word]; }
        void add(touched_words& words, place where, bool is_byte, touch what);
    };
    /// What a block did after it took a ticket. Whether the ticket was the last one is known at the end.
    struct late_touch {
        place where = 0, counter = 0;
        bool is_byte = false;
        touch what;
    };
    struct queue {
        uint64_t last = 0;  // the block that came last
        std::set<uint64_t> blocks;
    };

    chunk& chunk_at(place base);
    static void split_word(chunk& facts, uint32_t word);
    void add_cell(chunk& facts, place where, bool is_byte, const cell& seen, const crowd* atomics,
                  uint64_t block, const block_tickets& tickets);
    void add_touch(chunk& facts, place where, bool is_byte, stamp when, const touch& what,
                   const block_tickets& tickets);
    bool is_last(const late_touch& late) const;
    void find_races_between(const incident& model, const device_state& memory, incident_table& found);
    void find_races_after(const late_touch& late, incident race, incident_table& found);
    void add_open(const late_touch& late);

    std::mutex mutex;
    std::map<place, std::unique_ptr<chunk>> chunks;  // by the place of their first byte
    std::mutex ticket_mutex;
    std::map<place, queue> queues;  // by counter
    std::vector<late_touch> lates;
};

}  // namespace inspect
