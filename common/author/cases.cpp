// Writes cases.
#include "author/cases.h"

#include <set>

#include "author/known_right.h"
#include "author/known_wrong.h"
#include "author/regions.h"

namespace fs = std::filesystem;

namespace author {

void write_cases(const fs::path& solutions, const fs::path& folder, const shard& part) {
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
    std::string left_out;
    size_t place = 0;
    const auto takes = [&](const std::string& name) {
        const bool taken = part.has(place++);
        if (!taken) left_out += name + "\n";
        return taken;
    };
    for (const region& one : regions_of(solved))
        if (const std::string name = "without_" + one.id; takes(name))
            write(name + ".cu", without_region(solved, one.id));
    const std::vector<std::string> order = working_order(solved);
    for (size_t k = 0; k + 1 < order.size(); k++)
        if (const std::string name = "upto_" + order[k]; takes(name))
            write(name + ".cu", up_to_region(solved, order[k]));
    for (const known_wrong& kernel : known_wrong_in(solutions))
        if (const std::string name = "wrong_" + kernel.name; takes(name)) {
            write(name + ".cu", kernel.text);
            write(name + ".only", kernel.diagnosed.empty() ? kernel.fails : "");
        }
    for (const known_right& kernel : known_right_in(solutions))
        if (const std::string name = "right_" + kernel.name; takes(name)) write(name + ".cu", kernel.text);
    write_text(folder / "left_out.txt", left_out);
    // A case whose source was renamed or deleted must not be judged again.
    for (fs::path one : kernels_in(folder)) {
        if (current.count(one.filename())) continue;
        fs::remove(one);
        fs::remove(one.replace_extension(".json"));
    }
}

}  // namespace author
