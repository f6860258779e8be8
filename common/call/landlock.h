// Which files a worker may open: the kernel's Landlock.
#pragma once
#include <filesystem>
#include <vector>

#include "call/descriptor.h"

namespace check {

/// The worker itself, the libraries of the system and of this judge, and what they ask of the machine may be
/// read. Nothing may be written, listed or run besides; no TCP, and no signal to a process outside.
class file_ruleset {
public:
    /// Throws std::runtime_error if the kernel refuses a rule. Paths that this machine lacks are passed over.
    explicit file_ruleset(const std::filesystem::path& worker);

    /// For this process and all that it becomes, which has given up new privileges; its own folder in /proc
    /// may be read too. 0, or the error number of the refusal. Safe between fork and exec.
    int enforce() const;

private:
    descriptor ruleset_;
    // Files of /proc are known by what is in memory of them: they must stay there while the rules hold.
    std::vector<descriptor> kept_;
};

/// From now on this process may read of all files only facts of the machine: no library, nothing of any process, not
/// even of its own. For a process that has all it needs in memory. 0, or the error number of the refusal.
int read_facts_only();

/// The folders of LD_LIBRARY_PATH that are there; none that holds the current folder, where this workbook is.
std::vector<std::filesystem::path> named_library_folders();

/// The folder that DEPS names, build/deps if none: include/, lib/ and bin/ of packages that the system lacks. "" if it is
/// not there.
std::filesystem::path packages_folder();

/// What keeps this kernel from such rules; null if nothing does.
const char* why_no_file_ruleset();

}  // namespace check
