// Reads the memory left from /proc/meminfo and the limit of the control group.
#include "simt/memory/available_memory.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace simt {
namespace {

/// The number a one-line file holds; SIZE_MAX for a missing file or the word "max".
size_t number_in(const char* path) {
    std::ifstream file(path);
    size_t value = 0;
    return file >> value ? value : SIZE_MAX;
}

size_t machine_memory() {
    std::ifstream file("/proc/meminfo");
    std::string name;
    size_t kilobytes = 0;
    while (file >> name >> kilobytes) {
        if (name == "MemAvailable:") return kilobytes * 1024;
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return SIZE_MAX;
}

size_t left_below(const char* limit_path, const char* usage_path) {
    const size_t limit = number_in(limit_path);
    const size_t usage = number_in(usage_path);
    if (limit == SIZE_MAX || usage == SIZE_MAX) return SIZE_MAX;
    return limit > usage ? limit - usage : 0;
}

}  // namespace

size_t available_memory() {
    const size_t group = left_below("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
    const size_t older_group = left_below("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                          "/sys/fs/cgroup/memory/memory.usage_in_bytes");
    return std::min({machine_memory(), group, older_group});
}

}  // namespace simt
