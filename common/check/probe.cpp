// Makes the case that tells mistakes apart.
#include "check/probe.h"

#include <algorithm>

#include "diagnose/launch_tile.h"
#include "diagnose/past_calls.h"

namespace check {
namespace {

constexpr int TAPS = 9,
              FEW_TAPS = 3;     // of a side: no side is the other radius, and radii differ by more than 1
constexpr int WHOLE_TILES = 2;  // a first one, one between, and a part of a last one
constexpr int MORE_COLUMNS = 5, MORE_ROWS = 3;
constexpr double MOST_PRODUCTS = 2e6;  // followed by the inspector, and computed for every mistake

bool is_quick(double outputs, double taps) {
    return outputs * taps <= MOST_PRODUCTS;
}

/// As `asked`, but larger if it is small; one that takes every sum of columns times rows keeps its own.
filter random_alike(const problem_2d& asked, uint64_t seed) {
    const filter& f = asked.filter;
    if (asked.left_out > 0) return f;
    const int width = std::max(f.width, f.width < f.height ? FEW_TAPS : TAPS),
              height = std::max(f.height, f.width > f.height ? FEW_TAPS : TAPS);
    return f.column.empty() ? random_filter(width, height, seed) : separable_filter(width, height, seed);
}

/// By how much an extent has to grow until it is several blocks.
int grown(int extent, unsigned blocks) {
    return blocks > WHOLE_TILES || blocks == 0 ? extent : extent * (WHOLE_TILES + 1) + 1;
}

}  // namespace

std::optional<problem_1d> wider_probe(const problem_1d& probe, const inspect::report& seen, uint64_t seed) {
    const int n = seen.launches.empty() ? probe.n() : grown(probe.n(), seen.launches.front().grid[0]);
    if (n == probe.n() || !is_quick(n, double(probe.taps.size()))) return std::nullopt;
    return problem_1d{random_values(size_t(n), seed), probe.taps};
}

std::optional<problem_2d> wider_probe(const problem_2d& probe, const inspect::report& seen, uint64_t seed) {
    if (seen.launches.empty()) return std::nullopt;
    const unsigned* const blocks = seen.launches.front().grid;
    const int width = grown(probe.in.width, blocks[0]), height = grown(probe.in.height, blocks[1]);
    if (width == probe.in.width && height == probe.in.height) return std::nullopt;
    if (!is_quick(double(width) * height * probe.in.channels, double(probe.filter.taps.size())))
        return std::nullopt;
    problem_2d wider = probe;
    wider.in = noise_image(width, height, probe.in.channels, seed);
    if (!probe.gradient.empty()) find_edges(wider);
    return wider;
}

std::optional<problem_1d> probe_of(const problem_1d& asked, const inspect::report& seen, uint64_t seed) {
    if (seen.launches.empty()) return std::nullopt;
    const output_tile tile = tile_of(seen.launches.front(), as_row(asked));
    const int n = WHOLE_TILES * tile.width + MORE_COLUMNS;
    const size_t taps = std::max(asked.taps.size(), size_t(TAPS));
    if (!is_quick(n, double(taps))) return std::nullopt;
    return problem_1d{random_values(size_t(n), seed), random_values(taps, seed + 1)};
}

std::optional<problem_2d> probe_of(const problem_2d& asked, const inspect::report& seen, uint64_t seed) {
    if (seen.launches.empty() || asked.is_volume() || has_passes(asked)) return std::nullopt;
    const output_tile tile = tile_of(seen.launches.front(), asked);
    problem_2d probe = asked;
    probe.filter = random_alike(asked, seed);
    if (asked.transform_tile.value_or(0) > 0)
        probe.transform_tile = fast_side(2 * std::max(probe.filter.width, probe.filter.height));
    const int width = WHOLE_TILES * tile.width + MORE_COLUMNS, height = WHOLE_TILES * tile.height + MORE_ROWS;
    if (!is_quick(double(width) * height * asked.in.channels, double(probe.filter.taps.size())))
        return std::nullopt;
    probe.in = noise_image(width, height, asked.in.channels, seed);
    if (!asked.gradient.empty()) find_edges(probe);
    return probe;
}

bool has_passes(const problem_1d&) {
    return false;
}
bool has_passes(const problem_2d& problem) {
    return problem.passes > 1;
}

problem_1d first_pass_of(const problem_1d& asked) {
    return asked;
}
problem_2d first_pass_of(const problem_2d& asked) {
    problem_2d first = asked;
    first.passes = 1;
    return first;
}

}  // namespace check
