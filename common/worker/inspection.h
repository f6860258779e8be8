// The inspector, if linked in: inspection_on.o makes a worker an inspected one, inspection_off.o any other.
#pragma once
#include <cstdint>
#include <string>

namespace worker {

/// To be called before the first allocation of device memory.
void begin_inspection();
/// From the next launch on one of so many blocks of a large grid runs; without an inspector all of them do.
void sample_blocks(uint64_t one_of);
/// JSON of everything seen since the last time; empty without an inspector.
std::string take_inspection();
/// Whether what follows is recorded for pictures.
void draw_inspection(bool wanted);

}  // namespace worker
