// What selfcheck demands of a lab, and where it writes down whether the lab keeps it.
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace author {

/// Counts promises kept and keeps a sentence for each broken one.
struct ledger {
    int kept = 0, left_out = 0;  // left out: cases that were not cut
    std::vector<std::string> broken;

    /// Enters one promise; `otherwise` says what is wrong if it is not kept. Returns `promise`.
    bool expect(bool promise, const std::string& otherwise);
};

/// One check of a judge's report.
struct check_result {
    std::string name, how, message;  // message: the first line of what the check said
    double points = 0, of = 0;
    int wrong_images = 0;
    bool ran = true;
    std::vector<std::string> failing;                        // its methods that fail
    std::set<std::string> diagnosed, diagnosed_from_output;  // ids of diagnose/causes.h
};

/// A judge's report on one case. `trouble` is empty exactly if there is one.
struct judgement {
    std::string trouble;
    double points = 0, of = 0;
    std::vector<check_result> checks;
    std::string start_with;                    // what the student is to mend first, as it is told
    std::map<std::string, std::string> todos;  // id and state, where the judge knew of them

    bool full() const { return trouble.empty() && points == of; }
    bool whole() const;              // every check ran
    bool crashed() const;            // some check ended in something else than a judged result
    std::string first_lost() const;  // "'name': message" of the first check that lost points, "" if none did
    bool loses(const std::string& name) const;
    int wrong_images() const;
};

/// Reads CASE.json; where the case did not build or the judge gave up, takes the reason from CASE.log.
judgement read_judgement(const std::filesystem::path& json);

/// Wrong kernels whose images are wrong, and those of them whose cause was named.
struct diagnosis_count {
    int spoiled = 0, named = 0, from_output = 0;
    diagnosis_count& operator+=(const diagnosis_count& other);
    double rate() const { return spoiled == 0 ? 1.0 : double(named) / spoiled; }
};
inline constexpr double LEAST_DIAGNOSED = 0.7;

/// A lab as the table shows it.
struct lab_row {
    std::string key;  // "05_conv2d_naive"
    std::string skeleton, solution, fast, wrong, right, regions;
    diagnosis_count diagnosed;
};

/// Checks all promises of the lab `key` but the leaks. `cases` is the folder with its judged cases.
lab_row check_lab(ledger& book, const std::string& key, const std::filesystem::path& cases);

/// "diagnosed 134 of 150 (89 %), 104 of them from the output alone".
std::string to_text(const diagnosis_count& count);

/// Fails for every line of a region or of a fast.cu that stands in one of
/// `places` (folders, searched through), unless the line is short or some
/// solution has it outside its regions: then it is given to students anyway.
void check_leaks(ledger& book, const std::vector<std::string>& keys,
                 const std::vector<std::filesystem::path>& places);

/// README.md's table of labs, and the text of README.md with that table between its markers.
/// Throws std::runtime_error if the markers are missing.
std::string readme_with_table(const std::string& readme, const std::vector<std::string>& keys);

}  // namespace author
