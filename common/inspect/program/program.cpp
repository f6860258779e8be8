// Inspects the program that it is linked into, from before main() to the end: cucc makes such programs.
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "inspect/program/by_kernel.h"
#include "inspect/watch/inspect.h"

// What cucc was asked for, in an object file of its own.
extern "C" {
extern const int cucc_mistakes_exit_code;             // 0: the program's own
extern const char cucc_json_file[], cucc_csv_file[];  // empty: none
}

namespace {

/// What goes wrong is said; the program's own result stands.
void write(const char* file, const std::string& text) {
    if (*file == '\0') return;
    std::ofstream out(file);
    out << text;
    out.close();
    if (!out) std::fprintf(stderr, "cucc: cannot write %s\n", file);
}

void tell(int, void*) {
    const inspect::kernel_report seen = inspect::by_kernel(inspect::take());
    std::fflush(stdout);
    std::fputs(to_text(seen).c_str(), stderr);
    write(cucc_json_file, to_json(seen));
    write(cucc_csv_file, to_csv(seen));
    if (cucc_mistakes_exit_code == 0 || seen.seen.clean()) return;
    std::fflush(nullptr);
    _exit(cucc_mistakes_exit_code);
}

// Linked first, it is asked before any object of the program is made, and therefore told after all are gone.
const bool has_begun = (inspect::begin(), on_exit(tell, nullptr) == 0);

}  // namespace
