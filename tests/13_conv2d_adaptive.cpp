// Checks of lab 13: values at every factor, which factor is chosen where and whether device and compiler
// agree, what the chosen one saves; then the fast version at every width.
#include "conv2d_adaptive.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "bench/map_table.h"
#include "check/check.h"
#include "check/modes/block_limits.h"
#include "check/session.h"

using namespace check;

namespace {

const method_2d tiling{"adaptive_tiling", [](auto& worker, auto& options, auto out, auto& p) {
                           return CALL(worker, options, conv2d_adaptive_tiling, out, p.in.pixels,
                                       p.filter.taps, p.in.width, p.in.height, p.filter.width,
                                       p.filter.height);
                       }};

const method_2d adaptive{"adaptive", [](auto& worker, auto& options, auto out, auto& p) {
                             return CALL(worker, options, conv2d_adaptive, out, p.in.pixels, p.filter.taps,
                                         p.in.width, p.in.height, p.filter.width, p.filter.height);
                         }};

constexpr int BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8, BLOCK_THREADS = BLOCK_WIDTH * BLOCK_HEIGHT;  // the contract

/// What a block may have.
struct device_limits {
    int shared_bytes, registers;
};
// The CPU backend has the limits of an H200, where registers are plenty for 256 threads.
constexpr device_limits H200{232448, 65536}, GTX_480{49152, 32768}, GTX_280{16384, 16384},
    GEFORCE_8800{16384, 8192};

int tile_bytes(int factor, int filter_width, int filter_height) {
    return (BLOCK_WIDTH * factor + filter_width - 1) * (BLOCK_HEIGHT + filter_height - 1) *
           int(sizeof(float));
}

/// The contract's rule, counted anew; registers by its model.
int right_factor(int filter_width, int filter_height, device_limits device) {
    int best = 0;
    for (int factor = 1; factor <= 8; factor *= 2) {
        const bool tile_fits = tile_bytes(factor, filter_width, filter_height) <= device.shared_bytes;
        const bool block_fits = BLOCK_THREADS * (24 + 2 * factor) <= device.registers;
        if (tile_fits && block_fits) best = factor;
    }
    return best;
}

/// Seeded noise under a filter that has no symmetry to hide a mistake behind. Sizes go into the filter's seed: two
/// of as many taps, which a stale filter may be, differ.
problem_2d noise(int width, int height, int filter_width, int filter_height) {
    return {noise_image(width, height, 1, seed()),
            random_filter(filter_width, filter_height, seed() + 1000 * filter_width + filter_height)};
}

/// The student's map of all odd filter sizes up to max_filter; a factor that was not written is -1.
struct factor_map {
    std::vector<int> factors;
    call_result result;
    int max_filter;

    factor_map(worker_process& worker, int max_filter, device_limits device) : max_filter(max_filter) {
        const size_t sizes = (max_filter + 1) / 2;
        factors.assign(sizes * sizes, -1);
        result =
            CALL(worker, {}, adaptive_factors, factors, max_filter, device.shared_bytes, device.registers);
    }

    /// visit(filter_width, filter_height, factor) for every entry.
    template <class visitor>
    void each(const visitor& visit) const {
        size_t k = 0;
        for (int filter_height = 1; filter_height <= max_filter; filter_height += 2) {
            for (int filter_width = 1; filter_width <= max_filter; filter_width += 2)
                visit(filter_width, filter_height, factors[k++]);
        }
    }
};

/// Compares every entry of the student's map, asked of this worker, with rule(filter_width, filter_height).
template <class function>
void expect_map(worker_process& worker, int max_filter, device_limits device, const function& rule) {
    the_session->subject = "adaptive_factors: filters up to " + std::to_string(max_filter) + " for " +
                           std::to_string(device.shared_bytes) + " bytes and " +
                           std::to_string(device.registers) + " registers";
    const factor_map map(worker, max_filter, device);
    the_session->result.calls++;
    the_session->result.returned += map.result.returned();
    REQUIRE_MESSAGE(map.result.returned(), map.result.trouble);
    map.each([&](int filter_width, int filter_height, int factor) {
        const int right = rule(filter_width, filter_height);
        if (factor != right)
            FAIL("the factor for " << filter_width << " x " << filter_height << " taps (width x height), "
                                   << device.shared_bytes << " bytes of shared memory and "
                                   << device.registers << " registers: now " << factor << ", right is "
                                   << right);
    });
}

/// By the contract's rule; asks the CPU backend, where the registers of a thread are the model's.
void expect_map(int max_filter, device_limits device) {
    expect_map(the_session->inspected(), max_filter, device, [&](int filter_width, int filter_height) {
        return right_factor(filter_width, filter_height, device);
    });
}

/// Places that `outputs` neighbouring outputs need in one direction, counted one by one, and once.
int needed_places(int outputs, int taps) {
    static std::map<std::pair<int, int>, int> counted;
    const auto [known, is_new] = counted.try_emplace({outputs, taps});
    if (!is_new) return known->second;
    std::vector<char> needed(size_t(outputs) + taps, 0);
    for (int output = 0; output < outputs; output++)
        std::fill_n(needed.begin() + output, taps, 1);
    return known->second = int(std::count(needed.begin(), needed.end(), 1));
}

/// What fits, found without the rule of the contract: the pixels that a block's sums need are counted, its
/// device is asked for its limits, and the compiler for the registers of the kernels.
class capacity {
public:
    capacity(block_limits limits, std::map<int, int> registers)
        : limits_(limits), registers_(std::move(registers)) {}

    bool fits(int factor, int filter_width, int filter_height) const {
        const int64_t pixels = int64_t(needed_places(BLOCK_WIDTH * factor, filter_width)) *
                               needed_places(BLOCK_HEIGHT, filter_height);
        // Unknown registers always fit: a thread has 255 at most, of which 256 threads find 65280.
        const auto known = registers_.find(factor);
        const int registers = known == registers_.end() ? 0 : known->second;
        return pixels * int64_t(sizeof(float)) <= limits_.shared_bytes_opted_in &&
               BLOCK_THREADS * registers <= limits_.registers;
    }
    int largest(int filter_width, int filter_height) const {
        for (const int factor : {8, 4, 2, 1})
            if (fits(factor, filter_width, filter_height)) return factor;
        return 0;
    }
    /// The height up to which a column of taps leaves room for the factor.
    int tallest(int factor) const {
        int height = 1;
        while (fits(factor, 1, height + 2))
            height += 2;
        return height;
    }

private:
    block_limits limits_;
    std::map<int, int> registers_;  // of a thread, by factor
};

/// The factor that a launch has, by its blocks, and its kernel.
std::pair<int, std::string> launched_factor(int filter_height) {
    const int columns = 8 * BLOCK_WIDTH;
    const inspect::report seen = inspect_right(tiling, noise(columns, BLOCK_HEIGHT, 1, filter_height));
    REQUIRE(seen.launches.size() == 1);
    return {int(uint64_t(columns / BLOCK_WIDTH) / seen.launches[0].blocks()), seen.launches[0].kernel};
}

/// Figure 8d: for the article's device and for the one of our measurements. The worker's registers are those
/// of the device that is here.
const bench::map_table factors(
    "factors", "device,shared_bytes,filter_width,filter_height,factor", [](worker_process& worker) {
        std::vector<std::string> lines;
        for (const auto& [name, device] : {std::pair{"GTX 480", GTX_480}, {"H200", H200}}) {
            const factor_map map(worker, 43, device);
            if (!map.result.returned()) throw std::runtime_error(map.result.trouble);
            map.each([&](int filter_width, int filter_height, int factor) {
                lines.push_back("\"" + std::string(name) + "\"," + std::to_string(device.shared_bytes) + "," +
                                std::to_string(filter_width) + "," + std::to_string(filter_height) + "," +
                                std::to_string(factor));
            });
        }
        return lines;
    });

}  // namespace

TEST_CASE("[5] the worked examples of the handout") {
    const image pixels{4, 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
    const filter row{3, 1, {1, 2, 3}, "a row"}, column{1, 3, {1, 2, 3}, "a column"};
    REQUIRE(convolve_cpu({pixels, row}).value ==
            std::vector<double>{8, 14, 20, 11, 28, 38, 44, 23, 48, 62, 68, 35});
    REQUIRE(convolve_cpu({pixels, column}).value ==
            std::vector<double>{17, 22, 27, 32, 38, 44, 50, 56, 23, 26, 29, 32});
    REQUIRE(tile_bytes(8, 43, 43) == 59600);
    REQUIRE(right_factor(43, 43, GTX_480) == 4);
    expect_right_and_clean(tiling, {pixels, row});
    expect_right_and_clean(tiling, {pixels, column});
}

TEST_CASE("[8] the reference at many filters") {
    for (const auto& [filter_width, filter_height] : {std::pair{5, 7},
                                                      {7, 5},
                                                      {17, 17},
                                                      {33, 7},
                                                      {7, 33},
                                                      {43, 43},
                                                      {41, 1},
                                                      {1, 41},
                                                      {63, 3},
                                                      {9, 41},
                                                      {drawn_odd(11, 47, 1), drawn_odd(3, 21, 2)},
                                                      {3, 3}})
        expect_right(tiling, noise(300, 5, filter_width, filter_height));  // one row of blocks; more below
    expect_right(tiling, {noise_image(96, 40, 1, seed()), gradient_filter()});  // of the same size
    // Tiles that lie inside the image with their whole halo.
    expect_right(tiling, noise(535, 18, 45, 3));
    expect_right(tiling, noise(514, 55, 1, 45));
    expect_right(tiling, {checkerboard_image(64, 64), gaussian_filter(5, 1.0)});
    expect_right(tiling, {impulse_image(280, 30, 259, 7), random_filter(9, 5, seed())});
}

TEST_CASE("[10] images that do not fill their blocks") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {7, 5}, {31, 9}, {33, 7}, {255, 8}, {257, 3}, {509, 11}, {1, 50}, {101, 1}})
        expect_right_and_clean(tiling, noise(width, height, 3, 5));
    expect_right_and_clean(tiling, noise(53, 29, 1, 1));
    expect_right_and_clean(tiling, noise(3, 4, 11, 13));  // the filter is larger than the image
    const std::vector<int> widths = lengths_around(256, 1), heights = lengths_around(16, 1);
    for (size_t k = 0; k < widths.size(); k++)
        expect_right(tiling, noise(widths[k], heights[k], 3, 3));
    expect_large_right(tiling, noise(300000, 2, 3, 1));
    expect_large_right(tiling, noise(3, 70000, 3, 3));
}

TEST_CASE("[7] every factor is right for the filters that need it") {
    // Tall filters, the largest on the CPU backend that factors 8, 4, 2 and 1 can serve.
    for (const int filter_height : {219, 445, 899, 1809})
        inspect_right(tiling, noise(41, 9, 1, filter_height));
    inspect_right(tiling, noise(70, 19, 3, 701));
    expect_right(tiling, noise(70, 19, 101, 7));  // back to a small tile
}

TEST_CASE("[5] what no factor can serve is refused") {
    const int most_bytes = expect_limits(the_session->checking()).shared_bytes_opted_in;
    expect_refused(tiling, noise(5, 4, 1, 1811), {tile_bytes(1, 1, 1811), most_bytes});
    expect_refused(tiling, noise(5, 4, 3, 3001), {tile_bytes(1, 3, 3001), most_bytes});
    expect_refused(tiling, noise(5, 4, 129, 129), {16641, 16384});
    expect_right(tiling, noise(20, 10, 3, 3));  // and does no harm to the next call
}

TEST_CASE("[10] the map of the factors for four devices") {
    for (const device_limits& device : {GTX_480, GTX_280, GEFORCE_8800, H200})
        expect_map(43, device);
    expect_map(1, GTX_480);
    expect_map(255, H200);  // not even one output a thread where both sides are long
    expect_map(43, {5000, 65536});
    expect_map(9, {232448, 6000});  // no block has its registers
    // As many bytes and registers as a factor takes, and one less.
    for (const int factor : {8, 4, 2, 1}) {
        for (const int one_too_few : {0, 1}) {
            expect_map(9, {tile_bytes(factor, 7, 5) - one_too_few, 65536});
            expect_map(3, {232448, BLOCK_THREADS * (24 + 2 * factor) - one_too_few});
        }
    }
}

TEST_CASE("[5] the largest factor that this device and the compiled kernels have room for") {
    // Where a factor has just room, and the next height, where
    // it has none: on the CPU backend, which shows the launch.
    const capacity inspected(expect_limits(the_session->inspected()), {});
    std::map<int, std::string> kernel_of;
    for (const int factor : {8, 4, 2, 1}) {
        for (const int filter_height : {inspected.tallest(factor), inspected.tallest(factor) + 2}) {
            const int right = inspected.largest(1, filter_height);
            if (right == 0) continue;  // refused, which another check asks for
            const auto [launched, kernel] = launched_factor(filter_height);
            INFO("filter of 1 x " << filter_height << " taps (width x height)");
            REQUIRE(launched == right);
            kernel_of[launched] = kernel;
        }
    }

    // The active device, with the registers that its compiler reports. Without a GPU nobody has compiled for
    // one: the registers are those of the contract's model.
    worker_process& active = the_session->checking();
    const std::vector<kernel_registers> report = compiled_registers(*the_session);
    std::map<int, int> registers;
    for (const auto& [factor, kernel] : kernel_of) {
        for (const kernel_registers& one : report)
            if (one.kernel == kernel) registers[factor] = one.registers;
        if (report.empty() && !active.is_for_gpu()) registers[factor] = 24 + 2 * factor;
    }
    const std::string counted = !report.empty()       ? "by the compiler's report"
                                : active.is_for_gpu() ? "unknown, there is no report of the compiler"
                                                      : "by the model, no compiler counts them here";
    INFO("registers of a thread: " << counted);
    const auto expect_fitting = [&](const block_limits& limits) {
        const capacity device(limits, registers);
        expect_map(
            active, 43, {limits.shared_bytes_opted_in, limits.registers},
            [&](int filter_width, int filter_height) { return device.largest(filter_width, filter_height); });
    };
    block_limits device = expect_limits(active);
    expect_fitting(device);
    device.shared_bytes_opted_in = device.shared_bytes;  // nobody opts in
    for (const auto& [factor, of_a_thread] : registers) {
        for (const int one_too_few : {0, 1}) {
            device.registers = BLOCK_THREADS * of_a_thread - one_too_few;
            expect_fitting(device);
        }
    }
}

TEST_CASE("[10] a block loads the tile of its factor once and stores its outputs once") {
    for (const problem_2d& p : {noise(523, 19, 33, 7), noise(700, 16, 7, 33), noise(301, 5, 3, 301),
                                noise(150, 5, 5, 501), noise(90, 3, 3, 1001), noise(1024, 16, 33, 3)}) {
        const int filter_width = p.filter.width, filter_height = p.filter.height;
        const int factor = right_factor(filter_width, filter_height, H200);
        const int columns = BLOCK_WIDTH * factor;
        const double tile_floats = tile_bytes(factor, filter_width, filter_height) / 4.0;
        const double pixels = double(p.in.pixels.size());

        const inspect::report seen = inspect_right(tiling, p);
        const inspect::traffic in = seen.of("in").loads;
        const double clipped = double(clipped_tiles(p.in.width, columns, filter_width / 2)) *
                               double(clipped_tiles(p.in.height, BLOCK_HEIGHT, filter_height / 2));
        // The margin admits kernels that load some element for every ghost cell: few in the last image.
        const double tiles = double((p.in.width + columns - 1) / columns) *
                             double((p.in.height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT);
        expect_blocks(seen, tiles);
        expect_at_most("global loads of in", double(in.lanes), clipped, tiles * tile_floats);
        expect_at_least("bytes loaded from in", double(in.bytes), 4 * pixels);
        const double sectors =
            loads_by_sweep(p, {columns, BLOCK_HEIGHT, BLOCK_WIDTH, BLOCK_HEIGHT}).sectors_per_request();
        expect_at_most("sectors per request of in", in.sectors_per_request(), sectors,
                       std::max(8.0, 1.3 * sectors));
        expect_count("global loads of anything but in", double(seen.total().global.loads.lanes - in.lanes),
                     0);
        expect_plain_loads(seen);
        expect_at_most("bytes of dynamic shared memory", double(main_launch(seen).dynamic_shared),
                       4 * tile_floats, 4 * 1.05 * tile_floats + 128);
        expect_company("global loads of in", in);
        expect_count("global stores to out", times_stored(seen), pixels, 1.0);
    }
}

TEST_CASE("[10] a thread reads a tap once for all its outputs and no two threads meet in a bank") {
    for (const problem_2d& p : {noise(523, 11, 5, 3), noise(260, 9, 7, 9), noise(70, 5, 1, 701)}) {
        const int factor = right_factor(p.filter.width, p.filter.height, H200);
        const int columns = BLOCK_WIDTH * factor;
        const double threads = double((p.in.width + columns - 1) / columns) *
                               ((p.in.height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT) * BLOCK_THREADS;
        const double taps = double(p.filter.taps.size());

        const inspect::report seen = inspect_right(tiling, p);
        const inspect::counts total = seen.total();
        const inspect::memory_traffic shared = total.shared;
        expect_at_most("constant loads", double(constant_taps(seen, p).lanes), threads * taps,
                       1.5 * threads * taps);
        expect_at_least("bytes loaded from constant memory", double(total.constant.bytes), 4 * taps);
        expect_at_most("addresses of a request to constant memory", total.constant.wavefronts_per_request(),
                       1, 1.5);
        // Threads without an output may compute one all the same, so long as they do not store it.
        expect_at_most("shared loads", double(shared.loads.lanes), threads * factor * taps,
                       threads * (1.05 * factor * taps + SHARED_WORDS));
        expect_at_least("bytes loaded from shared memory", double(shared.loads.bytes),
                        4.0 * p.in.pixels.size());
        expect_company("shared loads", shared.loads);
        expect_few_conflicts("bank conflicts of shared loads", shared.loads);
        expect_few_conflicts("bank conflicts of shared stores", shared.stores);
    }
}

TEST_CASE("[10] the fast version at every filter width and at many heights") {
    // A GPU has a kernel for each of these widths, the CPU backend one of each kind.
    std::vector<int> widths = {3, 7, 9, 33};
    if (the_session->active().is_for_gpu()) {
        widths.clear();
        for (int width = 1; width <= 45; width += 2)
            widths.push_back(width);
    }
    for (const int filter_width : widths) {
        expect_right(adaptive, noise(140, 19, filter_width, filter_width));
        expect_right(adaptive, noise(260, 13, filter_width, 46 - filter_width));
    }
    for (const int filter_height : {1, 5, 11, 41})
        expect_right(adaptive, noise(140, 40, 9, filter_height));
    for (const int filter_height : {93, 331})  // many loop bodies: of one row of blocks, for they take long
        expect_right(adaptive, noise(140, 19, 9, filter_height));
    for (const auto& [filter_width, filter_height] :
         {std::pair{5, 63}, {41, 9}, {drawn_odd(11, 43, 1), drawn_odd(3, 21, 2)}})
        expect_right(adaptive, noise(140, 19, filter_width, filter_height));
    expect_right(adaptive, noise(64, 64, 7, 7));
    expect_right(adaptive, {checkerboard_image(64, 64), gaussian_filter(7, 1.0)});  // of the same size
    expect_right(adaptive, {impulse_image(280, 30, 259, 7), random_filter(33, 5, seed())});
}

TEST_CASE("[5] the fast version of images that do not fill their blocks") {
    for (const auto& [width, height] : {std::pair{1, 1},
                                        {3, 5},
                                        {5, 3},
                                        {127, 17},
                                        {129, 16},
                                        {255, 33},
                                        {257, 35},
                                        {509, 11},
                                        {2, 150},
                                        {101, 1}}) {
        expect_right_and_clean(adaptive, noise(width, height, 3, 3));  // direct
        expect_right_and_clean(adaptive, noise(width, height, 7, 7));  // the whole filter in one loop body
        expect_right_and_clean(adaptive, noise(width, height, 9, 5));  // a body and a rest, at run time
    }
    const std::vector<int> widths = lengths_around(256, 3), heights = lengths_around(32, 3);
    for (size_t k = 0; k < widths.size(); k++)
        expect_right(adaptive, noise(widths[k], heights[k], 7, 7));
    expect_large_right(adaptive, noise(70000, 3, 3, 3));
    expect_large_right(adaptive, noise(3, 70000, 7, 7));
    expect_right_and_clean(adaptive, noise(260, 40, 9, 9));  // bodies and a rest, known to the compiler
    expect_right_and_clean(adaptive, noise(261, 19, 33, 7));
}

TEST_CASE("[5] the fast version reads less than a float for each multiply-add") {
    // The schedule of the handout's example: 7 x 7 taps, a thread computes 4 x 4 outputs, a row of its window
    // has 3 chunks of 16 bytes, and it reads 4 + 6 such rows. 32 threads are 128 columns.
    for (const auto& [width, height] : {std::pair{256, 32}, {300, 45}}) {
        const inspect::report seen = inspect_right(adaptive, noise(width, height, 7, 7));
        const inspect::counts total = seen.total();
        const double bytes = 4.0 * width * height;
        expect_at_most("bytes stored to out", double(seen.of("out").stores.bytes), bytes, 1.25 * bytes);
        const double threads = 32.0 * ((width + 127) / 128) * ((height + 3) / 4);
        const double multiply_adds = threads * 16 * 49;
        expect_at_most("bytes loaded from shared memory", double(total.shared.loads.bytes), threads * 480,
                       3 * multiply_adds);
        expect_at_least("bytes loaded from shared memory", double(total.shared.loads.bytes),
                        threads * 480 / 4);
        expect_few_conflicts("bank conflicts of shared loads", total.shared.loads);
    }
}

TEST_CASE("[5] what no schedule serves goes to the scheme of part one") {
    expect_right(adaptive, noise(40, 13, 45, 45));
    expect_right(adaptive, noise(60, 30, 101, 1));
    expect_right(adaptive, noise(41, 9, 1, 899));
    expect_right(adaptive, noise(21, 5, 33, 401));
    expect_refused(adaptive, noise(5, 4, 1, 1811), {tile_bytes(1, 1, 1811)});
    expect_refused(adaptive, noise(5, 4, 129, 129), {16641, 16384});
    expect_right(adaptive, noise(20, 10, 3, 3));
}

TEST_CASE(
    "[5] whole warps store side by side and no block is left over and all is given back and no failure is "
    "hidden") {
    // Four tiles of factor 8, which is the factor of small filters.
    const inspect::report seen = inspect_right(tiling, noise(512, 16, 1, 1));
    expect_full_warps(seen);
    expect_blocks(seen, 4);
    expect_full_warps(inspect_right(adaptive, noise(512, 32, 7, 7)));
    expect_given_back(tiling, noise(70, 30, 5, 3));
    expect_failures_told(tiling, noise(70, 30, 5, 3));
    expect_given_back(adaptive, noise(70, 30, 7, 7));
    expect_failures_told(adaptive, noise(70, 30, 7, 7));
}
