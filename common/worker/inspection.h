// The inspector, if linked in: inspection_on.o makes a worker an inspected one, inspection_off.o any other.
#pragma once
#include <string>

namespace worker {

/// To be called before the first allocation of device memory.
void begin_inspection();
/// JSON of everything seen since the last time; empty without an inspector.
std::string take_inspection();
/// Whether what follows is recorded for pictures.
void draw_inspection(bool wanted);

}  // namespace worker
