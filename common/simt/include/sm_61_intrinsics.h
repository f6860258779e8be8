// Products of packed bytes (__dp4a), which come with the runtime.
#pragma once
#include "cuda_runtime.h"
