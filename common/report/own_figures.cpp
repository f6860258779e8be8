// Pictures as gnuplot left them: each as .svg and as .png.
#include "report/own_figures.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace report {

namespace fs = std::filesystem;

namespace {

std::string bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The smaller one of the two: of a picture with many cells that is the .png.
void add(std::vector<figure>& all, const std::string& caption, const fs::path& without_extension) {
    const std::string stem = without_extension.string(), svg = bytes_of(stem + ".svg"),
                      png = bytes_of(stem + ".png");
    if (svg.empty() && png.empty()) return;
    const bool as_svg = png.empty() || (!svg.empty() && svg.size() <= png.size());
    all.push_back(as_svg ? figure{caption, "image/svg+xml", svg} : figure{caption, "image/png", png});
}

/// Names without extension of a folder's pictures, sorted.
std::vector<std::string> pictures_in(const fs::path& folder) {
    std::vector<std::string> stems;
    std::error_code not_there;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, not_there))
        if (entry.path().extension() == ".png") stems.push_back(entry.path().stem().string());
    std::sort(stems.begin(), stems.end());
    return stems;
}

/// "tiled_32: banks that a warp asks, 1" of "tiled_32_banks_1": what make inspect draws (check/modes/pictures.h).
std::string in_words(const std::string& stem) {
    static const std::pair<const char*, const char*> KINDS[] = {
        {"_loads", "how often each element is loaded"},
        {"_threads", "which thread loads what, for a block in the middle"},
        {"_timeline", "what runs beside what"},
        {"_banks", "banks that a warp asks"},
        {"_errors", "where the output is wrong"}};
    for (const auto& [kind, words] : KINDS) {
        const size_t at = stem.rfind(kind);
        if (at == std::string::npos || at == 0) continue;
        const std::string number = stem.substr(at + std::strlen(kind));
        if (number.empty() || number.find_first_not_of("_0123456789") == std::string::npos)
            return stem.substr(0, at) + ": " + words + (number.empty() ? "" : ", " + number.substr(1));
    }
    return stem;
}

}  // namespace

std::vector<figure> figures_of_lab(const fs::path& build, const std::string& lab) {
    std::vector<figure> all;
    for (const std::string& stem : pictures_in(build / "inspect" / lab))
        add(all, in_words(stem), build / "inspect" / lab / stem);
    add(all, "times of your own runs", build / "plots" / lab);
    std::error_code not_there;
    for (const fs::directory_entry& gpu : fs::directory_iterator(build / "plots", not_there))
        if (gpu.is_directory())
            add(all, "the reference solution, recorded: " + gpu.path().filename().string(), gpu.path() / lab);
    return all;
}

std::vector<figure> figures_of_all(const fs::path& build) {
    std::vector<figure> all;
    add(all, "what each lab brought", build / "plots" / "staircase");
    return all;
}

}  // namespace report
