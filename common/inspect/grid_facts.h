// Races between blocks: who touched each word of global memory, kept so that the order of arrival does not
// matter.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "inspect/block_shadow.h"
#include "inspect/device_state.h"
#include "inspect/incident.h"

namespace inspect {

/// The two lowest blocks that touched something: enough to see whether two different blocks did.
struct lowest_blocks {
    // block + 1: 30 bits | thread 10 | site 24; zero: nobody. Blocks beyond 2^30 - 2 count as one.
    uint64_t first = 0, second = 0;

    void add(uint64_t who);
};

/// What the blocks of one launch did to global memory and __device__ variables.
class grid_facts {
public:
    /// Adds what a block did to a page. Thread-safe.
    void add(const shadow_page& page, uint64_t block);
    /// Looks for words that different blocks touched, one of them with a write; then forgets everything.
    void find_races(uint32_t launch, const device_state& memory, incident_table& found);

private:
    struct writers {
        lowest_blocks who;
        uint32_t value = 0;
        bool values_differ = false;
    };
    static constexpr uint32_t CHUNK_WORDS = simt::CHUNK_BYTES / 4;
    /// For every word, or for byte 0 of a split one; then for bytes 1, 2 and 3. Empty until used.
    template <class type>
    using planes = std::array<std::vector<type>, 4>;

    struct chunk {
        std::mutex mutex;
        planes<lowest_blocks> readers, atomics;
        planes<writers> written;
        std::vector<bool> split;  // by word
    };

    chunk& chunk_at(place base);
    static void split_word(chunk& facts, uint32_t word);
    static void add_cell(chunk& facts, uint32_t word, uint32_t byte, const cell& seen, const crowd* atomics,
                         uint32_t value, uint64_t block);
    static void find_races_at(const chunk& facts, place where, uint32_t word, incident& race,
                              incident_table& found);

    std::mutex mutex;
    std::map<place, std::unique_ptr<chunk>> chunks;  // by the place of their first byte
};

}  // namespace inspect
