// Checks of lab 14: strips and films by streams, what crosses the bus, and what runs beside what.
#include "conv2d_pipeline.h"

#include <algorithm>
#include <cmath>

#include "check/check.h"

using namespace check;

namespace {

constexpr int RGB = 3;

/// The contract says that the arrays are page-locked.
method_2d::run_function run_in_strips(int strips) {
    return [strips](worker_process& worker, const call_options& options, std::span<float> out,
                    const problem_2d& p) {
        call_options pinned = options;
        pinned.pinned = true;
        return CALL(worker, pinned, conv2d_strips, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                    p.filter.width, p.filter.height, strips);
    };
}

const method_2d strips("strips", run_in_strips(4));

method_2d in_strips(int count) {
    return method_2d::unlisted("in " + std::to_string(count) + " strips", run_in_strips(count));
}

/// Of an image's channels each three are a frame: the values of a film in their order, by their places in the image.
std::vector<size_t> places_in_film(const image& in) {
    std::vector<size_t> places;
    for (int frame = 0; frame < in.channels / RGB; frame++)
        for (size_t pixel = 0; pixel < size_t(in.width) * in.height; pixel++)
            for (int colour = 0; colour < RGB; colour++)
                places.push_back(pixel * in.channels + size_t(frame) * RGB + colour);
    return places;
}

call_result run_film(worker_process& worker, const call_options& options, std::span<float> out,
                     const problem_2d& p) {
    const std::vector<size_t> places = places_in_film(p.in);
    std::vector<float> film_in(places.size()), film_out(out.size(), NAN);
    for (size_t k = 0; k < places.size(); k++)
        film_in[k] = p.in.pixels[places[k]];
    const call_result result =
        CALL(worker, options, conv2d_film, std::span<float>(film_out), film_in, p.filter.taps, p.in.width,
             p.in.height, p.filter.width, p.filter.height, p.in.channels / RGB, p.display_scale);
    for (size_t k = 0; k < places.size(); k++)
        out[places[k]] = film_out[k];
    return result;
}

/// What is small enough to be inspected comes as a film of several frames, all alike.
void display(problem_2d& p) {
    constexpr size_t SMALL = 10000;
    constexpr int FRAMES = 6;
    p.display_scale = 1;
    if (p.in.pixels.size() > SMALL || p.in.channels != RGB) return;
    image all{p.in.width, p.in.height, RGB * FRAMES, {}};
    for (size_t k = 0; k < p.in.pixels.size(); k += RGB)
        for (int frame = 0; frame < FRAMES; frame++)
            all.pixels.insert(all.pixels.end(), &p.in.pixels[k], &p.in.pixels[k] + RGB);
    p.in = std::move(all);
}

const method_2d film("film", run_film, RGB, display);

/// Of seeded noise under a filter without symmetry for a mistake to hide behind, whose size goes into its seed.
problem_2d noise(int width, int height, int filter_width, int filter_height) {
    const uint64_t taps_seed = seed() + 1'000'000 * uint64_t(filter_height) + uint64_t(filter_width);
    return {noise_image(width, height, 1, seed()), random_filter(filter_width, filter_height, taps_seed)};
}

/// So many frames; the scale takes some of the values beyond a display's limits on either side.
problem_2d noise_film(int width, int height, int filter_width, int filter_height, int frames,
                      float scale = 160) {
    problem_2d p = noise(width, height, filter_width, filter_height);
    p.in = noise_image(width, height, RGB * frames, seed());
    p.display_scale = scale;
    return p;
}

/// What a call asked of the bus, and of the device besides.
struct traffic_of_call {
    double to_device = 0, to_host = 0;      // bytes
    double up_beside = 0, down_beside = 0;  // copies that may run beside a kernel
    double allocations = 0;

    explicit traffic_of_call(const inspect::report& seen) {
        for (const inspect::operation& one : seen.operations) {
            allocations += one.what == "allocate";
            if (one.what == "to-device") {
                to_device += double(one.bytes);
                up_beside += one.overlaps > 0;
            }
            if (one.what == "to-host") {
                to_host += double(one.bytes);
                down_beside += one.overlaps > 0;
            }
        }
    }
};

}  // namespace

TEST_CASE("[10] the worked example of the handout") {
    const problem_2d example{{2, 6, 1, {1, 2, 2, 4, 3, 6, 4, 8, 5, 10, 6, 12}}, {1, 3, {1, 2, 1}, "1 2 1"}};
    REQUIRE(convolve_cpu(example).value == std::vector<double>{4, 8, 8, 16, 12, 24, 16, 32, 20, 40, 17, 34});
    expect_right_and_clean(in_strips(3), example);
}

TEST_CASE("[15] the reference at many sizes") {
    for (const int count : {1, 2, 4}) {
        expect_right_and_clean(in_strips(count), noise(64, 64, 3, 3));
        expect_right(in_strips(count), noise(96, 32, 9, 5));
        expect_right(in_strips(count), noise(31, 128, 5, 13));
    }
    expect_right(strips, {checkerboard_image(64, 64), gaussian_filter(7, 1.5)});
    expect_right(strips, {ramp_image(64, 32), box_filter(3)});
    expect_right(strips, {impulse_image(64, 40, 33, 9), random_filter(5, 3, seed())});
}

TEST_CASE("[15] images that do not fill their strips") {
    for (const auto& [height, count] : {std::pair{7, 2}, {13, 4}, {41, 5}, {9, 8}, {3, 7}, {1, 4}, {33, 33}})
        expect_right_and_clean(in_strips(count), noise(37, height, 3, 3));
    expect_right_and_clean(in_strips(3), noise(1, 50, 3, 5));
    expect_right_and_clean(in_strips(3), noise(101, 1, 3, 5));
    expect_right_and_clean(in_strips(1), noise(1, 1, 1, 1));
    for (const int height : lengths_around(40, 1))
        expect_right(in_strips(5), noise(height + 3, height, 3, 3));
    for (const auto& [width, height] : {std::pair{50001, 7}, {3, 50007}})  // more than 16 bits can count
        expect_large_right(strips, noise(width, height, 3, 3));
}

TEST_CASE("[10] filters that reach over several strips") {
    expect_right_and_clean(in_strips(8), noise(40, 35, 3, 17));
    expect_right_and_clean(in_strips(6), noise(29, 24, 1, 9));
    expect_right_and_clean(in_strips(5), noise(30, 10, 5, 43));  // and past the image
    expect_right(in_strips(7), noise(37, 31, drawn_odd(11, 47, 1), drawn_odd(3, 21, 2)));
    expect_refused(strips, noise(5, 4, 129, 129), {16641, 16384});
    expect_right(strips, noise(20, 10, 3, 5));  // and does no harm to the next call
}

TEST_CASE("[10] films of any number of frames") {
    for (const int frames : {1, 2, 3, 4, 5, 9})
        expect_right_and_clean(film, noise_film(33, 9, 3, 5, frames));
    expect_right_and_clean(film, noise_film(1, 1, 1, 1, 4));
    expect_right_and_clean(film, noise_film(23, 37, 7, 1, 2));
    expect_right(film, noise_film(70, 50, 9, 9, 7));
    for (const auto& [width, height] : {std::pair{17003, 2}, {2, 50005}})  // more than 16 bits can count
        expect_large_right(film, noise_film(width, height, 3, 3, 2));
    expect_refused(film, noise_film(5, 4, 129, 129, 1), {16641, 16384});
}

TEST_CASE("[5] what a display takes is scaled and clamped") {
    for (const float scale : {0.5f, 100.0f, 1000.0f})
        expect_right(film, noise_film(40, 20, 5, 3, 2, scale));
}

TEST_CASE("[15] every pixel crosses the bus once and copies run beside kernels") {
    struct cut {
        int width, height, filter_height, count;
    };
    for (const cut& c : {cut{50, 48, 5, 6}, {33, 61, 3, 8}, {20, 40, 13, 10}, {35, 40, 1, 5}}) {
        const problem_2d p = noise(c.width, c.height, 3, c.filter_height);
        const inspect::report seen = inspect_right(in_strips(c.count), p);
        const traffic_of_call moved(seen);
        const int each = int(std::ceil(double(c.height) / c.count)), radius = c.filter_height / 2;
        const double strips_there = std::ceil(double(c.height) / each);
        const double pixels = 4 * double(p.in.pixels.size()), taps = 4 * double(p.filter.taps.size());
        // The margin admits strips that are copied with a halo of their own.
        const double with_halo = 4.0 * c.width * double(clipped_tiles(c.height, each, radius)) + taps;
        expect_count("bytes copied to the device", moved.to_device, pixels + taps,
                     with_halo / (pixels + taps));
        expect_count("bytes copied to the host", moved.to_host, pixels, 1);
        expect_count("kernels launched", double(seen.launches.size()), strips_there, 2);
        expect_blocks(seen, blocks_needed(main_launch(seen), c.width, each));
        // The first kernel waits for its own strip and for those that its filter reaches; later ones run beside it.
        const double reached = std::floor(double(each - 1 + radius) / each);
        const double up = strips_there - 1 - reached, down = strips_there - 1;
        expect_count("copies to the device that may run beside a kernel", moved.up_beside, up, 4);
        expect_count("copies to the host that may run beside a kernel", moved.down_beside, down, 4);
    }
}

TEST_CASE("[15] later frames need no set-up and are under way together") {
    constexpr int FEW = 4, MANY = 10;
    const problem_2d p = noise_film(40, 21, 5, 3, FEW), more = noise_film(40, 21, 5, 3, MANY);
    const traffic_of_call few(inspect_right(film, p));
    const inspect::report seen = inspect_right(film, more);
    const traffic_of_call many(seen);
    const double frames = MANY - FEW, bytes = 4.0 * RGB * p.in.width * p.in.height;
    // Memory may also be kept from film to film.
    const double allocations = std::max(many.allocations - few.allocations, 0.0);
    expect_count("allocations for a later frame", allocations / frames, 0);
    expect_count("bytes copied to the device for a later frame", (many.to_device - few.to_device) / frames,
                 bytes, 1);
    expect_count("bytes copied to the host for a later frame", (many.to_host - few.to_host) / frames, bytes,
                 1);
    expect_count("kernels launched", double(seen.launches.size()), MANY, 2);
    expect_blocks(seen, blocks_needed(main_launch(seen), RGB * p.in.width, p.in.height));
    // The margin admits a stream for each stage, in which the first frame to come has no other before it.
    expect_at_least("copies to the device that may run beside a kernel", many.up_beside, MANY - 1);
    expect_at_least("copies to the host that may run beside a kernel", many.down_beside, MANY - 1);
    expect_plain_loads(seen);
}

TEST_CASE("[5] all memory and streams are given back and no failure is hidden") {
    expect_given_back(strips, noise(70, 30, 5, 3));
    expect_failures_told(strips, noise(70, 30, 5, 3));
    expect_given_back(film, noise_film(70, 30, 5, 3, 4));
    expect_failures_told(film, noise_film(70, 30, 5, 3, 4));
}
