// Compares every file of a lab with every other.
#include "grade/program/side_by_side.h"

#include "grade/program/store.h"
#include "grade/program/workbook.h"
#include "grade/similarity.h"
#include "report/words.h"

namespace grade {

namespace fs = std::filesystem;

namespace {

std::vector<named_source> sources_of(const std::vector<submission>& submissions, const std::string& lab) {
    std::vector<named_source> all;
    for (const submission& one : submissions)
        for (const hand_in& file : one.labs)
            if (file.lab == lab && file.missing.empty()) all.push_back({one.student, file.bytes});
    return all;
}

/// What every student has.
std::vector<std::string> given_of(const std::string& lab) {
    std::vector<std::string> given;
    for (const std::string& file : {"labs/" + lab + "/" + hand_in_name(lab), "handouts/" + lab + ".md"})
        if (fs::exists(file)) given.push_back(read_whole(file));
    return given;
}

}  // namespace

std::string write_side_by_side(const std::vector<submission>& submissions,
                               const std::vector<std::string>& labs, const fs::path& folder) {
    std::string text;
    fs::create_directories(folder);
    for (const std::string& lab : labs) {
        const fs::path page = folder / (report::lab_number(lab) + ".html");
        const std::vector<named_source> all = sources_of(submissions, lab);
        const std::vector<similar_pair> pairs = similar_pairs(all, given_of(lab));
        fs::remove(page);
        if (pairs.empty()) continue;
        write_whole(page, similarity_html(lab, all, pairs));
        text += "lab " + report::lab_number(lab) + ": " + std::to_string(pairs.size()) +
                (pairs.size() == 1 ? " pair has" : " pairs have") + " much in common: " + page.string() +
                "\n";
    }
    return text;
}

}  // namespace grade
