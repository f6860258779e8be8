// Recorded files of times, row by row, and what a table in a handout is made of.
#pragma once
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace author {

using csv_row = std::map<std::string, std::string, std::less<>>;  // by the names of the columns

/// The rows of a CSV text without its comments; a field in quotes has no quote inside.
std::vector<csv_row> rows_of(const std::string& csv);

/// Throws std::runtime_error naming the column if the row has none of that name.
const std::string& cell(const csv_row& row, std::string_view column);

/// The filter of a row of times: "7 x 33", width x height.
std::string filter_of(const csv_row& row);

/// Nobody has measured yet what would stand in `file`.
struct not_recorded : std::runtime_error {
    explicit not_recorded(const std::string& file)
        : std::runtime_error(file + ": no such file"), file(file) {}
    std::string file;
};

/// The kernel times of a method in milliseconds, by filter, from the recorded file of its lab in the folder
/// `measured` ("05_conv2d_naive.fast" for that of its fast.cu): images of width x height pixels with one
/// channel. Throws not_recorded if there is no such file.
std::map<std::string, double> recorded_ms(const std::string& measured, const std::string& lab,
                                          const std::string& method, int width, int height);

/// As printf; for one number.
std::string written(const char* format, double value);

/// Milliseconds with three digits that count.
std::string written_ms(double ms);

/// The time of a filter as a cell of a table; empty if none is recorded.
std::string cell_of(const std::map<std::string, double>& recorded, const std::string& filter);

inline constexpr const char* FAST = ".fast";  // after a lab's name: its fast.cu

/// "05_conv2d_naive" -> "05"
std::string number_of(const std::string& lab);

/// One line of a table in Markdown; "-" for an empty cell.
std::string line_of(const std::string& first, const std::vector<std::string>& cells);

/// The lines that begin every table: its headings and what divides them from the rest.
std::string headings_of(const std::string& first, const std::vector<std::string>& cells);

}  // namespace author
