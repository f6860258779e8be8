// What a judged file may not say (forbidden.txt) is refused, in the line and the words; what looks like it is not.
// Run from the repository's root.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "simt/rewrite/directives.h"

namespace fs = std::filesystem;

namespace {

struct piece {
    std::vector<std::string> lines;
    std::map<size_t, std::string> refused;  // index of the line: words, or none
};

/// The paragraphs of one part.
std::vector<piece> pieces_of(const std::string& part) {
    constexpr std::string_view FORBIDDEN = "// FORBIDDEN";
    std::vector<piece> pieces;
    std::ifstream file("tests/simt/forbidden.txt");
    bool inside = false, begins = true;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("==== ")) inside = line == "==== " + part;
        if (!inside || line.starts_with("==== ") || line.empty()) {
            begins = true;
            continue;
        }
        if (begins) pieces.emplace_back();
        begins = false;
        piece& now = pieces.back();
        if (line.starts_with(FORBIDDEN))
            now.refused[now.lines.size()] = line.substr(std::min(line.size(), FORBIDDEN.size() + 1));
        else
            now.lines.push_back(line);
    }
    return pieces;
}

/// All pieces one after another.
piece joined(const std::vector<piece>& pieces) {
    piece all;
    for (const piece& one : pieces) {
        for (const auto& [line, words] : one.refused)
            all.refused[all.lines.size() + line] = words;
        all.lines.insert(all.lines.end(), one.lines.begin(), one.lines.end());
    }
    return all;
}

/// A folder with the text as a.cu.
struct written {
    std::string folder = (fs::temp_directory_path() / "forbidden_test.XXXXXX").string();

    explicit written(const piece& what) {
        REQUIRE(mkdtemp(folder.data()) != nullptr);
        std::ofstream file(folder + "/a.cu");
        for (const std::string& line : what.lines)
            file << line << '\n';
    }
    ~written() { fs::remove_all(folder); }
    written(const written&) = delete;

    /// What a command says; $0 in it is the folder.
    std::string said(const std::string& command) const {
        std::FILE* pipe = popen(("sh -c '" + command + "' '" + folder + "' 2>&1").c_str(), "r");
        REQUIRE(pipe != nullptr);
        std::string text;
        char buffer[4096];
        for (size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
            text.append(buffer, got);
        pclose(pipe);
        return text;
    }
};

/// The first error of each line, without "forbidden: "; the index of the first line is 0.
std::map<size_t, std::string> errors_of(const std::string& messages) {
    std::map<size_t, std::string> errors;
    for (size_t at = 0; at < messages.size();) {
        const size_t end = std::min(messages.find('\n', at), messages.size());
        std::string line = messages.substr(at, end - at);
        at = end + 1;
        const size_t file = line.find("a.cu:"), error = line.find(" error: ");
        if (file == std::string::npos || error == std::string::npos) continue;
        std::string words = line.substr(error + 8);
        if (words.starts_with(rewrite::FORBIDDEN)) words.erase(0, rewrite::FORBIDDEN.size());
        errors.emplace(std::stoul(line.substr(file + 5)) - 1, words);
    }
    return errors;
}

void compare(const piece& what, const std::map<size_t, std::string>& errors) {
    for (const auto& [line, words] : errors) {
        CAPTURE(what.lines.at(line));
        CAPTURE(words);
        CHECK(what.refused.count(line) == 1);
    }
    for (const auto& [line, words] : what.refused) {
        CAPTURE(what.lines.at(line));
        REQUIRE(errors.count(line) == 1);
        if (!words.empty()) CHECK(errors.at(line) == words);
    }
}

constexpr char COMPILE[] =
    "common/simt/simtcc --judged -Icommon \"$0/a.cu\" -o \"$0/a.o\" && common/build/symbols.sh \"$0/a.o\" "
    "a.cu";

}  // namespace

TEST_CASE("directives that bring in or pass for other text are refused before the preprocessor sees them") {
    const std::vector<piece> pieces = pieces_of("directives");
    CHECK(pieces.size() > 25);
    for (const piece& one : pieces) {
        const written file(one);
        std::map<size_t, std::string> errors;
        for (const rewrite::problem& p : rewrite::check_directives(file.folder + "/a.cu", "labs/none"))
            errors.emplace(size_t(p.line) - 1, p.text.substr(rewrite::FORBIDDEN.size()));
        compare(one, errors);
    }
}

TEST_CASE("a case of ours may say whose lines it has, and no more") {
    const written file({{"#line 1 \"solutions/a.cu\"", "#include \"call/channel.h\""}, {}});
    const auto of = [&](bool own_case) {
        return rewrite::check_directives(file.folder + "/a.cu", "labs/none", own_case).size();
    };
    CHECK(of(true) == 1);
    CHECK(of(false) == 2);
}

TEST_CASE("headers beside the file are read too, once") {
    const written file({{"#include \"one.h\"", "#include \"one.h\""}, {}});
    std::ofstream(file.folder + "/one.h") << "#include \"one.h\"\n#include \"call/channel.h\"\n";
    const auto problems = rewrite::check_directives(file.folder + "/a.cu", "labs/none");
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].file == file.folder + "/one.h");
    CHECK(problems[0].line == 2);
}

TEST_CASE("words that reach around the inspector are refused, by whatever macro they come") {
    const piece all = joined(pieces_of("words"));
    CHECK(all.refused.size() > 30);
    compare(all, errors_of(written(all).said(COMPILE)));
}

TEST_CASE("functions that would replace those of the system or of the workbook are refused") {
    const piece all = joined(pieces_of("symbols"));
    compare(all, errors_of(written(all).said(COMPILE)));
}

TEST_CASE("what only looks like it is right, in silence") {
    const piece all = joined(pieces_of("right"));
    const written file(all);
    CHECK(rewrite::check_directives(file.folder + "/a.cu", "labs/none").empty());
    CHECK(file.said(COMPILE) == "");
}
