// cut - cuts a student's skeleton from a solution, and the cases that selfcheck judges.
//   cut skeleton SOLUTION.cu SKELETON.cu     writes the skeleton, if it is not up to date
//   cut cases SOLUTION_FOLDER FOLDER         writes solution.cu, skeleton.cu, without_ID.cu for each region,
//   and copies of
//                                            wrong/NAME.cu and right/NAME.cu as wrong_NAME.cu and
//                                            right_NAME.cu
#include <cstdio>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "author/regions.h"

namespace fs = std::filesystem;

namespace {

fs::path solution_file(const fs::path& folder) {
    // "solutions/01_conv1d_basic/" ends in an empty name.
    const fs::path clean = folder.filename().empty() ? folder.parent_path() : folder;
    const std::string key = clean.filename().string();
    if (key.size() < 4 || key[2] != '_')
        throw std::runtime_error(clean.string() + ": a lab's folder is called NN_name");
    return clean / (key.substr(3) + ".cu");
}

void write_cases(const fs::path& solutions, const fs::path& folder) {
    const fs::path file = solution_file(solutions);
    const author::solution solution = author::read_solution(file);
    std::set<fs::path> current;
    const auto write = [&](const std::string& name, const std::string& text) {
        author::write_text(folder / name, text);
        current.insert(name);
    };
    write("solution.cu", author::read_text(file));
    write("skeleton.cu", author::skeleton_of(solution));
    for (const author::region& region : author::regions_of(solution))
        write("without_" + region.id + ".cu", author::without_region(solution, region.id));
    for (const std::string kind : {"wrong", "right"}) {
        if (!fs::is_directory(solutions / kind)) continue;
        for (const auto& entry : fs::directory_iterator(solutions / kind))
            if (entry.path().extension() == ".cu")
                write(kind + "_" + entry.path().filename().string(), author::read_text(entry.path()));
    }
    // A case whose file was renamed or deleted must not be judged again.
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".cu" && !current.count(entry.path().filename()))
            fs::remove(entry.path());
}

}  // namespace

int main(int argc, char** argv) try {
    const std::string command = argc == 4 ? argv[1] : "";
    if (command == "skeleton") {
        if (author::write_text(argv[3], author::skeleton_of(author::read_solution(argv[2]))))
            std::printf("wrote %s\n", argv[3]);
    } else if (command == "cases") {
        write_cases(argv[2], argv[3]);
    } else {
        std::fprintf(stderr,
                     "cut: usage: cut skeleton SOLUTION.cu SKELETON.cu | cut cases SOLUTION_FOLDER FOLDER\n");
        return 2;
    }
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "cut: %s\n", error.what());
    return 2;
}
