// Checks of lab 08: four ways to load the same tile, told
// apart by their requests, and widths known to the compiler.
#include "conv2d_shared.h"

#include <algorithm>
#include <functional>
#include <set>

#include "check/check.h"

using namespace check;

namespace {

method_2d::run_function run_loading(loading how) {
    return [how](worker_process& worker, const call_options& options, std::span<float> out,
                 const problem_2d& p) {
        return CALL(worker, options, conv2d_shared, out, p.in.pixels, p.filter.taps, p.in.width, p.in.height,
                    p.filter.width, p.filter.height, how);
    };
}

const method_2d no_tile("shared_no_tile", run_loading(loading::no_tile));
const method_2d one_thread("shared_one_thread", run_loading(loading::one_thread));
const method_2d edge_threads("shared_edge_threads", run_loading(loading::edge_threads));
const method_2d swept("shared", run_loading(loading::swept));
const method_2d rows("shared_rows", run_loading(loading::rows));
const method_2d unrolled("shared_unrolled", [](auto& worker, auto& options, auto out, auto& p) {
    return CALL(worker, options, conv2d_shared_unrolled, out, p.in.pixels, p.filter.taps, p.in.width,
                p.in.height, p.filter.width, p.filter.height);
});

constexpr int MAX_SHARED = 48 * 1024;

/// Noise under a filter that has no symmetry for a mistake to hide behind. The filter's size goes into its
/// seed: otherwise a short filter would be the beginning of a long one, and a stale one look right.
problem_2d noise(int width, int height, int filter_width, int filter_height) {
    const uint64_t taps_seed = seed() + 1'000'000 * uint64_t(filter_height) + uint64_t(filter_width);
    return {noise_image(width, height, 1, seed()), random_filter(filter_width, filter_height, taps_seed)};
}

void expect_all_right(const problem_2d& p) {
    for (const method_2d* method : methods_2d())
        expect_right(*method, p);
}

/// The same, and nothing that the inspector calls an error: races, stray accesses, broken barriers.
void expect_all_clean(const problem_2d& p) {
    for (const method_2d* method : methods_2d())
        inspect_right(*method, p);
}

/// Every tap inside the image is one load from global memory, and there is no shared memory.
void expect_no_tile(const method_2d& method, const problem_2d& p) {
    const inspect::report seen = inspect_right(method, p);
    const inspect::counts total = seen.total();
    const inspect::traffic in = seen.of("in").loads;
    const double pixels = double(p.in.pixels.size());
    // The margin admits kernels that load some pixel for every ghost cell.
    expect_at_most("global loads of in", double(in.lanes), inside_taps(p), all_taps(p));
    expect_at_least("bytes loaded from in", double(in.bytes), 4 * pixels);
    expect_count("global loads of anything but in", double(total.global.loads.lanes - in.lanes), 0);
    expect_plain_loads(seen);
    expect_company("global loads of in", in);
    expect_at_most("global stores of out", times_stored(seen), pixels, pixels);
    expect_at_most("loads of taps from constant memory", double(constant_taps(seen, p).lanes), inside_taps(p),
                   most_constant_taps(seen, p));
    expect_count("shared loads and stores", double(total.shared.loads.lanes + total.shared.stores.lanes), 0);
    expect_count("bytes of dynamic shared memory", double(main_launch(seen).dynamic_shared), 0);
}

/// A cell of a tile, or the place of a thread in its block.
struct cell {
    int column, row;
};

/// What the loads of `in` ask of global memory when blocks of a given shape load their tiles: each request of
/// each warp is formed here, cell by cell. Rows of the image follow each other without a gap.
class load_model {
public:
    double lanes = 0, requests = 0, sectors = 0;

    /// `ghosts`: the pixel nearest to a ghost cell is loaded for it, which is not needed.
    load_model(const problem_2d& p, int block_width, int block_height, bool ghosts)
        : in(p.in),
          block_width(block_width),
          block_height(block_height),
          ghosts(ghosts),
          halo_x(p.filter.width / 2),
          halo_y(p.filter.height / 2) {}

    /// Forms the requests of every block; `load` is one of the four ways.
    load_model& run(void (load_model::*load)()) {
        for (top = -halo_y; top + halo_y < in.height; top += block_height) {
            for (left = -halo_x; left + halo_x < in.width; left += block_width)
                (this->*load)();
        }
        return *this;
    }

    void by_one_thread() {
        own_pixels();
        each_cell([&](cell c) {
            if (!is_inner(c.column, halo_x, block_width) || !is_inner(c.row, halo_y, block_height))
                request({c});
        });
    }

    void by_edge_threads() {
        own_pixels();
        const int last_x = block_width - 1, last_y = block_height - 1;
        for (int k = 0; k < halo_x; k++) {
            each_warp([&](cell t) { return t.column == 0; }, [&](cell t) { return cell{k, halo_y + t.row}; });
            each_warp([&](cell t) { return t.column == last_x; },
                      [&](cell t) {
                          return cell{halo_x + block_width + k, halo_y + t.row};
                      });
        }
        for (int k = 0; k < halo_y; k++) {
            each_warp([&](cell t) { return t.row == 0; }, [&](cell t) { return cell{halo_x + t.column, k}; });
            each_warp([&](cell t) { return t.row == last_y; },
                      [&](cell t) {
                          return cell{halo_x + t.column, halo_y + block_height + k};
                      });
        }
        each_cell([&](cell c) {
            if (!is_inner(c.column, halo_x, block_width) && !is_inner(c.row, halo_y, block_height))
                request({c});
        });
    }

    void sweep() {
        for (int row = 0; row < tile_height(); row += block_height) {
            for (int column = 0; column < tile_width(); column += block_width)
                each_warp([](cell) { return true; },
                          [&](cell t) {
                              return cell{column + t.column, row + t.row};
                          });
        }
    }

    void by_rows() {
        const int threads = block_width * block_height;
        for (int first = 0; first < tile_width() * tile_height(); first += threads) {
            each_warp([](cell) { return true; },
                      [&](cell t) {
                          const int at = first + t.row * block_width + t.column;
                          return cell{at % tile_width(), at / tile_width()};
                      });
        }
    }

private:
    int tile_width() const { return block_width + 2 * halo_x; }
    int tile_height() const { return block_height + 2 * halo_y; }
    static bool is_inner(int position, int halo, int length) {
        return position >= halo && position < halo + length;
    }

    void own_pixels() {
        each_warp([](cell) { return true; }, [&](cell t) { return cell{halo_x + t.column, halo_y + t.row}; });
    }

    void each_cell(const std::function<void(cell)>& visit) {
        for (int row = 0; row < tile_height(); row++) {
            for (int column = 0; column < tile_width(); column++)
                visit({column, row});
        }
    }

    /// One load by the threads of the block that take part, 32 threads to a request.
    void each_warp(const std::function<bool(cell)>& takes_part, const std::function<cell(cell)>& cell_of) {
        for (int first = 0; first < block_width * block_height; first += 32) {
            std::vector<cell> cells;
            for (int thread = first; thread < std::min(first + 32, block_width * block_height); thread++) {
                const cell t{thread % block_width, thread / block_width};
                if (takes_part(t)) cells.push_back(cell_of(t));
            }
            request(cells);
        }
    }

    /// Cells past the end of the tile are no cells.
    void request(const std::vector<cell>& cells) {
        std::set<int> touched;
        for (const cell& c : cells) {
            if (c.column >= tile_width() || c.row >= tile_height()) continue;
            const int x = std::clamp(left + c.column, 0, in.width - 1);
            const int y = std::clamp(top + c.row, 0, in.height - 1);
            if (!ghosts && (x != left + c.column || y != top + c.row)) continue;
            touched.insert((y * in.width + x) / 8);
            lanes += 1;
        }
        requests += !touched.empty();
        sectors += double(touched.size());
    }

    const image& in;
    int block_width, block_height;
    bool ghosts;
    int halo_x, halo_y;
    int left = 0, top = 0;  // of the tile at hand
};

struct block_shape {
    int width, height;
};

/// The shape of the student's own blocks, which is the tile that the closed forms are about. Its layers along z are
/// more rows: so the threads of a warp follow each other.
block_shape block_of(const inspect::launch& launch) {
    return {int(launch.block[0]), int(launch.block[1] * launch.block[2])};
}

block_shape block_of(const inspect::report& seen) {
    return block_of(main_launch(seen));
}

int bytes_of(const block_shape& block, const filter_size& filter) {
    return (block.width + filter.width - 1) * (block.height + filter.height - 1) * int(sizeof(float));
}

/// A filter whose tile takes at least so many bytes, as few more as can be.
filter_size filter_to_fill(const block_shape& block, int bytes) {
    return smallest_filter_of(bytes, [&](const filter_size& size) { return bytes_of(block, size); });
}

double blocks_of(int length, int block) {
    return (length + block - 1) / block;
}

/// The requests of one way to load. The margins admit kernels that load some pixel for every ghost cell too
/// and those that arrange the same work a little differently, but none of the other three ways.
void expect_requests(const method_2d& method, const problem_2d& p, void (load_model::*load)(),
                     const std::string& way) {
    const inspect::report seen = inspect_right(method, p);
    const inspect::traffic in = seen.of("in").loads;
    const block_shape block = block_of(seen);
    const load_model model = load_model(p, block.width, block.height, false).run(load);
    const load_model with_ghosts = load_model(p, block.width, block.height, true).run(load);
    const double ratio = model.sectors / model.requests;
    const double ratio_with_ghosts = with_ghosts.sectors / with_ghosts.requests;
    expect_at_most("requests for in by " + way, double(in.requests), model.requests,
                   1.3 * with_ghosts.requests);
    expect_at_least("requests for in by " + way, double(in.requests), 0.7 * model.requests);
    expect_at_most("sectors per request of in by " + way, in.sectors_per_request(), ratio,
                   1.3 * std::max(ratio, ratio_with_ghosts));
}

std::string kernel_at(int filter_width) {
    const inspect::report seen = inspect_right(unrolled, noise(40, 11, filter_width, 3));
    return main_launch(seen).kernel;
}

}  // namespace

TEST_CASE("[10] the worked example of the handout") {
    const image pixels{4, 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
    const problem_2d example{pixels, {3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, "1..9"}};
    const problem_2d wide{pixels, {3, 1, {1, 0, 2}, "left and twice right"}};
    REQUIRE(convolve_cpu(example).value ==
            std::vector<double>{111, 178, 217, 145, 231, 348, 393, 252, 133, 190, 211, 127});
    REQUIRE(convolve_cpu(wide).value == std::vector<double>{4, 7, 10, 3, 12, 19, 22, 7, 20, 31, 34, 11});
    expect_all_clean(example);
    expect_all_clean(wide);
}

TEST_CASE("[10] the reference at many sizes") {
    for (const method_2d* method : methods_2d()) {
        expect_right(*method, noise(64, 48, 3, 3));
        expect_right(*method, {noise_image(96, 64, 1, seed()), gradient_filter()});  // of the same size
    }
    expect_all_right(noise(96, 40, 7, 3));
    expect_all_right(noise(128, 56, 5, 13));
    expect_all_right({checkerboard_image(64, 64), gaussian_filter(5, 1.0)});
    expect_all_right({impulse_image(64, 40, 33, 7), random_filter(9, 5, seed())});
}

TEST_CASE("[15] images that do not fill their blocks") {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {7, 5}, {33, 7}, {31, 9}, {67, 41}, {1, 50}, {101, 1}})
        expect_all_clean(noise(width, height, 3, 5));
    expect_all_clean(noise(53, 29, 1, 1));
    expect_all_clean(noise(37, 23, 9, 1));
    expect_all_clean(noise(23, 37, 1, 11));
    expect_all_clean(noise(3, 4, 11, 13));  // the filter is larger than the image
    const std::vector<int> widths = lengths_around(64, 1), heights = lengths_around(32, 1);
    for (size_t k = 0; k < widths.size(); k++)
        expect_all_right(noise(widths[k], heights[k], 3, 3));
    for (const method_2d* method : {&no_tile, &rows, &unrolled}) {
        expect_large_right(*method, noise(70000, 3, 3, 3));
        expect_large_right(*method, noise(3, tall_image(inspect_right(*method, noise(40, 30, 3, 3))), 3, 3));
    }
}

TEST_CASE("[10] halos wider and higher than a block") {
    expect_all_clean(noise(75, 21, 67, 3));
    expect_all_clean(noise(40, 45, 3, 39));
    expect_all_clean(noise(45, 19, 41, 33));
    for (const method_2d* method : {&no_tile, &swept}) {  // tiles inside the image with their whole halo
        expect_right(*method, noise(98, 19, 65, 3));
        expect_right(*method, noise(67, 56, 3, 45));
    }
    expect_right(swept, noise(23, 17, 91, 91));  // with blocks of 32 x 8 its tile takes 47824 bytes
}

TEST_CASE("[10] widths that have a kernel of their own and others") {
    for (const int filter_width : {1, 3, 5, 7, 9, 11, 13, 21})
        expect_right(unrolled, noise(45, 19, filter_width, 14 - std::min(filter_width, 13)));
    for (const auto& [filter_width, filter_height] : {std::pair{3, 63},
                                                      {5, 41},
                                                      {7, 31},
                                                      {9, 21},
                                                      {11, 15},
                                                      {41, 9},
                                                      {63, 3},
                                                      {drawn_odd(13, 47, 1), drawn_odd(3, 21, 2)}})
        expect_right(unrolled, noise(37, 11, filter_width, filter_height));
    const std::set<std::string> names = {kernel_at(3), kernel_at(5),  kernel_at(7),
                                         kernel_at(9), kernel_at(11), kernel_at(13)};
    expect_at_least("different kernels for filters 3 5 7 9 11 and 13 wide", double(names.size()), 6);
    expect_count("kernels more for filters 15 and 17 wide", double(kernel_at(15) != kernel_at(17)), 0);
}

TEST_CASE("[10] a tile beyond 48 KB falls back to a kernel without a tile") {
    expect_all_right(noise(17, 11, 111, 111));  // no block of any shape has a tile this large
    expect_right(swept, noise(23, 17, 93, 93));
    // Between them pixels meet each column and each row of the largest square filter.
    expect_right(swept, noise(70, 3, 127, 127));
    expect_right(swept, noise(3, 66, 127, 127));
    expect_right(rows, noise(20, 5, 1, 16383));
    expect_right(unrolled, noise(9, 11, 5, 3275));
    expect_right(unrolled, noise(5, 20, 16383, 1));
    expect_right(unrolled, noise(40, 20, 5, 5));  // and the next tile fits again
    expect_no_tile(rows, noise(20, 5, 1, 16383));
    for (const method_2d* method : {&swept, &rows, &unrolled}) {
        // A tile of 48 KB is not beyond them, unless its rows are padded; the next larger one is.
        const inspect::launch small = main_launch(inspect_right(*method, noise(40, 11, 3, 3)));
        const block_shape block = block_of(small);
        const filter_size whole = filter_to_fill(block, MAX_SHARED),
                          larger = filter_to_fill(block, MAX_SHARED + 1);
        const inspect::report seen = inspect_right(*method, noise(9, 5, whole.width, whole.height));
        if (small.dynamic_shared == uint64_t(bytes_of(block, {3, 3})) && bytes_of(block, whole) == MAX_SHARED)
            expect_at_least("bytes of dynamic shared memory", main_launch(seen).dynamic_shared, MAX_SHARED);
        expect_right(*method, noise(9, 5, larger.width, larger.height));
    }
    for (const auto& [filter_width, filter_height] : {std::pair{3, 3}, {1, 1}, {11, 5}, {5, 13}, {33, 7}})
        expect_no_tile(no_tile, noise(67, 41, filter_width, filter_height));
}

TEST_CASE("[5] a filter beyond constant memory is refused") {
    expect_refused(swept, noise(5, 4, 129, 129), {16641, 16384});
    expect_refused(unrolled, noise(5, 4, 3, 5463), {16389, 16384});
    expect_refused(rows, noise(5, 4, 16385, 1), {16385, 16384});
    expect_right(swept, noise(20, 10, 3, 5));  // and does no harm to the next call
}

TEST_CASE("[10] every pixel of a tile is loaded once whoever loads it") {
    const problem_2d p = noise(107, 41, 7, 5);
    const double pixels = 107 * 41, taps = 7 * 5;
    for (const method_2d* method : {&one_thread, &edge_threads, &swept, &rows, &unrolled}) {
        const inspect::report seen = inspect_right(*method, p);
        const inspect::counts total = seen.total();
        const inspect::traffic in = seen.of("in").loads;
        const block_shape block = block_of(seen);
        const double blocks = blocks_of(107, block.width) * blocks_of(41, block.height);
        const double cells = blocks * (block.width + 6) * (block.height + 4);
        const double clipped =
            double(clipped_tiles(107, block.width, 3) * clipped_tiles(41, block.height, 2));
        const std::string by = " by " + method->name;

        // The margin admits kernels that load some pixel for every ghost cell.
        expect_at_most("global loads of in" + by, double(in.lanes), clipped, cells);
        expect_at_least("bytes loaded from in" + by, double(in.bytes), 4 * pixels);
        expect_count("global loads of anything but in" + by, double(total.global.loads.lanes - in.lanes), 0);
        expect_plain_loads(seen);
        expect_at_most("global stores of out" + by, times_stored(seen), pixels, pixels);

        // Threads without an output may compute one all the same, so long as they do not store it.
        expect_at_most("shared loads" + by, double(total.shared.loads.lanes), pixels * taps,
                       blocks * block.width * block.height * (taps + SHARED_WORDS));
        expect_at_least("bytes loaded from shared memory" + by, double(total.shared.loads.bytes), 4 * pixels);
        expect_company("shared loads" + by, total.shared.loads);
        expect_at_most("shared stores" + by, double(total.shared.stores.lanes), cells, 1.05 * cells);
        expect_at_most("wavefronts per request of the shared loads" + by,
                       total.shared.loads.wavefronts_per_request(), 1, 2.5);
        expect_at_most("bytes of dynamic shared memory" + by, double(main_launch(seen).dynamic_shared),
                       4 * cells / blocks, 4 * cells / blocks + 2048);
        expect_at_most("addresses per request of constant memory" + by,
                       total.constant.wavefronts_per_request(), 1, 2);
    }
}

TEST_CASE("[10] the four ways make the same loads in different requests") {
    for (const problem_2d& p : {noise(167, 43, 5, 5), noise(128, 49, 3, 7)}) {
        expect_requests(one_thread, p, &load_model::by_one_thread, "one thread for the halo");
        expect_requests(edge_threads, p, &load_model::by_edge_threads, "the edge threads");
        expect_requests(swept, p, &load_model::sweep, "the block swept over the tile");
        expect_requests(rows, p, &load_model::by_rows, "threads row after row");
        expect_requests(unrolled, p, &load_model::sweep, "the block swept over the tile of a fixed width");
    }
}

TEST_CASE("[5] whole warps store side by side and no block is left over") {
    for (const method_2d* method : methods_2d()) {
        const inspect::report seen = inspect_right(*method, noise(128, 64, 1, 1));
        expect_full_warps(seen);
        expect_blocks(seen, blocks_needed(main_launch(seen), 128, 64));
        for (const auto& [width, height] : {std::pair{128, 64}, {129, 64}, {128, 89}}) {
            const inspect::report haloed = inspect_right(*method, noise(width, height, 7, 5));
            expect_blocks(haloed, blocks_either_way(main_launch(haloed), width, height));
        }
    }
    const problem_2d p = noise(96, 32, 5, 5);
    // 17 for a warp whose threads have four outputs side by side, 32 for one down a column.
    expect_at_most("sectors per request of in without a tile",
                   inspect_right(no_tile, p).of("in").loads.sectors_per_request(),
                   loads_by_rows(p).sectors_per_request(), 18);
}

TEST_CASE("[5] all device memory is given back and no failure is hidden") {
    for (const method_2d* method : methods_2d()) {
        expect_given_back(*method, noise(70, 30, 5, 3));
        expect_failures_told(*method, noise(70, 30, 5, 3));
    }
}
