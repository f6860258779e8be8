// Counting by the inspector: one row a pattern on standard output.
#include <cstdio>
#include <cstdlib>

#include "inspect/report/report_counters.h"
#include "inspect/watch/inspect.h"
#include "pattern.h"

void begin_counting() {
    inspect::begin();
    std::printf("%s\n", inspect::counters_header().c_str());
}

void count_launch(const char* name) {
    const inspect::report seen = inspect::take();
    if (seen.launches.size() != 1 || !seen.clean()) {
        std::fprintf(stderr, "%s: expected one launch without errors, got\n%s", name,
                     inspect::to_text(seen).c_str());
        std::exit(1);
    }
    std::printf("%s\n", inspect::counters_row(name, seen.launches[0]).c_str());
}
