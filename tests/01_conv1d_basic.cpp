// Checks of lab 01: the way there and back, small examples, random sizes, awkward sizes, memory traffic.
#include "conv1d_basic.h"

#include <algorithm>
#include <utility>

#include "check/check.h"

using namespace check;

namespace {

const method_1d basic("basic", [](worker_process& worker, const call_options& options, std::span<float> out,
                                  const problem_1d& problem) {
    return CALL(worker, options, conv1d_basic, out, problem.in, problem.taps);
});

/// What each of so many arrays got of the fetches, which name none: a kernel may read the input or the filter as
/// textures.
inspect::traffic share_of_fetches(const inspect::report& seen, int arrays) {
    inspect::traffic share = seen.total().texture;
    share.lanes /= arrays;
    share.bytes /= arrays;
    share.requests /= arrays;
    return share;
}

}  // namespace

TEST_CASE("[3] input and filter are copied to the device") {
    expect_copied_in(basic, random_problem_1d(1000, 2));
}

TEST_CASE("[3] a thread for every output and no block too many") {
    for (const int n : {1000, 1, 1024})
        expect_enough_threads(basic, random_problem_1d(n, 2));
}

TEST_CASE("[3] the output is copied back") {
    expect_copied_out(basic, random_problem_1d(1000, 2));
}

TEST_CASE("[3] the memory is freed") {
    expect_freed(basic, random_problem_1d(1000, 2));
}

TEST_CASE("[12] the worked examples of the handout") {
    const problem_1d symmetric = {{1, 2, 3, 4, 5, 6, 7}, {3, 4, 5, 4, 3}};
    const problem_1d one_sided = {{4, 1, 3, 2, 3}, {2, 1, 4}};
    REQUIRE(convolve_cpu(symmetric).value == std::vector<double>{22, 38, 57, 76, 95, 90, 74});
    expect_right_and_clean(basic, symmetric);
    expect_right_and_clean(basic, one_sided);
}

TEST_CASE("[20] random arrays with random filters") {
    for (const int n : {100, 1000, 4099, 20011}) {
        for (const int radius : {1, 2, 5, 31})
            expect_right(basic, random_problem_1d(n, radius));
    }
    for (const auto& [n, radius] :
         {std::pair{1000, 60}, {700, 128}, {1100, 1024}, {500, drawn_odd(33, 99, 1)}})
        expect_right(basic, random_problem_1d(n, radius));
    expect_large_right(basic, random_problem_1d(600011, 2));
}

TEST_CASE("[18] arrays that do not fill their blocks") {
    for (const int n : {1, 2, 3, 31, 33, 127, 255, 256, 257, 509, 512, 1023, 1025}) {
        expect_right_and_clean(basic, random_problem_1d(n, 3));
    }
    for (const int n : lengths_around(1024, 5))
        expect_right_and_clean(basic, random_problem_1d(n, 5));
}

TEST_CASE("[10] filters of one tap and filters longer than the array") {
    for (const int n : {1, 10, 300}) {
        for (const int radius : {0, n, n + 1, 2 * n + 40})
            expect_right_and_clean(basic, random_problem_1d(n, radius));
    }
    expect_right(basic, random_problem_1d(3, 70000));  // a radius of more than 16 bits
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    expect_given_back(basic, random_problem_1d(1000, 2));
    expect_failures_told(basic, random_problem_1d(1000, 2));
}

TEST_CASE("[5] whole warps store side by side and no block is left over") {
    for (const int n : {1024, 1025}) {
        const inspect::report seen = inspect_right(basic, random_problem_1d(n, 0));
        if (n == 1024) expect_full_warps(seen);
        expect_blocks(seen, blocks_needed(main_launch(seen), n));
        expect_no_blocks_for_the_halo(inspect_right(basic, random_problem_1d(n, 5)), n);
    }
}

TEST_CASE("[18] as many loads and stores as needed and neighbours side by side") {
    for (const auto& [n, radius] : {std::pair{1009, 4}, std::pair{130, 20}}) {
        const double taps = 2 * radius + 1;
        const problem_1d problem = random_problem_1d(n, radius);
        const double valid = inside_taps(problem);
        const inspect::report seen = inspect_right(basic, problem);
        inspect::traffic in = seen.of("in").loads;
        inspect::traffic filter = seen.of("filter").loads;
        const inspect::traffic constant = constant_taps(seen, problem);
        const bool fetches_in = in.lanes == 0, fetches_filter = filter.lanes + constant.lanes == 0;
        if (fetches_in) in = share_of_fetches(seen, 1 + fetches_filter);
        if (fetches_filter) filter = share_of_fetches(seen, 1 + fetches_in);
        const inspect::traffic out = seen.of("out").stores;

        expect_at_least("bytes loaded from in", double(in.bytes), n * 4.0);
        if (in.bytes == 0) continue;  // then nothing below says more
        // The margins admit kernels that load an element for every ghost cell and multiply it by 0. Wider
        // loads and loads that serve several outputs make fewer of them, but every byte has to be read once.
        expect_at_most("global loads of in", double(in.lanes), valid, n * taps);
        expect_at_most("loads of filter from global or constant memory",
                       double(filter.lanes + constant.lanes), valid, most_constant_taps(seen, problem));
        inspect::traffic loads = seen.total().global.loads;
        loads += seen.total().texture;
        // Ghost cells may have been put around a copy of the array, which has no name; a thread may load its task.
        expect_at_most("global and constant loads", double(loads.lanes + constant.lanes), 2 * valid,
                       2.5 * n * (taps + 1));
        expect_at_least("bytes loaded from filter", double(filter.bytes + constant.bytes), taps * 4.0);
        expect_at_most("global stores to out", times_stored(seen), n, n + n / 20);
        expect_at_least("bytes stored to out", double(out.bytes), n * 4.0);
        expect_count("global loads of out", double(seen.of("out").loads.lanes), 0);
        // 1 if the threads of a warp read whole sectors, 4 and an odd sector if each of them has four outputs side
        // by side, which a float4 stores at once; 8 if each uses 4 bytes of a sector of its own.
        if (!fetches_in)
            expect_at_most("bytes moved for every byte loaded from in", in.sectors * 32.0 / double(in.bytes),
                           loads_by_rows(problem).sectors * 32.0 / (valid * 4.0), 5.0);
        expect_at_least("loads of in for every request of a warp", double(in.lanes) / double(in.requests), 4);
    }
}
