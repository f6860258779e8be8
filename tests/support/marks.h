// Lines of a test's own source that something must name. A mark is a comment at the end of the line, or on a
// line of its own above it: "// HERE NAME", or "// HERE NAME: KIND, KIND" with the kinds of findings expected.
#pragma once
#include <fstream>
#include <string>
#include <vector>

#include "cases.h"

struct mark {
    int line;
    std::string kinds;  // "KIND, KIND"; empty if the mark has none
};

/// All marks of this name, from top to bottom.
inline std::vector<mark> marks_of(const char* file, const std::string& name) {
    const std::string sign = "// HERE " + name;
    std::vector<mark> found;
    std::ifstream source(file);
    std::string text;
    for (int line = 1; std::getline(source, text); line++) {
        const size_t at = text.find(sign);
        if (at == std::string::npos) continue;
        const std::string rest = text.substr(at + sign.size());
        const bool is_alone = text.find_first_not_of(' ') == at;
        if (rest.empty()) found.push_back({line + is_alone, ""});
        if (rest.starts_with(": ")) found.push_back({line + is_alone, rest.substr(2)});
    }
    return found;
}

/// The line with the one mark of this name.
inline int marked_line(const char* file, const std::string& name) {
    const std::vector<mark> found = marks_of(file, name);
    expect(found.size() == 1, "one mark " + name + " in " + file + ", not " + std::to_string(found.size()));
    return found.empty() ? 0 : found.front().line;
}
