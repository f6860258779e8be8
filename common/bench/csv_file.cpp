// A CSV file that is written under another name and renamed when it is complete.
#include "bench/csv_file.h"

#include <cstdio>
#include <filesystem>
#include <stdexcept>

namespace check {

csv_file::csv_file(const std::string& path, const std::vector<std::string>& comments,
                   const std::string& header)
    : path_(path) {
    std::filesystem::create_directories(std::filesystem::absolute(path_).parent_path());
    file_.open(path_ + ".part");
    for (const std::string& comment : comments)
        add("# " + comment);
    add(header);
    if (!file_.flush()) throw std::runtime_error(path_ + ": cannot be written; is the disk full?");
}

void csv_file::add(const std::string& line) {
    file_ << line << '\n';
}

void csv_file::finish() {
    file_.close();
    if (!file_) throw std::runtime_error(path_ + ": cannot be written; is the disk full?");
    std::filesystem::rename(path_ + ".part", path_);
    std::printf("written: %s\n", path_.c_str());
}

}  // namespace check
