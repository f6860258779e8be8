// Functions of device code, which come with the runtime.
#pragma once
#include "cuda_runtime.h"
