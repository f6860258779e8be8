// Tests of the similarity report: copies in disguise are found, independent kernels are not.
#include "grade/similarity.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>

#include "../support/read_back.h"
#include "author/known_right.h"
#include "grade/fingerprints.h"

using namespace grade;
using strings = std::vector<std::string>;

static std::string kernel(const std::string& lab, const std::string& name) {
    const fs::path folder = "solutions/" + lab;
    for (const author::known_right& one : author::known_right_in(folder))
        if (one.name == name) return one.text;
    const std::string text = text_of(folder / (name + ".cu"));
    REQUIRE_MESSAGE(!text.empty(), name);
    return text;
}

/// Skeleton and handout.
static strings given(const std::string& lab) {
    return {text_of("labs/" + lab + "/" + lab.substr(3) + ".cu"), text_of("handouts/" + lab + ".md")};
}

static double share(const std::string& lab, const std::string& one, const std::string& other) {
    const auto pairs = similar_pairs({{"one", one}, {"other", other}}, given(lab));
    return pairs.empty() ? 0.0 : pairs[0].share;
}

static std::string without_comments(const std::string& text) {
    return std::regex_replace(text, std::regex("//[^\n]*"), "");
}

/// Every name that is neither the language's nor CUDA's begins otherwise.
static std::string renamed(const std::string& text) {
    static const std::set<std::string> kept = {"const",      "constexpr",  "static",   "int",
                                               "float",      "void",       "for",      "if",
                                               "else",       "return",     "unsigned", "size_t",
                                               "threadIdx",  "blockIdx",   "blockDim", "x",
                                               "y",          "z",          "dim3",     "__global__",
                                               "__device__", "__shared__", "bool",     "while",
                                               "class",      "template",   "pragma",   "struct",
                                               "sizeof",     "include",    "auto",     "__syncthreads",
                                               "true",       "false",      "gridDim",  "double",
                                               "char",       "typename",   "using",    "continue",
                                               "break",      "operator",   "this",     "long",
                                               "switch",     "case",       "default",  "__constant__",
                                               "do",         "namespace",  "inline",   "enum",
                                               "new",        "short",      "signed",   "volatile"};
    std::string changed, word;
    for (const char c : text + "\n") {
        if (std::isalnum((unsigned char)c) || c == '_') {
            word += c;
            continue;
        }
        const bool name = !word.empty() && !std::isdigit((unsigned char)word[0]) && !kept.count(word);
        changed += (name ? "my_" : "") + word + c;
        word.clear();
    }
    return changed;
}

/// Functions and what else begins after an empty line, from the last to the first.
static std::string reordered(const std::string& text) {
    strings parts = {""};
    std::istringstream in(text);
    bool after_empty = false;
    for (std::string line; std::getline(in, line); after_empty = line.empty()) {
        if (after_empty && line[0] != ' ' && line[0] != '\0') parts.emplace_back();
        parts.back() += line + "\n";
    }
    std::string turned;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
        turned += *part;
    return turned;
}

TEST_CASE("tokens know no comments, names and numbers, and keep their lines") {
    const auto kinds = [](const std::string& text) {
        std::vector<uint64_t> all;
        for (const source_token& one : tokens_of(text))
            all.push_back(one.kind);
        return all;
    };
    CHECK(kinds("int a = 1; // x\n/* y\n */ float b;") == kinds("int  zeta=0x1f;\nfloat c;"));
    CHECK(kinds("int a;") != kinds("float a;"));
    CHECK(kinds("a < b") != kinds("a > b"));
    CHECK(kinds("f(\"x // \\\" y\")") == kinds("g(\"\")"));
    CHECK(kinds("#include <vector>\nint a;") == kinds("int a;"));
    CHECK(tokens_of("a\n/*\n*/ b").back().line == 3);
    for (const std::string& text : hostile_texts())
        CHECK(fingerprints_of(text).size() <= tokens_of(text).size());
    for (const std::string text : {"/*", "//", "\"", "'\\", "#include", "/* *"})
        CHECK(fingerprints_of(text).empty());
}

TEST_CASE("copies in disguise are found") {
    for (const std::string lab :
         {"02_conv1d_constant", "05_conv2d_naive", "07_conv2d_tiled", "11_conv2d_banks"}) {
        strings kernels = {kernel(lab, lab.substr(3))};
        for (const auto& file : fs::directory_iterator("solutions/" + lab + "/right"))
            kernels.push_back(text_of(file.path()));
        for (const std::string& text : kernels) {
            const std::string what = lab + ": " + text.substr(0, 80);
            CHECK_MESSAGE(share(lab, text, text) == 1.0, what);
            CHECK_MESSAGE(share(lab, text, renamed(text)) == 1.0, what);
            CHECK_MESSAGE(share(lab, text, without_comments(text)) == 1.0, what);
            CHECK_MESSAGE(share(lab, text, reordered(text)) > 0.7, what);
            CHECK_MESSAGE(share(lab, text, reordered(renamed(without_comments(text)))) > 0.7, what);
        }
    }
}

TEST_CASE("independent kernels are not") {
    const auto check_apart = [](const std::string& lab, const strings& names) {
        std::vector<named_source> all;
        for (const std::string& name : names)
            all.push_back({name, kernel(lab, name)});
        for (const similar_pair& pair : similar_pairs(all, given(lab)))
            FAIL_CHECK(all[pair.one].student << " and " << all[pair.other].student << ": " << pair.share);
    };
    check_apart("02_conv1d_constant", {"conv1d_constant", "four_outputs_a_thread", "ghost_times_zero",
                                       "grid_stride", "tap_range_first"});
    check_apart("05_conv2d_naive", {"conv2d_naive", "bands_in_a_loop", "one_kernel_three_images",
                                    "raw_memory_and_flat_grids", "window_slides_down"});
    check_apart("07_conv2d_tiled", {"conv2d_tiled", "asynchronous_cells", "columns_of_four",
                                    "depth_of_the_block", "widths_by_switch", "zeros_first"});
}

TEST_CASE("a descendant of another's kernel is found among independent ones") {
    const std::string lab = "05_conv2d_naive";
    const std::vector<named_source> all = {{"a", kernel(lab, "bands_in_a_loop")},
                                           {"b", kernel(lab, "conv2d_naive")},
                                           {"c", kernel(lab, "window_slides_down")},
                                           {"d", kernel(lab, "ghost_times_zero")}};
    const auto pairs = similar_pairs(all, given(lab));
    REQUIRE(pairs.size() == 1);
    CHECK(pairs[0].one == 1);
    CHECK(pairs[0].other == 3);
    CHECK(pairs[0].share < 1.0);
}

TEST_CASE("a quarter of another's kernel is not enough, most of it is") {
    const std::string lab = "05_conv2d_naive", own = kernel(lab, "bands_in_a_loop");
    const std::string other = kernel(lab, "window_slides_down");
    CHECK(share(lab, other, own + other.substr(0, other.size() / 4)) == 0.0);
    const double most = share(lab, other, own + other.substr(0, other.size() * 3 / 4));
    CHECK(most > 0.5);
    CHECK(most < 0.9);
}

TEST_CASE("the skeleton is no evidence, and neither is what half the class writes") {
    const std::string lab = "05_conv2d_naive", skeleton = given(lab)[0], right = kernel(lab, "conv2d_naive");
    CHECK(similar_pairs({{"a", skeleton}, {"b", renamed(skeleton)}}, given(lab)).empty());
    CHECK(similar_pairs({{"a", skeleton}, {"b", skeleton}}, {}).size() == 1);
    CHECK(similar_pairs({{"a", right}, {"b", skeleton}}, given(lab)).empty());
    CHECK(similar_pairs({{"a", right}, {"b", right}}, {right}).empty());
    CHECK(similar_pairs(std::vector<named_source>(12, {"a", right}), given(lab)).empty());
    CHECK(similar_pairs(std::vector<named_source>(9, {"a", right}), given(lab)).size() == 9 * 8 / 2);
}

TEST_CASE("the page marks what is common, and students' code stays text") {
    const own_folder folder;
    std::string one = kernel("05_conv2d_naive", "conv2d_naive");
    for (const std::string& text : hostile_texts())
        one += "// " + text + "\n";
    const std::vector<named_source> all = {{"<b>Eve\u202e", one}, {"Mallory", renamed(one)}};
    const auto pairs = similar_pairs(all, given("05_conv2d_naive"));
    REQUIRE(pairs.size() == 1);
    const std::string page = similarity_html("05_conv2d_naive", all, pairs);
    const fs::path file = folder.file("page.html", page);
    CHECK(xmllint("--nonet --noout", file) == "");
    CHECK(steering_character(page).empty());
    CHECK(xpath("count(//*[local-name()='h2'])", file) == "1");
    CHECK(xpath("count(//*[local-name()='script' or local-name()='b' or local-name()='img'])", file) == "0");
    CHECK(xpath("count(//*[local-name()='mark'])", file) ==
          std::to_string(pairs[0].lines_one.size() + pairs[0].lines_other.size()));
    CHECK(pairs[0].lines_one.size() > 50);
}
