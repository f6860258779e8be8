// Unusual but right kernels: those of right.txt and those that are files, in one list.
#include "author/known_right.h"

#include "author/edited_solutions.h"
#include "author/named.h"
#include "author/regions.h"

namespace fs = std::filesystem;

namespace author {

std::vector<known_right> known_right_in(const fs::path& folder) {
    static const std::string opening = "// Right: ";
    std::vector<known_right> all;
    if (const fs::path file = folder / "right.txt"; fs::exists(file)) {
        for (const edited_solution& read : edited_solutions(file, solution_in(folder), {{"right"}, {}})) {
            const std::string sentence = read.how.value("right");
            all.push_back({read.how.name, read.where, sentence, opening + sentence + "\n" + read.text});
        }
    }
    for (const fs::path& file : kernels_in(folder / "right")) {
        const std::string text = read_text(file);
        const std::string first = text.substr(0, text.find('\n'));
        all.push_back(
            {file.stem(), file, first.starts_with(opening) ? first.substr(opening.size()) : "", text});
    }
    sort_by_name(all);
    return all;
}

}  // namespace author
