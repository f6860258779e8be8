// Expectations about launches: how many blocks, and what warps do together.
#include <algorithm>
#include <cmath>

#include "check/check.h"

namespace check {

namespace {

constexpr double LEAST_THREADS = 8;   // of 32, in a request: tiles of 8 columns are ordinary
constexpr double FEWEST_THREADS = 4;  // the same where tiles are small, or loads wide
constexpr double SECTOR_BYTES = 32;
constexpr double WARP = 32;

double blocks_over(double length, double block) {
    return std::ceil(length / std::max(1.0, block));
}

double threads_of(const inspect::launch& launch) {
    return double(launch.blocks()) * launch.block[0] * launch.block[1] * launch.block[2];
}

/// Threads that may read taps: those of whole warps over the outputs, or of the whole launch.
double readers(const inspect::report& seen, const problem_1d& problem) {
    return std::max(blocks_over(double(problem.n()), WARP) * WARP, threads_of(main_launch(seen)));
}

double readers(const inspect::report& seen, const problem_2d& problem) {
    const image& in = problem.in;
    return std::max(blocks_over(double(in.width) * in.channels, WARP) * WARP * in.height,
                    threads_of(main_launch(seen)));
}

}  // namespace

inspect::launch main_launch(const inspect::report& seen) {
    const auto stored = [](const inspect::launch& one) {
        return one.total.global.stores.bytes + one.total.global.atomics.bytes;
    };
    const auto most = std::max_element(
        seen.launches.begin(), seen.launches.end(),
        [&](const inspect::launch& a, const inspect::launch& b) { return stored(a) < stored(b); });
    if (most != seen.launches.end()) return *most;
    inspect::launch one;  // nobody divides by its sizes in vain
    std::fill_n(one.grid, 3, 1u), std::fill_n(one.block, 3, 1u);
    return one;
}

double blocks_needed(const inspect::launch& launch, int width, int height) {
    const double x = launch.block[0], y = launch.block[1], threads = x * y * launch.block[2];
    double in_a_line = blocks_over(double(width) * height, threads);
    // A grid of several rows can only be taller by a whole one.
    const double row = launch.grid[0];
    if (row <= in_a_line) in_a_line = std::ceil(in_a_line / row) * row;
    return height == 1 ? in_a_line : std::max(in_a_line, blocks_over(width, x) * blocks_over(height, y));
}

double blocks_either_way(const inspect::launch& launch, int width, int height) {
    const double across = blocks_needed(launch, width, height);
    return height == 1 ? across : std::max(across, blocks_needed(launch, height, width));
}

int tall_image(const inspect::report& seen) {
    const inspect::launch launch = main_launch(seen);
    return launch.block[1] * launch.block[2] > 1 ? 70000 : 40000;
}

double broadcast_taps(const inspect::report& seen, const problem_1d& problem) {
    return readers(seen, problem) * double(problem.taps.size());
}

double broadcast_taps(const inspect::report& seen, const problem_2d& problem) {
    return readers(seen, problem) * double(problem.filter.taps.size());
}

inspect::traffic constant_taps(const inspect::report& seen, const problem_1d& problem) {
    return seen.constant_of(problem.taps.size() * sizeof(float));
}

inspect::traffic constant_taps(const inspect::report& seen, const problem_2d& problem) {
    return seen.constant_of(problem.filter.taps.size() * sizeof(float));
}

double most_constant_taps(const inspect::report& seen, const problem_1d& problem) {
    return broadcast_taps(seen, problem) + readers(seen, problem) * CONSTANT_WORDS;
}

double most_constant_taps(const inspect::report& seen, const problem_2d& problem) {
    return broadcast_taps(seen, problem) + readers(seen, problem) * CONSTANT_WORDS;
}

double block_outputs::blocks(int image_width, int image_height) const {
    return blocks_over(image_width, width) * blocks_over(image_height, height);
}

block_outputs outputs_of_block(const method_2d& method, const problem_2d& problem) {
    constexpr int LENGTH = 1024;
    const auto along = [&](int width, int height) {
        const problem_2d line =
            method.posed(problem_2d{noise_image(width, height, 1, seed()), problem.filter});
        return int(std::ceil(LENGTH / double(main_launch(inspect_right(method, line)).blocks())));
    };
    return {along(LENGTH, 1), along(1, LENGTH)};
}

void expect_blocks(const inspect::report& seen, double needed) {
    expect_at_most("blocks", double(main_launch(seen).blocks()), needed, needed);
}

void expect_no_blocks_for_the_halo(const inspect::report& seen, int width, int height) {
    if (seen.total().shared.stores.lanes > 0) return;
    expect_blocks(seen, blocks_either_way(main_launch(seen), width, height));
}

void expect_company(const std::string& what, const inspect::traffic& seen) {
    expect_at_least(what + " for every request of a warp",
                    seen.requests ? double(seen.lanes) / double(seen.requests) : 0, FEWEST_THREADS);
}

double times_stored(const inspect::report& seen) {
    return double(seen.of("out").stores.lanes + seen.of("out").atomics.lanes);
}

void expect_plain_loads(const inspect::report& seen) {
    expect_count("texture fetches", double(seen.total().texture.lanes), 0);
    expect_count("atomic operations on in", double(seen.of("in").atomics.lanes), 0);
}

static void expect_side_by_side(const std::string& what, const inspect::traffic& stores) {
    expect_at_least("stores of " + what + " for every request of a warp",
                    stores.requests ? double(stores.lanes) / double(stores.requests) : 0, LEAST_THREADS);
    expect_at_most("bytes moved for every byte stored to " + what,
                   stores.bytes ? double(stores.sectors) * SECTOR_BYTES / double(stores.bytes) : 0, 1, 1.5);
}

void expect_full_warps(const inspect::report& seen) {
    expect_side_by_side("out", seen.of("out").stores);
    if (seen.launches.size() < 2) return;
    inspect::traffic steps;
    for (const inspect::launch& one : seen.launches)
        steps += one.total.global.stores;
    expect_side_by_side("global memory by all kernels", steps);
}

}  // namespace check
