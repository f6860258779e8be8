// On a GPU the profiler counts.
#include "pattern.h"

void begin_counting() {}
void count_launch(const char*) {}
