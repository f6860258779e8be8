// Puts the lanes of a warp back together: 32 logs, one per lane, become the requests a GPU would have made.
#pragma once
#include <cstdint>

#include "inspect/memory/lane_log.h"

namespace inspect {

/// Takes the requests that a merge finds.
class request_sink {
public:
    virtual ~request_sink() = default;
    virtual void request(uint32_t key, uint32_t mask, const uint32_t* offsets) = 0;
    /// These lanes have passed a loop edge.
    virtual void turn(uint32_t /*mask*/) {}
};

/// Lanes execute together again where their paths join, so requests are formed in the order of a lock-step
/// machine: the deepest call first, in it the lowest instruction, which may be a call itself; lanes that are there
/// with the same access share the request. Lanes ahead of others wait at the end of a loop (the logged loop edge),
/// not merely at the k-th execution of an instruction, which would be wrong under divergence.
/// Needs code in source order (-fno-reorder-blocks).
///
/// Consumes what can be ordered. Lanes in `held` have a full log and will go on: once one of them is used up
/// the rest stays in the log. Without held lanes everything is consumed. `depth` is the call depth of each
/// lane, kept between calls.
void merge_warp(lane_log& log, uint32_t held, uint32_t (&depth)[LANES], request_sink& sink);

}  // namespace inspect
