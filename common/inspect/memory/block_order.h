// Order that threads make themselves, without barriers: by locks, flags and tickets. Who has made its stores
// visible (a fence) and then writes to a word, atomically or as a volatile, releases them; who reads that
// word, atomically or as a volatile, afterwards acquires them, and comes after them.
#pragma once
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "inspect/memory/block_shadow.h"

namespace inspect {

/// A word by which something was released or acquired, and when: launches count what happens at such words.
struct order_mark {
    place where = 0;
    uint64_t when = 0;
    auto operator<=>(const order_mark&) const = default;
};
using order_marks = std::vector<order_mark>;  // a word once

/// What the running block has released and acquired, and which of its accesses come before and after that.
class block_order {
public:
    void start_block();
    /// The thread's earlier stores, and those that are ordered before now, are visible from now on; to other
    /// blocks, too, if `to_all`.
    void fenced(uint32_t thread, bool to_all, block_clock& clock);
    bool has_fences() const { return !fences.empty(); }
    bool has_fenced(uint32_t thread) const { return !fences.empty() && fences[thread].to_block.time != 0; }

    /// The thread writes to this word: threads of its block that read it from now on come after what the
    /// thread has made visible.
    void release(place where, uint32_t thread);
    /// The thread has read this word: it comes after what threads of its block have released there.
    void acquire(place where, uint32_t thread, block_clock& clock);

    /// The same for other blocks. `when`: now, in the order of the launch.
    bool releases_more(place where, uint32_t thread, const block_clock& clock) const;
    void note_release(const order_mark& mark, uint32_t thread, block_clock& clock);
    void note_acquire(const order_mark& mark, uint32_t thread, block_clock& clock);
    /// When the thread last acquired something of other blocks at this word; 0: never.
    uint64_t last_acquired(place where, uint32_t thread) const;

    void block_synchronised(const block_clock& clock);
    void warp_synchronised(uint32_t warp, const block_clock& clock);

    /// True if no access is ordered before or after other blocks'.
    bool empty() const { return events.empty(); }
    /// The first release at every word that the access came before; with `at` that word's own operation does.
    order_marks released(stamp access, place at) const;
    /// The last acquisition at every word that the access came after.
    order_marks acquired(stamp access) const;
    bool has_acquired(stamp access) const;

private:
    static constexpr uint32_t NEVER = ~0u;
    /// A moment in the life of a thread, and what of the others' doings comes before it.
    struct moment {
        uint32_t thread = 0, time = 0;               // 0: never
        uint32_t block_before = 0, warp_before = 0;  // what the block, the warp did until these times
        std::shared_ptr<const thread_times>
            known;  // what threads did whose releases it has acquired; or null
        bool is_after(stamp access) const;
        void add_to(thread_times& all) const;
    };
    struct event {
        order_mark mark;
        bool releases = false;  // else it acquires
        moment at, fence;
        // From these times on, all of the block, of the warp come after it.
        uint32_t block_after = NEVER, warp_after = NEVER;
        bool is_before(stamp access) const;
    };
    struct thread_fences {
        moment to_block, to_all;
    };
    static moment make_moment(uint32_t thread, const block_clock& clock);
    bool is_visible(stamp access, const event& release) const;
    void add(event made, block_clock& clock);

    std::vector<event> events;               // in the order of time
    std::vector<thread_fences> fences;       // by thread, the latest; empty until somebody fences
    std::map<place, thread_times> in_block;  // what was released at a word: of every thread until this time
    using thread_at_word = std::pair<place, uint32_t>;
    std::map<thread_at_word, size_t> last_release, last_acquisition;  // among the events
};

}  // namespace inspect
