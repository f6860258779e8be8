// Checks of lab 15: values in two passes and in one kernel, what either moves, and how many terms a filter takes.
#include "conv2d_separable.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "check/check.h"
#include "check/session.h"

using namespace check;

namespace {

constexpr int MAX_SHARED = 48 * 1024;

const method_2d two_passes(
    "two_passes",
    [](worker_process& worker, const call_options& options, std::span<float> out, const problem_2d& p) {
        return CALL(worker, options, conv2d_two_passes, out, p.in.pixels, p.filter.column, p.filter.row,
                    p.in.width, p.in.height);
    },
    1, give_as_factors);

const method_2d separable(
    "separable",
    [](worker_process& worker, const call_options& options, std::span<float> out, const problem_2d& p) {
        return CALL(worker, options, conv2d_separable, out, p.in.pixels, p.filter.column, p.filter.row,
                    p.in.width, p.in.height);
    },
    1, give_as_factors);

const method_2d low_rank(
    "low_rank",
    [](worker_process& worker, const call_options& options, std::span<float> out, const problem_2d& p) {
        return CALL(worker, options, conv2d_low_rank, out, p.in.pixels, p.filter.taps, p.in.width,
                    p.in.height, p.filter.width, p.filter.height, float(p.left_out));
    },
    1, give_to_factor);

/// Seeded noise under a column times a row that have no symmetry to hide a mistake behind.
problem_2d noise(int width, int height, int filter_width, int filter_height) {
    return {noise_image(width, height, 1, seed()), separable_filter(filter_width, filter_height, seed() + 1)};
}

/// Both methods of a column and a row, on the active backend for values, then on the CPU backend for every race and
/// stray access.
void expect_both_clean(const problem_2d& p) {
    expect_right_and_clean(two_passes, p);
    expect_right_and_clean(separable, p);
}

void expect_both_right(const problem_2d& p) {
    expect_right(two_passes, p);
    expect_right(separable, p);
}

/// Weights of columns times rows that are at right angles: so they are the singular values of their sum. The columns and
/// rows are those of the discrete cosine transform.
filter cosine_filter(int width, int height, const std::vector<double>& weights) {
    const auto cosine = [](int k, int i, int length) {
        const double scale = std::sqrt((k == 0 ? 1.0 : 2.0) / length);
        return scale * std::cos(std::numbers::pi * (2 * i + 1) * k / (2 * length));
    };
    filter made{width,
                height,
                {},
                "of known singular values " + std::to_string(width) + "x" + std::to_string(height)};
    for (int i = 0; i < height; i++) {
        for (int j = 0; j < width; j++) {
            double tap = 0;
            for (int k = 0; k < int(weights.size()); k++)
                tap +=
                    weights[k] * cosine(k, i, height) * cosine((k + 1) % std::min(width, height), j, width);
            made.taps.push_back(float(tap));
        }
    }
    return made;
}

/// Noise under such a filter, of which no more may be left out than this.
problem_2d to_factor(int width, int height, const filter& f, double left_out) {
    problem_2d p{noise_image(width, height, 1, seed()), f};
    p.left_out = left_out;
    return p;
}

constexpr double ROUNDINGS =
    1e-4;  // far more than those of taps add up to, far less than the smallest weight here

double left_out_after(size_t terms, const std::vector<double>& weights) {
    double sum = 0;
    for (size_t k = terms; k < weights.size(); k++)
        sum += weights[k];
    return sum;
}

/// Compares all bounds of the student's with the sums of the weights.
void expect_bounds(int width, int height, const std::vector<double>& weights) {
    const filter f = cosine_filter(width, height, weights);
    const size_t sides = size_t(std::min(width, height));
    the_session->subject = "low_rank_bounds: a filter " + f.name;
    std::vector<float> bounds(sides + 1, NAN);
    const call_result result =
        CALL(the_session->inspected(), {}, low_rank_bounds, bounds, f.taps, f.width, f.height);
    the_session->result.calls++;
    the_session->result.returned += result.returned();
    REQUIRE_MESSAGE(result.returned(), result.trouble);
    // Taps that are rounded change the filter by one of length u |F| at most, whose singular values add up to sqrt(n)
    // times that; the bound is rounded once itself. Twice as much is for the decomposition.
    double squares = 0;
    for (const double weight : weights)
        squares += weight * weight;
    const double u = std::ldexp(1.0, -24);
    const double roundings = 2 * u * (std::sqrt(double(sides) * squares) + left_out_after(0, weights));
    for (size_t k = 0; k <= sides; k++) {
        const double right = left_out_after(k, weights);
        if (!(std::abs(bounds[k] - right) <= roundings))
            FAIL("the bound with " << k << " terms: now " << bounds[k] << ", right is " << right);
    }
}

struct block_shape {
    int width, height;
};

double blocks_of(const problem_2d& p, block_shape block) {
    return double((p.in.width + block.width - 1) / block.width) *
           ((p.in.height + block.height - 1) / block.height);
}

/// The outputs of one of the student's blocks, the tile that the closed forms are about: one a thread, or, where there are
/// fewer blocks than that takes, what the grid says for an image of whole tiles.
block_shape tile_of(const method_2d& method, const problem_2d& p) {
    constexpr int SIDE = 128;
    problem_2d whole = p;
    whole.in = noise_image(SIDE, SIDE, 1, seed());
    const inspect::launch launch = main_launch(inspect_right(method, whole));
    const block_shape block{int(launch.block[0]), int(launch.block[1] * launch.block[2])};
    if (double(launch.blocks()) >= blocks_of(whole, block)) return block;
    const auto outputs = [](uint32_t blocks) { return (SIDE + int(blocks) - 1) / int(blocks); };
    return {outputs(launch.grid[0]), outputs(launch.grid[1])};
}

/// What so many terms of a filter cost in one kernel.
void expect_tile_counts(const method_2d& method, const problem_2d& p, int terms) {
    const block_shape block = tile_of(method, p);
    const inspect::report seen = inspect_right(method, p);
    const inspect::counts total = seen.total();
    const inspect::traffic in = seen.of("in").loads;
    const double blocks = blocks_of(p, block), pixels = double(p.in.pixels.size());
    const int tile_height = block.height + p.filter.height - 1;
    const double row_sums = blocks * block.width * tile_height;
    const double cells = blocks * (block.width + p.filter.width - 1) * tile_height;
    const double threads = blocks * block.width * block.height;
    const double products = terms * (row_sums * p.filter.width + threads * p.filter.height);
    const double clipped = double(clipped_tiles(p.in.width, block.width, p.filter.width / 2) *
                                  clipped_tiles(p.in.height, block.height, p.filter.height / 2));
    // The margin admits kernels that load some pixel for every ghost cell.
    expect_at_most("global loads of in", double(in.lanes), clipped, cells);
    expect_at_least("bytes loaded from in", double(in.bytes), 4 * pixels);
    expect_count("global loads of anything but in", double(total.global.loads.lanes - in.lanes), 0);
    expect_at_most("global stores", double(total.global.stores.lanes), pixels, pixels);

    expect_at_most("shared loads", double(total.shared.loads.lanes), products,
                   products + threads * SHARED_WORDS);
    expect_at_least("bytes loaded from shared memory", double(total.shared.loads.bytes), 4 * pixels);
    const double stores = cells + terms * row_sums;
    expect_at_most("shared stores", double(total.shared.stores.lanes), stores,
                   stores + blocks * SHARED_WORDS);
    // The margin admits blocks 16 wide, whose warps cover two rows.
    expect_at_most("bank conflicts of shared loads", double(total.shared.loads.conflicts()), 0,
                   1.5 * double(total.shared.loads.requests));
    const inspect::launch launch = main_launch(seen);
    const double bytes = 4 * (cells + row_sums) / blocks;
    expect_at_most("bytes of shared memory", double(launch.dynamic_shared + launch.static_shared), bytes,
                   MAX_SHARED);
    expect_at_most("loads of taps from constant memory", double(total.constant.lanes), products,
                   products + threads * CONSTANT_WORDS);
    expect_at_least("bytes of taps from constant memory", double(total.constant.bytes),
                    4.0 * terms * (p.filter.width + p.filter.height));
    expect_at_most("addresses of a request to constant memory", total.constant.wavefronts_per_request(), 1,
                   2);
}

}  // namespace

TEST_CASE("[10] the worked example of the handout") {
    const problem_2d example{{4, 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
                             separable_filter({1, 2, 1}, {1, 2, 3})};
    REQUIRE(convolve_cpu(example).value ==
            std::vector<double>{44, 66, 84, 45, 112, 152, 176, 92, 124, 162, 180, 93});
    expect_both_clean(example);
}

TEST_CASE("[10] the reference at many sizes") {
    expect_both_right(noise(64, 64, 3, 3));
    expect_both_right(noise(96, 32, 9, 5));
    expect_both_right(noise(128, 64, 5, 13));
    problem_2d blurred{checkerboard_image(64, 64), gaussian_filter(7, 1.5)};
    give_as_factors(blurred);
    expect_both_right(blurred);
    problem_2d edges{ramp_image(64, 32), sobel_x_filter()};
    give_as_factors(edges);
    expect_both_right(edges);
    expect_both_right({impulse_image(64, 40, 33, 7), separable_filter(9, 5, seed())});
}

TEST_CASE("[15] images that do not fill their blocks") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {7, 5}, {33, 7}, {31, 33}, {67, 41}, {1, 50}, {101, 1}})
        expect_both_clean(noise(width, height, 3, 5));
    expect_both_clean(noise(53, 29, 1, 1));
    expect_both_clean(noise(37, 23, 9, 1));
    expect_both_clean(noise(23, 37, 1, 11));
    expect_both_clean(noise(3, 4, 11, 13));  // the filter is larger than the image
    const std::vector<int> widths = lengths_around(64, 1), heights = lengths_around(32, 1);
    for (size_t k = 0; k < widths.size(); k++)
        expect_both_right(noise(widths[k], heights[k], 3, 3));
    for (const method_2d* method : {&two_passes, &separable}) {
        expect_large_right(*method, noise(70000, 3, 3, 3));
        expect_large_right(*method, noise(3, tall_image(inspect_right(*method, noise(40, 30, 3, 3))), 3, 3));
    }
}

TEST_CASE("[10] columns and rows much longer than a block") {
    expect_both_clean(noise(75, 40, 67, 3));
    expect_both_clean(noise(40, 75, 3, 67));
    expect_both_right(noise(70, 50, 43, 43));
    expect_both_right(noise(37, 11, drawn_odd(11, 47, 1), drawn_odd(3, 21, 2)));
    for (const auto& [filter_width, filter_height] : {std::pair{401, 3}, {3, 401}, {129, 255}})
        expect_right(two_passes, noise(50, 60, filter_width, filter_height));
    expect_right(two_passes, noise(9, 5, 16383, 1));  // all of constant memory
}

TEST_CASE("[5] a tile beyond 48 KB and taps beyond constant memory are refused") {
    // 12291 rows of pixels: a tile of any shape, be it one column, is more than 48 KB.
    expect_refused(separable, noise(9, 5, 1, 12291), {MAX_SHARED});
    expect_refused(separable, noise(9, 5, 12291, 1), {MAX_SHARED});
    expect_refused(two_passes, noise(5, 4, 16383, 3), {16386, 16384});
    expect_refused(two_passes, noise(5, 4, 3, 16383), {16386, 16384});
    // Where tile and row sums are all that a block has, they may fill 48 KB and be no larger.
    const block_shape tile = tile_of(separable, noise(9, 5, 3, 3));
    const auto bytes_of = [&](const filter_size& size) {
        return (2 * tile.width + size.width - 1) * (tile.height + size.height - 1) * int(sizeof(float));
    };
    const inspect::launch small = main_launch(inspect_right(separable, noise(9, 5, 3, 3)));
    if (small.dynamic_shared == uint64_t(bytes_of({3, 3}))) {
        const filter_size whole = smallest_filter_of(MAX_SHARED, bytes_of),
                          larger = smallest_filter_of(MAX_SHARED + 1, bytes_of);
        if (bytes_of(whole) == MAX_SHARED) expect_right(separable, noise(9, 5, whole.width, whole.height));
        expect_refused(separable, noise(9, 5, larger.width, larger.height), {bytes_of(larger), MAX_SHARED});
    }
    expect_both_right(noise(20, 10, 3, 5));  // and does no harm to the next call
}

TEST_CASE("[10] two passes load and store what the closed forms say") {
    for (const problem_2d& p : {noise(107, 41, 7, 5), noise(64, 67, 3, 9), noise(35, 20, 13, 1)}) {
        const inspect::report seen = inspect_right(two_passes, p);
        const inspect::counts total = seen.total();
        const inspect::traffic in = seen.of("in").loads;
        const double pixels = double(p.in.pixels.size());
        // The margins admit kernels that load some pixel for every ghost cell.
        expect_at_most("global loads of in", double(in.lanes),
                       double(valid_taps(p.in.width, p.filter.width / 2)) * p.in.height,
                       pixels * p.filter.width);
        expect_at_least("bytes loaded from in", double(in.bytes), 4 * pixels);
        const uint64_t between = total.global.loads.lanes - in.lanes;
        expect_at_most("global loads of what the first pass stored", double(between),
                       double(valid_taps(p.in.height, p.filter.height / 2)) * p.in.width,
                       pixels * p.filter.height);
        expect_at_least("global loads of what the first pass stored", double(between), pixels);
        expect_count("global stores of both passes", double(total.global.stores.lanes), 2 * pixels, 1);
        expect_at_most("loads of taps from constant memory", double(total.constant.lanes),
                       double(in.lanes + between),
                       pixels * (p.filter.width + p.filter.height + 2 * CONSTANT_WORDS));
        expect_at_least("bytes of taps from constant memory", double(total.constant.bytes),
                        4.0 * (p.filter.width + p.filter.height));
        expect_at_most("addresses of a request to constant memory", total.constant.wavefronts_per_request(),
                       1, 2);
        expect_count("shared loads and stores", double(total.shared.loads.lanes + total.shared.stores.lanes),
                     0);
    }
}

TEST_CASE("[10] a tile is loaded once and its row sums never leave the block") {
    for (const problem_2d& p : {noise(107, 41, 7, 5), noise(64, 67, 3, 9), noise(130, 35, 17, 17)})
        expect_tile_counts(separable, p, 1);
}

TEST_CASE("[5] whole warps store side by side and no block is left over") {
    for (const method_2d* method : {&two_passes, &separable}) {
        const inspect::report seen = inspect_right(*method, noise(128, 64, 1, 1));
        expect_full_warps(seen);
        expect_blocks(seen, blocks_needed(main_launch(seen), 128, 64));
        for (const auto& [width, height] : {std::pair{128, 64}, {129, 64}, {128, 89}}) {
            const inspect::report haloed = inspect_right(*method, noise(width, height, 7, 5));
            expect_blocks(haloed, blocks_either_way(main_launch(haloed), width, height));
        }
    }
    const problem_2d p = noise(96, 32, 5, 5);
    expect_at_most("sectors per request of in in the first pass",
                   inspect_right(two_passes, p).of("in").loads.sectors_per_request(),
                   loads_by_rows(p).sectors_per_request(), 18);
}

TEST_CASE("[5] a bound is the sum of the singular values left out") {
    expect_bounds(5, 5, {4, 2, 1, 0.5, 0.25});
    expect_bounds(7, 3, {3, 1, 0.125});
    expect_bounds(3, 9, {8, 0.5, 0.25});
    expect_bounds(9, 9, {2, 2, 0, 0, 0, 0, 0, 0, 0});
    expect_bounds(1, 7, {5});
    expect_bounds(3, 3, {0, 0, 0});
}

TEST_CASE("[10] as few terms as the bound allows each from the same tile") {
    const std::vector<double> falling = {4, 2, 1, 0.5, 0.25, 0.125, 0.0625};
    for (const auto& [filter_width, filter_height] : {std::pair{7, 7}, {9, 7}, {7, 11}}) {
        const filter f = cosine_filter(filter_width, filter_height, falling);
        for (const int terms : {1, 2, 3})
            expect_tile_counts(
                low_rank, to_factor(67, 41, f, left_out_after(size_t(terms), falling) + ROUNDINGS), terms);
        // A little less than the second term's bound: it takes the third.
        expect_tile_counts(low_rank, to_factor(50, 33, f, left_out_after(2, falling) - ROUNDINGS), 3);
        expect_tile_counts(low_rank, to_factor(50, 33, f, 100), 1);  // all might be left out: one is kept
    }
    // Weights that are exact in floats: the bound with one term is 3, no more than 3, and two do not pay.
    const filter diagonal{3, 3, {4, 0, 0, 0, 2, 0, 0, 0, 1}, "of 4 and 2 and 1 from corner to corner"};
    expect_right(low_rank, to_factor(40, 30, diagonal, 3));
    for (const std::vector<double>& few : {std::vector<double>{3}, {3, 2}, {3, 2, 1}}) {
        for (const auto& [width, height] : {std::pair{1, 1}, {33, 7}, {67, 41}})
            expect_right_and_clean(low_rank, to_factor(width, height, cosine_filter(9, 7, few), ROUNDINGS));
    }
    expect_right(low_rank, to_factor(40, 30, cosine_filter(1, 9, {2}), ROUNDINGS));
    expect_right(low_rank, to_factor(40, 30, cosine_filter(5, 5, {0}), ROUNDINGS));
    expect_right(low_rank,
                 to_factor(40, 30, cosine_filter(1, 9, {2}), 0));  // nothing may be left out, and is not
}

TEST_CASE("[5] a filter whose terms do not pay is refused") {
    // Of a side of 5 two terms pay: 2 * (5 + 5) <= 25; of 3 one does.
    const std::vector<double> falling = {4, 2, 1, 0.5, 0.25};
    const filter five = cosine_filter(5, 5, falling);
    expect_refused(low_rank, to_factor(20, 10, five, ROUNDINGS), {5, 2});
    expect_refused(low_rank, to_factor(20, 10, five, left_out_after(3, falling) + ROUNDINGS), {3, 2});
    expect_refused(low_rank, to_factor(20, 10, laplacian_filter(), ROUNDINGS), {2, 1});
    expect_refused(low_rank, to_factor(20, 10, random_filter(7, 3, seed()), ROUNDINGS), {3, 2});
    expect_refused(low_rank, to_factor(20, 10, cosine_filter(13, 9, {9, 8, 7, 6, 5, 4}), ROUNDINGS), {6, 5});
    expect_right(low_rank, to_factor(20, 10, cosine_filter(13, 9, {9, 8, 7, 6, 5}), ROUNDINGS));
    expect_right(low_rank, to_factor(20, 10, five, left_out_after(2, falling) + ROUNDINGS));
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    for (const method_2d* method : {&two_passes, &separable, &low_rank}) {
        const problem_2d p = method->posed(noise(70, 30, 5, 3));
        expect_given_back(*method, p);
        expect_failures_told(*method, p);
    }
}
