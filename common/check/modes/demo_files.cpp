// The files that demo and gallery write.
#include "check/modes/demo_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace check {

std::string file_name(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return text;
}

void append_csv(const std::string& path, const std::string& header, const std::string& line) {
    const bool fresh = !std::filesystem::exists(path);
    std::ofstream file(path, std::ios::app);
    if (fresh) file << header << '\n';
    file << line << '\n';
    if (!file.flush()) throw std::runtime_error(path + ": cannot be written; is the disk full?");
}

}  // namespace check
