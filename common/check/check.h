// What checks include. A check file defines methods and TEST_CASEs named "[points] sentence"; main() comes
// from the library.
#pragma once
#include <doctest/doctest.h>

#include <optional>

#include "check/expected_count.h"
#include "check/method.h"
#include "problem/problem.h"

namespace check {

/// Runs the method on the active backend and fails the check, naming the case and the first wrong pixel,
/// unless every value lies within its bound of the reference, kernels stored it, and nothing beside it. On a GPU
/// the inspector tells that of all but large problems. Returns what came of the call.
call_result expect_right(const method_1d& method, const problem_1d& problem);
call_result expect_right(const method_2d& method, const problem_2d& problem);

/// The same for a problem of so many blocks that the CPU backend runs all of them only if a sample is not right. Fails,
/// too, if one block does all of an array or of an image that is tall.
void expect_large_right(const method_1d& method, const problem_1d& problem);
void expect_large_right(const method_2d& method, const problem_2d& problem);

/// As expect_right on the CPU backend with the inspector, whatever the active backend: also fails on every error the
/// inspector found (races, stray accesses, uninitialised reads, broken barriers), and ends the check if the
/// call did not return or launched nothing.
inspect::report inspect_right(const method_1d& method, const problem_1d& problem);
inspect::report inspect_right(const method_2d& method, const problem_2d& problem);

/// A call, with the inspector looking on, whose values need not be right yet: for checks of what comes before
/// them. Nothing if they are right: then it has come all this way. Fails if right ones are no kernel's, or, aside
/// (lab_result.h), if a kernel stored beside its memory; ends the check if the call did not return.
std::optional<call_result> before_right(const method_1d& method, const problem_1d& problem);
std::optional<call_result> before_right(const method_2d& method, const problem_2d& problem);

/// Fail unless a call has come so far: input and filter were copied to the device; besides, as many threads were launched
/// as there are outputs, and no block too many; or all outputs were copied back, or all memory freed, after a launch.
void expect_copied_in(const method_1d& method, const problem_1d& problem);
void expect_enough_threads(const method_1d& method, const problem_1d& problem);
void expect_copied_out(const method_1d& method, const problem_1d& problem);
void expect_freed(const method_1d& method, const problem_1d& problem);

/// Calls the method with something that its contract refuses. Fails unless the function throws
/// std::invalid_argument, its message names every one of the numbers (the value that does not fit and the limit),
/// the output is untouched and nothing is left behind.
void expect_refused(const method_1d& method, const problem_1d& problem, const std::vector<long>& named);
void expect_refused(const method_2d& method, const problem_2d& problem, const std::vector<long>& named);

/// Fails unless a call gives back all that it makes: device memory, arrays, texture objects, streams, events and
/// page-locked host memory. What the first call makes for all that follow is no leak. Fails, too, if CUDA refused
/// something that the call asked for: to free a piece twice, say.
void expect_given_back(const method_1d& method, const problem_1d& problem);
void expect_given_back(const method_2d& method, const problem_2d& problem);

/// Has one call of CUDA after the other fail, on the CPU backend: those that allocate, copy, or ask for something. Fails
/// unless the function throws std::runtime_error each time, as contracts ask, and, where it was lent several devices,
/// names the one on which the call failed: "device 2".
void expect_failures_told(const method_1d& method, const problem_1d& problem);
void expect_failures_told(const method_2d& method, const problem_2d& problem);

/// Has a device be lost after one call of CUDA or another, on the CPU backend: from then on it does nothing, and
/// all that it is asked for fails. Fails unless the function throws std::runtime_error that names it, "device 2", or
/// returns what is right, because it did not need that device any more.
void expect_lost_device_told(const method_2d& method, const problem_2d& problem);

/// Fails unless all values come from tensor cores: on the CPU backend these are made to give twice what they should, and
/// then every value has to be twice as large.
void expect_by_tensor_cores(const method_2d& method, const problem_2d& problem);

/// expect_right and inspect_right: for its values on the active backend, and for every race and stray access.
void expect_right_and_clean(const method_1d& method, const problem_1d& problem);
void expect_right_and_clean(const method_2d& method, const problem_2d& problem);

/// Noise under a filter that has no symmetry for a mistake to hide behind, both from the run's seed; another
/// `variant`, other taps.
problem_1d random_problem_1d(int n, int radius, int variant = 1);
problem_2d random_problem_2d(int width, int height, int radius, int channels = 1, int variant = 1);

/// Fails unless right <= now <= right * slack (the reference solution's own run, --exact, must meet now ==
/// right). Fails too when now is below right: a kernel that does not read its data proves nothing. The
/// message reads: "global loads of in: now 4000, right is 3994, passes at 4193".
void expect_count(const counted_accesses& what, double now, double right, double slack = 1.05);
/// For a ratio, sectors per request say: no lower bound but zero (0 itself fails, unless 0 is right),
/// equality only under --exact.
void expect_at_most(const counted_accesses& what, double now, double right, double passes_at);
/// Fails unless now >= right.
void expect_at_least(const counted_accesses& what, double now, double right);
/// Fails if more than one request in twenty takes a pass over the banks more than it needs: the warps at a seam, where
/// two parts of a tile meet, may.
void expect_few_conflicts(const counted_accesses& what, const inspect::traffic& shared);

/// The launch that stores most to global memory: the kernel itself, whatever else prepares its data.
inspect::launch main_launch(const inspect::report& seen);
/// Blocks of the launch's own shape that cover so many outputs, a thread for each: laid over rows and columns, or
/// over all outputs in one line, whichever takes more.
double blocks_needed(const inspect::launch& launch, int width, int height = 1);
/// The same where the rows of the grid may as well go down the image, as those of a kernel do that transposes it.
double blocks_either_way(const inspect::launch& launch, int width, int height);
/// Rows of an image whose last ones have numbers of more than 16 bits; fewer, more than 15 bits, for a launch whose
/// blocks are one row high: a grid has at most 65535 rows of blocks.
int tall_image(const inspect::report& seen);

/// The most reads of taps that a kernel makes if a thread reads each of them once. A warp pays for a broadcast, not for
/// the threads that it serves: those without an output may take part, in whole warps and in the whole launch.
double broadcast_taps(const inspect::report& seen, const problem_1d& problem);
double broadcast_taps(const inspect::report& seen, const problem_2d& problem);
/// Reads of constant memory where the taps may lie, and the most of them: a kernel may find its sizes there, too, in a
/// variable of their own, or CONSTANT_WORDS a thread beside the taps.
inspect::traffic constant_taps(const inspect::report& seen, const problem_1d& problem);
inspect::traffic constant_taps(const inspect::report& seen, const problem_2d& problem);
constexpr int CONSTANT_WORDS = 8;
double most_constant_taps(const inspect::report& seen, const problem_1d& problem);
double most_constant_taps(const inspect::report& seen, const problem_2d& problem);
/// Words of shared memory that a thread may read, and a block store, besides what its tile asks for: a ticket, a flag,
/// a size. A warp reads each of them by one broadcast.
constexpr int SHARED_WORDS = 4;

/// Fail if a kernel that is to load its input has it by textures, or by what atomic operations return.
void expect_plain_loads(const inspect::report& seen);

/// The outputs of a block, where they are a rectangle.
struct block_outputs {
    int width, height;
    double blocks(int image_width, int image_height) const;
};
/// Those of a method's blocks under this filter, told by how many it takes for one long row of outputs and one long
/// column.
block_outputs outputs_of_block(const method_2d& method, const problem_2d& problem);

/// Fails if that launch has more blocks than are needed. Fewer are a matter of design.
void expect_blocks(const inspect::report& seen, double needed);
/// The same of a kernel without a tile, whatever its filter. (With a tile the threads of a block may be the tile's: then
/// those of the halo have no output, and blocks_needed counts too few.)
void expect_no_blocks_for_the_halo(const inspect::report& seen, int width, int height = 1);
/// Fails unless 4 threads of a warp or more take part in a request: where one works for all, the others wait.
void expect_company(const std::string& what, const inspect::traffic& seen);
/// Values that were put into the array, by stores or atomics.
double times_stored(const inspect::report& seen);
/// Fails unless warps store the results with at least 8 of their threads at a time, and side by side; so, too, what
/// kernels store on the way there. For outputs whose rows begin on sectors of 32 bytes, and are long enough.
void expect_full_warps(const inspect::report& seen);

/// An odd number from `least` to `most`, drawn by the run's seed: another one for every `variant`.
int drawn_odd(int least, int most, int variant);
/// Lengths around so many whole blocks, and around the place where a halo of `radius` just reaches past them: where
/// a test of the interior that is one too wide or too narrow shows.
std::vector<int> lengths_around(int length, int radius);

struct filter_size {
    int width, height;
};
/// Of the filters with odd sides up to 401 and at most 16384 taps the one whose tile has the fewest cells beyond or
/// at `least`, and of these the one with the fewest taps. cells_of(filter_size) counts.
template <class function>
filter_size smallest_filter_of(int least, const function& cells_of) {
    constexpr int LONGEST = 401, MOST_TAPS = 16384;
    filter_size best{};
    for (filter_size size{1, 1}; size.height <= LONGEST; size.height += 2) {
        for (size.width = 1; size.width <= LONGEST && size.width * size.height <= MOST_TAPS;
             size.width += 2) {
            const int cells = cells_of(size), fewest = best.width == 0 ? 0 : cells_of(best);
            if (cells < least) continue;
            const bool better = best.width == 0 || cells < fewest ||
                                (cells == fewest && size.width * size.height < best.width * best.height);
            if (better) best = size;
        }
    }
    return best;
}

/// The seed of this run: fixed for students, another one when grading.
uint64_t seed();

}  // namespace check
