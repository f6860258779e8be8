// The inspector's door: link libinspect, and every launch of the process is counted and checked.
#pragma once
#include "inspect/report.h"

namespace inspect {

/// Installs the inspector as simt::the_observer; call before the first allocation.
void begin();
/// Everything seen since begin() or the last take(), in the same bytes for any number of runners.
report take();
/// Whether the launches from here on are recorded for pictures, launch::drawn; it takes time and memory.
void draw(bool wanted);

}  // namespace inspect
