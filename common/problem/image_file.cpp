// PNG and JPEG files, through stb.
#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "problem/problem.h"

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

namespace check {

namespace {

constexpr int MAX_SIDE = 16384;

[[noreturn]] void fail(const std::string& path, const std::string& trouble) {
    throw std::runtime_error(path + ": " + trouble);
}

using file_handle = std::unique_ptr<FILE, int (*)(FILE*)>;

/// stb opens directories and then reports an unknown format,
/// so what can be said by the system is asked first.
file_handle open_file(const std::string& path) {
    if (std::filesystem::is_directory(path)) fail(path, "is a folder, not a PNG or JPEG file");
    file_handle file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file) fail(path, std::string("cannot be read: ") + std::strerror(errno));
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored) && std::filesystem::file_size(path, ignored) == 0) {
        fail(path, "is empty (0 bytes), not a PNG or JPEG file");
    }
    return file;
}

void check_size(const std::string& path, int width, int height) {
    const std::string size = fmt::format("is {}x{} pixels; ", width, height);
    if (width > MAX_SIDE || height > MAX_SIDE) {
        fail(path, size + fmt::format("at most {0}x{0} are allowed", MAX_SIDE));
    }
    if (width * height <= 1) fail(path, size + "at least 2 pixels are needed to filter anything");
}

void append_bytes(void* bytes, void* data, int size) {
    auto& sink = *static_cast<std::string*>(bytes);
    sink.append(static_cast<const char*>(data), size_t(size));
}

/// Written under a temporary name and renamed, so that no half-written picture stays behind.
void write_whole(const std::string& path, const std::string& bytes) {
    const std::string temporary = path + ".part";
    FILE* file = std::fopen(temporary.c_str(), "wb");
    if (!file) fail(path, std::string("cannot be written: ") + std::strerror(errno));
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    const bool closed = std::fclose(file) == 0;
    const int trouble = errno;
    if (!written || !closed || std::rename(temporary.c_str(), path.c_str()) != 0) {
        std::remove(temporary.c_str());
        fail(path, std::string("cannot be written: ") + std::strerror(written && closed ? errno : trouble));
    }
}

}  // namespace

image read_image(const std::string& path, int channels) {
    if (channels != 1 && channels != 3) {
        throw std::invalid_argument(fmt::format("read_image: {} channels asked for; 1 or 3 exist", channels));
    }
    const file_handle file = open_file(path);
    int width = 0, height = 0, stored_channels = 0;
    // The header first: a picture that is too large is refused before memory is spent on it.
    if (!stbi_info_from_file(file.get(), &width, &height, &stored_channels)) {
        fail(path, std::string("is not a PNG or JPEG file (") + stbi_failure_reason() + ")");
    }
    check_size(path, width, height);
    const std::unique_ptr<stbi_uc, void (*)(void*)> bytes(
        stbi_load_from_file(file.get(), &width, &height, &stored_channels, channels), stbi_image_free);
    if (!bytes) fail(path, std::string("is damaged (") + stbi_failure_reason() + ")");
    image result{width, height, channels, {}};
    result.pixels.assign(bytes.get(), bytes.get() + size_t(width) * height * channels);
    return result;
}

void write_image(const image& what, const std::string& path) {
    if (what.pixels.size() != size_t(what.width) * what.height * what.channels || what.pixels.empty()) {
        fail(path, "not written: the image is empty or its size does not fit its pixels");
    }
    std::vector<stbi_uc> bytes(what.pixels.size());
    for (size_t k = 0; k < bytes.size(); k++) {
        const float value = what.pixels[k];
        const float clamped = !(value > 0.0f) ? 0.0f : std::min(value, 255.0f);  // NaN becomes black
        bytes[k] = stbi_uc(std::lround(clamped));
    }
    std::string png;
    if (!stbi_write_png_to_func(append_bytes, &png, what.width, what.height, what.channels, bytes.data(),
                                what.width * what.channels)) {
        fail(path, "cannot be written as PNG");
    }
    write_whole(path, png);
}

}  // namespace check
