// Requests: one access instruction of one warp, and what it costs in sectors or wavefronts.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "inspect/memory/event.h"
#include "inspect/memory/lane_log.h"
#include "inspect/report/report.h"

namespace inspect {

/// Traffic by instruction and variable.
class traffic_table {
public:
    struct entry {
        uint32_t key = 0;       // of the event: site, space, kind, bytes
        uint32_t variable = 0;  // its identity within the space, 0 if unknown
        traffic seen;
    };

    traffic& at(uint32_t key, uint32_t variable);
    const std::vector<entry>& entries() const { return list; }
    std::vector<entry>& entries() { return list; }
    void clear();

private:
    void grow();

    std::vector<entry> list;
    // Open addressing: index into list plus one, 0 = empty.
    std::vector<uint32_t> slots = std::vector<uint32_t>(256);
};

/// Of a request to shared memory.
struct shared_cost {
    uint32_t wavefronts = 0, ideal = 0;
};

/// What a request of a full warp cost. One of the same kind costs the same if its addresses lie as far apart and
/// begin some whole words further on: so do most of a loop.
class known_cost {
public:
    shared_cost of(uint32_t key, const uint32_t* offsets);

private:
    uint32_t key_ = 0, first_ = 0, distances_[LANES] = {};
    shared_cost cost_;
};
using known_costs = std::array<known_cost, 64>;  // by site

/// Adds one request of the lanes in `mask` (not empty) to `seen`. `offsets` holds 32 values; those of other
/// lanes are ignored. Sources of the rules: the CUDA programming guide (32 banks of 4 bytes; 8-byte accesses
/// are served per half warp, 16-byte ones per quarter; sectors of 32 bytes) and NVIDIA's answer "Unexpected
/// shared memory bank conflict" (wide loads are served for twice as many lanes where all lanes n and n ^ 1,
/// or all n and n ^ 2, want the same element). data/measurements has them beside the counters of an H200;
/// that atomics on one word are a pass each is known from these alone.
void count_request(traffic& seen, uint32_t key, uint32_t mask, const uint32_t* offsets, known_costs& known);

}  // namespace inspect
