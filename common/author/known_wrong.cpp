// Known-wrong kernels: those of wrong.txt, those that are files, and both kinds in one list.
#include "author/known_wrong.h"

#include <sstream>

#include "author/edited_solutions.h"
#include "author/named.h"
#include "author/regions.h"

namespace fs = std::filesystem;

namespace author {
namespace {

/// Its head says what the keys of wrong.txt say: `// Fails: check`, a sentence, `// Diagnosed: id, id`.
known_wrong read_kernel(const fs::path& file) {
    known_wrong kernel{file.stem(), file, "", "", {}, read_text(file)};
    const auto after = [](const std::string& line, const std::string& opening) {
        return line.starts_with(opening) ? line.substr(opening.size()) : "";
    };
    const auto lines = lines_of(kernel.text);
    if (!lines.empty()) kernel.fails = after(lines[0], "// Fails: ");
    for (size_t k = 1; k < lines.size() && lines[k].starts_with("//"); k++) {
        const std::string ids = after(lines[k], "// Diagnosed: ");
        if (!ids.empty())
            kernel.diagnosed = ids_in(ids);
        else
            kernel.sentence += (kernel.sentence.empty() ? "" : " ") + after(lines[k], "// ");
    }
    return kernel;
}

}  // namespace

std::vector<known_wrong> edited_kernels(const fs::path& wrong_txt, const fs::path& solution) {
    std::vector<known_wrong> kernels;
    const paragraph_keys keys = {{"fails", "wrong"}, {"diagnosed"}};
    for (const edited_solution& read : edited_solutions(wrong_txt, solution, keys))
        kernels.push_back({read.how.name, read.where, read.how.value("fails"), read.how.value("wrong"),
                           ids_in(read.how.value("diagnosed")), read.text});
    return kernels;
}

std::set<std::string> ids_in(const std::string& list) {
    std::set<std::string> ids;
    std::istringstream words(list);
    for (std::string id; std::getline(words >> std::ws, id, ',');)
        ids.insert(id);
    return ids;
}

std::vector<known_wrong> known_wrong_in(const fs::path& folder) {
    std::vector<known_wrong> all;
    if (fs::exists(folder / "wrong.txt")) all = edited_kernels(folder / "wrong.txt", solution_in(folder));
    for (const fs::path& file : kernels_in(folder / "wrong"))
        all.push_back(read_kernel(file));
    sort_by_name(all);
    return all;
}

}  // namespace author
