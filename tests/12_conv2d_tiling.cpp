// Checks of lab 12: values with every block and factor, what
// a tile holds, and what a thread with several outputs saves.
#include "conv2d_tiling.h"

#include <algorithm>
#include <tuple>

#include "check/check.h"

using namespace check;

namespace {

/// One way to tile: threads of a block, outputs of a thread, and whether rows of the tile are padded.
struct tiling {
    int block_width, block_height, factor;
    bool padded = false;
    int width() const { return block_width * factor; }
    /// Floats between the starts of two rows of the tile: two rows of 16 threads meet in no bank if these are
    /// 16 banks apart.
    int pitch(int filter_width) const {
        int floats = width() + filter_width - 1;
        while (padded && floats % 32 != 16)
            floats++;
        return floats;
    }
};

method_2d::run_function run_with(tiling t) {
    return [t](worker_process& worker, const call_options& options, std::span<float> out,
               const problem_2d& p) {
        const int padding = t.pitch(p.filter.width) - (t.width() + p.filter.width - 1);
        return CALL(worker, options, conv2d_tiling, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                    p.filter.width, p.filter.height, t.block_width, t.block_height, t.factor, padding);
    };
}

constexpr tiling NARROW_PADDED_2{16, 16, 2, true}, NARROW_PADDED_4{16, 16, 4, true};

const method_2d tiling_1("tiling_1", run_with({32, 16, 1}));
const method_2d tiling_2("tiling_2", run_with({32, 16, 2}));
const method_2d tiling_4("tiling_4", run_with({32, 16, 4}));
const method_2d narrow_2("tiling_narrow_2", run_with({16, 16, 2}));
const method_2d narrow_4("tiling_narrow_4", run_with({16, 16, 4}));
const method_2d narrow_padded_2("tiling_narrow_padded_2", run_with(NARROW_PADDED_2));
const method_2d narrow_padded_4("tiling_narrow_padded_4", run_with(NARROW_PADDED_4));
const method_2d square_2("tiling_square_2", run_with({32, 32, 2}));
const method_2d square_4("tiling_square_4", run_with({32, 32, 4}));

constexpr tiling ALL[] = {{16, 16, 1},     {16, 16, 2}, {16, 16, 4}, NARROW_PADDED_2,
                          NARROW_PADDED_4, {32, 16, 1}, {32, 16, 2}, {32, 16, 4},
                          {32, 32, 1},     {32, 32, 2}, {32, 32, 4}};
constexpr int MAX_SHARED = 48 * 1024;

/// The method with any tiling.
method_2d with(tiling t) {
    return method_2d::unlisted("tiling (" + std::to_string(t.block_width) + " x " +
                                   std::to_string(t.block_height) + " threads of " +
                                   std::to_string(t.factor) + (t.padded ? ", padded rows)" : ")"),
                               run_with(t));
}

/// Rows so far apart that 32 bits do not tell the bytes of the tile.
constexpr int FAR_APART = 1 << 26;
const method_2d far_apart =
    method_2d::unlisted("tiling (padding of 2^26)", [](auto& worker, auto& options, auto out, auto& p) {
        return CALL(worker, options, conv2d_tiling, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                    p.filter.width, p.filter.height, 16, 16, 1, FAR_APART);
    });

/// Seeded noise under a filter that has no symmetry to hide a mistake behind. Sizes go into the filter's seed: two
/// of as many taps, which a stale filter may be, differ.
problem_2d noise(int width, int height, int filter_width, int filter_height) {
    return {noise_image(width, height, 1, seed()),
            random_filter(filter_width, filter_height, seed() + 1000 * filter_width + filter_height)};
}

/// With every tiling, on the CPU backend for its values, every race and stray access.
void expect_right_and_clean(const problem_2d& p) {
    for (const tiling& t : ALL)
        inspect_right(with(t), p);
}

int bytes_of(tiling t, int filter_width, int filter_height) {
    return t.pitch(filter_width) * (t.block_height + filter_height - 1) * int(sizeof(float));
}

/// A filter whose tile takes at least so many bytes, as few more as can be.
filter_size filter_to_fill(tiling t, int bytes) {
    return smallest_filter_of(bytes,
                              [&](const filter_size& size) { return bytes_of(t, size.width, size.height); });
}

double tiles_of(const problem_2d& p, tiling t) {
    return double((p.in.width + t.width() - 1) / t.width()) *
           ((p.in.height + t.block_height - 1) / t.block_height);
}

/// Loads of clipped tiles, once each: the product of the two directions.
double tile_loads(const problem_2d& p, tiling t) {
    return double(clipped_tiles(p.in.width, t.width(), p.filter.width / 2) *
                  clipped_tiles(p.in.height, t.block_height, p.filter.height / 2));
}

/// The same of tiles that are not clipped: a kernel that loads some pixel for every ghost cell.
double whole_tile_loads(const problem_2d& p, tiling t) {
    return tiles_of(p, t) * (t.width() + p.filter.width - 1) * (t.block_height + p.filter.height - 1);
}

/// Threads with at least one output.
double working_threads(const problem_2d& p, tiling t) {
    double threads = 0;
    for (int begin = 0; begin < p.in.width; begin += t.width())
        threads += std::min(t.block_width, p.in.width - begin);
    return threads * p.in.height;
}

double all_threads(const problem_2d& p, tiling t) {
    return tiles_of(p, t) * t.block_width * t.block_height;
}

/// Passes over the banks for a request of a full warp.
double passes(tiling t, int filter_width) {
    return t.block_width == 16 && t.pitch(filter_width) % 32 != 16 ? 2 : 1;
}

}  // namespace

TEST_CASE("[10] the worked example of the handout") {
    problem_2d ramp{ramp_image(20, 1), {3, 1, {1, 2, 3}, "1 2 3 in a row"}};
    const reference truth = convolve_cpu(ramp);
    REQUIRE(truth.value[3] == 20);
    REQUIRE(truth.value[4] == 26);
    REQUIRE(truth.value[19] == 56);
    expect_right(tiling_1, ramp);  // what is begun with: one output a thread, one block
    expect_right_and_clean(ramp);
}

TEST_CASE("[10] the reference at many sizes with every block and factor") {
    for (const tiling& t : ALL) {
        const method_2d method = with(t);
        expect_right(method, noise(256, 64, 3, 5));
        expect_right(method, {ramp_image(64, 32), random_filter(3, 5, seed())});  // of the same size
        expect_right(method, noise(128, 32, 9, 3));
        expect_right(method, {checkerboard_image(64, 64), gaussian_filter(7, 1.5)});
        expect_right(method, {impulse_image(140, 40, 133, 7), random_filter(7, 13, seed())});
    }
}

TEST_CASE("[10] images that do not fill their tiles") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {7, 5}, {33, 7}, {131, 17}, {67, 41}, {1, 50}, {101, 1}})
        expect_right_and_clean(noise(width, height, 5, 3));
    expect_right_and_clean(noise(5, 7, 33, 19));  // the filter is larger than the image
    expect_right_and_clean(noise(37, 23, 1, 1));
    for (const tiling& t : ALL)
        expect_right(with(t), noise(61, 37, 7, 3));
    const std::vector<int> widths = lengths_around(128, 1), heights = lengths_around(32, 1);
    for (const method_2d* method : {&narrow_padded_2, &tiling_4, &square_2}) {
        for (size_t k = 0; k < widths.size(); k++)
            expect_right(*method, noise(widths[k], heights[k], 3, 3));
    }
    for (const method_2d* method : {&tiling_1, &narrow_2, &square_4}) {
        expect_large_right(*method, noise(70000, 3, 3, 3));
        expect_large_right(*method, noise(3, 70000, 3, 3));
    }
}

TEST_CASE("[10] filters up to the largest whose tile fits") {
    for (const tiling& t : ALL)
        expect_right(with(t), noise(45, 11, 39, 41));
    for (const method_2d* method : {&tiling_1, &narrow_padded_2, &square_4}) {
        for (const auto& [filter_width, filter_height] :
             {std::pair{41, 9}, {9, 41}, {63, 3}, {drawn_odd(11, 41, 1), drawn_odd(3, 21, 2)}})
            expect_right(*method, noise(37, 11, filter_width, filter_height));
    }
    // Tiles that lie inside the image with their whole halo.
    expect_right(tiling_1, noise(97, 35, 65, 3));
    expect_right(narrow_2, noise(66, 72, 3, 45));
    for (const tiling& t : ALL) {
        const filter_size whole = filter_to_fill(t, MAX_SHARED);
        // Padded rows come in steps that not every limit is a multiple of.
        if (bytes_of(t, whole.width, whole.height) == MAX_SHARED)
            expect_right(with(t), noise(9, 5, whole.width, whole.height));
        REQUIRE((t.padded || bytes_of(t, whole.width, whole.height) == MAX_SHARED));
    }
    for (const method_2d* method :
         {&tiling_1, &tiling_2, &tiling_4, &narrow_2, &narrow_4, &narrow_padded_2, &narrow_padded_4})
        expect_right(*method, noise(60, 9, 43, 43));
    expect_right(with({32, 32, 4}), noise(140, 9, 39, 43));  // 166 x 74 floats: 49136 bytes
    expect_right(with({32, 32, 4}), noise(140, 9, 43, 41));  // 170 x 72 floats: 48960 bytes
}

TEST_CASE("[10] tiles and factors and blocks that do not exist are refused") {
    for (const auto& [t, filter_width, filter_height] : {std::tuple{tiling{32, 32, 4}, 41, 43},
                                                         {tiling{32, 32, 4}, 43, 43},
                                                         {tiling{32, 16, 4}, 43, 59},
                                                         {tiling{16, 16, 2}, 89, 89},
                                                         {NARROW_PADDED_4, 67, 79},
                                                         {tiling{16, 16, 1}, 97, 97}})
        expect_refused(with(t), noise(20, 10, filter_width, filter_height),
                       {bytes_of(t, filter_width, filter_height), MAX_SHARED});
    for (const tiling& t : ALL) {
        const filter_size larger = filter_to_fill(t, MAX_SHARED + 1);
        expect_refused(with(t), noise(9, 5, larger.width, larger.height),
                       {bytes_of(t, larger.width, larger.height), MAX_SHARED});
    }
    const long pitch = 16 + 3 - 1 + FAR_APART;
    expect_refused(far_apart, noise(20, 10, 3, 3), {pitch * (16 + 3 - 1) * long(sizeof(float)), MAX_SHARED});
    for (const int factor : {3, 8, 0, -1})
        expect_refused(with({32, 16, factor}), noise(20, 10, 3, 3), {factor});
    // Blocks that share a side with one that there is, or both with two of them.
    for (const auto& [block_width, block_height] : {std::pair{16, 32}, {64, 8}, {32, 8}, {64, 16}, {8, 32}})
        expect_refused(with({block_width, block_height, 2}), noise(20, 10, 3, 3),
                       {block_width, block_height});
    for (const tiling& t : ALL)
        expect_right(with(t), noise(20, 10, 3, 5));  // the calls after it work
}

TEST_CASE("[10] a tile takes its floats of shared memory and no more") {
    for (const tiling& t : ALL) {
        const problem_2d p = noise(130, 33, 9, 5);
        const inspect::launch launch = main_launch(inspect_right(with(t), p));
        const double bytes = bytes_of(t, 9, 5);
        expect_at_most("bytes of dynamic shared memory", double(launch.dynamic_shared), bytes, bytes + 128);
        expect_at_most("blocks", double(launch.blocks()), tiles_of(p, t), tiles_of(p, t));
        // Of whole tiles: here one block too many shows, and threads that store alone or far apart.
        const problem_2d whole = noise(128, 64, 1, 1);
        const inspect::report seen = inspect_right(with(t), whole);
        expect_blocks(seen, tiles_of(whole, t));
        const problem_2d haloed = noise(128, 64, 7, 5);
        expect_blocks(inspect_right(with(t), haloed), tiles_of(haloed, t));
        expect_full_warps(seen);
    }
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    for (const method_2d* method : {&tiling_2, &narrow_padded_4, &square_4}) {
        expect_given_back(*method, noise(70, 30, 5, 3));
        expect_failures_told(*method, noise(70, 30, 5, 3));
    }
}

TEST_CASE("[10] tiles side by side share their halo") {
    for (const problem_2d& p : {noise(131, 41, 9, 5), noise(256, 20, 3, 17), noise(150, 37, 33, 3)}) {
        for (const tiling& t : ALL) {
            const double pixels = double(p.in.pixels.size());
            const inspect::report seen = inspect_right(with(t), p);
            const inspect::traffic in = seen.of("in").loads;
            // The margin admits kernels that load some pixel for every ghost cell.
            expect_at_most("global loads of in", double(in.lanes), tile_loads(p, t), whole_tile_loads(p, t));
            expect_at_least("bytes loaded from in", double(in.bytes), 4 * pixels);
            const double sectors =
                loads_by_sweep(p, {t.width(), t.block_height, t.block_width, t.block_height})
                    .sectors_per_request();
            expect_at_most("sectors per request of in", in.sectors_per_request(), sectors,
                           std::max(8.0, 1.3 * sectors));
            expect_count("global loads of anything but in",
                         double(seen.total().global.loads.lanes - in.lanes), 0);
            expect_plain_loads(seen);
            expect_company("global loads of in", in);
            expect_at_most("global stores to out", times_stored(seen), pixels, pixels);
        }
    }
}

TEST_CASE("[10] a tap is read once for all outputs of a thread") {
    for (const problem_2d& p : {noise(256, 32, 5, 3), noise(133, 29, 3, 7)}) {
        for (const tiling& t : ALL) {
            const double taps = double(p.filter.taps.size());
            const inspect::report seen = inspect_right(with(t), p);
            const inspect::counts total = seen.total();
            // Threads without an output may compute one all the same, so long as they do not store it.
            expect_at_most("loads of taps from constant memory", double(constant_taps(seen, p).lanes),
                           working_threads(p, t) * taps, all_threads(p, t) * (taps + CONSTANT_WORDS));
            expect_at_least("bytes of taps from constant memory", double(total.constant.bytes), 4 * taps);
            expect_at_most("addresses of a request to constant memory",
                           total.constant.wavefronts_per_request(), 1, 2);
            expect_at_most("shared loads", double(total.shared.loads.lanes),
                           working_threads(p, t) * t.factor * taps,
                           all_threads(p, t) * (t.factor * taps + SHARED_WORDS));
            expect_at_least("bytes loaded from shared memory", double(total.shared.loads.bytes),
                            4.0 * p.in.pixels.size());
            expect_company("shared loads", total.shared.loads);
        }
    }
}

TEST_CASE("[10] blocks 32 wide have no bank conflict and narrow ones none at one width") {
    for (int filter_width = 7; filter_width <= 43; filter_width += 2) {
        const std::string with_filter = " with a filter " + std::to_string(filter_width) + " wide";
        const inspect::report seen = inspect_right(tiling_4, noise(150, 17, filter_width, 3));
        expect_few_conflicts("bank conflicts of shared loads" + with_filter, seen.total().shared.loads);
        for (const tiling t : {tiling{16, 16, 1}, tiling{16, 16, 2}, tiling{16, 16, 4}}) {
            const inspect::report narrow = inspect_right(with(t), noise(64, 16, filter_width, 1));
            expect_count("passes per request of shared loads" + with_filter,
                         narrow.total().shared.loads.wavefronts_per_request(), passes(t, filter_width));
        }
    }
}

TEST_CASE("[5] padded rows leave narrow blocks no bank conflict and are not loaded") {
    for (const tiling& t : {tiling{16, 16, 1, true}, NARROW_PADDED_2, NARROW_PADDED_4}) {
        for (const int filter_width : {7, 15, 17, 19, 31, 33, 35, 43}) {
            const problem_2d p = noise(64, 19, filter_width, 3);
            const inspect::memory_traffic shared = inspect_right(with(t), p).total().shared;
            const std::string with_filter = " with a filter " + std::to_string(filter_width) + " wide";
            expect_few_conflicts("bank conflicts of shared loads" + with_filter, shared.loads);
            // The margin admits a sweep whose warps go over the ends of rows.
            expect_at_most("bank conflicts of shared stores" + with_filter, double(shared.stores.conflicts()),
                           0, double(shared.stores.requests));
        }
        // Tiles so large, and rows so much longer, that no margin for ghost cells hides loads of the padding.
        const problem_2d p = noise(192, 96, 3, 3);
        const inspect::traffic in = inspect_right(with(t), p).of("in").loads;
        expect_at_most("global loads of in", double(in.lanes), tile_loads(p, t), whole_tile_loads(p, t));
    }
}
