// Tickets: how a block orders its stores before what another block does later in the same launch. It makes
// them visible (__threadfence) and then counts itself with an atomic operation; who comes last knows that
// all others are done.
#pragma once
#include <vector>

#include "inspect/memory/block_shadow.h"

namespace inspect {

/// The tickets of the block that runs, and which of its accesses come before and after them.
class block_tickets {
public:
    void start_block();
    /// The thread's earlier stores, and those that barriers order before now, are visible from now on.
    void fenced(uint32_t thread, block_clock& clock);
    /// The thread is about to update this place atomically. True if that is a ticket: somebody has fenced.
    bool taken(place counter, uint32_t thread, block_clock& clock);
    void block_synchronised(const block_clock& clock);
    void warp_synchronised(uint32_t warp, const block_clock& clock);

    bool empty() const { return tickets.empty(); }
    /// True if the access came before a ticket of this block, visible to who takes the same ticket later.
    bool is_released(stamp access) const;
    /// The counter of the latest ticket that the access came after; NO_COUNTER if there is none.
    place counter_before(stamp access) const;

    static constexpr place NO_COUNTER = ~place{0};

private:
    static constexpr uint32_t NEVER = ~0u;
    /// A moment in the life of a thread, and what of the others' doings comes before it.
    struct moment {
        uint32_t thread = 0, time = 0;
        uint32_t block_before = 0, warp_before = 0;  // what the block, the warp did until these times
        bool is_after(stamp access) const;
    };
    struct ticket {
        place counter = 0;
        moment taken, fence;
        bool has_fence = false;  // of the same thread, before
        // From these times on, all of the block, of the warp come after it.
        uint32_t block_after = NEVER, warp_after = NEVER;
        bool is_before(stamp access) const;
    };
    static moment make_moment(uint32_t thread, const block_clock& clock);

    std::vector<ticket> tickets;  // in the order of time, the latest of a counter
    std::vector<moment> fences;   // by thread, the latest; empty until somebody fences
};

}  // namespace inspect
