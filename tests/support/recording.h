// A made-up recording: the files of `make record` that the sources' figures and tables are drawn from, with
// times by a formula.
#pragma once
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "author/regions.h"

namespace recording {

using words = std::vector<std::string>;

/// What a file holds: every method with every block, build, kind of filter and memory, image and filter.
struct sweep {
    std::string file;
    words methods, blocks;
    std::vector<int> images, filters;
    words builds = {"default"}, kinds = {"random"}, memories = {"pageable"};
};

inline constexpr const char* COLUMNS =
    "lab,method,backend,device,date,width,height,channels,filter_width,filter_height,kernel_ms,copy_ms,call_"
    "ms,"
    "gflops,block,build,filter_kind,memory,p10_ms,p90_ms,repeats,total_ms,copy_p10_ms,copy_p90_ms,calls\n";

/// The k-th method takes k + 1 ms for 10^9 taps, the serial loop a thousand times as long; copies take 1 ms
/// for 10^6 pixels, half of it with pinned memory. An image of 1920 pixels in width has 1080 rows, others
/// are square.
inline std::string row(const sweep& what, size_t k, const std::string& block, int image, int filter,
                       const std::string& build, const std::string& kind, const std::string& memory) {
    const bool is_serial = what.methods[k] == "serial";
    const int height = image == 1920 ? 1080 : image;
    const double taps = double(image) * height * filter * filter,
                 kernel_ms = (is_serial ? 1000 : k + 1) * taps * 1e-9;
    const double copy_ms = is_serial ? 0 : double(image) * height * (memory == "pinned" ? 0.5e-6 : 1e-6);
    char text[400];
    std::snprintf(
        text, sizeof text,
        "99_made_up,\"%s\",gpu,\"%s\",2000-01-01,%d,%d,1,%d,%d,%.6f,%.6f,%.6f,%.3f,%s,%s,%s,%s,%.6f,%.6f,20,"
        "%.6f,%.6f,%.6f,5\n",
        what.methods[k].c_str(), is_serial ? "serial loop on the CPU" : "Made-up GPU", image, height, filter,
        filter, kernel_ms, copy_ms, kernel_ms + copy_ms + 1, 2e-6 * taps / kernel_ms, block.c_str(),
        build.c_str(), kind.c_str(), memory.c_str(), kernel_ms, kernel_ms, kernel_ms + copy_ms, copy_ms,
        copy_ms);
    return text;
}

inline void write(const std::filesystem::path& folder, const sweep& what) {
    std::string text = COLUMNS;
    for (size_t k = 0; k < what.methods.size(); k++)
        for (const std::string& block : what.blocks)
            for (const std::string& build : what.builds)
                for (const std::string& kind : what.kinds)
                    for (const std::string& memory : what.memories)
                        for (int image : what.images)
                            for (int filter : what.filters)
                                text += row(what, k, block, image, filter, build, kind, memory);
    author::write_text(folder / (what.file + ".csv"), text);
}

inline std::vector<sweep> sweeps() {
    const words eleven = {
        "constant",      "naive",       "padded",         "shared_one_thread", "shared_edge_threads",
        "shared",        "shared_rows", "texture_padded", "texture_border",    "texture_filter",
        "texture_shared"};
    const words four = {"padded", "constant", "texture_border", "shared"};
    const words three = {"naive", "constant", "shared_unrolled"};
    const words blocks = {"4x4", "8x8", "16x16", "32x32"};
    const words kinds = {"random", "box",     "gaussian",  "sharpen", "edge",
                         "emboss", "sobel_x", "laplacian", "identity"};
    const std::vector<int> large = {3, 9, 33, 65};
    return {
        {"serial", {"serial"}, {""}, {256, 512, 1024, 1920, 2048, 4096}, {3, 5, 7, 9, 27, 75}},
        {"sweep_filters", eleven, {"32x32"}, {512, 1024}, {3, 9, 31, 75}},
        {"sweep_blocks", four, blocks, {256, 512, 1024, 2048}, {3, 11, 61}},
        {"sweep_configurations", three, {"8x8", "16x16", "32x8", "32x16", "32x32"}, {2048}, {5}},
        {"sweep_images", three, {"16x16"}, {256, 512, 1024, 2048, 4096}, {3, 5, 7}},
        {"sweep_kinds", four, {"32x8"}, {512}, {3}, {"default"}, kinds},
        {"sweep_builds", four, {"4x4", "32x32"}, {512}, {61}, {"default", "fast-math", "no-fmad"}},
        {"sweep_copies",
         {"naive", "constant", "subblocks"},
         {"32x8"},
         {512, 1024, 1920, 2048, 4096},
         {3, 5, 9, 27},
         {"default"},
         {"random"},
         {"pageable", "pinned"}},
        {"sweep_adaptive", {"adaptive_tiling"}, {"16x16", "16x32", "32x16"}, {4096}, {7, 33, 43}},
        {"sweep_large", {"adaptive_tiling", "adaptive"}, {"32x8"}, {1024, 4096}, large},
        {"fft", {"fft"}, {""}, {1024, 4096}, large},
        {"08_conv2d_shared.map", {"shared_no_tile", "shared"}, {"32x8"}, {4096}, {7, 33, 43}},
        {"11_conv2d_banks.map", {"banks", "banks_padding", "banks_wide"}, {"16x16"}, {4096}, {7, 33, 43}},
        {"12_conv2d_tiling.map",
         {"tiling_narrow_2", "tiling_narrow_padded_2", "tiling_square_2", "tiling_narrow_4",
          "tiling_narrow_padded_4", "tiling_square_4"},
         {"16x16"},
         {4096},
         {7, 33, 43}},
    };
}

}  // namespace recording
