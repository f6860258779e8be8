// Keeps verdicts.
#include "author/mutants/verdicts.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "author/mutants/number.h"
#include "author/regions.h"

namespace fs = std::filesystem;

namespace author {
namespace {

constexpr size_t CELLS = 9;  // the last is "." : a line that was cut short has none

std::string to_csv(const verdict& one) {
    std::ostringstream line;
    line << one.key << ',' << one.id << ',' << one.result << ',' << one.check << ',' << one.how << ','
         << one.wrong_images << ',' << one.diagnosed << ',' << one.seconds << ",.\n";
    return line.str();
}

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream rest(line);
    for (std::string cell; std::getline(rest, cell, ',');)
        cells.push_back(cell);
    return cells;
}

/// Files whose text says how a lab's worker is made and judged; the student's own is none of them.
std::vector<fs::path> files_of_judge(const std::string& lab) {
    std::vector<fs::path> files = {"build/compiler", "common/build/worker.sh", "common/build/judge_mutant.sh",
                                   "tests/" + lab + ".cpp"};
    const auto add_all = [&](const fs::path& folder, bool headers) {
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file() && (!headers || entry.path().extension() == ".h"))
                files.push_back(entry.path());
    };
    for (const char* room : {"simt", "inspect", "lab", "call", "worker", "problem", "diagnose", "check"})
        add_all(fs::path("common") / room, false);
    add_all(fs::path("labs") / lab, true);
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::string key_of_judge(const std::string& lab) {
    std::string all;
    for (const fs::path& file : files_of_judge(lab))
        all += file.generic_string() + "\n" + read_text(file);
    return number_of(all, 16);
}

std::string key_of(const std::string& judge, const mutant& one) {
    return number_of(judge + one.text, 16);
}

verdict_file::verdict_file(fs::path file) : file_(std::move(file)) {
    if (!fs::exists(file_)) return;
    const std::string text = read_text(file_);
    if (!text.ends_with('\n')) std::ofstream(file_, std::ios::app) << '\n';  // its writer was killed
    for (const std::string& line : lines_of(text)) {
        const auto cells = cells_of(line);
        if (cells.size() != CELLS || cells.back() != ".") continue;
        read_[cells[0]] = {cells[0], cells[1],
                           cells[2], cells[3],
                           cells[4], std::atoi(cells[5].c_str()),
                           cells[6], std::atof(cells[7].c_str())};
    }
}

const verdict* verdict_file::find(const std::string& key) const {
    const auto found = read_.find(key);
    return found == read_.end() ? nullptr : &found->second;
}

void verdict_file::add(const verdict& one) {
    read_[one.key] = one;
    fs::create_directories(file_.parent_path());
    std::ofstream file(file_, std::ios::app);
    file << to_csv(one) << std::flush;
    if (!file) throw std::runtime_error(file_.string() + ": cannot be written");
}

}  // namespace author
