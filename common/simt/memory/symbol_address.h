// The host knows a __device__ or __constant__ variable by its name;
// its address on the device is another thing.
#pragma once
#include <cstdint>

#include "simt/engine/observer.h"

namespace simt {

/// The variable at this address, if the program has never asked for its address on the device
/// (cudaGetSymbolAddress): then it can only have used the name, which a GPU's runtime takes for host memory.
/// Null for any other address.
const variable* variable_by_name(uintptr_t address);

}  // namespace simt
