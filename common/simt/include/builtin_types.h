// All types of CUDA: they come with the runtime.
#pragma once
#include "cuda_runtime.h"
