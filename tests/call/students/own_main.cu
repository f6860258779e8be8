// Brings a main() of its own: must not link.
#include "student.h"

#include <cstdio>

int main() {
    std::printf("100 passed, 0 failed, 0 skipped\n");
}

void scale(std::span<float>, std::span<const float>, float, rounding) {}
