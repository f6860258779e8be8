// The table in a handout that sets our times beside the best published ones.
#pragma once
#include <string>

namespace author {

/// A row for each filter of the CSV file `published` (filter_width, filter_height, ms, by): the recorded
/// times in milliseconds of the steps in `steps` (solutions/LAB/staircase.csv) that are solutions of labs,
/// the last one's share of the roofline, the best published time, and how many times faster the last step is.
/// The folder `measured` has a file for each lab and ceilings.csv, whose copy_WxH names the image. Throws
/// std::runtime_error naming a column, a file or a ceiling that is missing.
std::string peers_table(const std::string& steps, const std::string& measured, const std::string& published);

}  // namespace author
