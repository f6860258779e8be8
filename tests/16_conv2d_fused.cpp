// Checks of lab 16: edges by a chain of four kernels and by one, and what either moves.
#include "conv2d_fused.h"

#include <algorithm>
#include <cmath>

#include "check/check.h"

using namespace check;

namespace {

constexpr int MAX_SHARED = 48 * 1024;
constexpr int SQUARE = 9;  // pixels under a Sobel filter
constexpr int RING = 8;    // of these, those that one of the two has a tap for

const method_2d chain(
    "chain",
    [](worker_process& worker, const call_options& options, std::span<float> out, const problem_2d& p) {
        return CALL(worker, options, conv2d_chain, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                    p.filter.width, p.filter.height, p.threshold);
    },
    1, find_edges);

const method_2d fused(
    "fused",
    [](worker_process& worker, const call_options& options, std::span<float> out, const problem_2d& p) {
        return CALL(worker, options, conv2d_fused, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                    p.filter.width, p.filter.height, p.threshold);
    },
    1, find_edges);

/// The edges of an image under a filter, where they belong to about the longest third.
problem_2d edges(image in, filter first) {
    problem_2d p{std::move(in), std::move(first)};
    find_edges(p);
    return p;
}

/// Of seeded noise under a filter without symmetry for a mistake to hide behind, whose size goes into its seed:
/// otherwise a short one would be the beginning of a long one.
problem_2d noise(int width, int height, int filter_width, int filter_height) {
    const uint64_t taps_seed = seed() + 1'000'000 * uint64_t(filter_height) + uint64_t(filter_width);
    return edges(noise_image(width, height, 1, seed()),
                 random_filter(filter_width, filter_height, taps_seed));
}

problem_2d with_threshold(problem_2d p, float threshold) {
    p.threshold = threshold;
    return p;
}

/// On the active backend for values, then on the CPU backend for every race and stray access.
void expect_both_clean(const problem_2d& p) {
    expect_right_and_clean(chain, p);
    expect_right_and_clean(fused, p);
}

/// The other way round: who is called second may find the taps of the first in constant memory.
void expect_both_right(const problem_2d& p) {
    expect_right(fused, p);
    expect_right(chain, p);
}

/// 32-byte sectors that whole rows of tiles touch, for every 32 bytes of out; rows begin on a sector.
double sectors_of_tiles(int width, int tile_width) {
    constexpr int VALUES = 8;  // of a sector
    int sectors = 0;
    for (int begin = 0; begin < width; begin += tile_width)
        sectors += (std::min(width, begin + tile_width) - 1) / VALUES - begin / VALUES + 1;
    return double(sectors * VALUES) / width;
}

void expect_stored_side_by_side(const inspect::report& seen, double right) {
    const inspect::traffic out = seen.of("out").stores;
    expect_at_least("stores of out for every request of a warp", double(out.lanes) / double(out.requests), 8);
    expect_at_most("sectors stored to for every 32 bytes of out",
                   double(out.sectors) * 32 / double(out.bytes), right, std::max(1.5, right));
}

}  // namespace

TEST_CASE("[10] the worked example of the handout") {
    problem_2d example{{6, 3, 1, {0, 0, 0, 3, 3, 3, 0, 0, 0, 3, 3, 3, 0, 0, 0, 3, 3, 3}},
                       {3, 1, {1, 1, 1}, "1 1 1"}};
    find_edges(example);
    example.threshold = 20;
    const double less = std::sqrt(18.0 * 18 + 12 * 12), more = std::sqrt(27.0 * 27 + 21 * 21);
    REQUIRE(convolve_cpu(example).value ==
            std::vector<double>{0, 0, less, 30, 30, more, 0, 0, 24, 24, 0, 36, 0, 0, less, 30, 30, more});
    expect_both_clean(example);
}

TEST_CASE("[10] the reference at many sizes") {
    expect_both_right(noise(64, 64, 3, 3));
    expect_both_right(noise(96, 32, 9, 5));
    expect_both_right(noise(128, 64, 5, 13));
    expect_both_right(edges(checkerboard_image(64, 64), gaussian_filter(7, 1.5)));
    expect_both_right(edges(ramp_image(64, 32), box_filter(3)));
    expect_both_right(edges(impulse_image(64, 40, 33, 7), random_filter(5, 3, seed())));
}

TEST_CASE("[15] images that do not fill their blocks") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {7, 5}, {33, 7}, {31, 33}, {67, 41}, {1, 50}, {101, 1}})
        expect_both_clean(noise(width, height, 3, 5));
    expect_both_clean(noise(53, 29, 1, 1));
    expect_both_clean(noise(37, 23, 9, 1));
    expect_both_clean(noise(23, 37, 1, 11));
    expect_both_clean(noise(3, 4, 11, 13));  // the filter is larger than the image
    for (const int length : lengths_around(60, 1))
        expect_both_right(noise(length, length + 4, 3, 3));
    const std::vector<int> widths = lengths_around(64, 1), heights = lengths_around(32, 1);
    for (size_t k = 0; k < widths.size(); k++)
        expect_both_right(noise(widths[k], heights[k], 3, 3));
    for (const method_2d* method : {&chain, &fused}) {
        expect_large_right(*method, noise(70000, 3, 3, 3));
        expect_large_right(*method, noise(3, tall_image(inspect_right(*method, noise(40, 30, 3, 3))), 3, 3));
    }
}

TEST_CASE("[10] filters much longer than a block") {
    expect_both_clean(noise(75, 40, 67, 3));
    expect_both_clean(noise(40, 75, 3, 67));
    expect_both_right(noise(70, 50, 43, 43));
    expect_both_right(noise(37, 11, drawn_odd(11, 47, 1), drawn_odd(3, 21, 2)));
    for (const auto& [filter_width, filter_height] : {std::pair{401, 3}, {3, 401}, {127, 129}})
        expect_right(chain, noise(15, 10, filter_width, filter_height));
}

TEST_CASE("[10] lengths below the threshold are 0 and all others are kept") {
    const problem_2d p = noise(50, 37, 5, 3);
    for (const float factor : {0.25f, 0.5f, 1.5f, 2.0f})
        expect_both_right(with_threshold(p, p.threshold * factor));
    expect_both_right(with_threshold(p, 0));
    expect_both_right(with_threshold(p, 1e9f));
    // Lengths of what lies below 1e-19 have squares that no float has.
    problem_2d dark = p;
    for (float& pixel : dark.in.pixels)
        pixel *= 1e-15f;
    find_edges(dark);
    expect_both_right(dark);
}

TEST_CASE("[5] a tile beyond 48 KB and taps beyond constant memory are refused") {
    // 12291 rows of pixels: a tile of any shape, be it one column, is more than 48 KB.
    expect_refused(fused, noise(9, 5, 1, 12291), {MAX_SHARED});
    expect_refused(fused, noise(9, 5, 12291, 1), {MAX_SHARED});
    expect_refused(chain, noise(5, 4, 129, 129), {16641, 16384});
    expect_refused(chain, noise(5, 4, 16387, 1), {16387, 16384});
    // Where pixels and blur are all that a block has, they may fill 48 KB and be no larger.
    const problem_2d small = noise(9, 5, 3, 3);
    const block_outputs t = outputs_of_block(fused, small);
    const auto bytes_of = [&](const filter_size& size) {
        return ((t.width + 1 + size.width) * (t.height + 1 + size.height) + (t.width + 2) * (t.height + 2)) *
               int(sizeof(float));
    };
    if (main_launch(inspect_right(fused, small)).dynamic_shared == uint64_t(bytes_of({3, 3}))) {
        const filter_size whole = smallest_filter_of(MAX_SHARED, bytes_of),
                          larger = smallest_filter_of(MAX_SHARED + 1, bytes_of);
        if (bytes_of(whole) == MAX_SHARED) expect_right(fused, noise(9, 5, whole.width, whole.height));
        expect_refused(fused, noise(9, 5, larger.width, larger.height), {bytes_of(larger), MAX_SHARED});
    }
    expect_both_right(noise(20, 10, 3, 5));  // and does no harm to the next call
}

TEST_CASE("[15] the chain loads and stores what the closed forms say") {
    for (const problem_2d& p : {noise(107, 41, 7, 5), noise(64, 67, 3, 9), noise(35, 20, 13, 1)}) {
        const inspect::report seen = inspect_right(chain, p);
        const inspect::counts total = seen.total();
        const inspect::traffic in = seen.of("in").loads;
        const int width = p.in.width, height = p.in.height;
        const double pixels = double(p.in.pixels.size());
        // The margins admit kernels that load some pixel for every ghost cell.
        expect_at_most("global loads of in", double(in.lanes), inside_taps(p), all_taps(p));
        expect_at_least("bytes loaded from in", double(in.bytes), 4 * pixels);
        // Sobel x has no taps in its middle column, Sobel y none in its middle row; the last step loads two images.
        const uint64_t across = valid_taps(width, 1), down = valid_taps(height, 1);
        const double between = double((across - uint64_t(width)) * down + across * (down - uint64_t(height)));
        expect_at_most("global loads of what earlier steps stored",
                       double(total.global.loads.lanes - in.lanes), between + 2 * pixels,
                       (2 * SQUARE + 2) * pixels);
        expect_at_least("bytes loaded of what earlier steps stored",
                        double(total.global.loads.bytes - in.bytes), 4 * 4 * pixels);
        expect_count("global stores of all steps", double(total.global.stores.lanes), 4 * pixels, 1);
        expect_count("kernels launched", double(seen.launches.size()), 4, 1);
        expect_plain_loads(seen);
        expect_at_most("loads of taps from constant memory", double(constant_taps(seen, p).lanes),
                       inside_taps(p), most_constant_taps(seen, p));
        expect_count("shared loads and stores", double(total.shared.loads.lanes + total.shared.stores.lanes),
                     0);
    }
}

TEST_CASE("[15] a tile is loaded once and what is made of it never leaves the block") {
    for (const problem_2d& p : {noise(107, 41, 7, 5), noise(64, 67, 3, 9), noise(130, 35, 17, 17)}) {
        const block_outputs t = outputs_of_block(fused, p);
        const inspect::report seen = inspect_right(fused, p);
        const inspect::counts total = seen.total();
        const inspect::traffic in = seen.of("in").loads;
        const int width = p.in.width, height = p.in.height;
        const double blocks = t.blocks(width, height), pixels = double(p.in.pixels.size());
        const double taps = double(p.filter.taps.size());
        const double cells = blocks * (t.width + 1 + p.filter.width) * (t.height + 1 + p.filter.height);
        const double blurred = blocks * (t.width + 2) * (t.height + 2);
        // A block blurs a halo of one pixel around its outputs, as far as the image goes.
        const double products =
            taps * double(clipped_tiles(width, t.width, 1) * clipped_tiles(height, t.height, 1));
        const double loads = double(clipped_tiles(width, t.width, 1 + p.filter.width / 2) *
                                    clipped_tiles(height, t.height, 1 + p.filter.height / 2));
        // The margin admits kernels that load some pixel for every ghost cell.
        expect_at_most("global loads of in", double(in.lanes), loads, cells);
        expect_at_least("bytes loaded from in", double(in.bytes), 4 * pixels);
        expect_count("global loads of anything but in", double(total.global.loads.lanes - in.lanes), 0);
        expect_at_most("global stores", double(total.global.stores.lanes), pixels, pixels);
        expect_count("kernels launched", double(seen.launches.size()), 1, 1);
        expect_plain_loads(seen);
        expect_company("global loads of in", in);

        // The margins admit kernels that blur ghost cells, too, and load all that lies under Sobel's filters.
        expect_at_most("shared loads", double(total.shared.loads.lanes), products + RING * pixels,
                       blurred * (taps + SHARED_WORDS) + 2 * SQUARE * pixels);
        expect_at_least("bytes loaded from shared memory", double(total.shared.loads.bytes), 4 * pixels);
        expect_at_most("shared stores", double(total.shared.stores.lanes), cells + blurred,
                       1.05 * (cells + blurred));
        expect_at_most("bank conflicts of shared loads", double(total.shared.loads.conflicts()), 0,
                       1.5 * double(total.shared.loads.requests));
        const inspect::launch launch = main_launch(seen);
        expect_at_most("bytes of shared memory", double(launch.dynamic_shared + launch.static_shared),
                       4 * (cells + blurred) / blocks, MAX_SHARED);
        expect_at_most("loads of taps from constant memory", double(total.constant.lanes), products,
                       blurred * (taps + CONSTANT_WORDS));
        expect_at_least("bytes of taps from constant memory", double(total.constant.bytes), 4 * taps);
        expect_at_most("addresses of a request to constant memory", total.constant.wavefronts_per_request(),
                       1, 2);
    }
}

TEST_CASE("[5] whole warps store side by side and no block is left over") {
    const problem_2d p = noise(128, 64, 3, 3);
    const block_outputs t = outputs_of_block(fused, p);
    expect_stored_side_by_side(inspect_right(fused, p), sectors_of_tiles(128, t.width));
    expect_full_warps(inspect_right(chain, p));
    for (const auto& [width, height] : {std::pair{128, 64}, {129, 64}, {128, 89}, {120, 60}}) {
        const problem_2d haloed = noise(width, height, 7, 5);
        expect_blocks(inspect_right(fused, haloed), outputs_of_block(fused, haloed).blocks(width, height));
        const inspect::report seen = inspect_right(chain, haloed);
        expect_blocks(seen, blocks_either_way(main_launch(seen), width, height));
    }
    expect_at_most("sectors per request of in in the first step",
                   inspect_right(chain, p).of("in").loads.sectors_per_request(),
                   loads_by_rows(p).sectors_per_request(), 18);
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    for (const method_2d* method : {&chain, &fused}) {
        expect_given_back(*method, noise(70, 30, 5, 3));
        expect_failures_told(*method, noise(70, 30, 5, 3));
    }
}
