// The runtime.
#pragma once
#include "cuda_runtime.h"
