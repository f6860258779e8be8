// What kernels include: errors, device memory, filters, timing. One line, every lab.
#pragma once
#include "lab/buffer.h"
#include "lab/errors.h"
#include "lab/filter.h"
#include "lab/timing.h"

using namespace lab;  // student code reads better without a prefix at every call
