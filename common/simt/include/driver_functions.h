// make_cudaExtent and its like, which come with the runtime.
#pragma once
#include "cuda_runtime.h"
