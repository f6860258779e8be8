// Records what pictures are drawn from: accesses by element, and the most expensive request of each line.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "inspect/memory/device_state.h"
#include "inspect/memory/lane_log.h"
#include "inspect/report/sketch.h"
#include "inspect/watch/requests.h"

namespace inspect {

/// Of one runner, or of a whole launch after the runners' were added up.
class sketcher {
public:
    struct elements {
        std::vector<uint32_t> loads, stores;
        std::vector<int32_t> loader;
    };
    struct sample {
        uint64_t block = 0;
        uint32_t warp = 0, mask = 0, cost = 0;
        uint32_t offsets[LANES] = {};
    };

    sketcher(device_state& memory, uint64_t sampled_block)
        : memory_(&memory), sampled_block_(sampled_block) {}

    /// The block that stands for all others: in the middle of the grid, where it has neighbours, and of two
    /// in the middle the lower one, which does not overhang the image.
    static uint64_t block_in_the_middle(uint3 grid) {
        return uint64_t{(grid.y - 1) / 2} * grid.x + (grid.x - 1) / 2;
    }

    void request(uint32_t key, uint32_t variable, uint32_t mask, const uint32_t* offsets, uint64_t block,
                 uint32_t warp);
    /// The same for any number of runners and whatever blocks each of them executed.
    void add(const sketcher& other);

    uint64_t sampled_block() const { return sampled_block_; }
    const std::map<uint32_t, elements>& by_variable() const { return elements_; }
    const std::map<std::pair<uint32_t, uint32_t>, sample>& by_line() const {
        return samples_;
    }  // key, variable

private:
    void count_elements(uint32_t key, uint32_t variable, uint32_t mask, const uint32_t* offsets,
                        uint64_t block, uint32_t warp);
    void keep(uint32_t key, uint32_t variable, const sample& one);

    device_state* memory_;
    uint64_t sampled_block_;
    known_costs costs_;
    std::map<uint32_t, elements> elements_;
    std::map<std::pair<uint32_t, uint32_t>, sample> samples_;
};

}  // namespace inspect
