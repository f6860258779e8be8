// Asynchronous copies from global to shared memory (__pipeline_*).
// A copy is carried out as late as the program allows: when the thread waits for it.
// A kernel that forgets to wait, or to synchronise afterwards, reads NaN.
#pragma once
#include "cuda_runtime.h"
#include "simt/pipeline.h"
