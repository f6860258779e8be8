// Reads a file of edits and makes its kernels.
#include "author/edited_solutions.h"

#include <stdexcept>

#include "author/edits.h"
#include "author/regions.h"

namespace author {

std::vector<edited_solution> edited_solutions(const std::filesystem::path& file,
                                              const std::filesystem::path& solution,
                                              const paragraph_keys& keys) {
    const editable_text original(solution, code_of(read_solution(solution)));
    std::vector<edited_solution> kernels;
    std::string troubles;
    for (const paragraph& read : read_paragraphs(file, keys)) {
        const std::string where = file.string() + ":" + std::to_string(read.line) + ": " + read.name;
        try {
            kernels.push_back({read, where, original.with(read.edits, file)});
        } catch (const std::runtime_error& error) {
            troubles += (troubles.empty() ? "" : "\n") + std::string(error.what());
        }
    }
    if (!troubles.empty()) throw std::runtime_error(troubles);
    return kernels;
}

}  // namespace author
