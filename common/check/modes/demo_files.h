// The files that demo and gallery write: tables to which one lab after the other adds rows, and pictures.
#pragma once
#include <string>

namespace check {

/// "sobel x 3x3" -> "sobel_x_3x3"
std::string file_name(std::string text);

/// Appends to the file; the first row of a file brings the header. Throws std::runtime_error naming a file
/// that cannot be written.
void append_csv(const std::string& path, const std::string& header, const std::string& line);

}  // namespace check
