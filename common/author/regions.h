// A solution's regions: the lines a student has to write,
// between `// begin 01.2 Sentence.` and `// end 01.2`.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace author {

/// A line of a file, without its newline.
struct code_line {
    int number;  // from 1
    std::string text;
};

/// One region.
struct region {
    std::string id;                     // "01.2"
    std::string sentence;               // the imperative after the id, ends with a full stop
    std::string indent;                 // of the begin line
    std::vector<code_line> code;        // what stands between the markers, comments and blank lines too
    std::vector<std::string> stand_in;  // what the skeleton has in its place, from `// skeleton: CODE` lines

    int code_lines() const;  // lines that hold more than a comment
};

/// A piece of a solution: either a region or one line outside all regions.
struct piece {
    bool is_region = false;
    region inside;
    code_line line;
};

using solution = std::vector<piece>;

/// Reads a solution. A long sentence goes on in the comment lines that follow, up to its full stop.
/// Throws std::runtime_error "FILE:LINE: trouble" on markers that do not pair up, nest, repeat an id, have no
/// sentence, hold no code, or have a number that is not the lab's (the folder is called NN_name).
solution read_solution(const std::filesystem::path& file);

/// The skeleton's text: every region replaced by its TODO line.
std::string skeleton_of(const solution& what);

/// The solution's text with only the region `id` replaced by its TODO line.
std::string without_region(const solution& what, const std::string& id);

/// The solution's text with the regions up to `id`, in working order, and the TODO lines of those that follow.
std::string up_to_region(const solution& what, const std::string& id);

/// The ids of all regions, by their numbers: "01.9" before "01.10".
std::vector<std::string> working_order(const solution& what);

std::vector<region> regions_of(const solution& what);

/// All lines but the markers' own: begin with its sentence, end, stand-ins.
std::vector<code_line> code_of(const solution& what);

/// "solutions/05_conv2d_naive" -> its conv2d_naive.cu. Throws
/// std::runtime_error if the folder is not called NN_name.
std::filesystem::path solution_in(const std::filesystem::path& folder);

/// The files of a folder that end in .cu, in order; none if there is no such folder.
std::vector<std::filesystem::path> kernels_in(const std::filesystem::path& folder);

/// The whole file. Throws std::runtime_error naming it.
std::string read_text(const std::filesystem::path& file);

/// Writes through a temporary name, and only if the file
/// does not hold this text yet. Returns whether it wrote.
bool write_text(const std::filesystem::path& file, const std::string& text);

/// Without blanks and tabs around it.
std::string trimmed(const std::string& text);

/// The lines of a text, without their newlines.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace author
