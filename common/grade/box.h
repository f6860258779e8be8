// A box around a student's code: bubblewrap with namespaces of its own, in which nothing of the host is seen
// but what is named here.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace grade {

/// What one box holds beside the system's libraries, an own /proc, an own /dev and an own /tmp.
struct box_contents {
    struct binding {
        std::filesystem::path host, inside;
    };
    bool programs = false;           // the system's programs and headers, too: a compiler is one
    std::vector<binding> read_only;  // files and folders; those that are not there make the box fail
    std::vector<binding> writable;
    std::vector<std::filesystem::path> libraries;  // folders for the loader, beside those of LD_LIBRARY_PATH
    std::vector<std::filesystem::path> devices;    // nodes of /dev beside those that every program has
    std::vector<std::string> environment;          // "NAME=value"; there is nothing else in it
    std::filesystem::path folder = "/";            // where the command starts
    uint64_t scratch_bytes = uint64_t(64) << 20;   // of /tmp, which is memory
};

/// The command line of bwrap that runs `command` in the box. What the command gets of the kernel are
/// namespaces without network, no capability, a session of its own; it ends with whoever started it.
std::vector<std::string> boxed(const box_contents& what, const std::vector<std::string>& command);

/// Why no box can be made here, with the remedy, in one line; "" if one can.
std::string why_no_box();

}  // namespace grade
