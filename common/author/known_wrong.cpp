// Known-wrong kernels: those of wrong.txt, those that are files, and both kinds in one list.
#include "author/known_wrong.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "author/edits.h"
#include "author/paragraphs.h"
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
    const editable_text original(solution, code_of(read_solution(solution)));
    std::vector<known_wrong> kernels;
    std::string troubles;
    for (const paragraph& read : read_paragraphs(wrong_txt, {{"fails", "wrong"}, {"diagnosed"}})) {
        const std::string where = wrong_txt.string() + ":" + std::to_string(read.line) + ": " + read.name;
        kernels.push_back({read.name, where, read.value("fails"), read.value("wrong"),
                           ids_in(read.value("diagnosed")), ""});
        try {
            kernels.back().text = original.with(read.edits, wrong_txt);
        } catch (const std::runtime_error& error) {
            troubles += (troubles.empty() ? "" : "\n") + std::string(error.what());
        }
    }
    if (!troubles.empty()) throw std::runtime_error(troubles);
    return kernels;
}

std::vector<known_wrong> first_of_each_kind(const std::vector<known_wrong>& kernels) {
    std::vector<known_wrong> first;
    std::set<std::string> checks, causes;
    for (const known_wrong& kernel : kernels) {
        bool is_new = checks.insert(kernel.fails).second;
        for (const std::string& id : kernel.diagnosed)
            is_new = causes.insert(id).second || is_new;
        if (is_new) first.push_back(kernel);
    }
    return first;
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
    const size_t edited = all.size();
    for (const fs::path& file : kernels_in(folder / "wrong")) {
        all.push_back(read_kernel(file));
        for (size_t k = 0; k < edited; k++)
            if (all[k].name == all.back().name)
                throw std::runtime_error(all[k].where + " is a file too: " + file.string());
    }
    std::sort(all.begin(), all.end(),
              [](const known_wrong& a, const known_wrong& b) { return a.name < b.name; });
    return all;
}

}  // namespace author
