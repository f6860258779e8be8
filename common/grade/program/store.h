// Where results stay: OUT/results/HASH.json for every file that was judged, and for every student and lab
// what counts by now. Everything is written whole and renamed.
#pragma once
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "call/descriptor.h"
#include "report/graded.h"

namespace grade {

class store {
public:
    /// Makes the folder. Throws std::runtime_error if it cannot be written or another grader works in it.
    explicit store(const std::filesystem::path& folder);
    /// The same folder for a task that works for the grader who has it: `work` is a folder of its own in it.
    store(const std::filesystem::path& folder, const std::filesystem::path& work);

    /// The seed of this folder, kept in a file for judges to read: a given one; else that of an earlier run,
    /// so that its results still count; else one that nobody can know.
    std::filesystem::path keep_seed(const std::string& given);
    std::filesystem::path seed_file() const { return folder_ / "seed"; }

    /// The result of a file that was judged before; nothing if there is none or it cannot be read.
    std::optional<report::graded_lab> known(const std::string& hash) const;
    /// How many of these files have a result by now.
    size_t count_known(const std::set<std::string>& hashes) const;
    /// Keeps a result, but not the grader's own trouble: that is tried again.
    void keep(const std::string& hash, const report::graded_lab& result) const;

    /// What counts for this student and lab: `now`, unless that is the grader's own trouble and there is an
    /// earlier result. `earlier` then says so.
    struct counting {
        report::graded_lab result;
        bool earlier = false;
    };
    counting count(const report::graded_lab& now) const;

    const std::filesystem::path& folder() const { return folder_; }
    std::filesystem::path work() const { return work_; }

private:
    std::filesystem::path folder_, work_;
    check::descriptor lock_;
};

/// A file of ours. Both throw std::runtime_error naming it.
std::string read_whole(const std::filesystem::path& file);
/// It is there whole or as it was; until it is whole, the text is in `part`, FILE.part if not said.
void write_whole(const std::filesystem::path& file, const std::string& text,
                 const std::filesystem::path& part = {});

}  // namespace grade
