// What a program showed against what the model says.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "program.h"

namespace fuzz {

/// What a batch of programs printed, by program.
class transcript {
public:
    explicit transcript(const std::string& text);
    /// Lines of a program; null if it did not get so far.
    const std::vector<std::string>* of(int program) const;
    const std::string& rest() const {
        return before;
    }  // what stands before the first program: a compiler's messages

private:
    std::map<int, std::vector<std::string>> lines;
    std::string before;
};

/// "" if both agree, else lines that say what was expected and seen.
std::string difference(const program& what, const transcript& inspected, const transcript& plain);

/// The same of values alone.
std::string value_difference(const program& what, const transcript& seen);

/// "stray behind", of "stray behind a3".
std::string kind_of_plant(const std::string& planted);

}  // namespace fuzz
