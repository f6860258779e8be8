// The search for solution text where students can read it.
#include <algorithm>
#include <map>
#include <set>

#include "author/promises.h"
#include "author/regions.h"
#include "call/code_line.h"

namespace fs = std::filesystem;

namespace author {
namespace {

constexpr size_t SHORT_LINE = 25;  // characters; shorter lines are common idiom and give nothing away

/// A loop's or a condition's opening line is idiom too; what happens inside it is the solution.
bool is_telling(const std::string& line) {
    return line.size() > SHORT_LINE && line.back() != '{' && !line.starts_with("#include");
}

/// Lines that students must write or never get, each with where
/// it comes from, less those that some solution gives away.
std::map<std::string, std::string> secret_lines(const std::vector<std::string>& keys) {
    std::map<std::string, std::string> secret;
    std::set<std::string> given;
    for (const std::string& key : keys) {
        const fs::path fast = fs::path("solutions") / key / "fast.cu";
        for (const piece& part : read_solution(fs::path("solutions") / key / (key.substr(3) + ".cu"))) {
            if (!part.is_region) given.insert(check::code_in(part.line.text));
            for (const std::string& line : part.inside.stand_in)
                given.insert(check::code_in(line));
            for (const code_line& line : part.inside.code)
                if (is_telling(check::code_in(line.text)))
                    secret.emplace(check::code_in(line.text), "region " + part.inside.id);
        }
        if (!fs::exists(fast)) continue;
        for (const std::string& line : lines_of(read_text(fast)))
            if (is_telling(check::code_in(line))) secret.emplace(check::code_in(line), fast);
    }
    for (const std::string& line : given)
        secret.erase(line);
    return secret;
}

bool is_text(const fs::path& file) {
    static const std::set<std::string> endings = {".cu", ".cuh", ".h",  ".cpp", ".md",
                                                  ".mk", ".gp",  ".sh", ".txt", ""};
    return endings.count(file.extension().string()) > 0;
}

}  // namespace

void check_leaks(ledger& book, const std::vector<std::string>& keys, const std::vector<fs::path>& places) {
    const auto secret = secret_lines(keys);
    for (const fs::path& place : places) {
        if (!book.expect(fs::is_directory(place), place.string() + " is missing")) continue;
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(place))
            if (entry.is_regular_file() && is_text(entry.path())) files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) {
            std::string leak;
            int number = 0;
            for (const std::string& line : lines_of(read_text(file))) {
                number++;
                // The whole line, and the line as it would stand behind a comment sign.
                std::string bare = line;
                bare.erase(0, bare.find_first_not_of(" \t/*>-"));
                const auto found = secret.find(check::code_in(bare));
                if (leak.empty() && found != secret.end())
                    leak = file.string() + ":" + std::to_string(number) + " shows a line of " +
                           found->second + ": " + found->first;
            }
            book.expect(leak.empty(), leak);
        }
    }
}

}  // namespace author
