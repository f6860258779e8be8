// The makings of wrong convolutions: the right rule, with
// everything in it exchangeable, and readers of the image.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "diagnose/formula.h"
#include "diagnose/mistake.h"
#include "problem/roundings.h"

namespace check {

inline constexpr double UNIT_ROUNDOFF = 0x1p-24;
inline constexpr double NOT_A_NUMBER = std::numeric_limits<double>::quiet_NaN();
inline constexpr mistaken_value UNWRITTEN{NOT_A_NUMBER, 0.0};
/// A pixel or tap that may be anything makes a sum that may be anything.
inline constexpr double ANYTHING = std::numeric_limits<double>::infinity();
inline constexpr mistaken_value UNKNOWN{0.0, ANYTHING};
/// A pixel that cannot have been read, as the inspector would know, makes a sum that nobody can have stored.
inline constexpr double NEVER_READ = -ANYTHING;
inline constexpr mistaken_value NEVER{0.0, -1.0};

// Of kernels with one wrong token, which are many:
constexpr int MOST_MORE = 8;              // rounds of a loop beyond those that are due
constexpr uint64_t MOST_TRIED = 500'000;  // products of a case; probes are smaller

struct pixel_index {
    int x, y, channel;
};

struct voxel_index {
    int x, y, z;
};

/// The sum over a filter, with everything that can go wrong in it exchangeable.
struct sum_rule {
    const problem_2d* problem = nullptr;
    int fp16_parts = 0;                                    // as of the problem
    double absolute = 0;                                   // error of Fourier transforms, if it asks for them
    int first_i = 0, last_i = 0, first_j = 0, last_j = 0;  // taps that are used, from the top left
    /// Tap (i, j), and the pixel under it; empty for the right one. Those are what most mistakes leave as it
    /// is, and so they are found without a call.
    std::function<double(int i, int j)> tap;
    std::function<double(const pixel_index& out, int i, int j)> read;

    mistaken_value at(const pixel_index& out) const {
        const image& in = problem->in;
        const filter& taps = problem->filter;
        double sum = 0.0, magnitude = 0.0;
        for (int i = first_i; i <= last_i; i++) {
            const int y = read ? 0 : row_under(*problem, out.y, i);
            if (y < 0) continue;
            const float* row = &in.pixels[size_t(y) * in.width * in.channels + out.channel];
            for (int j = first_j; j <= last_j; j++) {
                const double pixel = read ? read(out, i, j) : right_pixel(row, out.x + j - taps.width / 2);
                if (pixel == 0.0) continue;  // a ghost cell: kernels skip it, whatever tap it meets
                if (std::isinf(pixel)) return pixel == NEVER_READ ? NEVER : UNKNOWN;
                const double factor = tap ? tap(i, j) : double(taps.taps[size_t(i) * taps.width + j]);
                if (std::isinf(factor)) return UNKNOWN;
                const double product = factor * pixel;
                sum += product;
                magnitude += std::abs(product);
            }
        }
        const int columns = std::max(0, last_j - first_j + 1), rows = std::max(0, last_i - first_i + 1);
        const double relative = 1.001 * sum_error(fp16_parts, columns, rows);
        return {sum, relative * magnitude + absolute + std::numeric_limits<float>::min()};
    }

private:
    double right_pixel(const float* row, int x) const {
        const int column = lab::border_index(x, problem->in.width, problem->border);
        return column < 0 ? 0.0 : row[size_t(column) * problem->in.channels];
    }
};

class mistake_list::workshop {
public:
    workshop(const problem_2d& problem, bool one_dimensional, const circumstances& known)
        : problem_(problem), one_dimensional_(one_dimensional), known_(known) {}

    std::vector<mistake> all();

private:
    // mistake.cpp: in the sum and around it
    void flipped_filters();
    void shifted_images();
    /// Results that are right, as `result` has them, and land beside their place.
    void misplaced_results(const std::function<std::vector<mistaken_value>(const pixel_index&)>& result);
    void other_borders();
    void shortened_loops();
    void skipped_borders();
    void spoiled_results();  // right sums that something happens to afterwards
    // mistake_sum.cpp: in what the sum is made of
    void odd_sums();
    void odd_products();
    void whole_numbers();
    void lost_bits();
    void other_ghost_cells();
    void uncleared_sums();
    void odd_numbers();  // a number that was not asked for: the output tells which
    // mistake_index.cpp: in the place of taps and pixels
    void odd_tap_indices();
    void odd_tap_fetches();  // of a filter in a texture
    void far_shifts();
    void odd_pixel_indices();
    // mistake_ghost.cpp: in the tests for ghost cells
    void odd_ghost_tests();
    // mistake_layout.cpp: in where values lie
    void swapped_sides();  // width and height exchanged, in one place or in all
    /// Bounds that are tested for the flat position or not at all: a row's end runs into the next row.
    void lost_rows();
    void mixed_channels();
    void taken_as_high();  // rows of in and out taken to be as long as the image is high
    void ignored_padding();
    void ignored_pitch();  // rows of a pitched image that are taken to follow each other without a gap
    // mistake_filter.cpp: in the taps that the kernel meets
    void other_filter_sizes();
    void stale_filters();      // what constant memory holds, by the story of the calls before
    void unshifted_fetches();  // of a filter in a texture
    void taken_as_square();
    // mistake_factors.cpp: in the two sums of a column times a row
    void odd_factors();
    void last_products_of_factors();
    void odd_row_sums();
    void wrong_passes();
    // mistake_tile.cpp: in a tile of shared memory and its halo
    void tile_mistakes();
    void transposed_tile(int tile_width, int tile_height);
    void unloaded_halo(int tile_width, int tile_height);
    void halos_of_rows(int tile);
    // mistake_cells.cpp: in the place of cells, of a tile or of a padded image
    void misplaced_cells();
    void misplaced_cells(int tile_x, int tile_y);
    void misread_rows(int tile_x, int tile_y, bool tiled);
    void misstored_cells(int tile_x, int tile_y, bool tiled);
    void spoiled_parts(int tile, bool halo_has_room);
    // mistake_formulas.cpp: in one token of what kernels compute
    struct kernel_formulas;
    struct stored_cells;
    void wrong_formulas();
    void wrong_formulas_of(kernel_formulas kernel);
    variables sizes_of(const kernel_formulas& kernel) const;
    double pixel_at(const kernel_formulas& kernel, variables& v, int channel) const;
    double cell_at(const kernel_formulas& kernel, variables& v, int64_t column, int64_t row,
                   int channel) const;
    std::vector<double> cells_of(const kernel_formulas& kernel, const variables& block, int channel) const;
    mistaken_value value_by(const kernel_formulas& kernel, stored_cells& stored,
                            const pixel_index& out) const;
    std::string name_of_loop(const kernel_formulas& kernel, const formula& wrong) const;
    // mistake_coverage.cpp: in who computes and stores what, and in what the kernel reads
    void unwritten_parts();
    void missing_blocks(const inspect::launch& launch);
    void add_grid(const std::string& id, const std::string& cause, const inspect::launch& launch,
                  std::pair<int, int> blocks, std::pair<int, int> tile);
    void swapped_grid(const inspect::launch& launch);
    void swapped_blocks(const inspect::launch& launch);
    void narrow_indices(const inspect::launch& launch);
    void missing_outputs(const inspect::launch& launch);
    void side_by_side(int factor, int block);
    void stores_past_rows();
    void untested_reads();
    // mistake_threads.cpp: in the place or the guard of threads
    void misplaced_threads();
    static const std::vector<formula>& changes_of_once(const char* text);
    // mistake_device.cpp: on the way to the device and back
    void partial_copies();
    void scaled_pitch();
    void odd_fetches();  // of textures, beside the centres or with x and y exchanged
    // mistake_display.cpp: in what a display takes of the sums
    void display_mistakes();
    // mistake_transform.cpp: around Fourier transforms
    void transform_mistakes();
    void odd_planes();
    void odd_places_in_planes();
    void odd_scales();
    // mistake_edges.cpp: in the steps after the filter, of problems that go on to a gradient
    struct edge_rule;
    void edge_mistakes();
    void odd_gradient_taps(size_t which);
    bool loads_all_gradients() const;
    void wrong_steps();
    edge_rule right_edges() const;
    std::function<mistaken_value(const pixel_index&)> remembered(
        std::function<mistaken_value(size_t)> value_at) const;
    void add(const std::string& id, const std::string& cause, const edge_rule& rule);
    // mistake_volume.cpp: in three dimensions
    void volume_mistakes();
    void flipped_volumes();
    void shifted_volumes();
    void volumes_with_other_ghost_cells();
    void shortened_volumes();
    void odd_volume_taps();
    void halos_of_volumes();
    // mistake_voxels.cpp: in one token of what kernels for volumes compute
    struct volume_kernel;
    void wrong_volume_formulas();
    /// The voxel, or 0 for a ghost cell.
    double voxel(const voxel_index& at) const;
    bool is_voxel(const voxel_index& at) const;
    int64_t place_of(const voxel_index& at) const;
    /// The sum over what `read` gives for the output and the place under a tap.
    sum_rule with_voxels(std::function<double(const voxel_index& own, const voxel_index& under)> read) const;
    sum_rule with_volume_taps(std::function<double(int k, int i, int j)> tap) const;
    double tap_at(int64_t place) const;  // NaN beside the filter
    /// What can go wrong before the last steps, in this problem without them. They live as long as the list.
    const std::vector<mistake>& mistakes_in(problem_2d earlier);

    void add_scaled(const std::string& id, const std::string& cause,
                    std::function<mistaken_value(size_t)> pattern, bool (*possible)(double));
    uint64_t taps_read() const;
    /// True if kernels read as many taps as right ones: then none is left out, and none comes in addition.
    bool reads_all_taps() const;
    /// True if kernels read fewer taps than right ones that skip ghost cells.
    bool reads_too_few_taps() const;
    uint64_t valid_products() const;  // of taps and pixels that are no ghost cells
    /// True if outputs were not stored, and nothing else is wrong with any access.
    bool reads_no_nan() const;
    /// True if an index left the filter.
    bool reads_beside_filter() const;
    /// True if the inspector found something wrong in shared memory.
    bool has_errors_in_shared_memory() const;
    /// True if cells beside the memory of the tile are read.
    bool reads_beside_tile() const;
    sum_rule with_taps(std::vector<float> held, int row) const;
    std::vector<std::pair<int, int>> possible_tiles() const;
    void add_unwritten(const std::string& id, const std::string& cause,
                       std::function<bool(int x, int y)> written);
    sum_rule read_as_high() const;   // [y * height + x]
    sum_rule swapped_image() const;  // the same memory as `width` rows of `height` pixels

    const image& in() const { return problem_.in; }
    const filter& taps() const { return problem_.filter; }
    int width() const { return in().width; }
    int height() const { return in().height; }
    int channels() const { return in().channels; }
    int radius_x() const { return taps().width / 2; }
    int radius_y() const { return taps().height / 2; }
    bool has_columns() const { return taps().width > 1; }
    bool has_rows() const { return taps().height > 1; }

    double pixel(int x, int y, int channel, lab::border mode) const {
        const int column = lab::border_index(x, width(), mode);
        const int row = lab::border_index(y, height(), mode);
        if (column < 0 || row < 0) return 0.0;
        return in().pixels[(size_t(row) * width() + column) * channels() + channel];
    }

    /// What stands at a flat position of the image's memory: NaN outside it.
    double memory(int64_t position) const {
        if (position < 0 || position >= int64_t(in().pixels.size())) return NOT_A_NUMBER;
        return in().pixels[size_t(position)];
    }

    bool overhangs(int x, int y) const {
        return !inside(x - radius_x(), y - radius_y()) || !inside(x + radius_x(), y + radius_y());
    }
    bool inside(int x, int y) const { return x >= 0 && x < width() && y >= 0 && y < height(); }
    bool inside(const pixel_index& at) const { return inside(at.x, at.y); }

    /// The pixel under tap (i, j) of an output, and where it stands in memory.
    pixel_index under(const pixel_index& out, int i, int j) const {
        const int y = problem_.is_volume() ? row_under(problem_, out.y, i) : out.y + i - radius_y();
        return {out.x + j - radius_x(), y, out.channel};
    }
    int64_t flat(const pixel_index& at) const {
        return (int64_t(at.y) * width() + at.x) * channels() + at.channel;
    }

    sum_rule right() const {
        sum_rule rule;
        rule.problem = &problem_;
        rule.fp16_parts = problem_.fp16_parts;
        rule.absolute = error_of_transforms_;
        rule.last_i = taps().height - 1;
        rule.last_j = taps().width - 1;
        return rule;
    }

    /// The sum over what stands at another place of the memory than the pixels under the taps: at `place`, a
    /// function of the pixel. Ghost cells are 0.
    template <class place_function>
    sum_rule reading_at(place_function place) const {
        sum_rule rule = right();
        rule.read = [this, place](const pixel_index& out, int i, int j) {
            const pixel_index at = under(out, i, j);
            return inside(at) ? memory(place(at)) : 0.0;
        };
        return rule;
    }

    pixel_index split(size_t value) const {
        const size_t place = value / channels();
        return {int(place % width()), int(place / width()), int(value % channels())};
    }

    void add(const std::string& id, const std::string& cause,
             std::function<mistaken_value(size_t)> value_at) {
        found_.push_back({id, cause,
                          [value_at = std::move(value_at)](size_t value) {
                              return std::vector<mistaken_value>{value_at(value)};
                          },
                          false});
    }

    /// One that is known by where it leaves NaN.
    void add_by_place(const std::string& id, const std::string& cause,
                      std::function<mistaken_value(size_t)> value_at) {
        add(id, cause, std::move(value_at));
        found_.back().by_place = true;
    }

    void add(const std::string& id, const std::string& cause, const sum_rule& rule) {
        add(id, cause, [this, rule](size_t value) { return rule.at(split(value)); });
    }

    const problem_2d& problem_;
    const bool one_dimensional_;
    const circumstances& known_;
    const double error_of_transforms_ =
        !problem_.transform_tile
            ? 0
            : transform_error(planes_of(problem_).cells(), problem_.in.pixels, problem_.filter.taps);
    std::vector<mistake> found_;
    problem_2d earlier_problem_;  // without the last steps, and what can go wrong in it
    circumstances earlier_known_;
    std::unique_ptr<mistake_list> earlier_mistakes_;
};

}  // namespace check
