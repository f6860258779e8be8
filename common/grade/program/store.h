// Where results stay: OUT/results/HASH.json for every file that was judged, and for every student and lab
// what counts by now. Everything is written whole and renamed.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "call/descriptor.h"
#include "grade/graded.h"

namespace grade {

class store {
public:
    /// Makes the folder. Throws std::runtime_error if it cannot be written or another grader works in it.
    explicit store(const std::filesystem::path& folder);

    /// The seed of this folder, kept in a file for judges to read: a given one; else that of an earlier run,
    /// so that its results still count; else one that nobody can know.
    std::filesystem::path keep_seed(const std::string& given);

    /// The result of a file that was judged before; nothing if there is none or it cannot be read.
    std::optional<graded_lab> known(const std::string& hash) const;
    /// Keeps a result, but not the grader's own trouble: that is tried again.
    void keep(const std::string& hash, const graded_lab& result) const;

    /// What counts for this student and lab: `now`, unless that is the grader's own trouble and there is an
    /// earlier result. `earlier` then says so.
    struct counting {
        graded_lab result;
        bool earlier = false;
    };
    counting count(const graded_lab& now) const;

    std::filesystem::path work() const { return folder_ / "work"; }

private:
    std::filesystem::path folder_;
    check::descriptor lock_;
};

/// A file of ours. Both throw std::runtime_error naming it.
std::string read_whole(const std::filesystem::path& file);
/// It is there whole or as it was.
void write_whole(const std::filesystem::path& file, const std::string& text);

}  // namespace grade
