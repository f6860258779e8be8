// Landlock by its system calls: libc has no functions for them, and headers know the kernel of their day.
#include "call/landlock.h"

#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

namespace check {
namespace {

namespace fs = std::filesystem;

constexpr long CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446;  // on all processors

struct ruleset_attributes {
    uint64_t files, tcp, scopes;
};
struct [[gnu::packed]] path_attributes {
    uint64_t allowed;
    int32_t below;
};

// What can be done with files.
constexpr uint64_t EXECUTE = 1, READ_FILE = 1 << 2, READ_FOLDER = 1 << 3;
constexpr uint64_t OF_VERSION_1 = (1 << 13) - 1, MOVE = 1 << 13, TRUNCATE = 1 << 14, DEVICE_IOCTL = 1 << 15;
constexpr uint64_t TCP = 3;     // bind and connect
constexpr uint64_t SCOPES = 3;  // abstract sockets and signals of processes outside

/// The version of Landlock that this kernel has; 0 and errno if none.
int version() {
    constexpr unsigned ASK_VERSION = 1;
    return int(std::max(0l, syscall(CREATE_RULESET, nullptr, size_t(0), ASK_VERSION)));
}

/// All that this kernel can refuse.
ruleset_attributes everything() {
    const int known = version();
    ruleset_attributes all{OF_VERSION_1, 0, 0};
    if (known >= 2) all.files |= MOVE;
    if (known >= 3) all.files |= TRUNCATE;
    if (known >= 4) all.tcp = TCP;
    if (known >= 5) all.files |= DEVICE_IOCTL;
    if (known >= 6) all.scopes = SCOPES;
    return all;
}

/// Not even the contents are read through a descriptor of this kind.
int open_place(const char* path) {
    return open(path, O_PATH | O_CLOEXEC);
}

int allow(int ruleset, int place, uint64_t what) {
    constexpr int BELOW_PATH = 1;
    const path_attributes rule{what, place};
    return syscall(ADD_RULE, ruleset, BELOW_PATH, &rule, 0u) == 0 ? 0 : errno;
}

bool is_folder(int place) {
    struct stat status {};
    return fstat(place, &status) == 0 && S_ISDIR(status.st_mode);
}

/// A folder that holds this workbook is no folder of libraries, whatever it is called.
bool holds_current_folder(const fs::path& folder) {
    std::error_code error;
    const fs::path here = fs::current_path(error), there = fs::canonical(folder, error);
    if (error) return true;
    return std::mismatch(there.begin(), there.end(), here.begin(), here.end()).first == there.end();
}

}  // namespace

std::vector<fs::path> named_library_folders() {
    const char* const named = std::getenv("LD_LIBRARY_PATH");
    std::vector<fs::path> folders;
    std::istringstream list(named == nullptr ? "" : named);
    for (std::string folder; std::getline(list, folder, ':');)
        if (std::error_code error;
            folder.starts_with('/') && fs::is_directory(folder, error) && !holds_current_folder(folder))
            folders.emplace_back(folder);
    return folders;
}

fs::path packages_folder() {
    const char* const named = std::getenv("DEPS");
    std::error_code error;
    const fs::path folder = fs::absolute(named == nullptr ? "build/deps" : named, error);
    return fs::is_directory(folder, error) ? folder : "";
}

namespace {

/// Where the loader looks, and where it found what this process, built by the same compiler, is made of.
std::set<std::string> library_folders() {
    std::set<std::string> folders = {"/lib",       "/lib64",         "/usr/lib",
                                     "/usr/lib64", "/usr/local/lib", "/usr/local/lib64"};
    for (const fs::path& folder : named_library_folders())
        folders.insert(folder.string());
    if (const fs::path own = packages_folder(); !own.empty())
        folders.insert({(own / "lib").string(), (own / "lib64").string()});
    dl_iterate_phdr(
        [](dl_phdr_info* object, size_t, void* to) {
            static_cast<std::set<std::string>*>(to)->insert(fs::path(object->dlpi_name).parent_path());
            return 0;
        },
        &folders);
    std::erase_if(folders, [](const std::string& folder) {
        return !folder.starts_with('/') || holds_current_folder(folder);
    });
    return folders;
}

/// What libc and the CPU backend look up: libraries, the zone of the clock, how much memory and how many
/// processors there are, chance.
constexpr const char* FACTS[] = {"/etc/ld.so.cache",
                                 "/etc/ld.so.preload",
                                 "/etc/localtime",
                                 "/proc/meminfo",
                                 "/proc/stat",
                                 "/proc/sys/vm/overcommit_memory",
                                 "/sys/devices/system/cpu/online",
                                 "/sys/fs/cgroup/memory.max",
                                 "/sys/fs/cgroup/memory.current",
                                 "/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                 "/sys/fs/cgroup/memory/memory.usage_in_bytes",
                                 "/dev/urandom"};

}  // namespace

file_ruleset::file_ruleset(const fs::path& worker) {
    const ruleset_attributes all = everything();
    const auto check_refusal = [](const std::string& what, int error) {
        if (error != 0) throw std::runtime_error("Landlock refuses " + what + ": " + std::strerror(error));
    };
    ruleset_ = descriptor(int(syscall(CREATE_RULESET, &all, sizeof all, 0u)));
    if (ruleset_.get() < 0 || !ruleset_.move_away()) check_refusal("a set of rules", errno);
    const auto grant = [&](const std::string& path, uint64_t what) {
        descriptor place(open_place(path.c_str()));
        if (place.get() < 0) return;
        const uint64_t fitting = is_folder(place.get()) ? what : what & ~READ_FOLDER;
        check_refusal(path, allow(ruleset_.get(), place.get(), fitting));
        kept_.push_back(std::move(place));
    };
    grant(worker.string(), READ_FILE | EXECUTE);
    for (const std::string& folder : library_folders())
        grant(folder, READ_FILE | READ_FOLDER | EXECUTE);
    for (const char* fact : FACTS)
        grant(fact, READ_FILE);
}

int file_ruleset::enforce() const {
    const int own = open_place("/proc/self");  // a crash's line is looked up by the maps that are in there
    if (own >= 0) {
        const int error = allow(ruleset_.get(), own, READ_FILE | READ_FOLDER);
        close(own);
        if (error != 0) return error;
    }
    return syscall(RESTRICT_SELF, ruleset_.get(), 0u) == 0 ? 0 : errno;
}

int read_facts_only() {
    const ruleset_attributes all = everything();
    const descriptor rules(int(syscall(CREATE_RULESET, &all, sizeof all, 0u)));
    if (rules.get() < 0) return errno;
    for (const char* fact : FACTS) {
        const descriptor place(open_place(fact));
        const int error = place.get() < 0 ? 0 : allow(rules.get(), place.get(), READ_FILE);
        if (error != 0) return error;
    }
    return syscall(RESTRICT_SELF, rules.get(), 0u) == 0 ? 0 : errno;
}

const char* why_no_file_ruleset() {
    return version() > 0 ? nullptr : std::strerror(errno);
}

}  // namespace check
