// Names of submissions, as learning platforms give them.
#pragma once
#include <string>
#include <vector>

namespace grade {

/// What the name of something directly in the folder of submissions says.
struct entry_name {
    std::string student;  // "" if it names none
    std::string file;     // of a file: its own name, "conv2d_naive.cu"
};

/// Of a folder, or of an archive without its ending.
entry_name read_folder_name(const std::string& name);

/// "conv2d_naive.cu" of "conv2d_naive (1).cu", as browsers name a file that they loaded before.
std::string without_copy_number(const std::string& name);

/// Of a file. `hand_ins` are the names of all labs' files.
entry_name read_file_name(const std::string& name, const std::vector<std::string>& hand_ins);

}  // namespace grade
