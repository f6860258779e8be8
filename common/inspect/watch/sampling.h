// Which blocks of a large grid run at all, so that a large problem is inspected in little time.
#pragma once
#include <cstdint>

#include "inspect/report/report.h"
#include "simt/engine/observer.h"

namespace inspect {

/// One of `step` blocks, the one in the middle among them, in a pattern that meets all
/// columns and rows of a grid alike: in the next row of blocks they stand further on.
/// Grids that would keep fewer than 16 run whole.
class block_sample {
public:
    block_sample() = default;
    block_sample(const simt::launch_info& launch, uint64_t one_of);

    bool contains(uint64_t block) const {
        if (step_ == 1) return true;
        return (block % width_ + block / width_ * shift_ + phase_) % step_ == 0;
    }

private:
    uint64_t step_ = 1, width_ = 1;
    uint64_t shift_ = 0;  // from one row to the next
    uint64_t phase_ = 0;
};

/// What all blocks would have done, if the inspected ones are like the others.
uint64_t scaled(uint64_t count, uint64_t inspected_blocks, uint64_t all_blocks);
traffic scaled(const traffic& seen, uint64_t inspected_blocks, uint64_t all_blocks);

}  // namespace inspect
