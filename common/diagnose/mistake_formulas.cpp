// Convolutions with one wrong token in a formula of theirs. Where no usual mistake explains an output, the kernels that
// most people write are tried with everything that one token can change in them.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "diagnose/kernel_parts.h"
#include "diagnose/launch_tile.h"
#include "diagnose/mistake_workshop.h"

namespace check {

namespace {

constexpr int MOST_CELLS = 4096;  // of a tile whose stores are followed one by one

/// What is wrong if a part is, of a kernel with a tile, with a padded image and with neither.
struct meaning {
    const char *in_tile, *padded, *direct, *sentence;
};
constexpr meaning MEANINGS[PARTS] = {
    {"taps-left-out", "taps-left-out", "taps-left-out", "the filter is taken to be of another size"},
    {"taps-left-out", "taps-left-out", "taps-left-out", "the loop over the rows of taps begins elsewhere"},
    {"taps-left-out", "taps-left-out", "taps-left-out", "the loop over the rows of taps ends elsewhere"},
    {"taps-left-out", "taps-left-out", "taps-left-out", "the loop over the taps of a row begins elsewhere"},
    {"taps-left-out", "taps-left-out", "taps-left-out", "the loop over the taps of a row ends elsewhere"},
    {"tap-index-wrong", "tap-index-wrong", "tap-index-wrong", "the index of the tap is wrong"},
    {"tile-source-wrong", "neighbour-index-wrong", "neighbour-index-wrong",
     "pixels are taken from other columns"},
    {"tile-source-wrong", "neighbour-index-wrong", "neighbour-index-wrong",
     "pixels are taken from other rows"},
    {"ghost-test-wrong", "ghost-test-wrong", "ghost-test-wrong", "the test for ghost cells is wrong"},
    {"tile-source-wrong", "neighbour-index-wrong", "neighbour-index-wrong",
     "the index of the pixel is wrong"},
    {"tile-source-wrong", "neighbour-index-wrong", "", "the tile begins in another column of the image"},
    {"tile-source-wrong", "neighbour-index-wrong", "", "the tile begins in another row of the image"},
    {"tile-index-wrong", "padding-ignored", "", "rows of the tile have another length"},
    {"tile-partly-loaded", "padding-ignored", "", "the tile has another number of rows"},
    {"tile-partly-loaded", "padding-unfilled", "", "the loop over the rows of the tile begins elsewhere"},
    {"tile-partly-loaded", "padding-unfilled", "", "the loop over the rows of the tile ends elsewhere"},
    {"tile-partly-loaded", "padding-unfilled", "", "the loop over the columns of the tile begins elsewhere"},
    {"tile-partly-loaded", "padding-unfilled", "", "the loop over the columns of the tile ends elsewhere"},
    {"tile-index-wrong", "padding-misplaced", "", "cells are stored beside their place"},
    {"tile-index-wrong", "neighbour-index-wrong", "", "cells are read from beside their place"},
};

/// A formula with one change, and what is said of it.
struct wrong_formula {
    formula changed;
    std::string cause;
};

/// All of them of a part, made once.
const std::vector<wrong_formula>& wrong_ones(const spelled_part& spelled) {
    static std::map<const spelled_part*, std::vector<wrong_formula>> known;
    const auto [at, is_new] = known.try_emplace(&spelled);
    if (!is_new) return at->second;
    const formula meant(spelled.text);
    for (formula& changed : meant.with_one_change()) {
        std::string cause = fmt::format("{}: as if it were {}, where {} is meant",
                                        MEANINGS[spelled.which].sentence, changed.text(), meant.text());
        at->second.push_back({std::move(changed), std::move(cause)});
    }
    return at->second;
}

}  // namespace

/// A kernel that reads the image itself, or in tiles of so many outputs, with one part that is wrong.
struct mistake_list::workshop::kernel_formulas {
    part changed = PARTS;
    const formula* wrong = nullptr;
    bool tiled = false,
         stored = false;  // stored: cells may lie elsewhere than where they should, threads store them
    bool pitched = true;  // rows of cells start as far apart as they are long
    int64_t of(part which, const variables& v) const {
        return which == changed ? wrong->of(v) : meant(which, tiled, v);
    }
    int outputs_x = 0, outputs_y = 0, threads_x = 1, threads_y = 1;
    double outside = NOT_A_NUMBER;  // what is read beside the image, of this
    double unset = NOT_A_NUMBER;    // and from cells that nobody has stored
    bool fetched = false;  // by textures, or by a host that knows of ghost cells: the border is right
};

/// Cells of the tile of a block as threads have stored them, by block; or the whole padded image.
struct mistake_list::workshop::stored_cells {
    std::map<std::pair<int64_t, int64_t>, std::vector<double>> of_block;
};

variables mistake_list::workshop::sizes_of(const kernel_formulas& kernel) const {
    variables v{};
    v[WIDTH] = width(), v[HEIGHT] = height();
    v[RADIUS_X] = radius_x(), v[RADIUS_Y] = radius_y();
    v[FILTER_WIDTH] = taps().width, v[FILTER_HEIGHT] = taps().height;
    // Who computes the size of a square filter himself has one for both of its sides.
    const int64_t side = kernel.of(SIDE, v);
    if (side != taps().width) v[FILTER_WIDTH] = v[FILTER_HEIGHT] = side;
    v[THREADS_X] = kernel.threads_x, v[THREADS_Y] = kernel.threads_y;
    v[OUTPUTS_X] = kernel.outputs_x, v[OUTPUTS_Y] = kernel.outputs_y;
    if (!kernel.tiled) return v;
    variables right = v;
    right[FILTER_WIDTH] = taps().width, right[FILTER_HEIGHT] = taps().height;
    v[TILE_WIDTH] = kernel.of(TILE_COLUMNS, right);
    v[TILE_HEIGHT] = kernel.of(TILE_ROWS, right);
    v[PITCH] = kernel.pitched ? v[TILE_WIDTH] : kernel.outputs_x + taps().width - 1;
    return v;
}

/// The pixel that FROM_COLUMN and FROM_ROW say: a ghost cell is 0.
double mistake_list::workshop::pixel_at(const kernel_formulas& kernel, variables& v, int channel) const {
    v[FROM_X] = kernel.of(FROM_COLUMN, v);
    v[FROM_Y] = kernel.of(FROM_ROW, v);
    if (kernel.fetched) {
        const auto within = [](int64_t place) { return std::abs(place) < (1 << 28); };
        if (!within(v[FROM_X]) || !within(v[FROM_Y])) return kernel.outside;
        return pixel(int(v[FROM_X]), int(v[FROM_Y]), channel, problem_.border);
    }
    if (!kernel.of(INSIDE, v)) return 0.0;
    const int64_t place = kernel.of(PLACE, v);
    return place >= 0 && place < int64_t(in().pixels.size()) ? double(in().pixels[size_t(place)])
                                                             : kernel.outside;
}

double mistake_list::workshop::cell_at(const kernel_formulas& kernel, variables& v, int64_t column,
                                       int64_t row, int channel) const {
    const int64_t thread_x = v[THREAD_X], thread_y = v[THREAD_Y], x = v[X], y = v[Y];
    v[COLUMN] = column, v[ROW] = row;
    v[THREAD_X] = column % kernel.threads_x, v[THREAD_Y] = row % kernel.threads_y;
    v[X] = v[BLOCK_X] * kernel.outputs_x + v[THREAD_X], v[Y] = v[BLOCK_Y] * kernel.outputs_y + v[THREAD_Y];
    v[LEFT] = kernel.of(LEFT_END, v), v[TOP] = kernel.of(TOP_END, v);
    const double found = pixel_at(kernel, v, channel);
    v[THREAD_X] = thread_x, v[THREAD_Y] = thread_y, v[X] = x, v[Y] = y;
    return found;
}

/// What the threads of a block store, each in its loops; where two differ nobody knows which is left.
std::vector<double> mistake_list::workshop::cells_of(const kernel_formulas& kernel, const variables& block,
                                                     int channel) const {
    variables v = block;
    const int64_t right_width = kernel.outputs_x + taps().width - 1,
                  right_height = kernel.outputs_y + taps().height - 1;
    const int64_t rows = right_height, most = right_width * right_height;
    std::vector<double> cells(size_t(most), kernel.unset);
    std::vector<char> set(size_t(most), 0);
    for (int ty = 0; ty < kernel.threads_y; ty++) {
        for (int tx = 0; tx < kernel.threads_x; tx++) {
            v[THREAD_X] = tx, v[THREAD_Y] = ty;
            v[ROW] = kernel.of(FIRST_ROW, v);
            for (int64_t round = 0; round < rows + MOST_MORE && kernel.of(MORE_ROWS, v); round++) {
                v[COLUMN] = kernel.of(FIRST_COLUMN, v);
                for (int64_t turn = 0; turn < right_width + MOST_MORE && kernel.of(MORE_COLUMNS, v); turn++) {
                    const int64_t place = kernel.of(STORE, v);
                    // A host that pads its image stores no ghost cells.
                    const bool is_due =
                        !kernel.fetched || inside(int(v[BLOCK_X] * kernel.outputs_x + v[COLUMN]) - radius_x(),
                                                  int(v[BLOCK_Y] * kernel.outputs_y + v[ROW]) - radius_y());
                    if (is_due && place >= 0 && place < most) {
                        variables loaded = v;
                        const double value = cell_at(kernel, loaded, v[COLUMN], v[ROW], channel);
                        double& cell = cells[size_t(place)];
                        cell = set[size_t(place)] && !(cell == value) ? ANYTHING : value;
                        set[size_t(place)] = 1;
                    }
                    v[COLUMN] += kernel.threads_x;
                }
                v[ROW] += kernel.threads_y;
            }
        }
    }
    return cells;
}

mistaken_value mistake_list::workshop::value_by(const kernel_formulas& kernel, stored_cells& stored,
                                                const pixel_index& out) const {
    variables v = sizes_of(kernel);
    v[X] = out.x, v[Y] = out.y;
    const std::vector<double>* cells = nullptr;
    if (kernel.tiled) {
        v[BLOCK_X] = out.x / kernel.outputs_x, v[BLOCK_Y] = out.y / kernel.outputs_y;
        v[TILE_COLUMN] = out.x % kernel.outputs_x, v[TILE_ROW] = out.y % kernel.outputs_y;
        v[THREAD_X] = v[TILE_COLUMN] % kernel.threads_x, v[THREAD_Y] = v[TILE_ROW] % kernel.threads_y;
        v[NUMBER] = v[TILE_COLUMN] / kernel.threads_x;
        if (v[PITCH] < 1) return UNKNOWN;
        if (kernel.stored) {
            const auto [at, is_new] = stored.of_block.try_emplace({v[BLOCK_X], v[BLOCK_Y]});
            if (is_new) at->second = cells_of(kernel, v, out.channel);
            cells = &at->second;
        }
    }
    const int64_t last = int64_t(taps().taps.size());
    double sum = 0.0, magnitude = 0.0, products = 0.0;
    v[I] = kernel.of(FIRST_ROW_OF_TAPS, v);
    for (int rows = 0;; rows++, v[I]++) {
        v[MIDDLE_I] = v[I] - radius_y();
        if (!kernel.of(MORE_ROWS_OF_TAPS, v)) break;
        if (rows > taps().height + MOST_MORE) return UNKNOWN;
        v[J] = kernel.of(FIRST_TAP, v);
        for (int columns = 0;; columns++, v[J]++) {
            v[MIDDLE_J] = v[J] - radius_x();
            if (!kernel.of(MORE_TAPS, v)) break;
            if (columns > taps().width + taps().height + MOST_MORE) return UNKNOWN;
            double pixel;
            if (kernel.tiled) {
                const int64_t place = kernel.of(READ, v);
                const int64_t all =
                    (kernel.outputs_x + taps().width - 1) * int64_t(kernel.outputs_y + taps().height - 1);
                if (place < 0 || place >= all) return UNKNOWN;
                pixel = cells ? (*cells)[size_t(place)]
                              : cell_at(kernel, v, place % v[PITCH], place / v[PITCH], out.channel);
            } else {
                pixel = pixel_at(kernel, v, out.channel);
            }
            if (pixel == 0.0) continue;  // a ghost cell: kernels skip it, whatever tap it meets
            if (std::isinf(pixel)) return UNKNOWN;
            const int64_t tap = kernel.of(TAP, v);
            if (tap < 0 || tap >= last) return UNKNOWN;
            const double product = double(taps().taps[size_t(tap)]) * pixel;
            sum += product, magnitude += std::abs(product), products++;
        }
    }
    return {sum, (products + 1) * UNIT_ROUNDOFF * 1.001 * magnitude + std::numeric_limits<float>::min()};
}

/// How many taps the loops of a kernel reach, from the first to the last and beyond: a wrong end is told by what it
/// leaves out or adds.
std::string mistake_list::workshop::name_of_loop(const kernel_formulas& kernel, const formula& wrong) const {
    variables v = sizes_of(kernel);
    const auto rounds = [&](part first, part more, variable tap, variable middle, int radius) {
        int64_t count = 0;
        for (v[tap] = kernel.of(first, v);; v[tap]++, count++) {
            v[middle] = v[tap] - radius;
            if (!kernel.of(more, v) || count > int64_t(taps().taps.size()) + MOST_MORE) return count;
        }
    };
    const int64_t rows = rounds(FIRST_ROW_OF_TAPS, MORE_ROWS_OF_TAPS, I, MIDDLE_I, radius_y());
    const int64_t columns = rounds(FIRST_TAP, MORE_TAPS, J, MIDDLE_J, radius_x());
    const std::string& text = wrong.text();
    if (rows == 0 || columns == 0) return "nothing-added";
    const bool of_other_side =
        (rows != taps().height && rows == taps().width && text.find("width") != text.npos) ||
        (columns != taps().width && columns == taps().height && text.find("height") != text.npos);
    if (of_other_side) return "filter-taken-as-square";
    return rows > taps().height || columns > taps().width ? "taps-too-many" : "taps-left-out";
}

void mistake_list::workshop::wrong_formulas() {
    if (channels() > 1 || taps().taps.size() == 1 || one_dimensional_) return;
    const bool inspected = known_.seen && known_.seen->inspected;
    if (!inspected || known_.seen->launches.empty()) return;
    const inspect::launch& launch = known_.seen->launches.front();
    const inspect::counts total = known_.seen->total();
    const uint64_t all_products = uint64_t(in().pixels.size()) * taps().taps.size();
    if (all_products > MOST_TRIED) return;
    kernel_formulas kernel;
    kernel.tiled = total.shared.loads.lanes > 0;
    kernel.threads_x = int(launch.block[0]), kernel.threads_y = int(launch.block[1]);
    if (!kernel.tiled) {
        kernel.fetched = total.texture.lanes > 0;
        wrong_formulas_of(kernel);
        const uint64_t of_taps = known_.seen->of("filter").loads.lanes;
        // Without ghost cells to skip, a kernel reads a pixel for every tap.
        const bool pads =
            known_.seen->launches.size() == 1 && total.global.loads.lanes - of_taps >= all_products;
        if (kernel.fetched || !pads) return;
        kernel.tiled = kernel.fetched = true;
        kernel.unset = 0.0;
        kernel.outputs_x = kernel.threads_x = width(), kernel.outputs_y = kernel.threads_y = height();
        wrong_formulas_of(kernel);
        return;
    }
    const output_tile tile = tile_of(launch, problem_);
    std::set<std::pair<int, int>> tiles = {{tile.width, tile.height}};
    if (!tile.has_halo) tiles.insert({kernel.threads_x, kernel.threads_y});
    for (const auto& [across, down] : tiles) {
        kernel.outputs_x = across, kernel.outputs_y = down;
        wrong_formulas_of(kernel);
    }
}

/// All of a kernel's formulas with one change, in every spelling.
void mistake_list::workshop::wrong_formulas_of(kernel_formulas kernel) {
    const bool strays = known_.seen->finds([](const auto& one) {
        return one.direction == "load" && (one.kind == "out-of-bounds" || one.kind == "row-overrun");
    });
    std::vector<const spelled_part*> spellings;
    const auto spell = [&](std::span<const spelled_part> parts) {
        for (const spelled_part& one : parts)
            spellings.push_back(&one);
    };
    spell(LOOPS);
    spell(kernel.tiled ? std::span<const spelled_part>(TILED) : DIRECT);
    const bool padded = kernel.tiled && kernel.fetched;
    const auto add_kernel = [&](const std::string& id, const std::string& cause,
                                const kernel_formulas& wrong) {
        const auto stored = std::make_shared<stored_cells>();
        add(id, cause,
            [this, wrong, stored](size_t value) { return value_by(wrong, *stored, split(value)); });
    };
    const bool all_taps = reads_all_taps();
    for (const spelled_part* each : spellings) {
        const spelled_part& spelled = *each;
        const bool loop = spelled.which <= MORE_TAPS;
        if (loop && all_taps) continue;
        if (spelled.which == SIDE && taps().width != taps().height) continue;
        if (kernel.fetched && !padded && (spelled.which == INSIDE || spelled.which == PLACE)) continue;
        if (padded && spelled.which == INSIDE) continue;
        const bool of_cells = spelled.which >= TILE_COLUMNS && spelled.which != READ;
        if (of_cells && kernel.outputs_x * kernel.outputs_y > MOST_CELLS) continue;
        const meaning& means = MEANINGS[spelled.which];
        for (const auto& [changed, cause] : wrong_ones(spelled)) {
            kernel_formulas wrong = kernel;
            wrong.changed = spelled.which, wrong.wrong = &changed;
            wrong.stored = of_cells;
            if (padded && spelled.which == PLACE) wrong.fetched = false;
            const std::string id = loop           ? name_of_loop(wrong, changed)
                                   : padded       ? means.padded
                                   : kernel.tiled ? means.in_tile
                                                  : means.direct;
            const bool of_rows = spelled.which == TILE_COLUMNS;
            for (const bool pitched : {true, false}) {
                if (!pitched && !of_rows) continue;
                wrong.pitched = pitched;
                const std::string known = of_rows && !pitched && !padded ? "tile-partly-loaded" : id;
                add_kernel(known, cause, wrong);
                if (!strays || padded) continue;
                kernel_formulas anything = wrong;
                anything.outside = ANYTHING;
                add_kernel(known, cause, anything);
            }
        }
    }
}

}  // namespace check
