// What a check asks a student's function to compute: images, filters, borders, and the truth.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/border.h"

namespace check {

/// `height` rows of `width` pixels of `channels` interleaved values, [(y * width + x) * channels + channel].
struct image {
    int width = 0, height = 0, channels = 1;
    std::vector<float> pixels;
    /// Of a volume: the rows are those of so many slices, one slice after another.
    int depth = 1;
    int slice_height() const { return height / depth; }
    bool operator==(const image&) const = default;
};

/// `height` rows of `width` taps, both odd, [(i + radius_y) * width + j + radius_x].
struct filter {
    int width = 0, height = 0;
    std::vector<float> taps;
    std::string name;
    /// Of a filter that is given as a column times a row: those two, whose products the taps are. Else empty.
    std::vector<float> column = {}, row = {};
    /// Of a volume: the rows are those of so many slices, an odd number, and a slice has an odd number of rows.
    int depth = 1;
    int slice_height() const { return height / depth; }
    /// Of a square filter; throws std::invalid_argument naming the sides of another.
    int radius() const;
    bool operator==(const filter&) const = default;
};

struct problem_1d {
    std::vector<float> in, taps;
    int n() const { return int(in.size()); }
    int radius() const { return int(taps.size()) / 2; }
    bool operator==(const problem_1d&) const = default;
};

/// The largest value that a display takes; 0 is the smallest.
inline constexpr float BRIGHTEST = 255.0f;

struct problem_2d {
    image in;
    check::filter filter;
    lab::border border = lab::border::zero;
    /// More than 0: the filter is to be taken as a sum of columns times rows, of which those may be left out whose
    /// singular values add up to no more than this.
    double left_out = 0;
    /// More than 0: pixels and taps need not reach the multiplications as floats, but, scaled by powers of two, rounded
    /// to one number of fp16 or to the sum of two.
    int fp16_parts = 0;
    /// Given: outputs may come from Fourier transforms, of one plane for the whole image (0), or of tiles that have so many
    /// cells a side.
    std::optional<int> transform_tile = {};
    /// Not empty: these filters are applied to the filtered image, whose ghost cells are as `border` says, too. An
    /// output is the length of what they give there (the root of the sum of the squares) where that is at least
    /// `threshold`, which is 0 or more, and else 0.
    std::vector<check::filter> gradient = {};
    float threshold = 0;
    /// Not 0: what comes of all this is multiplied by it and clamped to 0..255, as a display takes it.
    float display_scale = 0;
    /// How often the filter is applied, each time to what came of it before; ghost cells are as `border` says each time.
    int passes = 1;
    /// Image and filter are volumes: ghost cells lie around a slice, and before the first and behind the last.
    bool is_volume() const { return in.depth > 1 || filter.depth > 1; }
    bool operator==(const problem_2d&) const = default;
};

/// The row of the image under row `i` of the filter, for outputs in row `y`; -1 where all of it are ghost cells of 0.
/// `y` may lie above the first row and below the last one.
int row_under(const problem_2d& problem, int y, int i);

/// What is transformed of an image: planes with so many outputs each, `count` of them.
struct planes {
    int width, height, out_width, out_height, count;
    int cells() const { return width * height; }
};
/// One with room for the ghost cells of one edge, whose sides are fast, or tiles that overlap (transform_tile).
planes planes_of(const problem_2d& problem);
/// The least product of 2, 3, 5 and 7 that is not below `least`: an FFT is fast with planes of such sides.
int fast_side(int least);

/// The truth and how far a right float result may lie from it: bound[k] =
/// gamma_taps * sum |in * f|, where gamma_m = m u / (1 - m u), u = 2^-24
/// (Higham, Accuracy and Stability, 3.1), plus the smallest normal float. Filters that are taken as columns
/// times rows have bounds of their own (error_bound in reference.cpp), as have Fourier transforms (roundings.h) and lengths
/// of gradients (edges.cpp).
struct reference {
    std::vector<double> value, bound;
    /// Empty, or for each value whether 0 is as right: the problem's threshold lies within its bound, roundings decide.
    std::vector<char> or_zero = {};
    /// True if a right kernel may give `out` for value k; NaN never is.
    bool allows(size_t k, float out) const;
};
reference convolve_cpu(const problem_1d& problem);  // double precision, ghost cells 0
reference convolve_cpu(
    const problem_2d& problem);  // each channel by itself, ghost cells as problem.border says
/// Only these outputs, in this order: for images whose whole truth would take too long.
reference convolve_cpu(const problem_1d& problem, std::span<const size_t> outputs);
reference convolve_cpu(const problem_2d& problem, std::span<const size_t> outputs);

/// The problem under the column and the row through the largest tap of its filter, in place: under the filter itself,
/// within roundings, if that is a column times a row.
void give_as_factors(problem_2d& problem);
/// The same filter, but given by its taps, and that a method has to find its factors; it may leave out what roundings of
/// the taps add to it.
void give_to_factor(problem_2d& problem);
/// The edges of the filtered image, in place: the length of its gradient by Sobel's filters, where it belongs to about
/// the longest third.
void find_edges(problem_2d& problem);
/// A volume of the same memory, in place: the rows cut into slices, of as many rows as there are slices or up to four
/// times as many; the last rows are left out where that does not come out even. The filter becomes as deep as it is high:
/// slices of it, later ones with more weight, that add up to it.
void give_as_volume(problem_2d& problem);

/// The serial float loop of the sources, one image, for timing and for bit comparison with --fmad=false. Under a filter
/// that is given as its factors, one loop along the rows and one along the columns.
std::vector<float> convolve_serial(const problem_1d& problem);
std::vector<float> convolve_serial(const problem_2d& problem);
/// The same of a volume, slice by slice of the filter; ghost cells are 0.
std::vector<float> convolve_serial_volume(const problem_2d& problem);
/// The same of whatever a problem is: what comes after the filter, one image after another; a volume.
std::vector<float> serial_values(const problem_1d& problem);
std::vector<float> serial_values(const problem_2d& problem);

// ---- images. All are deterministic; values lie in 0..1 unless said otherwise.
image noise_image(int width, int height, int channels = 1, uint64_t seed = 42);  // uniform in [-1, 1)
image checkerboard_image(int width, int height, int square = 8);                 // Camerino section 5.2
image impulse_image(int width, int height, int x, int y);                        // 1 at (x, y), else 0
image ramp_image(int width, int height);                                         // in[y][x] = x + 1000 y
image noise_volume(int width, int height, int depth, uint64_t seed = 42);        // uniform in [-1, 1)
/// PNG or JPEG, values 0..255 as stored; channels 1 or 3. Throws std::runtime_error naming the file, the
/// trouble and the limit (2 pixels up to 16384x16384).
image read_image(const std::string& path, int channels);
/// Values are clamped to 0..255 and rounded (Beukman section 3.1); PNG. Throws std::runtime_error.
void write_image(const image& what, const std::string& path);

// ---- filters (LABS.md's list); sizes are odd, else std::invalid_argument names the value
filter box_filter(int size);
filter gaussian_filter(int size, double sigma);  // normalised to sum 1
filter sobel_x_filter();
filter sobel_y_filter();
filter laplacian_filter();
filter sharpen_filter();
filter emboss_filter();
filter edge_filter();
filter identity_filter(int size);
filter gradient_filter();                                         // Ichimura
filter random_filter(int width, int height, uint64_t seed = 42);  // uniform in [-1, 1), never symmetric
filter random_volume_filter(int width, int height, int depth,
                            uint64_t seed = 42);  // the same of `depth` slices
/// A column times a row, and given as such. Both are uniform in [-1, 1).
filter separable_filter(int width, int height, uint64_t seed = 42);
/// The same of this column and row, which have odd lengths.
filter separable_filter(const std::vector<float>& column, const std::vector<float>& row);
std::vector<float> random_values(size_t count, uint64_t seed);  // uniform in [-1, 1)

// ---- closed forms (LABS.md)
/// Taps that fall inside a row of n elements, summed over its n outputs: sum over |j| <= r of max(0, n -
/// |j|).
uint64_t valid_taps(int n, int radius);
/// Rows of the filter that meet a row of the image, summed over its rows; of a volume, those in its slices.
uint64_t valid_rows(const problem_2d& problem);
/// Taps inside the array or image, summed over its outputs: what a kernel loads that skips ghost cells.
double inside_taps(const problem_1d& problem);
double inside_taps(const problem_2d& problem);
/// All taps of all outputs, ghost cells too.
double all_taps(const problem_1d& problem);
double all_taps(const problem_2d& problem);
/// What loads of the input cost that skip ghost cells, by warps whose 32 threads have neighbouring values of
/// one row: one request for each warp and tap with a lane inside the row, and the 32-byte sectors that those
/// lanes touch. Rows start on a sector; one column is `channels` values wide.
struct row_loads {
    double requests = 0, sectors = 0;
    double sectors_per_request() const { return sectors / requests; }
};
row_loads loads_by_rows(const problem_1d& problem);
row_loads loads_by_rows(const problem_2d& problem);
/// The same where blocks are moved over their tiles in steps of their own width and height: `outputs` of a
/// block in either direction, and its threads. Their tile is what the outputs need of one channel.
/// `rows_on_sectors`: rows of the image start on a sector; else they follow each other without a gap.
struct block_tile {
    int out_width, out_height, block_width, block_height;
};
row_loads loads_by_sweep(const problem_2d& problem, const block_tile& how, bool rows_on_sectors = false);
/// Elements that clipped tiles of T outputs with halo r load from a row of n: sum of min(n, (b+1)T + r) -
/// max(0, bT - r).
uint64_t clipped_tiles(int n, int tile, int radius);

}  // namespace check
