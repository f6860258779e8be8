// The inspector's report of a program, a fact a line.
#include <algorithm>
#include <cstdio>

#include "../fidelity/pattern.h"
#include "harness.h"
#include "inspect/watch/inspect.h"
#include "simt/memory/allocations.h"

/// Without blanks.
static std::string word(std::string name) {
    std::replace(name.begin(), name.end(), ' ', '_');
    return name.empty() ? "-" : name;
}

static void print(const inspect::launch& seen, const inspect::variable_traffic& variable,
                  const char* direction, const inspect::traffic& what) {
    if (what.requests == 0) return;
    const uint64_t cost = variable.space == "global" ? what.sectors : what.wavefronts;
    std::printf("count %s %s %s = %llu %llu %llu\n", seen.kernel.c_str(), word(variable.name).c_str(),
                direction, (unsigned long long)what.lanes, (unsigned long long)what.requests,
                (unsigned long long)cost);
}

void begin_counting() {
    inspect::begin();
    name_memory = [](const void* device, const char* name) {
        simt::label_allocation(reinterpret_cast<uintptr_t>(device), name, false);
    };
}

void count_launch(const char*) {
    const inspect::report seen = inspect::take();
    for (const inspect::launch& launch : seen.launches) {
        for (const inspect::variable_traffic& variable : launch.variables) {
            print(launch, variable, "load", variable.seen.loads);
            print(launch, variable, "store", variable.seen.stores);
            print(launch, variable, "atomic", variable.seen.atomics);
        }
    }
    for (const inspect::finding& one : seen.findings) {
        if (one.kind == "leak") continue;
        std::printf("finding %s %d %d %s | %s\n", one.kind.c_str(), one.line, one.other_line,
                    word(one.variable).c_str(), one.text.c_str());
    }
}
