// cuda_runtime_api.h: what programs ask for by this name is in cuda_runtime.h.
#pragma once
#include "cuda_runtime.h"
