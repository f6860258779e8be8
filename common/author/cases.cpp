// Writes cases.
#include "author/cases.h"

#include <set>

#include "author/known_right.h"
#include "author/known_wrong.h"
#include "author/regions.h"

namespace fs = std::filesystem;

namespace author {

namespace {

// Of a lab's known-wrong and of its unusual right kernels, and one region of so many, where not all are asked for.
constexpr size_t FEW_WRONG = 2, FEW_RIGHT = 2, ONE_OF_REGIONS = 3;

}  // namespace

void write_cases(const fs::path& solutions, const fs::path& folder, bool all) {
    const fs::path file = solution_in(solutions), fast = solutions / "fast.cu";
    const solution solved = read_solution(file);
    std::set<fs::path> current;
    const auto write = [&](const std::string& name, const std::string& text) {
        write_text(folder / name, text);
        current.insert(name);
    };
    write("solution.cu", read_text(file));
    if (fs::exists(fast)) write("fast.cu", read_text(fast));
    write("skeleton.cu", skeleton_of(solved));
    std::set<std::string> left_out;
    const std::vector<region> regions = regions_of(solved);
    for (size_t place = 0; place < regions.size(); place++) {
        const std::string name = "without_" + regions[place].id;
        if (all || place % ONE_OF_REGIONS == 0)
            write(name + ".cu", without_region(solved, regions[place].id));
        else
            left_out.insert(name);
    }
    const std::vector<std::string> order = working_order(solved);
    for (size_t place = 0; place + 1 < order.size(); place++)
        if (all || place == order.size() / 2)
            write("upto_" + order[place] + ".cu", up_to_region(solved, order[place]));
    const std::vector<known_wrong> wrong = known_wrong_in(solutions);
    for (const known_wrong& kernel : wrong)
        left_out.insert("wrong_" + kernel.name);
    for (const known_wrong& kernel : all ? wrong : first_of_checks(wrong, FEW_WRONG)) {
        left_out.erase("wrong_" + kernel.name);
        write("wrong_" + kernel.name + ".cu", kernel.text);
        write("wrong_" + kernel.name + ".only", all && !kernel.diagnosed.empty() ? "" : kernel.fails);
    }
    size_t rights = 0;
    for (const known_right& kernel : known_right_in(solutions)) {
        if (all || rights++ < FEW_RIGHT)
            write("right_" + kernel.name + ".cu", kernel.text);
        else
            left_out.insert("right_" + kernel.name);
    }
    std::string names;
    for (const std::string& name : left_out)
        names += name + "\n";
    write_text(folder / "left_out.txt", names);
    // A case whose source was renamed or deleted must not be judged again.
    for (fs::path one : kernels_in(folder)) {
        if (current.count(one.filename())) continue;
        fs::remove(one);
        fs::remove(one.replace_extension(".json"));
    }
}

}  // namespace author
