// Checks of lab 03: values at every kind of tile and radius, the limits, and what each memory is asked for.
#include "conv1d_tiled_halo.h"

#include <tuple>

#include "check/check.h"

using namespace check;

namespace {

method_1d::run_function run_with_tile(int tile) {
    return [tile](worker_process& worker, const call_options& options, std::span<float> out,
                  const problem_1d& problem) {
        return CALL(worker, options, conv1d_tiled_halo, out, problem.in, problem.taps, tile);
    };
}

const method_1d tiled("tiled", run_with_tile(256));
const method_1d tiled_32("tiled_32", run_with_tile(32));
const method_1d tiled_1024("tiled_1024", run_with_tile(1024));

method_1d with_tile(int tile) {
    return method_1d::unlisted("tiled (tile " + std::to_string(tile) + ")", run_with_tile(tile), tile);
}

constexpr int MAX_TILE = 1024;
constexpr int MAX_SHARED = 48 * 1024;                        // bytes
constexpr int MAX_FLOATS = MAX_SHARED / int(sizeof(float));  // of tile and halo

int bytes_of(int tile, int radius) {
    return (tile + 2 * radius) * int(sizeof(float));
}

}  // namespace

TEST_CASE("[10] the worked examples of the handout") {
    const problem_1d four_tiles = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, {3, 4, 5, 4, 3}};
    const problem_1d one_sided = {{4, 1, 3, 2, 3}, {2, 1, 4}};
    REQUIRE(convolve_cpu(four_tiles).value[4] == 95);
    REQUIRE(convolve_cpu(four_tiles).value[15] == 182);
    expect_right_and_clean(with_tile(4), four_tiles);
    expect_right_and_clean(with_tile(3), one_sided);
}

TEST_CASE("[15] random arrays with random filters and tiles") {
    for (const auto& [n, tile] : {std::pair{256, 64}, {4096, 256}, {4099, 256}, {1000, 96}, {20011, 1024}}) {
        for (const int radius : {1, 5, 31})
            expect_right(with_tile(tile), random_problem_1d(n, radius));
    }
    expect_right(with_tile(128), random_problem_1d(500, drawn_odd(33, 99, 1)));
    expect_large_right(with_tile(64), random_problem_1d(70001, 2));
    expect_large_right(with_tile(1), random_problem_1d(70001, 2));  // as many blocks as elements
}

TEST_CASE("[15] arrays that do not fill their tiles") {
    for (const int n : {1, 2, 31, 33, 63, 65, 127, 129, 509})
        expect_right_and_clean(with_tile(64), random_problem_1d(n, 3));
    for (const int tile : {1, 5, 33, 250, 1000})
        expect_right_and_clean(with_tile(tile), random_problem_1d(307, 4));
    expect_right_and_clean(with_tile(64), random_problem_1d(100, 0));
    for (const int n : lengths_around(5 * 64, 7))
        expect_right_and_clean(with_tile(64), random_problem_1d(n, 7));
}

TEST_CASE("[15] halos that span several tiles") {
    for (const auto& [n, tile, radius] :
         {std::tuple{100, 8, 9}, {130, 16, 40}, {200, 32, 32}, {77, 1, 5}, {50, 32, 400}, {10, 4, 23}})
        expect_right_and_clean(with_tile(tile), random_problem_1d(n, radius));
    // Arrays of many tiles, and halos a little shorter, as long, and longer than one or several of them.
    for (const auto& [n, tile, radius] :
         {std::tuple{1000, 128, 60}, {1000, 128, 127}, {900, 128, 128}, {900, 128, 129}, {700, 64, 200}})
        expect_right_and_clean(with_tile(tile), random_problem_1d(n, radius));
    for (const int n : lengths_around(10 * 16, 40))
        expect_right(with_tile(16), random_problem_1d(n, 40));
}

TEST_CASE("[5] a tile and its halo that fill 48 KB") {
    expect_right(with_tile(MAX_TILE), random_problem_1d(300, (MAX_FLOATS - MAX_TILE) / 2));
    expect_right(with_tile(32), random_problem_1d(300, (MAX_FLOATS - 32) / 2));
}

TEST_CASE("[10] what no block can hold is refused") {
    for (const int tile : {MAX_TILE + 1, 0, -1})
        expect_refused(with_tile(tile), random_problem_1d(10, 1), {tile, MAX_TILE});
    for (const int tile : {MAX_TILE, MAX_TILE - 1, 2}) {  // with the odd tile one float too many
        const int radius = (MAX_FLOATS - tile) / 2 + 1;
        expect_refused(with_tile(tile), random_problem_1d(10, radius), {bytes_of(tile, radius), MAX_SHARED});
    }
    // A radius of more than 16 bits.
    expect_refused(with_tile(16), random_problem_1d(10, 70000), {bytes_of(16, 70000), MAX_SHARED});
    expect_right(with_tile(16), random_problem_1d(10, 2));  // the call after it works
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    expect_given_back(with_tile(64), random_problem_1d(1000, 2));
    expect_failures_told(with_tile(64), random_problem_1d(1000, 2));
}

TEST_CASE("[5] whole warps store side by side and no block is left over") {
    for (const auto& [n, tile] : {std::pair{1024, 128}, {1025, 128}, {640, 64}}) {
        const inspect::report seen = inspect_right(with_tile(tile), random_problem_1d(n, 4));
        if (n % 128 == 0) expect_full_warps(seen);
        // One for each tile, whatever its threads; a grid of several rows can only be taller by a whole one.
        inspect::launch launch = main_launch(seen);
        launch.block[0] = unsigned(tile), launch.block[1] = launch.block[2] = 1;
        expect_blocks(seen, blocks_needed(launch, n));
    }
}

TEST_CASE("[20] every tile loads its elements once and finds them in shared memory") {
    for (const auto& [n, tile, radius] : {std::tuple{1009, 128, 4}, {300, 32, 20}, {200, 16, 37}}) {
        const double taps = 2 * radius + 1;
        const double tiles = (n + tile - 1) / tile;
        const inspect::report seen = inspect_right(with_tile(tile), random_problem_1d(n, radius));
        const inspect::counts total = seen.total();
        const inspect::traffic in = seen.of("in").loads;
        const inspect::memory_traffic shared = total.shared;

        // The margin admits kernels that load some element for every ghost cell.
        expect_at_most("global loads of in", double(in.lanes), double(clipped_tiles(n, tile, radius)),
                       tiles * (tile + 2 * radius));
        expect_at_least("bytes loaded from in", double(in.bytes), n * 4.0);
        expect_company("loads of in", in);
        expect_count("global loads of anything but in", double(total.global.loads.lanes - in.lanes), 0);
        expect_plain_loads(seen);
        expect_at_most("global stores to out", times_stored(seen), n, n + n / 20);

        // Threads without an output may compute one all the same, so long as they do not store it.
        expect_at_most("shared loads", double(shared.loads.lanes), n * taps,
                       tiles * tile * (taps + SHARED_WORDS));
        expect_at_least("bytes loaded from shared memory", double(shared.loads.bytes), n * 4.0);
        expect_company("shared loads", shared.loads);
        expect_at_least("bytes stored to shared memory", double(shared.stores.bytes), n * 4.0);
        // The margin admits a tile in three pieces: at each of its two seams one warp a tap may meet itself in a bank.
        expect_at_most("bank conflicts of shared memory",
                       double(shared.loads.conflicts() + shared.stores.conflicts()), 0, tiles * 2 * radius);
        expect_at_most("bytes of dynamic shared memory", double(main_launch(seen).dynamic_shared),
                       bytes_of(tile, radius), bytes_of(tile, radius) + 128);
        expect_at_most("addresses of a request to constant memory", total.constant.wavefronts_per_request(),
                       1, 2);
    }
}
