// Checks of lab 18: convolution by tensor cores, in fp16 and in two parts of it; what is multiplied, and how exactly.
#include "conv2d_tensor.h"

#include <cmath>

#include "check/check.h"

using namespace check;

namespace {

constexpr int MAX_SHARED = 48 * 1024;
constexpr int HALF = 2;  // bytes of a number
constexpr int SIDE = 16;
constexpr int MATRIX_BYTES = SIDE * SIDE * HALF, SUM_BYTES = SIDE * SIDE * int(sizeof(float));
constexpr int MULTIPLICATIONS = SIDE * SIDE * SIDE;  // of a product of matrices, whatever its shape

/// A limit of all pixels, and of all that the device may get in their place (call/changed_words.h).
float limit_of(const image& in) {
    float largest = 0;
    for (const float pixel : in.pixels)
        largest = std::max(largest, std::abs(pixel));
    return largest == 0 ? 1 : 2 * std::exp2(std::floor(std::log2(largest)));
}

const method_2d half(
    "half",
    [](worker_process& worker, const call_options& options, std::span<float> out, const problem_2d& p) {
        return CALL(worker, options, conv2d_half, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                    p.filter.width, p.filter.height, limit_of(p.in));
    },
    1, [](problem_2d& p) { p.fp16_parts = 1; });

const method_2d split(
    "split",
    [](worker_process& worker, const call_options& options, std::span<float> out, const problem_2d& p) {
        return CALL(worker, options, conv2d_split, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                    p.filter.width, p.filter.height, limit_of(p.in));
    },
    1, [](problem_2d& p) { p.fp16_parts = 2; });

/// Seeded noise under a filter without symmetry for a mistake to hide behind, whose size goes into its seed.
problem_2d noise(int width, int height, int filter_width, int filter_height) {
    const uint64_t taps_seed = seed() + 1'000'000 * uint64_t(filter_height) + uint64_t(filter_width);
    return {noise_image(width, height, 1, seed()), random_filter(filter_width, filter_height, taps_seed)};
}

/// On the active backend for values, then on the CPU backend for every race and stray access.
void expect_clean(const method_2d& method, const problem_2d& p) {
    expect_right_and_clean(method, method.posed(p));
}
void expect_values(const method_2d& method, const problem_2d& p) {
    expect_right(method, method.posed(p));
}

/// The pixels are so many times as large, and the taps.
problem_2d scaled(problem_2d p, float pixels, float taps) {
    for (float& pixel : p.in.pixels)
        pixel *= pixels;
    for (float& tap : p.filter.taps)
        tap *= taps;
    return p;
}

/// What becomes infinity in fp16 if it is not scaled, or loses its bits.
void expect_numbers_of_any_size(const method_2d& method) {
    const problem_2d p = noise(40, 35, 5, 3);
    for (const auto& [pixels, taps] :
         {std::pair{255.0f, 1.0f}, {1e6f, 1e-6f}, {1e-7f, 1e7f}, {1e-5f, 1e-5f}, {3e4f, 7e4f}, {1, 1e-3f}})
        expect_values(method, scaled(p, pixels, taps));
    expect_values(method, scaled(p, 0, 1));
    expect_values(method, scaled(p, 1, 0));
    expect_values(method, {ramp_image(48, 20), gaussian_filter(9, 1)});
}

int whole_matrices(int length) {
    return (length + SIDE - 1) / SIDE;
}

/// Of a method: fp16 numbers for each pixel, and products for each pixel and tap.
int parts_of(const method_2d& method) {
    return method.posed({}).fp16_parts;
}
int products_of(const method_2d& method) {
    return parts_of(method) == 1 ? 1 : 3;
}

/// 16 x 16 outputs take a product for every row of taps and 16 pixels of a row that they need.
double products_of_parts(const problem_2d& p) {
    return double(whole_matrices(p.in.width)) * whole_matrices(p.in.height) * p.filter.height *
           whole_matrices(SIDE + p.filter.width - 1);
}

/// Cells of a tile where rows are an odd number of matrices long.
int cells_of(const block_outputs& t, const filter_size& size) {
    const int matrices = whole_matrices(t.width - SIDE) + whole_matrices(SIDE + size.width - 1);
    return (matrices | 1) * SIDE * (t.height + size.height - 1);
}
/// Bytes of a block that has such tiles and sums for all of its outputs.
int bytes_of(const method_2d& method, const block_outputs& t, const filter_size& size) {
    return parts_of(method) * cells_of(t, size) * HALF + t.width * t.height * int(sizeof(float));
}

/// What is loaded and stored if every pixel is loaded once for a tile.
void expect_tile_counts(const method_2d& method, const problem_2d& shape) {
    const problem_2d p = method.posed(shape);
    const filter_size taps{p.filter.width, p.filter.height};
    const block_outputs t = outputs_of_block(method, p);
    const inspect::report seen = inspect_right(method, p);
    const inspect::counts total = seen.total();
    const inspect::traffic in = seen.of("in").loads;
    const int width = p.in.width, height = p.in.height;
    const double blocks = t.blocks(width, height), cells = blocks * cells_of(t, taps);
    const double pixels = double(p.in.pixels.size());
    const double clipped = double(clipped_tiles(width, t.width, taps.width / 2) *
                                  clipped_tiles(height, t.height, taps.height / 2));
    // The margin admits kernels that load some pixel for every cell.
    expect_at_most("global loads of in", double(in.lanes), clipped, cells);
    expect_at_least("bytes loaded from in", double(in.bytes), 4 * pixels);
    expect_count("global stores of out", times_stored(seen), pixels, 1);
    expect_plain_loads(seen);
    expect_company("global loads of in", in);

    // Other shapes of matrices have other shares of zeros, and some load a matrix again for every product. Others bring
    // the matrices of taps to shared memory first, all of them or one row after the other.
    const double matrices = parts_of(method) * 2 * products_of_parts(p);
    const double loaded = matrices * MATRIX_BYTES + pixels * sizeof(float);
    expect_at_most("bytes of matrices and sums loaded",
                   double(total.shared.loads.bytes + total.global.loads.bytes - in.bytes), loaded,
                   3 * loaded);
    const double sums = double(whole_matrices(width)) * whole_matrices(height);
    const double stored = parts_of(method) * cells * HALF + sums * SUM_BYTES;
    const double bands =
        parts_of(method) * taps.height * whole_matrices(SIDE + taps.width - 1) * MATRIX_BYTES;
    expect_at_most("bytes stored to shared memory", double(total.shared.stores.bytes), stored,
                   2 * stored + blocks * bands);
    const inspect::launch launch = main_launch(seen);
    expect_at_most("bytes of shared memory", double(launch.dynamic_shared + launch.static_shared),
                   bytes_of(method, t, taps), MAX_SHARED);
}

}  // namespace

TEST_CASE("[10] the worked example of the handout") {
    const problem_2d example{{4, 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}, {3, 1, {1, 2, 3}, "1 2 3"}};
    REQUIRE(convolve_cpu(example).value ==
            std::vector<double>{8, 14, 20, 11, 28, 38, 44, 23, 48, 62, 68, 35});
    expect_clean(half, example);
}

TEST_CASE("[10] the reference at many sizes") {
    expect_values(half, noise(64, 64, 3, 3));
    expect_values(half, noise(96, 32, 9, 5));
    expect_values(half, noise(128, 64, 5, 13));
    expect_values(half, {checkerboard_image(64, 64), gaussian_filter(7, 1.5)});
    expect_values(half, {ramp_image(64, 32), box_filter(3)});
    expect_values(half, {impulse_image(64, 40, 33, 7), random_filter(5, 3, seed())});
}

TEST_CASE("[10] images that do not fill their matrices") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {7, 5}, {33, 7}, {31, 33}, {67, 41}, {1, 50}, {101, 1}, {15, 17}})
        expect_clean(half, noise(width, height, 3, 5));
    expect_clean(half, noise(53, 29, 1, 1));
    expect_clean(half, noise(37, 23, 9, 1));
    expect_clean(half, noise(23, 37, 1, 11));
    expect_clean(half, noise(3, 4, 11, 13));  // the filter is larger than the image
    const std::vector<int> widths = lengths_around(64, 1), heights = lengths_around(32, 1);
    for (size_t k = 0; k < widths.size(); k++)
        expect_values(half, noise(widths[k], heights[k], 3, 3));
    const problem_2d wide = half.posed(noise(70000, 3, 3, 3));
    expect_large_right(half, wide);
    const int tall = tall_image(inspect_right(half, half.posed(noise(40, 30, 3, 3))));
    expect_large_right(half, half.posed(noise(3, tall, 3, 3)));
}

TEST_CASE("[5] filters longer than a matrix") {
    for (const int length : {15, 17, 19, 33})
        expect_clean(half, noise(41, 20, length, 3));
    expect_clean(half, noise(75, 10, 67, 3));
    expect_clean(half, noise(20, 75, 3, 67));
    expect_values(half, noise(50, 20, 43, 43));
    expect_values(half, noise(37, 11, drawn_odd(11, 47, 1), drawn_odd(3, 21, 2)));
    expect_values(half, noise(37, 11, 129, 3));
}

TEST_CASE("[5] tiles beyond 48 KB are refused") {
    // 12291 rows of pixels: 16 columns of them, even of one part, are more than 48 KB.
    for (const method_2d* method : {&half, &split}) {
        expect_refused(*method, method->posed(noise(9, 5, 1, 12291)), {MAX_SHARED});
        expect_refused(*method, method->posed(noise(9, 5, 32767, 1)), {MAX_SHARED});
        // Where tiles and sums are all that a block has, they may fill 48 KB and be no larger.
        const problem_2d small = method->posed(noise(9, 5, 3, 3));
        const block_outputs t = outputs_of_block(*method, small);
        const auto bytes = [&](const filter_size& size) { return bytes_of(*method, t, size); };
        if (main_launch(inspect_right(*method, small)).dynamic_shared == uint64_t(bytes({3, 3}))) {
            const filter_size whole = smallest_filter_of(MAX_SHARED, bytes),
                              larger = smallest_filter_of(MAX_SHARED + 1, bytes);
            if (bytes(whole) == MAX_SHARED) expect_values(*method, noise(9, 5, whole.width, whole.height));
            expect_refused(*method, method->posed(noise(9, 5, larger.width, larger.height)),
                           {bytes(larger), MAX_SHARED});
        }
        expect_values(*method, noise(20, 10, 3, 5));  // and does no harm to the next call
    }
}

TEST_CASE("[20] two parts are about as exact as floats") {
    for (const auto& [filter_width, filter_height] :
         {std::pair{1, 1}, {3, 3}, {5, 3}, {3, 7}, {9, 1}, {1, 9}, {7, 7}})
        expect_values(split, noise(50, 37, filter_width, filter_height));
    for (const auto& [width, height] : {std::pair{1, 1}, {7, 5}, {67, 41}, {15, 17}})
        expect_clean(split, noise(width, height, 3, 5));
    expect_clean(split, noise(3, 4, 11, 13));
    expect_clean(split, noise(75, 10, 67, 3));
    expect_clean(split, noise(20, 75, 3, 67));
    expect_values(split, {ramp_image(64, 32), box_filter(3)});
    expect_values(split, {checkerboard_image(64, 64), gaussian_filter(7, 1.5)});
    expect_numbers_of_any_size(split);
    expect_large_right(split, split.posed(noise(70000, 3, 3, 3)));
}

TEST_CASE("[10] large and small numbers keep their bits") {
    expect_numbers_of_any_size(half);
}

TEST_CASE("[10] tensor cores make every product") {
    for (const method_2d* method : {&half, &split}) {
        for (const problem_2d& shape : {noise(107, 41, 7, 5), noise(64, 67, 3, 9), noise(35, 20, 17, 17)}) {
            const problem_2d p = method->posed(shape);
            const double products = double(inspect_right(*method, p).total().matrix_products);
            const double right = products_of(*method) * products_of_parts(p);
            // The margin admits kernels whose warps multiply for ghost outputs, too.
            expect_at_most("matrix products", products, right, 2 * right);
            expect_at_least("multiplications by tensor cores", products * MULTIPLICATIONS,
                            products_of(*method) * inside_taps(p));
            expect_by_tensor_cores(*method, p);
        }
    }
}

TEST_CASE("[10] a pixel is loaded once for a tile and its matrices from there") {
    expect_tile_counts(half, noise(107, 41, 7, 5));
    expect_tile_counts(half, noise(130, 35, 17, 17));
    expect_tile_counts(split, noise(64, 67, 3, 9));
}

TEST_CASE("[5] whole warps store side by side and no block is left over") {
    for (const method_2d* method : {&half, &split}) {
        expect_full_warps(inspect_right(*method, method->posed(noise(128, 64, 3, 3))));
        const block_outputs t = outputs_of_block(*method, noise(9, 5, 3, 3));
        for (const auto& [width, height] : {std::pair{129, 64}, {128, 89}, {120, 60}})
            expect_blocks(inspect_right(*method, method->posed(noise(width, height, 3, 3))),
                          t.blocks(width, height));
    }
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    for (const method_2d* method : {&half, &split}) {
        expect_given_back(*method, method->posed(noise(70, 30, 5, 3)));
        expect_failures_told(*method, method->posed(noise(70, 30, 5, 3)));
    }
}
