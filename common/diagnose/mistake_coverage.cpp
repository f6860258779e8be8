// Convolutions with one mistake in who computes and stores what, and in what the kernel can reach.
#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "diagnose/launch_tile.h"
#include "diagnose/mistake_workshop.h"

namespace check {

namespace {

constexpr int MOST_SPARE_COLUMNS = 1024;  // of the last blocks

std::string product(unsigned blocks, unsigned threads) {
    return fmt::format("{} x {} = {}", blocks, threads, blocks * threads);
}

int blocks_for(int size, unsigned block) {
    return (size + int(block) - 1) / int(block);
}

}  // namespace

/// Right where `written`, unwritten elsewhere.
void mistake_list::workshop::add_unwritten(const std::string& id, const std::string& cause,
                                           std::function<bool(int x, int y)> written) {
    add_by_place(id, cause, [this, written, rule = right()](size_t value) {
        const pixel_index out = split(value);
        return written(out.x, out.y) ? rule.at(out) : UNWRITTEN;
    });
}

void mistake_list::workshop::unwritten_parts() {
    const inspect::report* seen = known_.seen;
    if (!seen || !seen->inspected || seen->launches.size() != 1) return;
    narrow_indices(seen->launches.front());
    // Where unset memory was read, NaN need not mean that nothing was stored.
    if (seen->has_error("uninitialised-read") || seen->has_error("out-of-bounds")) return;
    missing_blocks(seen->launches.front());
    missing_outputs(seen->launches.front());
}

void mistake_list::workshop::missing_blocks(const inspect::launch& launch) {
    const unsigned blocks_x = launch.grid[0], blocks_y = launch.grid[1];
    const unsigned block_x = launch.block[0], block_y = launch.block[1];
    const int threads_x = int(blocks_x * block_x), threads_y = one_dimensional_ ? 1 : int(blocks_y * block_y);
    if (blocks_x > 1 || blocks_y > 1) {
        add_unwritten("only-first-block",
                      "every block computes what belongs to block 0: blockIdx is not used",
                      [block_x, block_y](int x, int y) { return x < int(block_x) && y < int(block_y); });
    }
    // A tile that is larger than the block and its halo has several outputs a thread: then threads do not
    // tell how much a grid covers.
    const size_t tile_bytes =
        sizeof(float) * (block_x + size_t(taps().width) - 1) * (block_y + size_t(taps().height) - 1);
    const bool short_x = threads_x < width(), short_y = threads_y < height();
    if (launch.dynamic_shared <= tile_bytes) {
        const int whole_x = std::max(1, width() / int(block_x)),
                  whole_y = std::max(1, height() / int(block_y));
        const int all_x = blocks_for(width(), block_x), all_y = blocks_for(height(), block_y);
        for (const auto& [of_columns, of_rows] : {std::pair{true, false}, {false, true}, {true, true}}) {
            if (of_rows && one_dimensional_) continue;
            const std::string threads =
                of_columns ? fmt::format("{} threads for {} {}", product(blocks_x, block_x), width(),
                                         one_dimensional_ ? "elements" : "columns")
                           : fmt::format("{} threads for {} rows", product(blocks_y, block_y), height());
            add_grid("grid-rounded-down",
                     "the grid is too small: " + threads + "; round the number of blocks up", launch,
                     {of_columns ? whole_x : all_x, of_rows ? whole_y : all_y}, {int(block_x), int(block_y)});
        }
    }
    if (!one_dimensional_) swapped_grid(launch);
    if (!one_dimensional_ && block_x != block_y) swapped_blocks(launch);
    // Warps that store down a column; else a guard may give the same.
    constexpr double SCATTERED = 16;  // sectors per request, of at most 32
    if (!one_dimensional_ && channels() == 1 && !short_x && !short_y &&
        (threads_y < width() || threads_x < height()) &&
        launch.total.global.stores.sectors_per_request() >= SCATTERED) {
        add_unwritten("thread-index-wrong",
                      "x is counted down the grid, and y across: do .x and .y change places?",
                      [=](int x, int y) { return x < threads_y && y < threads_x; });
    }
}

/// A grid of so many blocks that cover a tile each. In a case where the grid is another one this mistake was not made,
/// right or wrong as its results may be: then it gives nothing.
void mistake_list::workshop::add_grid(const std::string& id, const std::string& cause,
                                      const inspect::launch& launch, std::pair<int, int> blocks,
                                      std::pair<int, int> tile) {
    const bool launched = int(launch.grid[0]) == blocks.first && int(launch.grid[1]) == blocks.second;
    const int columns = launched ? blocks.first * tile.first : 0, rows = blocks.second * tile.second;
    add_unwritten(id, cause, [columns, rows](int x, int y) { return x < columns && y < rows; });
}

void mistake_list::workshop::swapped_grid(const inspect::launch& launch) {
    std::set<std::pair<int, int>> tiles = {{int(launch.block[0]), int(launch.block[1])}};
    for (const auto& tile : possible_tiles()) {
        // A grid of either order tells the tile.
        const auto fits = [&](int across, int down) {
            return int(launch.grid[0]) == blocks_for(across, unsigned(tile.first)) &&
                   int(launch.grid[1]) == blocks_for(down, unsigned(tile.second));
        };
        if (fits(height(), width()) || fits(width(), height())) tiles.insert(tile);
    }
    for (const auto& tile : tiles) {
        const auto across = [&](int size) { return blocks_for(size, unsigned(tile.first)); };
        const auto down = [&](int size) { return blocks_for(size, unsigned(tile.second)); };
        add_grid("grid-too-small", "the grid has as many blocks for the height as for the width", launch,
                 {across(width()), down(width())}, tile);
        add_grid("grid-too-small", "the grid has as many blocks for the width as for the height", launch,
                 {across(height()), down(height())}, tile);
        // Its arguments are exchanged, or the sides of the image in them.
        for (const auto& blocks :
             {std::pair{down(height()), across(width())}, {across(height()), down(width())}})
            add_grid("grid-swapped", "the grid has its blocks for the width in y and for the height in x",
                     launch, blocks, tile);
    }
}

/// Blocks of 8 x 32 threads in a grid for blocks of 32 x 8: of pixels, or of the values of a row.
void mistake_list::workshop::swapped_blocks(const inspect::launch& launch) {
    const unsigned block_x = launch.block[0], block_y = launch.block[1];
    const int threads_x = int(launch.grid[0] * block_x), threads_y = int(launch.grid[1] * block_y);
    for (const int values : std::set{1, channels()}) {  // of a pixel that has threads of its own
        const int row = width() * values;
        const bool made_for_other = int(launch.grid[0]) == blocks_for(row, block_y) &&
                                    int(launch.grid[1]) == blocks_for(height(), block_x);
        if (!made_for_other || (threads_x >= row && threads_y >= height())) continue;
        // One of them says nothing, and both may be those of a grid whose arguments are exchanged.
        const int blocks_x = int(launch.grid[0]), blocks_y = int(launch.grid[1]);
        const bool sure = blocks_x != blocks_for(row, block_x) && blocks_y != blocks_for(height(), block_y) &&
                          (blocks_x != blocks_for(height(), block_y) || blocks_y != blocks_for(row, block_x));
        add_by_place(sure ? "block-swapped" : "grid-too-small",
                     fmt::format("blocks are {} wide and {} high, the grid is {}made for {} wide and {} high",
                                 block_x, block_y, sure ? "" : "too small: as if ", block_y, block_x),
                     [=, this, rule = right()](size_t value) {
                         const pixel_index out = split(value);
                         const int column = values == 1 ? out.x : out.x * values + out.channel;
                         return column < threads_x && out.y < threads_y ? rule.at(out) : UNWRITTEN;
                     });
    }
}

/// An index that begins anew, below 0 or at 0, where its type ends: the outputs from there on have nobody.
void mistake_list::workshop::narrow_indices(const inspect::launch& launch) {
    const int64_t threads_x = int64_t(launch.grid[0]) * launch.block[0];
    const int64_t threads_y = int64_t(launch.grid[1]) * launch.block[1];
    if (threads_x < width() || (threads_y < height() && !one_dimensional_)) return;
    for (const auto& [limit, type] : {std::pair{1 << 15, "short"}, {1 << 16, "unsigned short"}}) {
        const auto text = [limit = limit, type = type](const std::string& of_what) {
            return fmt::format("nothing is stored from {} {} on: is an index of type {}?", of_what, limit,
                               type);
        };
        const auto add_limit = [&](const std::string& of_what, std::function<bool(int x, int y)> written) {
            add_unwritten("index-too-narrow", text(of_what), std::move(written));
        };
        const int end = limit;
        if (width() > end)
            add_limit(one_dimensional_ ? "element" : "column", [end](int x, int) { return x < end; });
        if (height() > end) add_limit("row", [end](int, int y) { return y < end; });
        if (!one_dimensional_ && channels() == 1 && int64_t(width()) * height() > end)
            add_limit("output", [this, end](int x, int y) { return int64_t(y) * width() + x < end; });
    }
}

void mistake_list::workshop::missing_outputs(const inspect::launch& launch) {
    const int block_x = int(launch.block[0]), block_y = int(launch.block[1]);
    const bool rows_fit = one_dimensional_ || int(launch.grid[1]) == blocks_for(height(), launch.block[1]);
    for (int factor = 2; factor <= MOST_FACTOR; factor *= 2) {
        const int tile = factor * block_x;
        const std::string several = fmt::format(" of the {} outputs of a thread", factor);
        if (rows_fit && int(launch.grid[0]) == blocks_for(width(), unsigned(tile))) {
            if (launch.grid[0] > 1)  // else there are threads for one block of outputs, and no others
                add_unwritten("only-first-output", "only the first" + several + " is stored",
                              [=](int x, int) { return x % tile < block_x; });
            side_by_side(factor, block_x);
            add_unwritten(
                "guard-by-last-output",
                "a thread stores nothing if the last" + several + " is outside the image",
                [=, this](int x, int) { return x / tile * tile + x % block_x + tile - block_x < width(); });
        }
    }
    for (int tile = 2 * block_y; !one_dimensional_ && tile <= 32 * block_y; tile *= 2) {
        if (launch.grid[1] < 2 || int(launch.grid[1]) != blocks_for(height(), unsigned(tile))) continue;
        add_unwritten(
            "rows-left-out",
            fmt::format(
                "only the first {} rows of every {} are computed: is there a loop over the rows of a tile?",
                block_y, tile),
            [=](int, int y) { return y % tile < block_y; });
    }
    if (height() > width() && !one_dimensional_) {
        add_unwritten("square-guard",
                      "only as many rows are written as the image is wide: is y compared with the width?",
                      [this](int, int y) { return y < width(); });
    }
    if (taps().taps.size() > 1 && launch.total.global.stores.lanes < in().pixels.size()) {
        add_unwritten("overhang-not-written",
                      one_dimensional_ ? "elements whose filter reaches past an end are never written"
                                       : "pixels whose filter overhangs the image are never written",
                      [this](int x, int y) { return !overhangs(x, y); });
    }
}

/// The outputs of a thread are meant to lie a block apart, and it takes those beside its first: where it stores,
/// where it sums, or both.
void mistake_list::workshop::side_by_side(int factor, int block) {
    const int tile = factor * block;
    const std::string apart =
        fmt::format("beside each other (+ n), where they lie a block apart (+ n * {})", block);
    add_by_place("thread-index-wrong", "the outputs of a thread are summed and stored " + apart,
                 [=, this, rule = right()](size_t value) {
                     const pixel_index out = split(value);
                     return out.x % tile < block + factor - 1 ? rule.at(out) : UNWRITTEN;
                 });
    add("thread-index-wrong", "the outputs of a thread are summed " + apart,
        [=, this, rule = right()](size_t value) {
            const pixel_index out = split(value);
            const int column = out.x % tile;
            return rule.at({out.x - column + column % block + column / block, out.y, out.channel});
        });
    found_.push_back({"thread-index-wrong", "the outputs of a thread are stored " + apart,
                      [=, this, rule = right()](size_t value) {
                          const pixel_index out = split(value);
                          const int column = out.x % tile, first = out.x - column;
                          std::vector<mistaken_value> stored;
                          for (int n = 0; n < factor; n++) {
                              if (column - n < 0 || column - n >= block) continue;
                              stored.push_back(rule.at({first + column - n + n * block, out.y, out.channel}));
                          }
                          if (stored.empty()) stored.push_back(UNWRITTEN);
                          return stored;
                      },
                      true});
}

void mistake_list::workshop::stores_past_rows() {
    if (one_dimensional_ || channels() > 1) return;
    if (known_.seen && known_.seen->inspected &&
        known_.seen->total().global.stores.lanes <= in().pixels.size())
        return;  // none has an output too many
    const auto values_at = [this, rule = right()](size_t value) {
        const pixel_index out = split(value);
        std::vector<mistaken_value> stored;
        // Nobody asks for the others once one is what came out.
        const auto came_out = [&] {
            return value < known_.out.size() && !stored.empty() && stored.back().gives(known_.out[value]);
        };
        for (int rows = 0; rows <= out.y && out.x + rows * width() < width() + MOST_SPARE_COLUMNS; rows++) {
            if (came_out()) break;
            stored.push_back(rule.at({out.x + rows * width(), out.y - rows, 0}));
        }
        return stored;
    };
    found_.push_back(
        {"no-guard", "threads beyond the last column store as well, into the next row", values_at, false});
}

void mistake_list::workshop::untested_reads() {
    const bool inspected = known_.seen && known_.seen->inspected;
    if (taps().taps.size() == 1 || problem_.border != lab::border::zero) return;
    const auto nan_where = [this](const std::string& id, const std::string& cause,
                                  std::function<bool(int x, int y)> spoiled) {
        add_by_place(id, cause, [this, spoiled, rule = right()](size_t value) {
            const pixel_index out = split(value);
            return spoiled(out.x, out.y) ? mistaken_value{NOT_A_NUMBER, 0.0} : rule.at(out);
        });
    };
    const bool tested = inspected && loads_as_many_as_right(problem_, *known_.seen);
    if (one_dimensional_ && !tested && (!inspected || known_.seen->has_error("out-of-bounds"))) {
        const bool stray_stores = inspected && known_.seen->finds([](const auto& one) {
            return one.variable == "out" && one.direction == "store";
        });
        const auto left = [this](int x) { return x < radius_x(); };
        const auto past = [this](int x) { return x >= width() - radius_x(); };
        if (stray_stores) {
            nan_where("length-is-thread-count",
                      "reads and stores go on past the end: is the kernel told the number of elements, "
                      "or of threads?",
                      [past](int x, int) { return past(x); });
        } else {
            nan_where("ghost-untested", "the left end is not tested: reads before the first element",
                      [left](int x, int) { return left(x); });
            nan_where("ghost-untested", "the right end is not tested: reads past the last element",
                      [past](int x, int) { return past(x); });
            nan_where("ghost-untested",
                      "the ends are not tested: reads before the first and past the last element",
                      [left, past](int x, int) { return left(x) || past(x); });
        }
    }
    // Who reads beside the array, too, has no test; cells that should be ghosts are only part of what is read then.
    if (inspected && known_.seen->has_error("uninitialised-read") &&
        !known_.seen->has_error("out-of-bounds")) {
        nan_where("ghost-cells-unset",
                  "the tile's ghost cells are never stored: they must be 0, and hold what was there",
                  [this](int x, int y) { return overhangs(x, y); });
    }
}

}  // namespace check
