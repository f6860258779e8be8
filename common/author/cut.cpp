// cut - cuts a student's skeleton from a solution, and the cases that selfcheck judges.
//   cut skeleton SOLUTION.cu SKELETON.cu     writes the skeleton, if it is not up to date
//   cut cases SOLUTION_FOLDER FOLDER         writes those of the cases that selfcheck judges that SHARD or ALL ask for
#include <cstdio>
#include <stdexcept>
#include <string>

#include "author/cases.h"
#include "author/regions.h"

int main(int argc, char** argv) try {
    const std::string command = argc == 4 ? argv[1] : "";
    if (command == "skeleton") {
        if (author::write_text(argv[3], author::skeleton_of(author::read_solution(argv[2]))))
            std::printf("wrote %s\n", argv[3]);
    } else if (command == "cases") {
        author::write_cases(argv[2], argv[3], author::wanted_shard());
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
