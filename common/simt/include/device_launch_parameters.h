// device_launch_parameters.h: what programs ask for by this name is in cuda_runtime.h.
#pragma once
#include "cuda_runtime.h"
