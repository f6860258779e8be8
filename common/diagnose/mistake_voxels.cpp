// Convolutions of volumes with one wrong token in a formula of theirs: what mistake_formulas.cpp is for images.
#include <fmt/format.h>
#include <cmath>
#include <map>
#include <tuple>

#include "diagnose/mistake_workshop.h"

namespace check {

enum volume_part {
    FIRST_K,
    MORE_K,
    FIRST_I,
    MORE_I,
    FIRST_J,
    MORE_J,
    TAP_PLACE,
    SOURCE_X,
    SOURCE_Y,
    SOURCE_Z,
    IS_VOXEL,
    VOXEL_PLACE,
    CELLS_X,
    CELLS_Y,
    CELLS_Z,
    MORE_CELLS_X,
    MORE_CELLS_Y,
    MORE_CELLS_Z,
    CELL_STORED,
    CELL_READ,
    VOLUME_PARTS
};

namespace {

/// A part's formula in a kernel that reads the volume itself, in one with a tile, and in one with a plane that marches
/// through the slices; empty where it has none. What is wrong if it is: a name without a tile and with one, and a sentence;
/// loops have their names of what becomes of them.
struct part_of_volume {
    const char *direct, *tiled, *marching, *id, *tiled_id, *sentence;
};
constexpr char INSIDE_VOLUME[] =
    "from_x >= 0 && from_x < width && from_y >= 0 && from_y < height && from_z >= 0 && from_z < depth";
constexpr char PLACE_IN_VOLUME[] = "(from_z * height + from_y) * width + from_x",
               PLACE_OF_TAP[] = "(k * filter_height + i) * filter_width + j";
constexpr char NEIGHBOUR[] = "neighbour-index-wrong", SOURCE[] = "tile-source-wrong",
               PARTLY[] = "tile-partly-loaded";
constexpr part_of_volume MEANT[VOLUME_PARTS] = {
    {"0", "0", "", "", "", "the loop over the slices of taps begins elsewhere"},
    {"k < filter_depth", "k < filter_depth", "", "", "", "the loop over the slices of taps ends elsewhere"},
    {"0", "0", "0", "", "", "the loop over the rows of taps begins elsewhere"},
    {"i < filter_height", "i < filter_height", "i < filter_height", "", "",
     "the loop over the rows of taps ends elsewhere"},
    {"0", "0", "0", "", "", "the loop over the taps of a row begins elsewhere"},
    {"j < filter_width", "j < filter_width", "j < filter_width", "", "",
     "the loop over the taps of a row ends elsewhere"},
    {PLACE_OF_TAP, PLACE_OF_TAP, PLACE_OF_TAP, "tap-index-wrong", "tap-index-wrong",
     "the index of the tap is wrong"},
    {"x + j - filter_width / 2", "left + column - filter_width / 2", "left + column - filter_width / 2",
     NEIGHBOUR, SOURCE, "voxels are taken from other columns"},
    {"y + i - filter_height / 2", "top + row - filter_height / 2", "top + row - filter_height / 2", NEIGHBOUR,
     SOURCE, "voxels are taken from other rows"},
    {"z + k - filter_depth / 2", "front + slice - filter_depth / 2", "", NEIGHBOUR, SOURCE,
     "voxels are taken from other slices"},
    {INSIDE_VOLUME, INSIDE_VOLUME, INSIDE_VOLUME, "ghost-test-wrong", "ghost-test-wrong",
     "the test for ghost cells is wrong"},
    {PLACE_IN_VOLUME, PLACE_IN_VOLUME, PLACE_IN_VOLUME, NEIGHBOUR, SOURCE, "the index of the voxel is wrong"},
    {"", "outputs_x + filter_width - 1", "outputs_x + filter_width - 1", "", PARTLY,
     "rows of the tile have another length"},
    {"", "outputs_y + filter_height - 1", "outputs_y + filter_height - 1", "", PARTLY,
     "slices of the tile have another number of rows"},
    {"", "outputs_z + filter_depth - 1", "", "", PARTLY, "the tile has another number of slices"},
    {"", "column < tile_width", "column < tile_width", "", PARTLY,
     "the loop over the columns of the tile ends elsewhere"},
    {"", "row < tile_height", "row < tile_height", "", PARTLY,
     "the loop over the rows of the tile ends elsewhere"},
    {"", "slice < tile_depth", "", "", PARTLY, "the loop over the slices of the tile ends elsewhere"},
    {"", "(slice * tile_height + row) * tile_width + column", "row * tile_width + column", "",
     "tile-index-wrong", "cells are stored beside their place"},
    {"", "((oz + k) * tile_height + oy + i) * tile_width + ox + j", "(oy + i) * tile_width + ox + j", "",
     "tile-index-wrong", "cells are read from beside their place"},
};

constexpr int64_t MOST_CELLS_OF_VOLUME = 1024;  // of a tile whose stores are followed one by one

bool is_of_cells(volume_part which) {
    return which >= CELLS_X && which <= CELL_STORED;
}

}  // namespace

/// A kernel with one part that is wrong.
struct mistake_list::workshop::volume_kernel {
    const workshop& shop;
    bool tiled = false, marching = false;  // marching: the tile is a slice's, and loaded anew for each
    int64_t block[3] = {};                 // outputs of a block, and its threads
    volume_part changed = VOLUME_PARTS;
    const formula* wrong = nullptr;
    double outside = NOT_A_NUMBER;  // what is read beside the volume
    /// Cells that a block has stored, by where it begins; of a plane by its slice.
    std::map<std::tuple<int64_t, int64_t, int64_t>, std::vector<double>> stored = {};

    const char* text_of(volume_part which) const {
        const part_of_volume& part = MEANT[which];
        return marching ? part.marching : tiled ? part.tiled : part.direct;
    }

    /// The right formula, or the wrong one; of several readings the one above in MEANT.
    int64_t of(volume_part which, const variables& v) const {
        if (which == changed) return wrong->of(v);
        switch (which) {
            case MORE_K:
                return v[K] < v[FILTER_DEPTH];
            case MORE_I:
                return v[I] < v[FILTER_HEIGHT];
            case MORE_J:
                return v[J] < v[FILTER_WIDTH];
            case TAP_PLACE:
                return times(times(v[K], v[FILTER_HEIGHT]) + v[I], v[FILTER_WIDTH]) + v[J];
            case SOURCE_X:
                return (tiled ? v[LEFT] + v[COLUMN] : v[X] + v[J]) - v[FILTER_WIDTH] / 2;
            case SOURCE_Y:
                return (tiled ? v[TOP] + v[ROW] : v[Y] + v[I]) - v[FILTER_HEIGHT] / 2;
            case SOURCE_Z:
                return (tiled && !marching ? v[FRONT] + v[SLICE] : v[Z] + v[K]) - v[FILTER_DEPTH] / 2;
            case IS_VOXEL:
                return shop.is_voxel({int(v[FROM_X]), int(v[FROM_Y]), int(v[FROM_Z])});
            case VOXEL_PLACE:
                return times(times(v[FROM_Z], v[HEIGHT]) + v[FROM_Y], v[WIDTH]) + v[FROM_X];
            case CELLS_X:
                return v[OUTPUTS_X] + v[FILTER_WIDTH] - 1;
            case CELLS_Y:
                return v[OUTPUTS_Y] + v[FILTER_HEIGHT] - 1;
            case CELLS_Z:
                return marching ? 1 : v[OUTPUTS_Z] + v[FILTER_DEPTH] - 1;
            case MORE_CELLS_X:
                return v[COLUMN] < v[TILE_WIDTH];
            case MORE_CELLS_Y:
                return v[ROW] < v[TILE_HEIGHT];
            case MORE_CELLS_Z:
                return v[SLICE] < v[TILE_DEPTH];
            case CELL_STORED:
                return times((marching ? 0 : times(v[SLICE], v[TILE_HEIGHT])) + v[ROW], v[TILE_WIDTH]) +
                       v[COLUMN];
            case CELL_READ:
                return times(
                           (marching ? 0 : times(v[TILE_SLICE] + v[K], v[TILE_HEIGHT])) + v[TILE_ROW] + v[I],
                           v[TILE_WIDTH]) +
                       v[TILE_COLUMN] + v[J];
            default:
                return 0;  // where loops begin
        }
    }

    variables sizes() const {
        const filter& taps = shop.taps();
        variables v{};
        v[WIDTH] = shop.width(), v[HEIGHT] = shop.in().slice_height(), v[DEPTH] = shop.in().depth;
        v[FILTER_WIDTH] = taps.width, v[FILTER_HEIGHT] = taps.slice_height(), v[FILTER_DEPTH] = taps.depth;
        v[OUTPUTS_X] = block[0], v[OUTPUTS_Y] = block[1], v[OUTPUTS_Z] = block[2];
        v[TILE_WIDTH] = of(CELLS_X, v), v[TILE_HEIGHT] = of(CELLS_Y, v), v[TILE_DEPTH] = of(CELLS_Z, v);
        return v;
    }
    /// Cells of a right tile.
    int64_t most_cells(const variables& v) const {
        const int64_t slices = marching ? 1 : v[OUTPUTS_Z] + v[FILTER_DEPTH] - 1;
        return (v[OUTPUTS_X] + v[FILTER_WIDTH] - 1) * (v[OUTPUTS_Y] + v[FILTER_HEIGHT] - 1) * slices;
    }

    /// What a wrong beginning or end of a loop over taps does to it.
    const char* name_of_loop() const {
        constexpr variable COUNTED[] = {K, I, J}, DUE[] = {FILTER_DEPTH, FILTER_HEIGHT, FILTER_WIDTH};
        const int loop = changed / 2;
        variables v = sizes();
        const int64_t due = v[DUE[loop]];
        int64_t rounds = 0;
        for (v[COUNTED[loop]] = of(volume_part(2 * loop), v);
             rounds <= due && of(volume_part(2 * loop + 1), v); v[COUNTED[loop]]++)
            rounds++;
        return rounds == 0 ? "nothing-added" : rounds > due ? "taps-too-many" : "taps-left-out";
    }

    double voxel(variables& v) const {
        v[FROM_X] = of(SOURCE_X, v), v[FROM_Y] = of(SOURCE_Y, v), v[FROM_Z] = of(SOURCE_Z, v);
        if (!of(IS_VOXEL, v)) return 0.0;
        const int64_t place = of(VOXEL_PLACE, v);
        const auto& all = shop.in().pixels;
        return place >= 0 && place < int64_t(all.size()) ? double(all[size_t(place)]) : outside;
    }

    /// What the threads of a block store, each in its loops; where two differ nobody knows which is left.
    std::vector<double> cells_of(variables v) const {
        const int64_t most = most_cells(v), sweeps = marching ? 1 : block[2];
        std::vector<double> cells(size_t(most), NOT_A_NUMBER);
        std::vector<char> set(size_t(most), 0);
        const auto sweep = [&](variable name, volume_part more, int64_t first, int64_t step,
                               const auto& act) {
            v[name] = first;
            for (int64_t round = 0; round < most && of(more, v); round++, v[name] += step)
                act();
        };
        for (int64_t thread = 0; thread < block[0] * block[1] * sweeps; thread++) {
            const int64_t tx = thread % block[0], ty = thread / block[0] % block[1],
                          tz = thread / block[0] / block[1];
            v[TILE_COLUMN] = tx, v[TILE_ROW] = ty, v[TILE_SLICE] = tz;
            sweep(SLICE, MORE_CELLS_Z, tz, sweeps, [&] {
                sweep(ROW, MORE_CELLS_Y, ty, block[1], [&] {
                    sweep(COLUMN, MORE_CELLS_X, tx, block[0], [&] {
                        const int64_t place = of(CELL_STORED, v);
                        if (place < 0 || place >= most) return;
                        const double value = voxel(v);
                        double& cell = cells[size_t(place)];
                        cell = set[size_t(place)] && !(cell == value) ? ANYTHING : value;
                        set[size_t(place)] = 1;
                    });
                });
            });
        }
        return cells;
    }

    /// The cell that CELL_READ names, of those that have been stored or would be where they should.
    double cell(variables& v) {
        const int64_t place = of(CELL_READ, v);
        if (place < 0 || place >= most_cells(v) || v[TILE_WIDTH] < 1 || v[TILE_HEIGHT] < 1) return ANYTHING;
        if (is_of_cells(changed)) {
            const auto [at, is_new] =
                stored.try_emplace({v[LEFT], v[TOP], marching ? v[Z] + v[K] : v[FRONT]});
            if (is_new) at->second = cells_of(v);
            return at->second[size_t(place)];
        }
        const int64_t row = place / v[TILE_WIDTH];
        v[COLUMN] = place % v[TILE_WIDTH];
        v[ROW] = marching ? row : row % v[TILE_HEIGHT];
        v[SLICE] = row / v[TILE_HEIGHT];
        return voxel(v);
    }

    mistaken_value value_at(const pixel_index& out) {
        variables v = sizes();
        v[X] = out.x, v[Y] = out.y % v[HEIGHT], v[Z] = out.y / v[HEIGHT];
        if (tiled) {
            v[TILE_COLUMN] = v[X] % block[0], v[TILE_ROW] = v[Y] % block[1];
            v[LEFT] = v[X] - v[TILE_COLUMN], v[TOP] = v[Y] - v[TILE_ROW];
            if (!marching) v[TILE_SLICE] = v[Z] % block[2], v[FRONT] = v[Z] - v[TILE_SLICE];
        }
        const auto& all_taps = shop.taps().taps;
        double sum = 0.0, magnitude = 0.0, products = 0.0;
        const int64_t most = v[FILTER_WIDTH] + v[FILTER_HEIGHT] + v[FILTER_DEPTH] + MOST_MORE;
        int64_t slices = 0;
        for (v[K] = of(FIRST_K, v); of(MORE_K, v); v[K]++) {
            if (++slices > most) return UNKNOWN;
            int64_t rows = 0;
            for (v[I] = of(FIRST_I, v); of(MORE_I, v); v[I]++) {
                if (++rows > most) return UNKNOWN;
                int64_t columns = 0;
                for (v[J] = of(FIRST_J, v); of(MORE_J, v); v[J]++) {
                    if (++columns > most) return UNKNOWN;
                    // A plane that marches never lies beside the volume.
                    const int64_t plane = v[Z] + v[K] - v[FILTER_DEPTH] / 2;
                    const bool skipped = marching && (plane < 0 || plane >= v[DEPTH]);
                    const double pixel = skipped ? 0.0 : tiled ? cell(v) : voxel(v);
                    if (pixel == 0.0) continue;  // a ghost cell: kernels skip it, whatever tap it meets
                    const int64_t place = of(TAP_PLACE, v);
                    if (std::isinf(pixel) || place < 0 || place >= int64_t(all_taps.size())) return UNKNOWN;
                    const double product = double(all_taps[size_t(place)]) * pixel;
                    sum += product, magnitude += std::abs(product), products++;
                }
            }
        }
        return {sum, (products + 1) * UNIT_ROUNDOFF * 1.001 * magnitude + std::numeric_limits<float>::min()};
    }
};

void mistake_list::workshop::wrong_volume_formulas() {
    const bool inspected = known_.seen && known_.seen->inspected;
    if (!inspected || known_.seen->launches.empty() || taps().taps.size() == 1) return;
    if (uint64_t(in().pixels.size()) * taps().taps.size() > MOST_TRIED) return;
    // Where there is nothing in a direction many formulas give the same.
    if (width() == 1 || in().slice_height() == 1 || in().depth == 1) return;
    const inspect::launch& launch = known_.seen->launches.front();
    volume_kernel kernel{*this};
    kernel.tiled = known_.seen->total().shared.loads.lanes > 0;
    kernel.marching = kernel.tiled && in().depth > 1 && launch.grid[2] * launch.block[2] == 1;
    for (int k = 0; k < 3; k++)
        kernel.block[k] = launch.block[k];
    const bool strays = known_.seen->finds([](const auto& one) {
        return one.direction == "load" && (one.kind == "out-of-bounds" || one.kind == "row-overrun");
    });
    const bool all_taps = reads_all_taps();
    for (int k = 0; k < VOLUME_PARTS; k++) {
        const auto which = volume_part(k);
        const char* const text = kernel.text_of(which);
        if (*text == '\0' || (which <= MORE_J && all_taps)) continue;
        if (is_of_cells(which) && kernel.most_cells(kernel.sizes()) > MOST_CELLS_OF_VOLUME) continue;
        const std::string meant = formula(text).text();
        for (const formula& changed : changes_of_once(text)) {
            const std::string cause = fmt::format("{}: as if it were {}, where {} is meant",
                                                  MEANT[which].sentence, changed.text(), meant);
            for (const double outside : {NOT_A_NUMBER, ANYTHING}) {
                if (std::isinf(outside) && !strays) continue;
                const auto wrong = std::make_shared<volume_kernel>(kernel);
                wrong->changed = which, wrong->wrong = &changed, wrong->outside = outside;
                const char* const id = which <= MORE_J ? wrong->name_of_loop()
                                       : kernel.tiled  ? MEANT[which].tiled_id
                                                       : MEANT[which].id;
                add(id, cause, [this, wrong](size_t value) { return wrong->value_at(split(value)); });
            }
        }
    }
}

}  // namespace check
