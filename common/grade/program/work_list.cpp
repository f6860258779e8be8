// Both ends of a list: who writes it, and the task that works through it.
#include "grade/program/work_list.h"

#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "grade/program/workbook.h"

namespace grade {

namespace fs = std::filesystem;

namespace {

fs::path source_file(const fs::path& list, const std::string& hash) {
    return list.parent_path() / (hash + ".cu");
}

std::vector<job> read_work_list(const fs::path& list) {
    constexpr size_t SHOWN_DIGITS = 12;
    std::vector<job> jobs;
    std::istringstream lines(read_whole(list));
    for (std::string hash, lab; lines >> hash >> lab;)
        jobs.push_back({lab, read_whole(source_file(list, hash)), hash, hash.substr(0, SHOWN_DIGITS), {}});
    return jobs;
}

/// A folder that no other task has, even if two of them work through one list.
class own_folder {
public:
    explicit own_folder(const fs::path& beside) {
        std::string name = (beside / "task-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + ": cannot be made");
        path_ = name;
    }
    ~own_folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    own_folder(const own_folder&) = delete;
    own_folder& operator=(const own_folder&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

/// Other nodes could have another folder of this name, or somebody has built it anew.
void require_same_workbook(const std::vector<job>& jobs, const grading& how) {
    result_names names(read_whole(how.seed_file), how);
    for (const job& one : jobs)
        if (names.name(one.lab, sha256(one.source)) != one.hash)
            throw std::runtime_error(
                fs::current_path().string() +
                ": the workbook or the seed here is another than when this was submitted");
}

}  // namespace

fs::path trouble_file(const fs::path& list, const std::string& hash) {
    return list.parent_path() / (hash + ".trouble");
}

void write_work_list(const fs::path& list, const std::vector<const job*>& jobs) {
    std::string lines;
    for (const job* one : jobs) {
        write_whole(source_file(list, one->hash), one->source);
        lines += one->hash + " " + one->lab + "\n";
    }
    write_whole(list, lines);
}

void judge_work_list(const fs::path& list, const fs::path& out, grading how, unsigned at_once) {
    const own_folder place(list.parent_path());
    const store results(out, place.path());
    how.folder = results.work();
    how.seed_file = results.seed_file();
    std::vector<job> jobs = read_work_list(list);
    require_same_workbook(jobs, how);
    run_jobs(jobs, how, results, at_once);
    for (const job& one : jobs)
        if (!has_mark(one.result)) write_whole(trouble_file(list, one.hash), one.result.message);
}

}  // namespace grade
