// A CSV file that is written under another name and renamed when it is complete.
#pragma once
#include <fstream>
#include <string>
#include <vector>

namespace check {

class csv_file {
public:
    /// Makes the folder and writes the comments, each behind a #, and the header. Throws std::runtime_error
    /// naming a path that cannot be written.
    csv_file(const std::string& path, const std::vector<std::string>& comments, const std::string& header);

    void add(const std::string& line);
    /// Says on the screen where the file is. Throws std::runtime_error if not all of it could be written.
    void finish();

private:
    std::string path_;
    std::ofstream file_;
};

}  // namespace check
