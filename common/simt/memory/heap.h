// The heap: device memory that kernels get by malloc and new and give back by free and delete.
#pragma once
#include <cstddef>
#include <cstdint>

#include "simt/engine/observer.h"

namespace simt {

/// Makes room for it, if it is not there yet. Call it before a launch.
void prepare_heap();

/// cudaLimitMallocHeapSize: bytes that kernels can have at a time.
size_t heap_limit();
void set_heap_limit(size_t bytes);

/// So many bytes, unwritten (engine/unwritten.h); null if they do not fit.
void* take_from_heap(size_t bytes, uintptr_t site);
enum class given_back { done, twice, never_taken };
given_back give_to_heap(void* memory);

bool is_in_heap(uintptr_t address);

}  // namespace simt
