// Samples of a grid's blocks.
#include "inspect/watch/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace inspect {

namespace {
constexpr uint64_t FEWEST_BLOCKS = 16;
}

block_sample::block_sample(const simt::launch_info& launch, uint64_t one_of) {
    step_ = std::clamp<uint64_t>(launch.blocks / FEWEST_BLOCKS, 1, std::max<uint64_t>(one_of, 1));
    width_ = launch.grid.x;
    // About the golden section of the step: neighbouring rows then lie far apart, and without a common factor
    // every column has its turn.
    shift_ = std::max<uint64_t>(1, static_cast<uint64_t>(std::lround(0.618 * static_cast<double>(step_))));
    while (std::gcd(shift_, step_) != 1)
        shift_++;
    const uint64_t row = launch.grid.z / 2 * launch.grid.y + launch.grid.y / 2;
    phase_ = step_ - (launch.grid.x / 2 + row * shift_) % step_;
}

uint64_t scaled(uint64_t count, uint64_t inspected_blocks, uint64_t all_blocks) {
    return static_cast<uint64_t>(std::llround(static_cast<double>(count) * static_cast<double>(all_blocks) /
                                              static_cast<double>(inspected_blocks)));
}

traffic scaled(const traffic& seen, uint64_t inspected_blocks, uint64_t all_blocks) {
    traffic all = seen;  // the worst request stays the worst that was seen
    for (uint64_t traffic::*count : {&traffic::lanes, &traffic::bytes, &traffic::requests, &traffic::sectors,
                                     &traffic::wavefronts, &traffic::ideal})
        all.*count = scaled(seen.*count, inspected_blocks, all_blocks);
    return all;
}

}  // namespace inspect
