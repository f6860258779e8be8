// What of the workbook a submission meets: the parts that make a worker of it, and their sum.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grade/program/grade_one.h"

namespace grade {

/// Sum by sha256sum(1) of some bytes, 64 hex digits. Throws std::runtime_error if it is missing.
std::string sha256(const std::string& bytes);

/// "conv2d_naive.cu" of "05_conv2d_naive".
std::string hand_in_name(const std::string& lab);

/// Files and folders, by their paths in the workbook, that common/build/worker.sh reads to make an inspected
/// worker of a file of this lab, and with `gpu` one for the GPU. Nothing else of the workbook is public when a stranger's file is compiled.
std::vector<std::string> compiling_parts(const std::string& lab, bool gpu);

/// Sum of these parts, the judge and the box: another one, another result. Throws std::runtime_error naming
/// the part that is missing.
std::string workbook_sum(const std::string& lab, bool gpu);

/// Names of results: the hash of lab, file, workbook, box, GPU's compiler and seed.
class result_names {
public:
    /// `seed` is what the file of the seed holds.
    result_names(const std::string& seed, const grading& how);
    /// `source_hash` is the sha256 of the file. Throws as workbook_sum().
    std::string name(const std::string& lab, const std::string& source_hash);

private:
    std::string seed_sum_, how_;
    bool gpu_;
    std::map<std::string, std::string> sum_of_;  // by lab
};

}  // namespace grade
