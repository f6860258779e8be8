// Reads archives in memory, with limits: they come from strangers.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "grade/found_files.h"

namespace grade {

/// What is in an archive, by the names in it without "." and "..". `inner` are the bytes of an archive; a
/// path is read where they are empty. `most_kept` says by its name how many bytes of a file are wanted; of one
/// that has more, some more are kept, so that it shows.
/// Throws std::runtime_error with the reason if it is no archive, is damaged or holds too much.
std::vector<found_file> read_archive(const std::filesystem::path& path, const std::string& inner,
                                     const std::function<uint64_t(const std::string& name)>& most_kept);

}  // namespace grade
