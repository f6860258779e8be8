// Of the toolkit: how many blocks a multiprocessor takes. Here cudaOccupancyMaxActiveBlocksPerMultiprocessor() tells.
#pragma once
#include <cuda_runtime.h>
