// Random values, and images that need no file: noise, checkerboard, impulse, ramp.
#include <fmt/format.h>
#include <stdexcept>

#include "problem/problem.h"

namespace check {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): the same on every machine; the standard's distributions are not.
class random_source {
public:
    explicit random_source(uint64_t seed) : state_(seed) {}

    /// Uniform in [-1, 1), a multiple of 2^-23, so that the float is exact.
    float symmetric() {
        const float fraction = float(bits() >> 40) / float(1 << 23);  // [0, 2)
        return fraction - 1.0f;
    }

private:
    uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15;
        uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return mixed ^ (mixed >> 31);
    }

    uint64_t state_;
};

image empty_image(int width, int height, int channels) {
    if (width < 1 || height < 1 || channels < 1) {
        throw std::invalid_argument(fmt::format(
            "an image of {}x{}, {} channels: all three must be at least 1", width, height, channels));
    }
    return {width, height, channels, std::vector<float>(size_t(width) * height * channels)};
}

}  // namespace

std::vector<float> random_values(size_t count, uint64_t seed) {
    random_source source(seed);
    std::vector<float> values(count);
    for (float& value : values)
        value = source.symmetric();
    return values;
}

image noise_image(int width, int height, int channels, uint64_t seed) {
    image noise = empty_image(width, height, channels);
    noise.pixels = random_values(noise.pixels.size(), seed);
    return noise;
}

image checkerboard_image(int width, int height, int square) {
    if (square < 1) throw std::invalid_argument(fmt::format("squares of {}: must be at least 1", square));
    image board = empty_image(width, height, 1);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const bool white = (x / square + y / square) % 2 == 0;
            board.pixels[size_t(y) * width + x] = white ? 1.0f : 0.0f;
        }
    }
    return board;
}

image impulse_image(int width, int height, int x, int y) {
    image impulse = empty_image(width, height, 1);
    if (x < 0 || x >= width || y < 0 || y >= height) {
        throw std::invalid_argument(
            fmt::format("an impulse at ({}, {}) lies outside {}x{}", x, y, width, height));
    }
    impulse.pixels[size_t(y) * width + x] = 1.0f;
    return impulse;
}

image ramp_image(int width, int height) {
    image ramp = empty_image(width, height, 1);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            ramp.pixels[size_t(y) * width + x] = float(x + 1000 * y);
    }
    return ramp;
}

}  // namespace check
