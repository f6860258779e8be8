// Parts of the workbook, which is the current folder.
#include "grade/program/workbook.h"

#include <algorithm>
#include <stdexcept>

#include "grade/run_program.h"

namespace grade {

namespace fs = std::filesystem;

namespace {

constexpr double SUM_SECONDS = 60;

/// What sha256sum says; throws unless all went well.
std::string sums_of(const std::vector<std::string>& files, const std::string& input) {
    std::vector<std::string> command = {"sha256sum"};
    command.insert(command.end(), files.begin(), files.end());
    const program_end end = run_program(command, SUM_SECONDS, {}, input);
    if (!end.succeeded()) throw std::runtime_error("sha256sum " + end.text() + ": " + end.output);
    return end.output;
}

/// Of headers and a compiler that are known as well; its bytes are others every time.
const std::string COMPILED_HEADERS = "build/prelude";

/// The file itself, or all files in a folder, in the order of names.
void add_files(std::vector<std::string>& files, const std::string& part) {
    if (!fs::exists(part)) throw std::runtime_error(part + " is missing: make grade builds it");
    if (!fs::is_directory(part)) {
        files.push_back(part);
        return;
    }
    std::vector<std::string> inside;
    for (const auto& entry : fs::recursive_directory_iterator(part))
        if (entry.is_regular_file()) inside.push_back(entry.path().string());
    std::sort(inside.begin(), inside.end());
    files.insert(files.end(), inside.begin(), inside.end());
}

}  // namespace

std::string sha256(const std::string& bytes) {
    constexpr size_t DIGITS = 64;
    return sums_of({}, bytes).substr(0, DIGITS);
}

std::string hand_in_name(const std::string& lab) {
    return lab.substr(lab.find('_') + 1) + ".cu";
}

std::vector<std::string> compiling_parts(const std::string& lab, bool gpu) {
    std::vector<std::string> parts = {
        "common/build/worker.sh", "common/build/symbols.sh",  "common/build/outside_calls.sh",
        "common/simt/simtcc",     "common/worker/standard.h", "build/link.flags",
        "common/simt/include",    COMPILED_HEADERS,           "build/bin/rewrite",
        "build/compiler",         "build/glue/" + lab + ".o", "build/lib/libworker.a",
        "build/lib/liblab.a",     "build/lib/libinspect.a",   "build/lib/libcufft.a",
        "build/lib/libsimt.a",    "build/lib/free.names",     "build/obj/worker/inspection_on.o"};
    if (gpu)
        parts.insert(parts.end(),
                     {"common/build/nvcc_report.sh", "build/gpu/compiler", "build/gpu/libworker.a"});
    for (const std::string& folder : {std::string("common/lab"), "labs/" + lab})
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".h") parts.push_back(entry.path().string());
    std::sort(parts.begin(), parts.end());
    return parts;
}

std::string workbook_sum(const std::string& lab, bool gpu) {
    std::vector<std::string> files;
    for (const std::string& part : compiling_parts(lab, gpu))
        if (part != COMPILED_HEADERS) add_files(files, part);
    add_files(files, "build/tests/" + lab);
    add_files(files, "build/bin/boxed");
    return sha256(sums_of(files, ""));
}

result_names::result_names(const std::string& seed, const grading& how)
    : seed_sum_(sha256(seed)), how_(how.boxes ? "" : " unsafe"), gpu_(how.gpu()) {
    if (gpu_) how_ += " " + how.nvcc + " " + how.nvcc_flags;
}

std::string result_names::name(const std::string& lab, const std::string& source_hash) {
    std::string& sum = sum_of_[lab];
    if (sum.empty()) sum = workbook_sum(lab, gpu_);
    return sha256(lab + " " + source_hash + " " + sum + how_ + " " + seed_sum_);
}

}  // namespace grade
