// Who handed in what: from a folder as learning platforms export it to one file a student and lab.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace grade {

/// A file's bytes, or the reason why there is none.
struct handed_file {
    std::string bytes;       // empty if there is no such file
    std::string missing;     // then one sentence; else ""
    bool ambiguous = false;  // there are several, and nothing says which one counts
    std::string submitted;   // the file's time, "2026-11-22T17:18:08Z", or ""
};

/// What one student handed in for one lab: conv2d_naive.cu, and the answers to its questions.
struct hand_in : handed_file {
    std::string lab;  // "05_conv2d_naive"
    handed_file answers;
};

struct submission {
    std::string student;  // as it came, in valid UTF-8
    std::vector<hand_in> labs;
};

/// A student is a folder or an archive in `from`, or a file STUDENT_conv2d_naive.cu there; `from` may be an
/// archive itself. Names of Moodle ("Ada L_123_assignsubmission_file"), Canvas
/// ("lada_123_456_conv2d_naive.cu", "-1" at its end, "LATE" in it) and Gradescope ("submission_123", who
/// becomes "Ada Lovelace (submission_123)" by its submission_metadata.yml of at most 1 MB) are known. A lab's
/// file is the one with its name, or that of a browser's copy ("conv2d_naive (1).cu"), at any depth; of
/// several the one in labs/NN_name/; others of the same bytes do not matter. Each lab has its answers.txt
/// besides: what it is about is known by the first question that it answers. Nothing else of a submission is
/// used. In the order of the students' names. Throws std::runtime_error if `from` cannot be read.
std::vector<submission> find_submissions(const std::filesystem::path& from,
                                         const std::vector<std::string>& labs);

/// All that is in `from`, at any depth, as one student's.
submission find_submission(const std::filesystem::path& from, const std::string& student,
                           const std::vector<std::string>& labs);

}  // namespace grade
