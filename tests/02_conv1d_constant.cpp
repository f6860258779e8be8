// Checks of lab 02: values, the limit of constant memory, and where the taps come from.
#include "conv1d_constant.h"

#include "check/check.h"

using namespace check;

namespace {

const method_1d constant("constant", [](worker_process& worker, const call_options& options,
                                        std::span<float> out, const problem_1d& problem) {
    return CALL(worker, options, conv1d_constant, out, problem.in, problem.taps);
});

constexpr int MAX_TAPS = 16384;  // floats in 64 KB; an odd filter leaves one of them free

}  // namespace

TEST_CASE("[15] the worked examples of the handout") {
    const problem_1d symmetric = {{1, 2, 3, 4, 5, 6, 7}, {3, 4, 5, 4, 3}};
    const problem_1d one_sided = {{4, 1, 3, 2, 3}, {2, 1, 4}};
    REQUIRE(convolve_cpu(symmetric).value == std::vector<double>{22, 38, 57, 76, 95, 90, 74});
    REQUIRE(convolve_cpu(one_sided).value == std::vector<double>{8, 21, 13, 20, 7});
    expect_right_and_clean(constant, symmetric);
    expect_right_and_clean(constant, one_sided);
}

TEST_CASE("[20] random arrays with random filters") {
    for (const int n : {100, 1000, 4099, 20011}) {
        for (const int radius : {1, 5, 31})
            expect_right(constant, random_problem_1d(n, radius));
    }
    for (const auto& [n, radius] : {std::pair{1000, 60}, {700, 128}, {500, drawn_odd(33, 99, 1)}})
        expect_right(constant, random_problem_1d(n, radius));
    expect_large_right(constant, random_problem_1d(600011, 2));
}

TEST_CASE("[15] arrays that do not fill their blocks") {
    for (const int n : {1, 2, 31, 33, 127, 255, 256, 257, 509, 1025})
        expect_right_and_clean(constant, random_problem_1d(n, 3));
    for (const int n : {1, 10}) {
        for (const int radius : {0, n, 2 * n + 40})
            expect_right_and_clean(constant, random_problem_1d(n, radius));
    }
    for (const int n : lengths_around(1024, 5))
        expect_right_and_clean(constant, random_problem_1d(n, 5));
}

TEST_CASE("[10] filters that fill constant memory") {
    expect_right(constant, random_problem_1d(1100, 1024));               // every tap meets an element
    expect_right(constant, random_problem_1d(700, (MAX_TAPS - 1) / 2));  // the longest there is
}

TEST_CASE("[10] a filter that does not fit is refused") {
    expect_refused(constant, random_problem_1d(10, MAX_TAPS / 2), {MAX_TAPS + 1, MAX_TAPS});
    expect_refused(constant, random_problem_1d(10, MAX_TAPS), {2 * MAX_TAPS + 1, MAX_TAPS});
    expect_right(constant, random_problem_1d(10, 2));  // the call after it works
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    expect_given_back(constant, random_problem_1d(1000, 2));
    expect_failures_told(constant, random_problem_1d(1000, 2));
}

TEST_CASE("[5] whole warps store side by side and no block is left over") {
    for (const int n : {1024, 1025}) {
        const inspect::report seen = inspect_right(constant, random_problem_1d(n, 0));
        if (n == 1024) expect_full_warps(seen);
        expect_blocks(seen, blocks_needed(main_launch(seen), n));
        expect_no_blocks_for_the_halo(inspect_right(constant, random_problem_1d(n, 5)), n);
    }
}

TEST_CASE("[20] taps come from constant memory and inputs from global memory") {
    for (const auto& [n, radius] : {std::pair{1009, 4}, std::pair{530, 20}}) {
        const double taps = 2 * radius + 1;
        const double valid = double(valid_taps(n, radius));
        const problem_1d problem = random_problem_1d(n, radius);
        const inspect::report seen = inspect_right(constant, problem);
        const inspect::traffic in = seen.of("in").loads;
        const inspect::traffic tap = constant_taps(seen, problem);
        const inspect::traffic all = seen.total().global.loads;

        // The margins admit kernels that load an element for every ghost cell and multiply it by 0.
        expect_at_most("global loads of in", double(in.lanes), valid, n * taps);
        expect_at_least("bytes loaded from in", double(in.bytes), n * 4.0);
        expect_count("global loads of filter", double(seen.of("filter").loads.lanes), 0);
        expect_count("global loads of anything but in", double(all.lanes - in.lanes), 0);
        expect_at_most("constant loads of the filter", double(tap.lanes), valid,
                       most_constant_taps(seen, problem));
        expect_at_least("bytes loaded from constant memory", double(tap.bytes), taps * 4.0);
        // 1 is a broadcast. The margin admits threads at the ends of the array that skip their ghost cells.
        expect_at_most("addresses of a request to constant memory", tap.wavefronts_per_request(), 1, 4);
        expect_at_most("global stores to out", times_stored(seen), n, n + n / 20);
        expect_at_least("bytes stored to out", double(seen.of("out").stores.bytes), n * 4.0);
        expect_at_least("loads of in for every request of a warp",
                        in.requests ? double(in.lanes) / double(in.requests) : 0, 4);
    }
}
