// cut - cuts a student's skeleton from a solution, and the cases that selfcheck judges.
//   cut skeleton SOLUTION.cu SKELETON.cu     writes the skeleton, if it is not up to date
//   cut cases SOLUTION_FOLDER FOLDER         writes solution.cu, skeleton.cu, without_ID.cu for each region,
//                                            wrong_NAME.cu as wrong.txt and wrong/ have them, and copies of
//                                            right/NAME.cu as right_NAME.cu
#include <cstdio>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "author/known_wrong.h"
#include "author/regions.h"

namespace fs = std::filesystem;

namespace {

void write_cases(const fs::path& solutions, const fs::path& folder) {
    const fs::path file = author::solution_in(solutions);
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
    for (const author::known_wrong& kernel : author::known_wrong_in(solutions))
        write("wrong_" + kernel.name + ".cu", kernel.text);
    for (const fs::path& right : author::kernels_in(solutions / "right"))
        write("right_" + right.filename().string(), author::read_text(right));
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
