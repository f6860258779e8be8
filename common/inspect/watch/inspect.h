// The inspector's door: link libinspect, and every launch of the process is counted and checked.
#pragma once
#include "inspect/report/report.h"
#include "inspect/watch/passage.h"

namespace inspect {

/// Installs the inspector as simt::the_observer; call before the first allocation.
void begin();
/// Everything seen since begin() or the last take(), in the same bytes for any number of runners.
report take();
/// Where the values of these outputs come from, by the copies since the last take().
value_origin origin_of(const host_arrays& outputs, const host_arrays& inputs);
/// Whether the launches from here on are recorded for pictures, launch::drawn; it takes time and memory.
void draw(bool wanted);
/// From the next launch on one of so many blocks of a large grid runs, the others not at all; 1: all of them.
/// Counts are scaled to the whole grid, and memory counts as written once blocks have been left out.
void sample_blocks(uint64_t one_of);

}  // namespace inspect
