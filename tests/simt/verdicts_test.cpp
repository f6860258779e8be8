// nvcc's verdicts on what beginners write (verdicts.txt): the CPU backend's are the same, with the line and the words.
// All paragraphs that are right are one file, and all that are refused: in namespaces of their own, compiled but to
// look at. Run from the repository's root.
#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct snippet {
    std::vector<std::string> lines;
    std::map<size_t, std::string> refused;  // index of the line: words, or none
    bool is_global = false;                 // must not stand in a namespace
};

struct collection {
    std::vector<snippet> right, wrong;
};

collection read_snippets() {
    constexpr std::string_view REFUSED = "// REFUSED";
    collection all;
    std::ifstream file("tests/simt/verdicts.txt");
    std::vector<snippet>* part = nullptr;
    snippet now;
    for (std::string line; std::getline(file, line) || !now.lines.empty(); line.clear()) {
        if (line == "==== right" || line == "==== wrong") {
            part = line == "==== right" ? &all.right : &all.wrong;
            now = {};
        } else if (line.empty()) {
            if (part && !now.lines.empty()) part->push_back(now);
            now = {};
        } else if (line.starts_with(REFUSED)) {
            now.refused[now.lines.size()] = line.substr(std::min(line.size(), REFUSED.size() + 2));
        } else if (line == "// global") {
            now.is_global = true;
        } else {
            now.lines.push_back(line);
        }
    }
    return all;
}

/// A file of many snippets, and what is to be said of which line.
struct program {
    std::string text;
    std::map<size_t, std::string> refused;  // by line
    std::map<size_t, size_t> snippet_of_line;

    explicit program(const std::vector<snippet>& snippets) {
        std::set<std::string> headers;
        for (const snippet& one : snippets) {
            for (const std::string& line : one.lines)
                if (line.starts_with("#include")) headers.insert(line);
        }
        size_t count = 0;
        const auto put = [&](const std::string& line) {
            text += line + '\n';
            return ++count;
        };
        for (const std::string& header : headers)
            put(header);
        for (size_t i = 0; i < snippets.size(); i++) {
            const snippet& one = snippets[i];
            if (!one.is_global) put("namespace snippet" + std::to_string(i) + " {");
            for (size_t k = 0; k < one.lines.size(); k++) {
                const bool is_header = one.lines[k].starts_with("#include");
                const size_t line = put(is_header ? "" : one.lines[k]);
                snippet_of_line[line] = i;
                if (one.refused.count(k) > 0) refused[line] = one.refused.at(k);
            }
            if (!one.is_global) put("}");
        }
    }
};

/// What is said of each line: the first error of it.
std::map<size_t, std::string> errors_of(const std::string& messages) {
    std::map<size_t, std::string> errors;
    for (size_t at = 0; at < messages.size();) {
        const size_t end = std::min(messages.find('\n', at), messages.size());
        const std::string line = messages.substr(at, end - at);
        at = end + 1;
        const size_t file = line.find("a.cu:"), error = line.find(" error: ");
        if (file == std::string::npos || error == std::string::npos) continue;
        const std::string words =
            std::regex_replace(line.substr(error + 8), std::regex("snippet[0-9]+::"), "");
        errors.emplace(std::stoul(line.substr(file + 5)), words);
    }
    return errors;
}

/// Compiles only to see what is said.
std::string messages_of(const std::string& text, const std::string& options) {
    std::string folder = (fs::temp_directory_path() / "verdicts_test.XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    std::ofstream(folder + "/a.cu") << text;
    const std::string command = "common/simt/simtcc " + options + " -Icommon -fsyntax-only '" + folder +
                                "/a.cu' -o '" + folder + "/a.o' 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string messages;
    char buffer[4096];
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        messages.append(buffer, got);
    pclose(pipe);
    fs::remove_all(folder);
    return messages;
}

}  // namespace

TEST_CASE("what nvcc takes is taken, in silence") {
    const collection all = read_snippets();
    CHECK(all.right.size() > 150);
    const program file(all.right);
    for (const std::string options : {"", "--inspect"})
        CHECK(messages_of(file.text, options) == "");
}

TEST_CASE("what nvcc refuses is refused, with the line and what to do") {
    std::vector<snippet> left = read_snippets().wrong;
    CHECK(left.size() > 150);
    // What the rewriter refuses is not compiled; the rest is seen in a second turn.
    for (int turn = 0; turn < 2; turn++) {
        const program file(left);
        const std::map<size_t, std::string> errors = errors_of(messages_of(file.text, ""));
        std::set<size_t> seen;
        for (const auto& [line, words] : errors) {
            const auto expected = file.refused.find(line);
            CAPTURE(words);
            CAPTURE(file.snippet_of_line.count(line) ? left[file.snippet_of_line.at(line)].lines.back() : "");
            if (expected == file.refused.end()) {
                FAIL_CHECK("a line that is right");
                continue;
            }
            CHECK((expected->second.empty() || expected->second == words));
            seen.insert(file.snippet_of_line.at(line));
        }
        std::vector<snippet> rest;
        for (size_t i = 0; i < left.size(); i++)
            if (seen.count(i) == 0) rest.push_back(left[i]);
        left = rest;
    }
    for (const snippet& one : left)
        FAIL_CHECK("taken: " << one.lines.back());
}
