// Convolutions with one mistake in the index of a cell: of a tile, a padded image, a texture that answers
// for ghost cells. A whole image is taken for a tile where there is none.
#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "diagnose/launch_tile.h"
#include "diagnose/mistake_workshop.h"

namespace check {

namespace {

/// A cell that a sum reads: of an output (tx, ty) of its tile, tap (i, j), from the tile's first cell on.
struct cell_use {
    int tx, ty, i, j, radius_x, radius_y;
    int row, rows;  // cells of the tile's rows, and how many rows
    int block_x, block_y, tile_x, tile_y;
    int threads_x = tile_x, threads_y = tile_y;  // of a block: cell (x, y) is loaded by thread x % threads_x
};

struct cell {
    int x, y;
};

struct cell_mistake {
    const char* cause;
    cell (*place)(const cell_use&);
    bool in_columns = true, in_rows = true;  // the filter must have them for it to be a mistake
};

/// Cell number `flat` of a tile that is read with another length of its rows.
cell at_flat(const cell_use& use, int flat) {
    return flat < 0 ? cell{-1, -1} : cell{flat % use.row, flat / use.row};
}

const cell_mistake READS[] = {
    {"j is missing in the index of the cell",
     [](const cell_use& u) {
         return cell{u.tx, u.ty + u.i};
     }},
    {"the output's own column is missing in the index of the cell",
     [](const cell_use& u) {
         return cell{u.j, u.ty + u.i};
     }},
    {"cells are taken from the other side of the output: x - j",
     [](const cell_use& u) {
         return cell{u.tx - u.j, u.ty + u.i};
     }},
    {"cells are taken from the other side of the output: x + r - j",
     [](const cell_use& u) {
         return cell{u.tx + 2 * u.radius_x - u.j, u.ty + u.i};
     }},
    {"the output's column is taken away, not added",
     [](const cell_use& u) {
         return cell{u.j - u.tx, u.ty + u.i};
     }},
    {"the output's column is taken away, not added",
     [](const cell_use& u) {
         return cell{2 * u.radius_x - u.tx + u.j - u.radius_x, u.ty + u.i};
     }},
    {"every cell is read from one place after its own",
     [](const cell_use& u) { return at_flat(u, (u.ty + u.i) * u.row + u.tx + u.j + 1); }},
    {"every cell is read from one place before its own",
     [](const cell_use& u) { return at_flat(u, (u.ty + u.i) * u.row + u.tx + u.j - 1); }},
    {"every output of a thread reads the cells of its first",
     [](const cell_use& u) {
         return cell{u.tx % u.threads_x + u.j, u.ty + u.i};
     }},
    {"every output of a thread reads the cells of its second",
     [](const cell_use& u) {
         return cell{u.threads_x + u.tx % u.threads_x + u.j, u.ty + u.i};
     }},
    {"the outputs of a thread read cells beside each other, where they lie a block apart",
     [](const cell_use& u) {
         return cell{u.tx % u.threads_x + u.tx / u.threads_x + u.j, u.ty + u.i};
     }},
    {"the radius is missing in the index of the cell",
     [](const cell_use& u) {
         return cell{u.tx + u.j - u.radius_x, u.ty + u.i};
     }},
    {"the radius is added twice in the index of the cell",
     [](const cell_use& u) {
         return cell{u.tx + u.j + u.radius_x, u.ty + u.i};
     }},
};

const cell_mistake ROW_READS[] = {
    {"i is missing in the index of the cell",
     [](const cell_use& u) {
         return cell{u.tx + u.j, u.ty};
     }},
    {"the output's own row is missing in the index of the cell",
     [](const cell_use& u) {
         return cell{u.tx + u.j, u.i};
     }},
    {"i is used where j is meant in the index of the cell",
     [](const cell_use& u) {
         return cell{u.tx + u.i, u.ty + u.i};
     }},
    {"j is used where i is meant in the index of the cell",
     [](const cell_use& u) {
         return cell{u.tx + u.j, u.ty + u.j};
     }},
    {"rows and columns of the output change places in the index of the cell",
     [](const cell_use& u) {
         return cell{u.ty + u.j, u.ty + u.i};
     }},
    {"rows and columns of the output change places in the index of the cell",
     [](const cell_use& u) {
         return cell{u.tx + u.j, u.tx + u.i};
     }},
    {"cells are taken from the other side of the output: y - i",
     [](const cell_use& u) {
         return cell{u.tx + u.j, u.ty - u.i};
     }},
    {"cells are taken from the other side of the output: y + r - i",
     [](const cell_use& u) {
         return cell{u.tx + u.j, u.ty + 2 * u.radius_y - u.i};
     }},
    {"the output's row is taken away, not added",
     [](const cell_use& u) {
         return cell{u.tx + u.j, u.i - u.ty};
     }},
    {"the radius is missing in the row of the cell",
     [](const cell_use& u) {
         return cell{u.tx + u.j, u.ty + u.i - u.radius_y};
     }},
    {"the radius is added twice in the row of the cell",
     [](const cell_use& u) {
         return cell{u.tx + u.j, u.ty + u.i + u.radius_y};
     }},
    {"the radius is missing in the row and the column of the cell",
     [](const cell_use& u) {
         return cell{u.tx + u.j - u.radius_x, u.ty + u.i - u.radius_y};
     }},
    {"the radius is added twice in the row and the column of the cell",
     [](const cell_use& u) {
         return cell{u.tx + u.j + u.radius_x, u.ty + u.i + u.radius_y};
     }},
    {"the row is missing in the index of the cell",
     [](const cell_use& u) {
         return cell{u.tx + u.j, 0};
     }},
    {"the column is missing in the index of the cell",
     [](const cell_use& u) {
         return cell{0, u.ty + u.i};
     }},
    {"every cell is read from the row after its own",
     [](const cell_use& u) {
         return cell{u.tx + u.j, u.ty + u.i + 1};
     }},
    {"every cell is read from the row before its own",
     [](const cell_use& u) {
         return cell{u.tx + u.j, u.ty + u.i - 1};
     }},
    {"the row is not multiplied by the length of a row",
     [](const cell_use& u) { return at_flat(u, u.ty + u.i + u.tx + u.j); }},
    {"the row is added to the length of a row, not multiplied by it",
     [](const cell_use& u) { return at_flat(u, u.ty + u.i + u.row + u.tx + u.j); }},
    {"all but the row of taps is multiplied by the length of a row",
     [](const cell_use& u) { return at_flat(u, u.ty + u.i * u.row + u.tx + u.j); }},
    {"rows are read as if they were as long as there are outputs in them, without the halo",
     [](const cell_use& u) { return at_flat(u, (u.ty + u.i) * (u.row - 2 * u.radius_x) + u.tx + u.j); }},
    {"the output's row is counted in rows without the halo",
     [](const cell_use& u) {
         return at_flat(u, u.ty * (u.row - 2 * u.radius_x) + u.i * u.row + u.tx + u.j);
     }},
    {"the row of taps is counted in rows without the halo",
     [](const cell_use& u) {
         return at_flat(u, u.ty * u.row + u.i * (u.row - 2 * u.radius_x) + u.tx + u.j);
     }},
    {"the row of taps is counted in rows of the filter",
     [](const cell_use& u) { return at_flat(u, u.ty * u.row + u.i * (2 * u.radius_x + 1) + u.tx + u.j); }},
};

/// The length of rows. Of a tile misread_rows() tells them, with numbers.
const cell_mistake ROW_LENGTHS[] = {
    {"rows are taken to be as long as there are rows",
     [](const cell_use& u) { return at_flat(u, (u.ty + u.i) * u.rows + u.tx + u.j); }},
    {"rows are taken to be one cell longer",
     [](const cell_use& u) { return at_flat(u, (u.ty + u.i) * (u.row + 1) + u.tx + u.j); }},
    {"rows are taken to be one cell shorter",
     [](const cell_use& u) { return at_flat(u, (u.ty + u.i) * (u.row - 1) + u.tx + u.j); }},
    {"rows are taken to have a halo on one side alone",
     [](const cell_use& u) { return at_flat(u, (u.ty + u.i) * (u.row - u.radius_x) + u.tx + u.j); }},
};

/// Places in the image that a cell is loaded from, for (x, y) from the tile's first cell on.
struct source_mistake {
    const char* cause;
    cell (*place)(const cell_use&, int x, int y);
};

const source_mistake SOURCES[] = {
    {"every block loads the columns of the first",
     [](const cell_use& u, int x, int y) {
         return cell{x, u.block_y * u.tile_y + y};
     }},
    {"blocks load columns from the number of their block on",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x + x, u.block_y * u.tile_y + y};
     }},
    {"blocks load columns from the number of their block and a tile on",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x + u.tile_x + x, u.block_y * u.tile_y + y};
     }},
    {"the column of the cell is missing where it is loaded from",
     [](const cell_use& u, int, int y) {
         return cell{u.block_x * u.tile_x, u.block_y * u.tile_y + y};
     }},
    {"every block loads the columns of the second",
     [](const cell_use& u, int x, int y) {
         return cell{u.tile_x + x, u.block_y * u.tile_y + y};
     }},
    {"a thread's own column is there twice where a cell is loaded from",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x + 2 * (x % u.threads_x), u.block_y * u.tile_y + y};
     }},
    {"a thread's row is taken away where its column is meant",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x + x % u.threads_x - y % u.threads_y, u.block_y * u.tile_y + y};
     }},
    {"columns are loaded from where the output's row says",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_y * u.threads_y + y % u.threads_y - x % u.threads_x + x,
                     u.block_y * u.tile_y + y};
     }},
    {"blocks load columns as if their tiles were as wide as they are",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.threads_x + x, u.block_y * u.tile_y + y};
     }},
    {"columns are loaded backwards",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x - x, u.block_y * u.tile_y + y};
     }},
    {"columns are loaded from the other side of the radius",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x + 2 * u.radius_x, u.block_y * u.tile_y + y};
     }},
    {"columns are loaded from where the radius of the rows says",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x + u.radius_x - u.radius_y, u.block_y * u.tile_y + y};
     }},
};

const source_mistake ROW_SOURCES[] = {
    {"every block loads the rows of the first",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x, y};
     }},
    {"blocks load rows from the number of their block on",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x, u.block_y + y};
     }},
    {"blocks load rows from the number of their block and a tile on",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x, u.block_y + u.tile_y + y};
     }},
    {"the row of the cell is missing where it is loaded from",
     [](const cell_use& u, int x, int) {
         return cell{u.block_x * u.tile_x + x, u.block_y * u.tile_y};
     }},
    {"every block loads the rows of the second",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x, u.tile_y + y};
     }},
    {"a thread's own row is there twice where a cell is loaded from",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x, u.block_y * u.tile_y + y + 2 * (y % u.threads_y)};
     }},
    {"a thread's column is taken away where its row is meant",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x, u.block_y * u.tile_y + y + y % u.threads_y - x % u.threads_x};
     }},
    {"rows are loaded from where the output's column says",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x,
                     u.block_x * u.threads_x + x % u.threads_x - y % u.threads_y + y};
     }},
    {"blocks load rows as if their tiles were as high as they are",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x, u.block_y * u.threads_y + y};
     }},
    {"blocks load as if their tiles were as wide and high as they are: is it blockDim where tile is meant?",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.threads_x + x, u.block_y * u.threads_y + y};
     }},
    {"rows are loaded backwards",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x, u.block_y * u.tile_y - y};
     }},
    {"rows are loaded from the other side of the radius",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x, u.block_y * u.tile_y + y + 2 * u.radius_y};
     }},
    {"rows are loaded from where the radius of the columns says",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x, u.block_y * u.tile_y + y + u.radius_y - u.radius_x};
     }},
    {"the column of the cell stands in the place of its row where it is loaded from",
     [](const cell_use& u, int x, int) {
         return cell{u.block_x * u.tile_x + x, u.block_y * u.tile_y + x};
     }},
    {"the row of the cell stands in the place of its column where it is loaded from",
     [](const cell_use& u, int, int y) {
         return cell{u.block_x * u.tile_x + y, u.block_y * u.tile_y + y};
     }},
    {"columns are loaded from where the block's row says",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_y * u.tile_x + x, u.block_y * u.tile_y + y};
     }},
    {"rows are loaded from where the block's column says",
     [](const cell_use& u, int x, int y) {
         return cell{u.block_x * u.tile_x + x, u.block_x * u.tile_y + y};
     }},
};

/// Cells that are stored in the place of (x, y).
struct store_mistake {
    const char* cause;
    int (*place)(int x, int y, int row);
};

const store_mistake STORES[] = {
    {"every cell is stored one place after its own", [](int x, int y, int row) { return y * row + x + 1; }},
    {"every cell is stored one place before its own", [](int x, int y, int row) { return y * row + x - 1; }},
    {"the column is taken away where a cell is stored", [](int x, int y, int row) { return y * row - x; }},
    {"the column is missing where a cell is stored", [](int, int y, int row) { return y * row; }},
    {"the row is missing where a cell is stored", [](int x, int, int) { return x; }},
    {"every row is stored in the second one", [](int x, int, int row) { return row + x; }},
    {"the row is never multiplied where a cell is stored", [](int x, int y, int) { return y + x; }},
    {"the row is added to the length of a row where a cell is stored",
     [](int x, int y, int row) { return y + row + x; }},
    {"the row is divided by the length of a row where a cell is stored",
     [](int x, int y, int row) { return y / row + x; }},
    {"the column stands where the row is meant, where a cell is stored",
     [](int x, int, int row) { return x * row + x; }},
    {"row and column change places where a cell is stored",
     [](int x, int y, int row) { return x * row + y; }},
    {"row and column are multiplied where a cell is stored",
     [](int x, int y, int row) { return y * row * x; }},
};

/// Pixels that blocks load if every cell of their tile comes from another place.
uint64_t loads_of_tiles(const problem_2d& problem, cell_use use, const source_mistake& mistaken) {
    const int width = problem.in.width, height = problem.in.height;
    uint64_t loads = 0;
    for (use.block_y = 0; use.block_y * use.tile_y < height; use.block_y++) {
        for (use.block_x = 0; use.block_x * use.tile_x < width; use.block_x++) {
            for (int k = 0; k < use.row * use.rows; k++) {
                const cell at = mistaken.place(use, k % use.row, k / use.row);
                const int x = at.x - use.radius_x, y = at.y - use.radius_y;
                loads += x >= 0 && x < width && y >= 0 && y < height;
            }
        }
    }
    return loads * uint64_t(problem.in.channels);
}

}  // namespace

void mistake_list::workshop::misplaced_cells() {
    if (taps().taps.size() == 1) return;
    std::set<std::pair<int, int>> tiles = {{width(), height()}};
    for (const auto& [tile_x, tile_y] : possible_tiles()) {
        // A block that covers the array has nothing beside its tile: much is right there that is wrong elsewhere.
        if (one_dimensional_ || tile_x < width() || tile_y < height())
            tiles.insert({tile_x, one_dimensional_ ? 1 : tile_y});
        else if (known_.seen && known_.seen->total().shared.stores.lanes > 0)
            misread_rows(tile_x, tile_y, true);  // a row's length matters in one block, too
    }
    for (const auto& [tile_x, tile_y] : tiles)
        misplaced_cells(tile_x, tile_y);
}

void mistake_list::workshop::misplaced_cells(int tile_x, int tile_y) {
    const bool whole = tile_x == width() && tile_y == height();
    const bool tiled = known_.seen && known_.seen->total().shared.stores.lanes > 0;
    const bool launched = known_.seen && known_.seen->launches.size() == 1;
    const auto* const launch_of_all = launched ? &known_.seen->launches.front() : nullptr;
    const int threads_x = launched ? int(known_.seen->launches.front().block[0]) : tile_x;
    const int threads_y = launched ? int(known_.seen->launches.front().block[1]) : tile_y;
    const auto use_of = [=, this](const pixel_index& out, int i, int j) {
        return cell_use{out.x % tile_x,
                        out.y % tile_y,
                        i,
                        j,
                        radius_x(),
                        radius_y(),
                        tile_x + taps().width - 1,
                        tile_y + taps().height - 1,
                        out.x / tile_x,
                        out.y / tile_y,
                        tile_x,
                        tile_y,
                        threads_x,
                        threads_y};
    };
    // Loads tell whether a tile was filled from elsewhere or is read beside its cells.
    const auto* launch =
        tiled && known_.seen->launches.size() == 1 ? &known_.seen->launches.front() : nullptr;
    const output_tile known_tile = launch ? tile_of(*launch, problem_) : output_tile{};
    const uint64_t loaded = known_.seen ? known_.seen->of("in").loads.lanes : 0;
    const bool is_known = known_tile.width == tile_x && (one_dimensional_ || known_tile.height == tile_y);
    const bool counted = known_tile.has_halo && loaded > 0 && (is_known || (whole && launch->blocks() == 1));
    const bool well_filled = !counted || loads_as_many_as_right(problem_, *known_.seen);
    // Who reads beside a tile is found out by the inspector.
    const double beside =
        tiled && known_.seen->inspected && !has_errors_in_shared_memory() ? NEVER_READ : ANYTHING;
    const auto reading = [&](const cell_mistake& mistaken) {
        sum_rule rule = right();
        rule.read = [this, use_of, beside, &mistaken](const pixel_index& out, int i, int j) {
            const cell_use use = use_of(out, i, j);
            const cell at = mistaken.place(use);
            if (at.y < 0 || at.y >= use.rows) return beside;
            if (at.x < 0 || at.x >= use.row) return ANYTHING;
            return pixel(use.block_x * use.tile_x + at.x - radius_x(),
                         use.block_y * use.tile_y + at.y - radius_y(), out.channel, problem_.border);
        };
        add(tiled ? "tile-index-wrong" : "neighbour-index-wrong", mistaken.cause, rule);
    };
    const auto loading = [&](const source_mistake& mistaken) {
        if (counted && loads_of_tiles(problem_, use_of({0, 0, 0}, 0, 0), mistaken) != loaded) return;
        sum_rule rule = right();
        rule.read = [this, use_of, &mistaken](const pixel_index& out, int i, int j) {
            const cell_use use = use_of(out, i, j);
            const cell at = mistaken.place(use, use.tx + j, use.ty + i);
            return pixel(at.x - radius_x(), at.y - radius_y(), out.channel, problem_.border);
        };
        add("tile-source-wrong", mistaken.cause, rule);
    };
    for (const cell_mistake& mistaken : READS)
        if (has_columns() && well_filled) reading(mistaken);
    for (const cell_mistake& mistaken : ROW_READS)
        if (!one_dimensional_ && well_filled) reading(mistaken);
    for (const cell_mistake& mistaken : ROW_LENGTHS)
        if (!one_dimensional_ && !tiled && well_filled) reading(mistaken);
    if (!one_dimensional_) misread_rows(tile_x, tile_y, tiled);
    if (!one_dimensional_ && well_filled) misstored_cells(tile_x, tile_y, tiled);
    // Without a tile nothing is loaded into one.
    const bool may_be_tiled = tiled || !known_.seen || !known_.seen->inspected ||
                              (launch_of_all && launch_of_all->dynamic_shared > 0);
    if ((whole && !tiled) || !may_be_tiled) return;
    const bool strays =
        has_errors_in_shared_memory();  // what is read beside the tile comes from no place of the input
    for (const source_mistake& mistaken : SOURCES)
        if (!strays) loading(mistaken);
    for (const source_mistake& mistaken : ROW_SOURCES)
        if (!strays && !one_dimensional_) loading(mistaken);
    const bool has_room = !launch || launch->dynamic_shared == 0 ||
                          launch->dynamic_shared >= sizeof(float) * size_t(tile_x + taps().width - 1);
    if (one_dimensional_ && !whole) spoiled_parts(tile_x, has_room);
}

/// Cells of a tile or of a padded image are stored beside their place. Where two are stored in one place, the host
/// leaves the last of them, and threads leave any.
void mistake_list::workshop::misstored_cells(int tile_x, int tile_y, bool tiled) {
    const int row = tile_x + taps().width - 1, rows = tile_y + taps().height - 1;
    const bool ghosts_stored = tiled || problem_.border != lab::border::zero;
    constexpr int NOBODY = -1, SEVERAL = -2;
    for (const store_mistake& mistaken : STORES) {
        const auto source = std::make_shared<std::vector<int>>(size_t(row) * rows, NOBODY);
        for (int k = 0; k < row * rows; k++) {
            const int x = k % row, y = k / row, stored = mistaken.place(x, y, row);
            if (!ghosts_stored && !inside(x - radius_x(), y - radius_y())) continue;
            if (stored < 0 || stored >= row * rows) continue;
            int& from = (*source)[size_t(stored)];
            from = tiled && from != NOBODY ? SEVERAL : k;
        }
        for (const double unset : {0.0, NOT_A_NUMBER}) {
            if (!tiled && unset != 0.0) continue;
            sum_rule rule = right();
            rule.read = [=, this](const pixel_index& out, int i, int j) {
                const int cell = (out.y % tile_y + i) * row + out.x % tile_x + j;
                const int from = (*source)[size_t(cell)];
                if (from < 0) return from == NOBODY ? unset : ANYTHING;
                return pixel(out.x / tile_x * tile_x + from % row - radius_x(),
                             out.y / tile_y * tile_y + from / row - radius_y(), out.channel, problem_.border);
            };
            add(tiled ? "tile-index-wrong" : "padding-misplaced", mistaken.cause, rule);
        }
    }
}

/// Rows of a tile or of a padded image are stored with one length and read with another.
void mistake_list::workshop::misread_rows(int tile_x, int tile_y, bool tiled) {
    const int row = tile_x + taps().width - 1, rows = tile_y + taps().height - 1;
    // Where rows of a padded image run into each other the last that stores a cell counts; a ghost cell of 0 is not stored.
    const auto stored_last = [this, row, rows](int cell, int stored, int channel) {
        for (int y = std::min(cell / stored, rows - 1); y >= 0 && cell - y * stored < row; y--) {
            const int x = cell - y * stored - radius_x();
            if (problem_.border != lab::border::zero || inside(x, y - radius_y()))
                return pixel(x, y - radius_y(), channel, problem_.border);
        }
        return 0.0;
    };
    const bool launched = tiled && known_.seen && !known_.seen->launches.empty();
    const int cells = launched ? int(known_.seen->launches.front().dynamic_shared / sizeof(float)) : 0;
    const int gapped = cells % rows == 0 && cells / rows > row ? cells / rows : 0;  // with a gap behind each
    const auto add_rows = [&](int stored, int read) {
        sum_rule rule = right();
        rule.read = [=, this](const pixel_index& out, int i, int j) {
            const int cell = (out.y % tile_y + i) * read + out.x % tile_x + j;
            if (!tiled && stored < row && cell < row * rows) return stored_last(cell, stored, out.channel);
            if (cell >= stored * rows || (cell % stored >= row && stored == gapped)) return ANYTHING;
            return pixel(out.x / tile_x * tile_x + cell % stored - radius_x(),
                         out.y / tile_y * tile_y + cell / stored - radius_y(), out.channel, problem_.border);
        };
        const char* const what = tiled ? "tile" : "padded image";
        add(tiled ? "tile-index-wrong" : "padding-ignored",
            stored == read
                ? fmt::format("rows of the {} are {} cells long, and have to be {}", what, stored, row)
                : fmt::format(
                      "rows of the {} are {} cells long where they are stored and {} where they are read",
                      what, stored, read),
            rule);
    };
    // One more or less, a radius or both forgotten or counted twice, the other side, a gap in one place alone.
    const int r = radius_x();
    for (const int other :
         std::set{row - 2 * r, row - r, row - 1, row + 1, row + r, row + 2 * r, rows, gapped}) {
        if (other == row || other < 1) continue;
        add_rows(row, other);
        add_rows(other, row);
        if (tiled) add_rows(other, other);
    }
}

/// The left halo, the tile itself or the right halo of an array's tile is empty or comes from elsewhere.
void mistake_list::workshop::spoiled_parts(int tile, bool halo_has_room) {
    const bool strays = has_errors_in_shared_memory();
    const char* const NAMES[] = {"the left halo", "the tile between its halos", "the right halo"};
    for (const int part : {0, 1, 2}) {
        const auto changed = [&](const std::string& id, const std::string& cause,
                                 std::function<double(int begin, int x)> source) {
            sum_rule rule = right();
            rule.read = [this, tile, part, source](const pixel_index& out, int, int j) {
                const int begin = out.x / tile * tile, x = out.x + j - radius_x();
                const int own = x < begin ? 0 : x < begin + tile ? 1 : 2;
                return own == part ? source(begin, x) : pixel(x, 0, 0, problem_.border);
            };
            add(id, NAMES[part] + cause, rule);
        };
        const auto at = [this](int x) { return pixel(x, 0, 0, problem_.border); };
        // Without the inspector cells that nobody has stored may hold 0 as well, and so may those beside the tile.
        if (known_.seen && known_.seen->inspected && (part != 1 || halo_has_room) && !reads_beside_tile())
            changed("tile-partly-loaded", " holds 0: is it loaded, or taken for ghost cells?",
                    [](int, int) { return 0.0; });
        if (strays) continue;  // what is read beside the tile comes from no place of the input
        const int first = part == 0 ? -radius_x() : part == 1 ? 0 : tile;
        changed("tile-source-wrong", " is loaded backwards",
                [at, first](int begin, int x) { return at(begin + first - (x - begin - first)); });
        if (part != 0)  // else these are ghost cells
            changed("tile-source-wrong", " is loaded without its block's place",
                    [at](int begin, int x) { return at(x - begin); });
        changed("tile-source-wrong", " is loaded from the block's first element on",
                [at, first](int, int x) { return at(x - first); });
        changed("tile-source-wrong", " is loaded from the other side of the radius",
                [this, at](int, int x) { return at(x + 2 * radius_x()); });
        // Moved after the test for ghost cells; who moves it before, see halos_of_rows().
        for (const int step : {1, -1}) {
            changed("tile-source-wrong",
                    fmt::format(" holds the element {} every cell's own", step > 0 ? "after" : "before"),
                    [this, at, step](int, int x) { return x < 0 || x >= width() ? 0.0 : at(x + step); });
        }
        changed("tile-source-wrong", " holds one element many times",
                [at, first](int begin, int) { return at(begin + first); });
    }
}

}  // namespace check
