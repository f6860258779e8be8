// What a term with the workbook costs: hours of each lab, and of courses that leave some out.
#pragma once
#include <set>
#include <string>
#include <vector>

namespace author {

/// A lab as a piece of work.
struct lab_work {
    std::string key;              // "07_conv2d_tiled"
    std::set<std::string> needs;  // "03", "05": the labs in the paragraph "You need." of its handout
    int tasks = 0, lines = 0;     // TODOs, and the lines that the solution has in their place

    std::string number() const { return key.substr(0, 2); }
    /// Reading and questions, and writing: see course.cpp.
    double hours() const;
};

/// Reads solutions/KEY and handouts/KEY.md of the workbook in the current folder.
lab_work work_of(const std::string& key);

/// Of a course's labs ("01", "02", ...) those that another one needs and that are not among them: "07 needs 03".
std::vector<std::string> missing_needs(const std::set<std::string>& course,
                                       const std::vector<lab_work>& labs);

/// The page with its tables made anew: between `<!-- work: make readme -->` and `<!-- /work -->` a row for each lab; between
/// `<!-- courses WEEKS:LAB,LAB.. ..: make readme -->` and `<!-- /courses -->` one for each course. Throws std::runtime_error
/// if one of these lines is missing, or if a course lacks what one of its labs needs.
std::string course_with_tables(const std::string& page, const std::vector<lab_work>& labs);

}  // namespace author
