// The files of a folder of submissions, archives opened in memory: nothing is ever unpacked to disk.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace grade {

/// One file as it was found. Names are a stranger's bytes.
struct found_file {
    std::vector<std::string>
        path;             // from the folder: "alice", "labs", "conv2d_naive.cu"; an archive is a folder
    std::string trouble;  // why it cannot be taken: "is a link"; "" of a regular file of fitting size
    uint64_t size = 0;
    int64_t modified = 0;    // seconds since 1970; 0 if unknown
    std::string bytes;       // if it was wanted
    bool is_folder = false;  // one directly in the folder of submissions, or an archive: it may be empty
};

inline constexpr uint64_t LARGEST_HAND_IN = 1'000'000;  // bytes

/// Everything below `from`, a folder or an archive (zip, tar, tar.gz, tar.bz2, tar.xz), in the order of
/// names. Archives directly in a folder are opened; in an archive that was `from` itself, too. Bytes are kept
/// of files with a `wanted` name. Links are never followed. An archive that cannot be read, or holds too
/// much, is one file with the trouble. Throws std::runtime_error if `from` cannot be read.
std::vector<found_file> find_files(const std::filesystem::path& from,
                                   const std::function<bool(const std::string& name)>& wanted);

/// "alice" of "alice.tar.gz"; "" of a name that is no archive's.
std::string archive_stem(const std::string& name);

}  // namespace grade
