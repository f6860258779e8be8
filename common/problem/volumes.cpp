// Volumes, whose rows are those of slices: how they lie, and where they come from.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "problem/problem.h"

namespace check {

int row_under(const problem_2d& problem, int y, int i) {
    const image& in = problem.in;
    const filter& f = problem.filter;
    const int height = in.slice_height(), filter_height = f.slice_height();
    const int z = std::clamp(y / height, 0, in.depth - 1);
    const int slice = lab::border_index(z + i / filter_height - f.depth / 2, in.depth, problem.border);
    const int row =
        lab::border_index(y - z * height + i % filter_height - filter_height / 2, height, problem.border);
    return slice < 0 || row < 0 ? -1 : slice * height + row;
}

uint64_t valid_rows(const problem_2d& problem) {
    return valid_taps(problem.in.slice_height(), problem.filter.slice_height() / 2) *
           valid_taps(problem.in.depth, problem.filter.depth / 2);
}

std::vector<float> convolve_serial_volume(const problem_2d& problem) {
    const image& in = problem.in;
    const filter& f = problem.filter;
    std::vector<float> out;
    for (int y = 0; y < in.height; y++) {
        for (int x = 0; x < in.width; x++) {
            float sum = 0.0f;
            for (int i = 0; i < f.height; i++) {
                const int row = row_under(problem, y, i);
                if (row < 0) continue;
                const int first = x - f.width / 2;
                for (int j = std::max(0, -first); j < std::min(f.width, in.width - first); j++)
                    sum += in.pixels[size_t(row) * in.width + first + j] * f.taps[size_t(i) * f.width + j];
            }
            out.push_back(sum);
        }
    }
    return out;
}

image noise_volume(int width, int height, int depth, uint64_t seed) {
    image noise = noise_image(width, height * depth, 1, seed);
    noise.depth = depth;
    return noise;
}

filter random_volume_filter(int width, int height, int depth, uint64_t seed) {
    if (height % 2 == 0 || depth % 2 == 0)
        throw std::invalid_argument(
            fmt::format("random_volume_filter: {} slices of {} rows: both must be odd", depth, height));
    filter made = random_filter(width, height * depth, seed);
    made.depth = depth;
    made.name = fmt::format("random {}x{}x{}", width, height, depth);
    return made;
}

void give_as_volume(problem_2d& problem) {
    image& in = problem.in;
    const auto slices_of = [](int rows) {  // 0 if there are none of about as many rows
        for (int slices = int(std::sqrt(rows)); 4 * slices * slices > rows; slices--)
            if (rows % slices == 0) return slices;
        return 0;
    };
    while (slices_of(in.height) == 0)
        in.height--;
    in.depth = slices_of(in.height);
    in.pixels.resize(size_t(in.width) * in.height);
    filter& f = problem.filter;
    const std::vector<float> slice = f.taps;
    f.depth = f.height;
    f.taps.clear();
    for (int k = 1; k <= f.depth; k++) {
        const float weight = 2.0f * float(k) / float(f.depth * (f.depth + 1));
        for (const float tap : slice)
            f.taps.push_back(tap * weight);
    }
    f.name += fmt::format("x{}", f.depth);
    f.height *= f.depth;
}

}  // namespace check
