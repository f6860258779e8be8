// Checks of lab 20: volumes by loads from global memory, by tiles and by a marching plane, and what each of them loads.
#include "conv3d_tiled.h"

#include <algorithm>
#include <cmath>

#include "check/check.h"

using namespace check;

namespace {

constexpr int MAX_SHARED = 48 * 1024;
constexpr int MAX_FILTER_DEPTH = 9;

call_result naive_call(worker_process& worker, const call_options& options, std::span<float> out,
                       const problem_2d& p) {
    return CALL(worker, options, conv3d_naive, out, p.in.pixels, p.filter.taps, p.in.width,
                p.in.slice_height(), p.in.depth, p.filter.width, p.filter.slice_height(), p.filter.depth);
}

call_result tiled_call(worker_process& worker, const call_options& options, std::span<float> out,
                       const problem_2d& p) {
    return CALL(worker, options, conv3d_tiled, out, p.in.pixels, p.filter.taps, p.in.width,
                p.in.slice_height(), p.in.depth, p.filter.width, p.filter.slice_height(), p.filter.depth);
}

call_result marching_call(worker_process& worker, const call_options& options, std::span<float> out,
                          const problem_2d& p) {
    return CALL(worker, options, conv3d_marching, out, p.in.pixels, p.filter.taps, p.in.width,
                p.in.slice_height(), p.in.depth, p.filter.width, p.filter.slice_height(), p.filter.depth);
}

const method_2d naive("volume_naive", naive_call, 1, give_as_volume);
const method_2d tiled("volume_tiled", tiled_call, 1, give_as_volume);
const method_2d marching("volume_marching", marching_call, 1, give_as_volume);

struct sides {
    int width, height, depth;
};

/// Seeded noise under a filter without symmetry for a mistake to hide behind, whose sides go into its seed: otherwise a
/// short one would be the beginning of a long one.
problem_2d noise(const sides& volume, const sides& taps) {
    const uint64_t taps_seed =
        seed() + 1'000'000 * uint64_t(taps.depth) + 1000 * uint64_t(taps.height) + uint64_t(taps.width);
    return {noise_volume(volume.width, volume.height, volume.depth, seed()),
            random_volume_filter(taps.width, taps.height, taps.depth, taps_seed)};
}

/// On the active backend for values, then on the CPU backend for every race and stray access.
void expect_all_clean(const problem_2d& p) {
    for (const method_2d* method : {&naive, &tiled, &marching})
        expect_right_and_clean(*method, p);
}

/// The other way round: who is called second may find the taps of the first in constant memory.
void expect_all_right(const problem_2d& p) {
    for (const method_2d* method : {&marching, &tiled, &naive})
        expect_right(*method, p);
}

/// The outputs of a block, told by its blocks for one long row of outputs, one long column, and one through all slices.
sides tile_of(const method_2d& method, const sides& taps) {
    const auto along = [&](int length, const sides& line) {
        return int(
            std::ceil(length / double(main_launch(inspect_right(method, noise(line, taps))).blocks())));
    };
    return {along(1024, {1024, 1, 1}), along(256, {1, 256, 1}), along(128, {1, 1, 128})};
}

double blocks_of(const sides& tile, const sides& volume) {
    return std::ceil(double(volume.width) / tile.width) * std::ceil(double(volume.height) / tile.height) *
           std::ceil(double(volume.depth) / tile.depth);
}

/// What the tiles load together, which is no ghost cell.
double loads_of(const sides& tile, const sides& volume, const sides& taps) {
    return double(clipped_tiles(volume.width, tile.width, taps.width / 2)) *
           double(clipped_tiles(volume.height, tile.height, taps.height / 2)) *
           double(clipped_tiles(volume.depth, tile.depth, taps.depth / 2));
}

void expect_loads(const inspect::report& seen, double right, double passes_at, double voxels) {
    const inspect::traffic in = seen.of("in").loads;
    expect_at_most("global loads of in", double(in.lanes), right, passes_at);
    expect_at_least("bytes loaded from in", double(in.bytes), 4 * voxels);
    expect_count("global loads of anything but in", double(seen.total().global.loads.lanes - in.lanes), 0);
    expect_at_most("global stores", double(seen.total().global.stores.lanes), voxels, voxels);
    expect_count("kernels launched", double(seen.launches.size()), 1, 1);
    expect_plain_loads(seen);
    expect_company("global loads of in", in);
}

void expect_taps(const inspect::report& seen, const problem_2d& p, double right) {
    expect_at_most("loads of taps from constant memory", double(constant_taps(seen, p).lanes), right,
                   most_constant_taps(seen, p));
    expect_at_least("bytes of taps from constant memory", double(seen.total().constant.bytes),
                    4.0 * double(p.filter.taps.size()));
    expect_at_most("addresses of a request to constant memory",
                   seen.total().constant.wavefronts_per_request(), 1, 2);
}

/// `loads` for the outputs, and `most` if threads without one take part; `cells` stored, and so many at a time.
void expect_shared(const inspect::report& seen, double loads, double most, double cells, double at_a_time) {
    const inspect::memory_traffic shared = seen.total().shared;
    const inspect::launch launch = main_launch(seen);
    expect_at_most("shared loads", double(shared.loads.lanes), loads, most);
    expect_at_least("bytes loaded from shared memory", double(shared.loads.bytes), 4 * loads);
    expect_at_most("shared stores", double(shared.stores.lanes), cells, 1.05 * cells);
    expect_at_most("bank conflicts of shared loads", double(shared.loads.conflicts()), 0,
                   1.5 * double(shared.loads.requests));
    expect_at_most("bytes of shared memory", double(launch.dynamic_shared + launch.static_shared),
                   4 * at_a_time, MAX_SHARED);
}

double taps_in(const sides& taps) {
    return double(taps.width) * taps.height * taps.depth;
}

/// A volume and a filter each, whose sides are no multiples of anything.
constexpr std::pair<sides, sides> COUNTED[] = {
    {{37, 19, 11}, {5, 3, 3}}, {{33, 21, 5}, {1, 3, 5}}, {{64, 9, 7}, {3, 5, 1}}};

}  // namespace

TEST_CASE("[10] the worked example of the handout") {
    const problem_2d example{{3, 6, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1, 1, 1, 0, 0, 0, 0, 2}, 3},
                             {3, 3, {1, 0, 0, 0, 10, 0, 0, 0, 100}, "in three slices", {}, {}, 3}};
    REQUIRE(convolve_cpu(example).value ==
            std::vector<double>{810, 920, 30, 140, 150, 60, 70, 81, 92, 10, 214, 15, 10, 7, 8, 0, 1, 21});
    expect_all_clean(example);
}

TEST_CASE("[10] the reference at many sizes") {
    expect_all_right(noise({64, 32, 8}, {3, 3, 3}));
    expect_all_right(noise({32, 32, 16}, {5, 3, 7}));
    expect_all_right(noise({64, 16, 4}, {3, 7, 5}));
    expect_all_right(noise({32, 16, 12}, {3, 3, 9}));
}

TEST_CASE("[15] volumes that do not fill their blocks") {
    for (const sides& volume :
         {sides{1, 1, 1}, {7, 5, 3}, {33, 9, 5}, {31, 17, 2}, {1, 30, 1}, {67, 1, 1}, {1, 1, 21}})
        expect_all_clean(noise(volume, {3, 5, 3}));
    expect_all_clean(noise({37, 11, 6}, {1, 1, 1}));
    for (const sides& taps : {sides{7, 1, 1}, {1, 7, 1}, {1, 1, 7}})
        expect_all_clean(noise({35, 18, 9}, taps));
    expect_all_clean(noise({3, 2, 2}, {7, 9, 5}));  // the filter is larger than the volume
    for (const int length : lengths_around(32, 1))
        expect_all_right(noise({length, length / 2, length / 8}, {3, 3, 3}));
}

TEST_CASE("[10] filters much longer than a block") {
    expect_all_clean(noise({50, 9, 3}, {67, 3, 3}));
    expect_all_clean(noise({9, 50, 3}, {3, 37, 1}));
    expect_all_right(noise({10, 9, 7}, {drawn_odd(11, 25, 1), drawn_odd(3, 9, 2), drawn_odd(3, 7, 3)}));
    for (const method_2d* method : {&naive, &tiled})
        expect_right(*method, noise({5, 4, 20}, {3, 1, 29}));
    for (const sides& taps : {sides{401, 3, 3}, {3, 401, 3}, {3, 3, 401}, {25, 25, 25}})
        expect_right(naive, noise({6, 5, 4}, taps));
}

TEST_CASE("[10] sides that 16 bits do not count") {
    for (const method_2d* method : {&naive, &tiled, &marching})
        expect_large_right(*method, noise({70000, 2, 1}, {3, 3, 3}));
    for (const method_2d* method : {&naive, &tiled, &marching}) {
        const inspect::launch launch = main_launch(inspect_right(*method, noise({40, 12, 5}, {3, 3, 3})));
        // A grid has at most 65535 blocks up and down, and as many deep.
        expect_large_right(*method, noise({2, launch.block[1] > 1 ? 70000 : 40000, 1}, {3, 3, 3}));
        if (method != &marching)
            expect_large_right(*method, noise({2, 1, launch.block[2] > 1 ? 70000 : 40000}, {3, 3, 3}));
    }
}

TEST_CASE("[5] what constant memory or a block or registers do not hold is refused") {
    expect_refused(naive, noise({5, 4, 3}, {3, 1821, 3}), {16389, 16384});
    expect_refused(marching, noise({5, 4, 3}, {43, 43, 9}), {16641, 16384});
    expect_refused(marching, noise({5, 4, 3}, {3, 3, 11}), {11, MAX_FILTER_DEPTH});
    for (const method_2d* method : {&tiled, &marching}) {
        // 12289 cells in a line: a tile of any shape, be it one column, is more than 48 KB.
        expect_refused(*method, noise({5, 4, 3}, {12289, 1, 1}), {MAX_SHARED});
        expect_refused(*method, noise({5, 4, 3}, {1, 12289, 1}), {MAX_SHARED});
        // Where the tile is all that a block has, it may fill 48 KB and be no larger.
        const sides tile = tile_of(*method, {3, 3, 1});
        const int slices = method == &marching ? 1 : tile.depth;
        const auto bytes_of = [&](const filter_size& size) {
            return (tile.width + size.width - 1) * (tile.height + size.height - 1) * slices *
                   int(sizeof(float));
        };
        const inspect::report seen = inspect_right(*method, noise({5, 4, 3}, {3, 3, 1}));
        if (main_launch(seen).dynamic_shared != uint64_t(bytes_of({3, 3}))) continue;
        const filter_size whole = smallest_filter_of(MAX_SHARED, bytes_of),
                          larger = smallest_filter_of(MAX_SHARED + 1, bytes_of);
        if (bytes_of(whole) == MAX_SHARED)
            expect_right(*method, noise({5, 4, 3}, {whole.width, whole.height, 1}));
        expect_refused(*method, noise({5, 4, 3}, {larger.width, larger.height, 1}),
                       {bytes_of(larger), MAX_SHARED});
    }
    expect_refused(tiled, noise({5, 4, 3}, {1, 1, 12289}), {MAX_SHARED});
    expect_all_right(noise({20, 10, 3}, {3, 5, 3}));  // and does no harm to the next call
}

TEST_CASE("[10] every thread loads what lies under its filter") {
    for (const auto& [volume, taps] : COUNTED) {
        const problem_2d p = noise(volume, taps);
        const inspect::report seen = inspect_right(naive, p);
        // The margins admit kernels that load some voxel for every ghost cell.
        expect_loads(seen, inside_taps(p), all_taps(p), double(p.in.pixels.size()));
        expect_taps(seen, p, inside_taps(p));
        expect_count("shared loads and stores",
                     double(seen.total().shared.loads.lanes + seen.total().shared.stores.lanes), 0);
    }
}

TEST_CASE("[10] a tile with its halo on six sides is loaded once") {
    for (const auto& [volume, taps] : COUNTED) {
        const sides tile = tile_of(tiled, taps);
        const problem_2d p = noise(volume, taps);
        const inspect::report seen = inspect_right(tiled, p);
        const double voxels = double(p.in.pixels.size()), blocks = blocks_of(tile, volume);
        const double cells = double(tile.width + taps.width - 1) * (tile.height + taps.height - 1) *
                             (tile.depth + taps.depth - 1);
        const double outputs = blocks * tile.width * tile.height * tile.depth;
        expect_loads(seen, loads_of(tile, volume, taps), blocks * cells, voxels);
        expect_shared(seen, all_taps(p), outputs * (taps_in(taps) + SHARED_WORDS), blocks * cells, cells);
        expect_taps(seen, p, all_taps(p));
    }
}

TEST_CASE("[10] a slice is loaded once and a voxel read once for all sums that it belongs to") {
    for (const auto& [volume, taps] : COUNTED) {
        const sides tile = tile_of(marching, taps);
        const problem_2d p = noise(volume, taps);
        const inspect::report seen = inspect_right(marching, p);
        const double voxels = double(p.in.pixels.size()), in_slice = double(taps.width) * taps.height;
        const double columns = blocks_of({tile.width, tile.height, volume.depth}, volume);
        const double cells = double(tile.width + taps.width - 1) * (tile.height + taps.height - 1);
        const double outputs = columns * tile.width * tile.height * volume.depth;
        const double loads =
            loads_of({tile.width, tile.height, volume.depth}, volume, {taps.width, taps.height, 1});
        expect_loads(seen, loads, columns * cells * volume.depth, voxels);
        expect_shared(seen, voxels * in_slice, outputs * (in_slice + SHARED_WORDS),
                      columns * cells * volume.depth, cells);
        expect_taps(seen, p, all_taps(p));
    }
}

TEST_CASE("[5] whole warps store side by side and no block is left over") {
    const sides taps{3, 3, 3};
    const sides tile = tile_of(tiled, taps), plane = tile_of(marching, taps);
    for (const sides& volume : {sides{64, 32, 8}, {65, 33, 9}}) {
        const problem_2d p = noise(volume, taps);
        expect_blocks(inspect_right(tiled, p), blocks_of(tile, volume));
        expect_blocks(inspect_right(marching, p),
                      blocks_of({plane.width, plane.height, volume.depth}, volume));
        // Without a tile threads may as well be laid over the rows of all slices, or over all voxels in one line.
        const inspect::launch launch = main_launch(inspect_right(naive, p));
        const sides block{int(launch.block[0]), int(launch.block[1]), int(launch.block[2])};
        const double right = blocks_of(block, volume);
        expect_at_most("blocks", double(launch.blocks()), right,
                       std::max(right, blocks_needed(launch, volume.width, volume.height * volume.depth)));
    }
    const problem_2d p = noise({64, 32, 8}, taps);
    for (const method_2d* method : {&naive, &tiled, &marching})
        expect_full_warps(inspect_right(*method, p));
    expect_at_most("sectors per request of in", inspect_right(naive, p).of("in").loads.sectors_per_request(),
                   loads_by_rows(p).sectors_per_request(), 18);
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    for (const method_2d* method : {&naive, &tiled, &marching}) {
        expect_given_back(*method, noise({33, 9, 5}, {3, 3, 3}));
        expect_failures_told(*method, noise({33, 9, 5}, {3, 3, 3}));
    }
}
