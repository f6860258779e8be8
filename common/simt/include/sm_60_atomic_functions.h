// Atomic operations of scopes and on double, which come with the runtime.
#pragma once
#include "cuda_runtime.h"
