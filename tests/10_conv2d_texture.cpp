// Checks of lab 10: four ways through a texture, where the
// image ends, what fits, and what is fetched how often.
#include "conv2d_texture.h"

#include <tuple>

#include "check/check.h"
#include "check/session.h"

using namespace check;

static const method_2d padded{"texture_padded", [](auto& worker, auto& options, auto out, auto& p) {
                                  return CALL(worker, options, conv2d_texture_padded, out, p.in.pixels,
                                              p.filter.taps, p.in.width, p.in.height, p.filter.width,
                                              p.filter.height);
                              }};
static const method_2d border{"texture_border", [](auto& worker, auto& options, auto out, auto& p) {
                                  return CALL(worker, options, conv2d_texture_border, out, p.in.pixels,
                                              p.filter.taps, p.in.width, p.in.height, p.filter.width,
                                              p.filter.height, p.border);
                              }};
static const method_2d both{"texture_filter", [](auto& worker, auto& options, auto out, auto& p) {
                                return CALL(worker, options, conv2d_texture_filter, out, p.in.pixels,
                                            p.filter.taps, p.in.width, p.in.height, p.filter.width,
                                            p.filter.height);
                            }};
static const method_2d shared{"texture_shared", [](auto& worker, auto& options, auto out, auto& p) {
                                  return CALL(worker, options, conv2d_texture_shared, out, p.in.pixels,
                                              p.filter.taps, p.in.width, p.in.height, p.filter.width,
                                              p.filter.height);
                              }};

static constexpr int MAX_WIDTH = 131072, MAX_HEIGHT = 65536;  // of 2D textures, compute capability 6.0 and up
static constexpr int MAX_SHARED = 48 * 1024;
static constexpr int TILE_WIDTH = 32, TILE_HEIGHT = 8;  // the contract's

/// Seeded noise under a filter that has no symmetry to hide a mistake behind. Sizes go into the filter's seed: two
/// of as many taps, which a stale filter may be, differ.
static problem_2d noise(int width, int height, int filter_width, int filter_height) {
    return {noise_image(width, height, 1, seed()),
            random_filter(filter_width, filter_height, seed() + 1000 * filter_width + filter_height)};
}

static void expect_all_right(const problem_2d& p) {
    for (const method_2d* method : methods_2d())
        expect_right(*method, p);
}

/// Taps of all outputs, ghost cells too: what a kernel without bounds test fetches.
static double every_tap(const problem_2d& p) {
    return double(p.in.pixels.size() * p.filter.taps.size());
}

static double ceil_div(int whole, int piece) {
    return (whole + piece - 1) / piece;
}

/// The limit itself is within the limit. (Whether the runtime serves it is another matter: textures on pitched
/// memory have other limits.)
static void expect_not_refused(const method_2d& method, const problem_2d& p) {
    std::vector<float> out(p.in.pixels.size());
    call_options options;
    options.one_of_blocks = 64;  // it is enough that they start
    const call_result result = method.run(the_session->inspected(), options, out, p);
    REQUIRE_MESSAGE(result.how != call_end::refused, method.name << " " << result.trouble);
}

/// Cells of all tiles with their halos, ghost cells too.
static double tile_cells(const problem_2d& p) {
    return ceil_div(p.in.width, TILE_WIDTH) * (TILE_WIDTH + p.filter.width - 1) *
           ceil_div(p.in.height, TILE_HEIGHT) * (TILE_HEIGHT + p.filter.height - 1);
}

TEST_CASE("[10] the worked example of the handout") {
    const image pixels{4, 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
    problem_2d p{pixels, {3, 1, {1, 10, 100}, "1 10 100"}};
    REQUIRE(convolve_cpu(p).value ==
            std::vector<double>{210, 321, 432, 43, 650, 765, 876, 87, 1090, 1209, 1320, 131});
    expect_all_right(p);
    p.filter = {1, 3, {1, 10, 100}, "1 10 100 upright"};
    expect_all_right(p);
}

TEST_CASE("[10] the reference at many sizes") {
    expect_all_right(noise(64, 48, 3, 3));
    for (const method_2d* method : methods_2d()) {
        expect_right(*method, noise(96, 40, 5, 5));
        expect_right(*method, {checkerboard_image(64, 64), gaussian_filter(5, 1.0)});  // of the same size
    }
    expect_all_right(noise(128, 64, 9, 9));
    expect_all_right({impulse_image(64, 40, 33, 7), random_filter(7, 7, seed())});
}

TEST_CASE("[10] images that do not fill their blocks") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {7, 5}, {33, 7}, {31, 9}, {67, 41}, {1, 50}, {101, 1}})
        expect_all_right(noise(width, height, 3, 3));
    expect_all_right(noise(37, 23, 1, 1));
    const std::vector<int> widths = lengths_around(64, 1), heights = lengths_around(32, 1);
    for (size_t k = 0; k < widths.size(); k++)
        expect_all_right(noise(widths[k], heights[k], 3, 3));
    for (const method_2d* method : methods_2d()) {
        expect_large_right(*method, noise(70000, 3, 3, 3));
        expect_large_right(*method, noise(3, 40000, 3, 3));
    }
}

TEST_CASE("[15] filters that are not square") {
    expect_all_right(noise(53, 29, 7, 3));
    expect_all_right(noise(29, 53, 3, 9));
    expect_all_right(noise(67, 19, 1, 5));
    expect_all_right(noise(41, 11, 13, 1));
    expect_all_right(noise(3, 4, 11, 9));  // larger than the image
    for (const auto& [filter_width, filter_height] :
         {std::pair{41, 9}, {9, 41}, {63, 3}, {drawn_odd(11, 47, 1), drawn_odd(3, 21, 2)}})
        expect_all_right(noise(37, 11, filter_width, filter_height));
    // Tiles that lie inside the image with their whole halo.
    expect_right(shared, noise(98, 19, 65, 3));
    expect_right(shared, noise(67, 56, 3, 45));
    for (const method_2d* method : {&padded, &border, &both}) {
        expect_right(*method, noise(70, 5, 65, 3));
        expect_right(*method, noise(5, 50, 3, 45));
    }
}

TEST_CASE("[10] clamp and mirror borders from the address mode") {
    for (lab::border mode : {lab::border::clamp, lab::border::mirror, lab::border::zero}) {
        for (auto [width, height, filter_width, filter_height] :
             {std::tuple{64, 48, 5, 5}, {35, 21, 3, 7}, {5, 3, 9, 11}, {1, 1, 3, 3}, {101, 1, 7, 3}}) {
            problem_2d p = noise(width, height, filter_width, filter_height);
            p.border = mode;
            expect_right(border, p);
        }
    }
}

TEST_CASE("[5] filters beyond constant memory and tiles beyond shared memory") {
    expect_right(both, noise(19, 11, 129, 131));
    // (32 + 88) x (8 + 94) cells are 48 960 bytes and fit; with two more columns they are 49 776.
    for (int filter_width : {89, 91})
        expect_right(shared, noise(37, 9, filter_width, 95));
    // The largest tile that fits, unless its rows are padded, and the smallest that does not.
    const problem_2d small = noise(9, 5, 3, 3);
    const bool padded_rows =
        main_launch(inspect_right(shared, small)).dynamic_shared != 4 * uint64_t(tile_cells(small));
    for (const int bytes : {MAX_SHARED, MAX_SHARED + 1}) {
        const filter_size size = smallest_filter_of(bytes, [](const filter_size& one) {
            return (TILE_WIDTH + one.width - 1) * (TILE_HEIGHT + one.height - 1) * int(sizeof(float));
        });
        const problem_2d p = noise(9, 5, size.width, size.height);
        const inspect::traffic fetches = inspect_right(shared, p).total().texture;
        if (bytes == MAX_SHARED && !padded_rows)
            expect_at_most("texture fetches", fetches.lanes, tile_cells(p), tile_cells(p));
    }
    expect_right(shared, noise(13, 9, 127, 127));
}

TEST_CASE("[10] what does not fit is refused") {
    for (const method_2d* method : {&padded, &border, &shared})
        expect_refused(*method, noise(5, 4, 129, 129), {129 * 129, 16384});
    for (const method_2d* method : methods_2d()) {
        expect_refused(*method, noise(MAX_WIDTH + 1, 1, 1, 1), {MAX_WIDTH + 1, MAX_WIDTH});
        expect_refused(*method, noise(1, MAX_HEIGHT + 1, 1, 1), {MAX_HEIGHT + 1, MAX_HEIGHT});
    }
    // Padding counts. Without it the same image fits.
    expect_refused(padded, noise(MAX_WIDTH - 1, 1, 3, 1), {MAX_WIDTH + 1, MAX_WIDTH});
    expect_right(border, noise(MAX_WIDTH, 1, 3, 1));
    expect_large_right(padded, noise(MAX_WIDTH - 2, 1, 3, 1));
    expect_refused(both, noise(1, 1, MAX_WIDTH + 1, 1), {MAX_WIDTH + 1, MAX_WIDTH});
    expect_right(both, noise(1, 1, MAX_WIDTH - 1, 1));
    for (const method_2d* method : methods_2d())
        expect_not_refused(*method, noise(1, MAX_HEIGHT, 1, 1));
    expect_all_right(noise(20, 10, 3, 3));  // and nothing of it harms the next call
}

TEST_CASE("[10] every tap is one fetch and nothing is loaded from global memory") {
    for (const problem_2d& p : {noise(67, 41, 5, 3), noise(96, 17, 7, 9)}) {
        for (const method_2d* method : {&padded, &border, &both}) {
            const auto seen = inspect_right(*method, p);
            const bool filter_too = method == &both;
            // A kernel with a bounds test fetches less: the texture has to answer for ghost cells.
            expect_count("texture fetches", seen.total().texture.lanes, every_tap(p) * (filter_too ? 2 : 1));
            expect_count("global loads", seen.total().global.loads.lanes, 0);
            expect_at_most("constant loads", constant_taps(seen, p).lanes, filter_too ? 0 : every_tap(p),
                           filter_too ? 0 : most_constant_taps(seen, p));
            expect_company("texture fetches", seen.total().texture);
            expect_at_most("global stores of out", times_stored(seen), p.in.pixels.size(),
                           p.in.pixels.size());
        }
    }
}

TEST_CASE("[10] every tile fetches its cells once and sums from shared memory") {
    for (const problem_2d& p : {noise(67, 41, 5, 3), noise(96, 17, 7, 19)}) {
        const auto seen = inspect_right(shared, p);
        const inspect::counts total = seen.total();
        expect_at_most("texture fetches", total.texture.lanes, tile_cells(p), tile_cells(p));
        expect_at_least("texture fetches", total.texture.lanes, p.in.pixels.size());
        expect_at_least("texture fetches of one request",
                        total.texture.requests ? double(total.texture.lanes) / total.texture.requests : 0, 4);
        expect_count("global loads", total.global.loads.lanes, 0);
        expect_at_most("global stores of out", times_stored(seen), p.in.pixels.size(), p.in.pixels.size());
        expect_company("shared loads", total.shared.loads);
        expect_at_least("bytes stored to shared memory", total.shared.stores.bytes, 4.0 * p.in.pixels.size());
        // Threads without an output may compute one all the same, and one load may serve several outputs.
        const double overhanging = ceil_div(p.in.width, TILE_WIDTH) * ceil_div(p.in.height, TILE_HEIGHT) *
                                   TILE_WIDTH * TILE_HEIGHT * (p.filter.taps.size() + SHARED_WORDS);
        expect_at_most("shared loads", total.shared.loads.lanes, every_tap(p), overhanging);
        expect_at_least("bytes loaded from shared memory", total.shared.loads.bytes,
                        4.0 * p.in.pixels.size());
        // The margin admits threads with four outputs side by side.
        expect_at_most("wavefronts per request of the shared loads",
                       total.shared.loads.wavefronts_per_request(), 1, 4.5);
    }
}

TEST_CASE("[5] whole warps store side by side and no block is left over") {
    for (const method_2d* method : methods_2d()) {
        const auto seen = inspect_right(*method, noise(128, 64, 1, 1));
        expect_full_warps(seen);
        expect_blocks(seen, blocks_needed(main_launch(seen), 128, 64));
        for (const auto& [width, height] : {std::pair{128, 64}, {129, 64}, {128, 89}}) {
            const auto haloed = inspect_right(*method, noise(width, height, 7, 5));
            expect_no_blocks_for_the_halo(haloed, width, height);
        }
    }
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    for (const method_2d* method : methods_2d()) {
        expect_given_back(*method, noise(70, 30, 5, 3));
        expect_failures_told(*method, noise(70, 30, 5, 3));
    }
}
