// Races at a word whose touches by different blocks are ordered in part, by locks, flags and tickets.
#pragma once
#include <vector>

#include "inspect/memory/block_order.h"
#include "inspect/memory/incident.h"
#include "inspect/memory/touched_words.h"

namespace inspect {

/// A touch by one block that comes before releases or after acquisitions of that block.
struct ordered_touch {
    place where = 0;
    bool is_byte = false;
    touch what;
    order_marks released, acquired;
};

/// A pair of facts from different blocks; zeros if there is none.
struct fact_pair {
    uint64_t one = 0, other = 0;
};
/// The lowest there is.
fact_pair different_blocks(const lowest_blocks& a, const lowest_blocks& b);

/// Adds a race to `found`, once the two halves are known; nothing if there are none.
void add_race(incident race, const fact_pair& pair, access_kind access, access_kind other,
              incident_table& found);

/// Races among the touches of a cell, and with `open` ones, to which no order holds.
/// `race` says what is known of all of them.
void add_ordered_races(std::vector<const ordered_touch*>& touched, const touches& open, const incident& race,
                       incident_table& found);

}  // namespace inspect
