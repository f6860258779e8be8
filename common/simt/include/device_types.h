// Types of device code: they come with the runtime.
#pragma once
#include "cuda_runtime.h"
