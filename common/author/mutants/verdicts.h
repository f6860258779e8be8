// What became of mutants, kept in a file: who asks again need not wait again.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "author/mutants/mutants.h"

namespace author {

struct verdict {
    std::string key;        // of the mutant's text and of all that judges it
    std::string id;         // of the mutant
    std::string result;     // stillborn, equivalent, killed, survived; "failed" if the judge itself did
    std::string check;      // that lost its points first
    std::string how;        // in a report's word: "value", "count", ...
    int wrong_images = 0;   // in that check
    std::string diagnosed;  // the causes that were named, with blanks between
    double seconds = 0;     // of a processor
};

/// Of all files that a verdict on a lab's mutants depends on, but for the mutants themselves.
std::string key_of_judge(const std::string& lab);

/// The same for one mutant.
std::string key_of(const std::string& judge, const mutant& one);

/// The verdicts of one lab, by key. Every new one is appended to the file: whoever is killed loses none.
class verdict_file {
public:
    explicit verdict_file(std::filesystem::path file);
    const verdict* find(const std::string& key) const;
    void add(const verdict& one);

private:
    std::filesystem::path file_;
    std::map<std::string, verdict> read_;
};

}  // namespace author
