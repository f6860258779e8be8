// Patterns of Moodle and Canvas; what fits none is the student's own choice.
#include "grade/students.h"

#include <algorithm>
#include <regex>

namespace grade {

namespace {

// Any byte, a line end too.
#define ANY "[\\s\\S]"

/// "Ada Lovelace_123_assignsubmission_file_conv2d_naive.cu": a folder's ends with "file" or "file_".
bool is_moodle(const std::string& name, entry_name& found) {
    static const std::regex pattern("(" ANY "+_[0-9]+)_assignsubmission_(?:file|onlinetext)_?(" ANY "*)");
    std::smatch parts;
    if (!std::regex_match(name, parts, pattern)) return false;
    found = {parts[1], parts[2]};
    return true;
}

/// "lovelaceada_LATE_123_456_conv2d_naive-1.cu": user, upload, and how often this name came before.
bool is_canvas(const std::string& name, entry_name& found) {
    static const std::regex pattern("(" ANY "+?)(?:_LATE)?_([0-9]+)_[0-9]+_(" ANY "+)");
    static const std::regex counted("(" ANY "+)-[0-9]+(\\.cu|\\.txt)");
    std::smatch parts, file;
    if (!std::regex_match(name, parts, pattern)) return false;
    found.student = parts[1].str() + "_" + parts[2].str();
    found.file = parts[3];
    const std::string with_count = found.file;
    if (std::regex_match(with_count, file, counted)) found.file = file[1].str() + file[2].str();
    return true;
}

#undef ANY

/// "alice_conv2d_naive.cu": the longest that fits, for one lab's name may end with another's.
bool ends_with_hand_in(const std::string& name, const std::vector<std::string>& hand_ins, entry_name& found) {
    size_t longest = 0;
    for (const std::string& file : hand_ins) {
        if (!name.ends_with("_" + file) || file.size() <= longest || name.size() == file.size() + 1) continue;
        longest = file.size();
        found = {name.substr(0, name.size() - file.size() - 1), file};
    }
    return longest > 0;
}

}  // namespace

entry_name read_folder_name(const std::string& name) {
    entry_name found;
    if (is_moodle(name, found) || is_canvas(name, found)) return {found.student, ""};
    return {name, ""};
}

std::string without_copy_number(const std::string& name) {
    static const std::regex counted("([\\s\\S]+) \\([0-9]{1,3}\\)(\\.cu|\\.txt)");
    return std::regex_replace(name, counted, "$1$2");
}

entry_name read_file_name(const std::string& full_name, const std::vector<std::string>& hand_ins) {
    const std::string name = without_copy_number(full_name);
    entry_name found;
    if (is_moodle(name, found) || is_canvas(name, found) || ends_with_hand_in(name, hand_ins, found))
        return found;
    const bool is_hand_in = std::find(hand_ins.begin(), hand_ins.end(), name) != hand_ins.end();
    if (is_hand_in || !name.ends_with(".cu")) return {"", name};
    return {name.substr(0, name.size() - 3), name};
}

}  // namespace grade
