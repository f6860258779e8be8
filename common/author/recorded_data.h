// Single numbers of recorded and published files, by the short names that texts use.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "author/recorded_times.h"

namespace author {

/// Which number of which file: FILE[:METHOD][@IMAGE][(FILTER)][[COLUMN=VALUE,..]][.COLUMN], for example
///   05:naive(21x21)                      the kernel's time with 21 x 21 taps, images of 4096 x 4096 pixels
///   05.fast:naive@512x512(9x9).copy_ms   its fast.cu, another image, another column
///   ceilings[what=ffma].value            a file of the same folder, or of that of several such GPUs: nvidia-h200-x4
///   published/camerino_block_size[gpu=Tesla T4,block_x=8].v1_ms
///   measurements/samples[result=passed].rows     how many rows say so
///   measurements/samples[].sum_built             a column's numbers added up
struct reference {
    std::string file, method, image, filter, column;
    std::map<std::string, std::string> conditions;
};

/// Throws std::runtime_error naming a word that cannot be read.
reference read_reference(const std::string& word);

/// What stands under `data/`, read once a file.
class recorded_data {
public:
    explicit recorded_data(std::filesystem::path root = "data") : root_(std::move(root)) {}

    /// The number in the one row that fits, or of all that do (`rows`, `sum_COLUMN`). A method's row is of one channel
    /// unless a condition says otherwise; of 4096 x 4096 pixels unless the reference names an image, in one dimension of
    /// 16777216 elements. Throws not_recorded if there is no such file or no such row yet, std::runtime_error if nothing
    /// in the file has the method or the column, or if several rows with different numbers fit.
    double value(const reference& wanted);

    /// The filters that a method was recorded with, as "21x21", from the smallest on.
    std::vector<std::string> filters(const reference& wanted);

private:
    const std::vector<csv_row>& rows(const std::string& file);

    std::filesystem::path root_;
    std::map<std::string, std::vector<csv_row>> read_;
};

}  // namespace author
