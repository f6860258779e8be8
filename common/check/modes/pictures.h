// The data of the pictures that make inspectNN draws: one folder of CSV files and gnuplot files.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "inspect/report/report.h"
#include "problem/compare.h"
#include "problem/problem.h"

namespace check {

/// Writes NAME.csv and NAME.gp, which draws NAME.svg and NAME.png with a script of common/plot. Throws
/// std::runtime_error naming a file that cannot be written.
class picture_folder {
public:
    /// Makes the folder, or empties it of earlier pictures.
    explicit picture_folder(std::filesystem::path folder, bool every_launch = false);

    /// All pictures of one method's call: loads by element, who loads what
    /// for the block in the middle, the banks of the worst shared request of
    /// each kind, what runs beside what where there are streams, and the errors if there are any, with their likely cause.
    /// Of launches that are alike the largest alone, unless it is to be every one.
    void draw(const std::string& method, const problem_2d& problem, const shape& where,
              const inspect::report& seen, std::span<const float> out, const reference& truth,
              const std::string& likely = "");

private:
    struct frame;                                                      // what all pictures of a launch share
    void draw_timeline(const frame& of, const inspect::report& seen);  // none where all is one stream's
    void draw_accesses(const frame& of);
    void draw_loads(const frame& of, const inspect::element_map& map);
    void draw_loaders(const frame& of, const inspect::element_map& map);
    void draw_banks(const frame& of);
    void draw_errors(const frame& of, std::span<const float> out, const reference& truth,
                     const std::string& likely);
    void write(const std::string& name, const std::string& script, const std::string& csv,
               const std::vector<std::string>& settings);

    std::filesystem::path folder_;
    bool every_launch_;
};

}  // namespace check
