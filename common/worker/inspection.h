// The inspector, if linked in: inspection_on.o makes a worker an inspected one, inspection_off.o any other.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace worker {

bool is_inspected();
/// To be called before the first allocation of device memory.
void begin_inspection();
/// From the next launch on one of so many blocks of a large grid runs; without an inspector all of them do.
void sample_blocks(uint64_t one_of);
/// Whether tensor cores give twice what they should, from now on; without an inspector never.
void double_products(bool wanted);
/// JSON of everything seen since the last time, and of where the values in `outputs` come from; empty without an
/// inspector.
using host_arrays = std::vector<std::span<const std::byte>>;
std::string take_inspection(const host_arrays& outputs, const host_arrays& inputs);
/// Whether what follows is recorded for pictures.
void draw_inspection(bool wanted);

}  // namespace worker
