// The tables of recorded times in handouts: written between two lines of the handout that say what they show.
#pragma once
#include <string>
#include <vector>

namespace author {

/// The text with `inside` between the two markers, which are lines of their own. Throws std::runtime_error
/// "WHO: the markers .. are missing" if they are not there in this order.
std::string with_inside(const std::string& text, const std::string& opening, const std::string& closing,
                        const std::string& inside, const std::string& who);

/// A handout with its tables made anew. A table stands between `<!-- KIND WORDS: make readme -->` and
/// `<!-- /KIND -->`, which are lines of their own; in its place a sentence if nothing is recorded yet:
///   steps FILE                                         steps_table of the file's text
///   peers STEPS MEASURED PUBLISHED                     peers_table
///   times MEASURED WIDTHxHEIGHT FILTERS LAB/METHOD..   times_table
///   chosen FILE [IMAGESx]WIDTHxHEIGHT ACCURACY [PUBLISHED]  chosen_table of the file's text
///   source NAME MEASURED                               read_source_table (author/source_tables.h)
/// Its numbers inside sentences are made anew, too (quoted_values.h). Unchanged if it has neither. Throws
/// std::runtime_error if the second line is missing.
std::string handout_with_tables(const std::string& handout);

/// The steps to a lab's fastest version: milliseconds of every step for every filter, how many times faster
/// than the step before, and the last step's share of the roofline. `csv` is the text of a file by
/// common/bench/staircase.sh. Throws std::runtime_error naming a column that it does not have.
std::string steps_table(const std::string& csv);

/// Our times beside the best published ones. A row for each filter of the CSV file `published` (filter_width,
/// filter_height, ms, by): the recorded times in milliseconds of the steps in `steps`
/// (solutions/LAB/staircase.csv) that are solutions of labs or their fast.cu, the last one's share of the
/// roofline, the best published time, and how many times faster the last step is. The folder `measured` has
/// their files and ceilings.csv, whose copy_WxH names the image. Throws std::runtime_error naming a column, a
/// file or a ceiling that is missing.
std::string peers_table(const std::string& steps, const std::string& measured, const std::string& published);

/// Recorded times of some methods: a row for each filter of `filters` ("3x3,7x33", width x height; height 1
/// in 1D) and a column for each of `methods` ("05_conv2d_naive/naive", "05_conv2d_naive.fast/naive" for that
/// of its fast.cu): milliseconds of the kernel, "-" where none is recorded. `image` is "4096x4096", in 1D
/// "16777216x1"; `measured` the folder of the recorded files. Throws std::runtime_error naming a word that
/// cannot be read, a column or a file that is missing.
std::string times_table(const std::string& measured, const std::string& image, const std::string& filters,
                        const std::vector<std::string>& methods);

/// What make fastest chooses: a row for each chosen row of `csv`, the text of a file by solutions/fastest/measure.sh, with this
/// image and accuracy ("floats" or "halves"): method, milliseconds, errors, and the best time of `published` (as in
/// peers_table) unless that is "". Throws std::runtime_error naming a column that is missing.
std::string chosen_table(const std::string& csv, const std::string& image, const std::string& accuracy,
                         const std::string& published);

}  // namespace author
