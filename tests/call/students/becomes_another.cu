// Becomes another program before main() begins.
#include "student.h"

#include <errno.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace {

struct change {
    change() {
        const bool again = std::strcmp(program_invocation_name, "again") == 0;
        if (again) std::printf("another program\n");
        if (!again) execl("/proc/self/exe", "again", nullptr);
    }
} at_start;

}  // namespace

void scale(std::span<float> out, std::span<const float> in, float factor, rounding) {
    for (size_t i = 0; i < in.size(); i++)
        out[i] = factor * in[i];
}
