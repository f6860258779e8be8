// The sources' figures, drawn from a made-up recording: each SVG is opened and its series, names and labels
// are looked for.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "author/regions.h"
#include "recording.h"

namespace fs = std::filesystem;

namespace {

/// What a figure must show: series of marks in each panel, and texts.
struct shown {
    std::string name;
    std::vector<int> series;  // by panel
    std::vector<std::string> texts;
};

const std::vector<std::string> FIVE = {"naive: padded image", "constant memory",
                                       "shared: block swept over the tile", "texture: padded image",
                                       "texture: image and filter"};
const std::vector<std::string> FOUR = {"naive: padded image", "constant memory",
                                       "texture: border by address mode",
                                       "shared: block swept over the tile"};
const std::vector<std::string> THREE = {"naive: bounds tested", "constant memory",
                                        "shared: swept and unrolled", "Tesla T4 (printed)",
                                        "GTX 1050 Ti (printed)"};
const std::vector<std::string> SIDES = {"filter width (taps)", "filter height (taps)"};

std::vector<std::string> with(std::vector<std::string> texts, const std::vector<std::string>& more) {
    texts.insert(texts.end(), more.begin(), more.end());
    return texts;
}

std::vector<shown> figures() {
    return {
        {"beukman_fig06",
         {6, 6},
         with(FIVE, {"serial loop on the CPU", "time (ms)", "kernel alone", "with the copies"})},
        {"beukman_fig07", {5, 5}, with(FIVE, {"time (ms)", "filter width and height (taps)"})},
        {"beukman_fig08", {5, 5}, with(FIVE, {"GFLOP/s"})},
        {"beukman_fig09",
         {3, 3, 3, 3, 3, 3},
         with(FIVE, {"share of the time (%)", "copies to the device and back"})},
        {"beukman_fig10", {4, 4}, with(FOUR, {"4x4", "32x32", "61 x 61 taps", "kernel time (ms)"})},
        {"beukman_fig11", {4, 4, 4, 4}, with(FOUR, {"blocks of 4x4 threads", "blocks of 32x32 threads"})},
        {"beukman_fig12", {4, 4, 4, 4}, with(FOUR, {"width and height of the image (pixels)", "2048"})},
        {"beukman_fig13",
         {24},
         with(FIVE, {"texture: to shared memory", "shared: halo by one thread", "Beukman"})},
        {"beukman_fig14", {4, 4}, with(FOUR, {"--fmad=false", "--use_fast_math"})},
        {"beukman_section5_8", {4}, with(FOUR, {"laplacian", "identity", "random"})},
        {"camerino_table5_5", {3, 3, 3}, THREE},
        {"camerino_table5_5_speedup", {3, 3, 3}, with(THREE, {"times faster than the serial loop"})},
        {"camerino_table5_7", {3, 3, 3}, THREE},
        {"camerino_table5_9", {3, 3, 3}, with(THREE, {"8x8", "32x16"})},
        {"camerino_crossover",
         {3},
         {"Tesla T4 (printed)", "GTX 1050 Ti (printed)", "above this line V2 is faster"}},
        {"ichimura_table1",
         {3, 3, 3, 3},
         {"subblocks", "constant memory", "GTX 1080 Ti (printed)", "kernel time (ms)"}},
        {"ichimura_transfer",
         {3},
         {"copies, pageable arrays", "copies, pinned arrays", "kernel (constant memory)"}},
        {"pmpp_fig7_22",
         {6},
         {"formula for whole tiles, mask of 5", "counted, mask of 9", "printed, mask of 9"}},
        {"vanwerkhoven_fig3_passes", {3}, {"16 x 16 threads", "32 x 32 threads", "passes for one request"}},
        {"vanwerkhoven_fig2", {1}, with(SIDES, {"taps in constant memory, no tile"})},
        {"vanwerkhoven_fig3", {1, 1}, with(SIDES, {"16 x 16 threads", "32 x 32 threads"})},
        {"vanwerkhoven_fig5",
         {1, 1},
         with(SIDES, {"1x2 tiling, 16 x 16 threads", "1x4 tiling, 16 x 16 threads"})},
        {"vanwerkhoven_fig6", {1, 1}, with(SIDES, {"1x4 tiling, padded rows"})},
        {"vanwerkhoven_fig7", {1, 1}, with(SIDES, {"1x4 tiling, 32 x 32 threads"})},
        {"vanwerkhoven_fig8",
         {1, 1, 1, 1},
         with(SIDES, {"16 x 32 threads", "outputs of a thread: GTX 480, 48 KB a block"})},
        {"vanwerkhoven_section7",
         {3, 3},
         {"adaptive tiling", "fast version", "FFT (cuFFT)", "1024 x 1024 pixels"}},
    };
}

std::string said_by(const std::string& command, int& status) {
    FILE* pipe = popen((command + " 2>&1 </dev/null").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string text;
    char buffer[4096];
    while (const size_t count = fread(buffer, 1, sizeof buffer, pipe))
        text.append(buffer, count);
    status = pclose(pipe);
    return text;
}

/// A folder with a recording, in which figures are drawn.
struct drawing {
    const fs::path folder = fs::temp_directory_path() / ("figures-" + std::to_string(getpid()));
    int status = 0;

    drawing() {
        fs::create_directories(folder);
        for (const recording::sweep& what : recording::sweeps())
            recording::write(folder, what);
        author::write_text(folder / "13_conv2d_adaptive.factors.csv",
                           "device,bytes,filter_width,filter_height,factor\n\"GTX 480\",49152,3,3,8\n");
    }
    ~drawing() { fs::remove_all(folder); }

    std::string draw(const std::string& names = "") {
        return said_by("OUT=" + folder.string() + " common/build/figures.sh " + folder.string() + " " + names,
                       status);
    }
    std::string svg(const std::string& name) const { return author::read_text(folder / (name + ".svg")); }
};

int count_of(const std::string& text, const std::string& part) {
    int count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        count++;
    return count;
}

/// The marks of every series: lines, points, bars or cells, by panel ("a", "b", ...).
std::map<char, std::vector<int>> marks_in(const std::string& svg) {
    static const std::regex BEGINS("<g id=\"gnuplot_plot_[0-9]+([a-z]?)\"");
    std::map<char, std::vector<int>> panels;
    int depth = 0;  // of <g> in the one that is a series; 0 outside
    std::vector<int>* series = nullptr;
    for (const std::string& line : author::lines_of(svg)) {
        std::smatch found;
        if (std::regex_search(line, found, BEGINS)) {
            series = &panels[found[1].length() > 0 ? found[1].str()[0] : 'a'];
            series->push_back(0);
            depth = 0;
        } else if (depth == 0) {
            continue;
        }
        depth += count_of(line, "<g ") - count_of(line, "</g>");
        for (const char* mark : {"<use ", "<polygon ", "<path "})
            series->back() += count_of(line, mark);
    }
    return panels;
}

bool has_text(const std::string& svg, const std::string& text) {
    return svg.find(">" + text + "<") != std::string::npos ||
           svg.find("> " + text + "<") != std::string::npos;
}

}  // namespace

TEST_CASE("every figure shows its series with their names and says where and when they were measured") {
    drawing made;
    const std::string said = made.draw();
    INFO(said);
    CHECK(made.status == 0);
    for (const shown& figure : figures()) {
        INFO(figure.name);
        const std::string svg = made.svg(figure.name);
        CHECK(fs::file_size(made.folder / (figure.name + ".png")) > 10000);
        const bool is_counted = svg.find(">counted by the inspector, 20") != std::string::npos;
        CHECK((is_counted || svg.find("Made-up GPU, 2000-01-01") != std::string::npos));
        for (const std::string& text : figure.texts) {
            INFO(text);
            CHECK(has_text(svg, text));
        }
        auto panels = marks_in(svg);
        for (size_t k = 0; k < figure.series.size(); k++) {
            std::vector<int>& series = panels[char('a' + k)];
            CHECK(int(series.size()) == figure.series[k]);
            CHECK(std::all_of(series.begin(), series.end(), [](int marks) { return marks > 0; }));
        }
    }
}

TEST_CASE("every figure that there is is looked at here") {
    const auto known = figures();
    for (const auto& entry : fs::directory_iterator("common/plot/figures")) {
        const std::string name = entry.path().stem();
        INFO(name);
        CHECK(std::any_of(known.begin(), known.end(), [&](const shown& one) { return one.name == name; }));
    }
}

TEST_CASE("a method that was not recorded is named and its series is empty") {
    drawing made;
    recording::sweep few = recording::sweeps()[1];
    CHECK(few.file == "sweep_filters");
    few.methods.erase(std::find(few.methods.begin(), few.methods.end(), "texture_filter"));
    recording::write(made.folder, few);
    CHECK(made.draw("beukman_fig07").find("beukman_fig07: no rows with method=texture_filter") !=
          std::string::npos);
    const std::vector<int> series = marks_in(made.svg("beukman_fig07"))['a'];
    CHECK(std::count_if(series.begin(), series.end(), [](int marks) { return marks > 0; }) == 4);
}

TEST_CASE("a file that is missing is named with the remedy and the rest is drawn") {
    drawing made;
    fs::remove(made.folder / "fft.csv");
    const std::string said = made.draw("vanwerkhoven_section7 beukman_fig09");
    CHECK(made.status != 0);
    CHECK(said == "vanwerkhoven_section7: not drawn, " + made.folder.string() +
                      "/fft.csv is missing: make record on a GPU " + "writes it\ndrew 1 of 2 figures in " +
                      made.folder.string() + "\n");
    CHECK(fs::exists(made.folder / "beukman_fig09.svg"));
}

TEST_CASE("every lab's chart is drawn from what was recorded") {
    int status = 0;
    const std::string said = said_by("common/build/plots.sh", status);
    INFO(said);
    CHECK(status == 0);
    CHECK(said.find("warning") == std::string::npos);
    int charts = 0;
    for (const auto& entry : fs::directory_iterator("build/plots/nvidia-h200")) {
        if (entry.path().extension() != ".svg") continue;
        INFO(entry.path().string());
        const std::string svg = author::read_text(entry.path());
        CHECK(svg.find("NVIDIA H200, 20") != std::string::npos);
        CHECK(marks_in(svg)['a'].size() > 0);
        charts++;
    }
    CHECK(charts >= 17);
}
