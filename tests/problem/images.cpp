// Images: seeded ones, files there and back, and files that are no images.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "problem/problem.h"

using namespace check;

namespace {

/// A folder that goes with the test.
struct scratch_folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("images_test_" + std::to_string(getpid()));
    scratch_folder() { std::filesystem::create_directories(path); }
    ~scratch_folder() { std::filesystem::remove_all(path); }
    std::string operator/(const std::string& name) const { return path / name; }
};

void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

/// The message of the exception, "" if there is none.
std::string trouble(const std::string& path, int channels = 1) {
    try {
        read_image(path, channels);
        return "";
    } catch (const std::exception& error) {
        return error.what();
    }
}

/// A PNG that claims a size in its header and holds nothing.
std::string png_header(uint32_t width, uint32_t height) {
    const auto big_endian = [](uint32_t value) {
        return std::string{char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
    };
    const std::string size = big_endian(width) + big_endian(height);
    return std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16) + size + std::string("\x08\0\0\0\0", 5) +
           big_endian(0);
}

}  // namespace

TEST_CASE("seeded noise repeats and lies in [-1, 1)") {
    const image noise = noise_image(33, 17, 3, 5);
    CHECK(noise.pixels.size() == 33 * 17 * 3);
    CHECK(noise.pixels == noise_image(33, 17, 3, 5).pixels);
    CHECK(noise.pixels != noise_image(33, 17, 3, 6).pixels);
    double sum = 0;
    for (float value : noise.pixels) {
        CHECK((value >= -1.0f && value < 1.0f));
        sum += value;
    }
    CHECK(std::abs(sum / double(noise.pixels.size())) < 0.1);
    // Written down, so that a change of the generator is noticed: recorded runs name their seed.
    // SplitMix64 of seed 42 starts with 0xbdd732..., 0x28efe3..., 0x475267...
    constexpr float SCALE = 0x1p-23f;
    CHECK(random_values(3, 42) ==
          std::vector<float>{0xbdd732 * SCALE - 1, 0x28efe3 * SCALE - 1, 0x475267 * SCALE - 1});
}

TEST_CASE("checkerboard, impulse and ramp") {
    const image board = checkerboard_image(4, 3, 2);
    CHECK(board.pixels == std::vector<float>{1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1});
    CHECK(impulse_image(3, 2, 2, 1).pixels == std::vector<float>{0, 0, 0, 0, 0, 1});
    CHECK(ramp_image(3, 2).pixels == std::vector<float>{0, 1, 2, 1000, 1001, 1002});
    CHECK_THROWS_AS(impulse_image(3, 2, 3, 0), std::invalid_argument);
    CHECK_THROWS_AS(noise_image(0, 2), std::invalid_argument);
}

TEST_CASE("a picture comes back as it was written") {
    const scratch_folder folder;
    for (int channels : {1, 3}) {
        image picture{5, 2, channels, {}};
        for (int k = 0; k < 10 * channels; k++)
            picture.pixels.push_back(float(8 * k));
        write_image(picture, folder / "picture.png");
        const image back = read_image(folder / "picture.png", channels);
        CHECK(back.width == 5);
        CHECK(back.height == 2);
        CHECK(back.channels == channels);
        CHECK(back.pixels == picture.pixels);
    }
}

TEST_CASE("values are clamped and rounded, NaN is black") {
    const scratch_folder folder;
    write_image({6, 1, 1, {-3.0f, 0.4f, 0.6f, 254.7f, 1e9f, NAN}}, folder / "clamped.png");
    CHECK(read_image(folder / "clamped.png", 1).pixels == std::vector<float>{0, 0, 1, 255, 255, 0});
}

TEST_CASE("files that are no images, each with its name and what is wrong") {
    const scratch_folder folder;
    const std::string missing = folder / "missing.png";
    CHECK(trouble(missing) == missing + ": cannot be read: No such file or directory");
    CHECK(trouble(folder.path) == folder.path.string() + ": is a folder, not a PNG or JPEG file");
    const std::string empty = folder / "empty.png";
    write_bytes(empty, "");
    CHECK(trouble(empty) == empty + ": is empty (0 bytes), not a PNG or JPEG file");
    const std::string text = folder / "text.png";
    write_bytes(text, "this is no picture");
    CHECK(trouble(text).find(text + ": is not a PNG or JPEG file") == 0);
    const std::string huge = folder / "huge.png";
    write_bytes(huge, png_header(16385, 3));
    CHECK(trouble(huge) == huge + ": is 16385x3 pixels; at most 16384x16384 are allowed");
    const std::string damaged = folder / "damaged.png";
    write_bytes(damaged, png_header(64, 64));
    CHECK(trouble(damaged).find(damaged + ": is damaged") == 0);
    const std::string single = folder / "single.png";
    write_image({1, 1, 1, {7}}, single);
    CHECK(trouble(single) == single + ": is 1x1 pixels; at least 2 pixels are needed to filter anything");
    CHECK_THROWS_AS(read_image(single, 2), std::invalid_argument);
}

TEST_CASE("pictures that cannot be written leave nothing behind") {
    const scratch_folder folder;
    CHECK_THROWS_AS(write_image({2, 1, 1, {1, 2}}, folder / "no/such/folder.png"), std::runtime_error);
    CHECK_THROWS_AS(write_image({2, 2, 1, {1, 2}}, folder / "sizes.png"), std::runtime_error);
    CHECK(std::filesystem::is_empty(folder.path));
    if (std::filesystem::exists("/dev/full"))
        CHECK_THROWS_AS(write_image({2, 1, 1, {1, 2}}, "/dev/full/x.png"), std::runtime_error);
}
