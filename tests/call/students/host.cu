// Does what it should on the host, printing as it goes, and remembers how often it was called.
#include "student.h"

#include <cmath>
#include <cstdio>
#include <iostream>

void scale(std::span<float> out, std::span<const float> in, float factor, rounding mode) {
    static int calls = 0;
    std::printf("call %d\n", ++calls);
    std::cerr << "of " << in.size() << "\n";
    for (size_t i = 0; i < in.size(); i++)
        out[i] = mode == rounding::down ? std::floor(factor * in[i]) : factor * in[i];
}
