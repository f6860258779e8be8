// Tests of what editors read: compile_commands.json for clangd, and the problem matchers of .vscode/tasks.json.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "author/regions.h"

namespace fs = std::filesystem;

TEST_CASE("clang reads every kernel as make editor tells it to, and sees mistakes in it") {
    const std::string kernel = "solutions/10_conv2d_texture/conv2d_texture.cu";
    const fs::path folder = "build/tmp/editor";
    fs::create_directories(folder / "10_conv2d_texture");
    const std::string wrong = folder / "10_conv2d_texture/wrong.cu";
    author::write_text(wrong,
                       author::read_text(kernel) + "\n__global__ void more() { no_such(threadIdx.x); }\n");
    const std::string listed = folder / "compile_commands.json";
    REQUIRE(std::system(
                ("common/build/compile_commands.sh " + kernel + " " + wrong + " >" + listed).c_str()) == 0);
    const auto commands = nlohmann::json::parse(author::read_text(listed));
    REQUIRE(commands.size() == 2);
    CHECK(commands[0]["file"] == kernel);
    CHECK(commands[0]["directory"] == fs::current_path().string());
    const auto accepts = [](const nlohmann::json& entry) {
        std::string line;
        for (const std::string word : entry["arguments"])
            line += word + " ";
        return std::system((line + "-fsyntax-only >/dev/null 2>&1").c_str()) == 0;
    };
    if (std::system("command -v clang++ >/dev/null") != 0) return;
    CHECK(accepts(commands[0]));
    CHECK_FALSE(accepts(commands[1]));
}

TEST_CASE("lines of the compiler and of the judge become problems of an editor, at their place") {
    const auto tasks = nlohmann::json::parse(author::read_text(".vscode/tasks.json"));
    const auto matched = [&](int matcher, const std::string& line) -> std::string {
        const auto& pattern = tasks["tasks"][0]["problemMatcher"][matcher]["pattern"];
        std::smatch part;
        if (!std::regex_match(line, part, std::regex(std::string(pattern["regexp"])))) return "";
        return part[int(pattern["file"])].str() + ":" + part[int(pattern["line"])].str() + " " +
               part[int(pattern["message"])].str();
    };
    const std::string refused =
        "labs/05_conv2d_naive/conv2d_naive.cu:36:5: error: 'y' was not declared in this scope";
    CHECK(matched(0, refused) ==
          "labs/05_conv2d_naive/conv2d_naive.cu:36 'y' was not declared in this scope");
    CHECK(matched(1, refused).empty());
    const std::string seen =
        "          inspector: conv2d_naive.cu:36: writes out[231], past its 231 elements";
    CHECK(matched(1, seen) == "conv2d_naive.cu:36 writes out[231], past its 231 elements");
    CHECK(matched(0, seen).empty());
    CHECK(matched(1, "  FAIL    0 of 20   images that do not fill their blocks").empty());
}
