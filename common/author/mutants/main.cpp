// mutants - changes solutions one token, operand or statement at a time and judges each.
//   mutants [--jobs=N] [--most=N] [--only=ID] [--whole] [--shard] LAB...
//       judges them; with --most only so many a lab, always the same; with --whole beyond the first check
//       that is lost, which takes longer and tells more of likely causes; with --shard those of the labs of one part of
//       four alone (author/shard.h)
//   mutants list [--most=N] LAB...   says what they are
// --only=ID, once or more often, asks for these alone: --only=term_9ab14f
// Writes build/mutants.csv. A mutant must lose points or stand in solutions/LAB/survivors.txt; what lacks is
// said. Ends with the line "N passed, N failed, N skipped"; exit code 1 if something lacks.
#include <cstdio>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "author/mutants/tables.h"
#include "author/regions.h"
#include "author/shard.h"

namespace {

struct command_line {
    bool list = false, whole = false;
    unsigned jobs = std::thread::hardware_concurrency();
    size_t most = size_t(-1);
    std::set<std::string> only;
    std::vector<std::string> labs;
};

command_line read(int argc, char** argv) {
    command_line line;
    author::shard part;
    for (int k = 1; k < argc; k++) {
        const std::string word = argv[k];
        const auto number = [&](const char* option) {
            const int value = std::atoi(word.c_str() + std::string(option).size());
            if (value < 1) throw std::invalid_argument(word + ": a number from 1 on is asked for");
            return unsigned(value);
        };
        if (word == "list")
            line.list = true;
        else if (word == "--whole")
            line.whole = true;
        else if (word == "--shard")
            part = author::wanted_shard();
        else if (word.starts_with("--jobs="))
            line.jobs = number("--jobs=");
        else if (word.starts_with("--most="))
            line.most = number("--most=");
        else if (word.starts_with("--only="))
            line.only.insert(word.substr(std::string("--only=").size()));
        else
            line.labs.push_back(word);
    }
    if (line.labs.empty())
        throw std::invalid_argument(
            "usage: mutants [list] [--jobs=N] [--most=N] [--only=ID] [--whole] [--shard] LAB...");
    size_t place = 0;
    std::erase_if(line.labs, [&](const std::string&) { return !part.has(place++); });
    return line;
}

std::vector<author::mutant> mutants_of_lab(const std::string& lab) {
    return author::mutants_of(author::solution_in("solutions/" + lab));
}

/// Those of a lab's mutants that are asked for.
std::vector<author::mutant> chosen(std::vector<author::mutant> all, const std::string& lab,
                                   const command_line& line) {
    if (!line.only.empty())
        std::erase_if(all, [&](const author::mutant& one) { return line.only.count(one.id) == 0; });
    return author::sample_of(all, lab, line.most);
}

int list(const command_line& line) {
    for (const std::string& lab : line.labs)
        for (const author::mutant& one : chosen(mutants_of_lab(lab), lab, line))
            std::printf("%s\n", author::to_line(one).c_str());
    return 0;
}

int judge(const command_line& line) {
    std::vector<author::judged_lab> judged;
    std::vector<std::map<std::string, author::survivor>> known;
    for (const std::string& lab : line.labs) {
        const auto all = mutants_of_lab(lab);
        known.push_back(author::read_survivors("solutions/" + lab + "/survivors.txt", all));
        judged.push_back({lab, chosen(all, lab, line), {}});
    }
    const auto causes = author::read_true_causes("common/author/mutants/true_causes.txt");
    author::judge_mutants(judged, line.jobs, line.whole);

    std::vector<author::settled_lab> labs;
    size_t all = 0, failed = 0;
    for (size_t k = 0; k < judged.size(); k++) {
        labs.push_back({std::move(judged[k]), std::move(known[k])});
        all += labs.back().judged.mutants.size();
        for (const std::string& complaint : author::complaints_of(labs.back())) {
            std::printf("%s\n", complaint.c_str());
            failed++;
        }
    }
    author::write_text("build/mutants.csv", author::csv_of(labs, causes));
    std::printf("%s%zu passed, %zu failed, 0 skipped\n", author::tables_of(labs, causes).c_str(),
                all - std::min(failed, all), failed);
    return failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) try {
    const command_line line = read(argc, argv);
    return line.list ? list(line) : judge(line);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
