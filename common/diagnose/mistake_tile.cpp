// Convolutions with one mistake in a tile of shared memory and its halo.
#include <algorithm>
#include <set>

#include "diagnose/launch_tile.h"
#include "diagnose/mistake_workshop.h"

namespace check {

/// Output tiles that the launch may have had: as large as a block, as a block without its halo, and some
/// blocks side by side; without a launch, what is usual.
std::vector<std::pair<int, int>> mistake_list::workshop::possible_tiles() const {
    std::set<std::pair<int, int>> tiles;
    if (known_.seen && known_.seen->inspected && !known_.seen->launches.empty()) {
        const inspect::launch& launch = known_.seen->launches.front();
        const int block_width = int(launch.block[0]), block_height = int(launch.block[1]);
        const int cells = int(launch.dynamic_shared / sizeof(float));
        const int halo_x = taps().width - 1, halo_y = taps().height - 1;
        tiles.insert({block_width, block_height});
        const auto by_bytes = [&](int tile_width) {
            const int row = tile_width + halo_x;
            if (tile_width > 0 && cells > 0 && cells % row == 0 && cells / row > halo_y)
                tiles.insert({tile_width, cells / row - halo_y});
        };
        for (int factor = 1; factor <= MOST_FACTOR; factor *= 2)
            by_bytes(factor * block_width);
        const output_tile known = tile_of(launch, problem_);  // with gaps between its rows, too
        if (known.has_halo) tiles.insert({known.width, known.height});
        by_bytes(block_width - halo_x);
        for (int side = 1; side <= 128; side *= 2)
            by_bytes(side);
        return {tiles.begin(), tiles.end()};
    }
    if (one_dimensional_) return {{32, 1}, {64, 1}, {128, 1}, {256, 1}, {512, 1}, {1024, 1}};
    return {{16, 16}, {32, 8}, {32, 16}, {32, 32}, {8, 8}};
}

void mistake_list::workshop::tile_mistakes() {
    for (const auto& [tile_width, tile_height] : possible_tiles()) {
        if (!one_dimensional_) transposed_tile(tile_width, tile_height);
        if (tile_width >= width() && (one_dimensional_ || tile_height >= height())) continue;
        unloaded_halo(tile_width, one_dimensional_ ? 1 : tile_height);
        if (one_dimensional_) halos_of_rows(tile_width);
    }
}

void mistake_list::workshop::transposed_tile(int tile_width, int tile_height) {
    sum_rule rule = right();
    rule.read = [this, tile_width, tile_height](const pixel_index& out, int i, int j) {
        const int left = out.x / tile_width * tile_width, top = out.y / tile_height * tile_height;
        const int x = left + (out.y - top) + j - radius_x(), y = top + (out.x - left) + i - radius_y();
        return pixel(x, y, out.channel, problem_.border);
    };
    add("tile-index-wrong", "the tile is read with x and y swapped: is its row that of threadIdx.y?", rule);
}

void mistake_list::workshop::unloaded_halo(int tile_width, int tile_height) {
    if (has_errors_in_shared_memory()) return;  // what is read beside the tile may be 0 by chance
    sum_rule rule = right();
    rule.read = [this, tile_width, tile_height](const pixel_index& out, int i, int j) {
        const int x = out.x + j - radius_x(), y = out.y + i - radius_y();
        const bool in_tile = x >= 0 && y >= 0 && x / tile_width == out.x / tile_width &&
                             y / tile_height == out.y / tile_height;
        return in_tile ? pixel(x, y, out.channel, problem_.border) : 0.0;
    };
    add("halo-as-ghost",
        one_dimensional_ ? "elements outside of the tile count as 0, as if the array ended there"
                         : "pixels outside of the tile count as 0, as if the image ended there",
        rule);
}

void mistake_list::workshop::halos_of_rows(int tile) {
    const auto reading = [this, tile](std::function<int(int begin, int position)> source) {
        sum_rule rule = right();
        rule.read = [this, tile, source](const pixel_index& out, int, int j) {
            const int begin = out.x / tile * tile;
            return pixel(source(begin, out.x + j - radius_x()), 0, 0, problem_.border);
        };
        return rule;
    };
    for (const int step : {1, -1}) {
        const std::string late = step > 0 ? " starts one element too late" : " starts one element too early";
        add("halo-misplaced", "the left halo" + late, reading([step](int begin, int position) {
                return position < begin ? position + step : position;
            }));
        add("halo-misplaced", "the right halo" + late, reading([step, tile](int begin, int position) {
                return position >= begin + tile ? position + step : position;
            }));
    }
    const bool strays = has_errors_in_shared_memory();  // what is read beside the tile may be 0 by chance
    if (radius_x() > 1 && !strays) {
        add("halo-misplaced", "the right halo is loaded from a radius too far: it starts where the tile ends",
            reading([this, tile](int begin, int position) {
                return position >= begin + tile ? position + radius_x() : position;
            }));
    }
    // Thread tx loads cell tx of a halo, then tx + tile, and so on.
    if (!strays) {
        add("halo-misplaced", "a thread's own index is there twice where the right halo is loaded from",
            reading([tile](int begin, int position) {
                const int cell = position - begin - tile;
                return cell < 0 ? position : position + cell % tile;
            }));
        add("halo-misplaced", "a thread's own index is there twice where the left halo is loaded from",
            reading([this, tile](int begin, int position) {
                const int cell = position - begin + radius_x();
                return position >= begin || cell < 0 ? position : position + cell % tile;
            }));
    }
    if (radius_x() > tile) {
        add("halo-of-one-tile", "elements farther away than the next tile are left out",
            reading([tile](int begin, int position) {
                return position < begin - tile || position >= begin + 2 * tile ? -1 : position;
            }));
    }
    sum_rule own_cell = right();
    own_cell.read = [this, tile](const pixel_index& out, int, int j) {
        const int begin = out.x / tile * tile, position = out.x + j - radius_x();
        const bool in_tile = position >= begin && position < std::min(begin + tile, width());
        return pixel(in_tile ? out.x : position, 0, 0, problem_.border);
    };
    add("tile-index-wrong",
        "what lies in the tile is read from the thread's own cell, not from the neighbour's", own_cell);
    sum_rule own_element = right();
    own_element.read = [this, tile](const pixel_index& out, int, int j) {
        const int begin = out.x / tile * tile, position = out.x + j - radius_x();
        if (position < 0 || position >= width()) return 0.0;
        return pixel(position < begin || position >= begin + tile ? out.x : position, 0, 0, problem_.border);
    };
    add("neighbour-index-wrong",
        "what lies outside of the tile is read from the thread's own element, not from the neighbour's",
        own_element);
    sum_rule unshifted = right();
    unshifted.read = [this, tile](const pixel_index& out, int, int j) {
        const int begin = out.x / tile * tile;
        const int cell = out.x - begin + j - radius_x();
        return cell < 0 ? ANYTHING : pixel(begin - radius_x() + cell, 0, 0, problem_.border);
    };
    if (radius_x() > 0)
        add("tile-offset-forgotten",
            "the sum reads the tile as if its first output stood at the front, where the halo is", unshifted);
}

}  // namespace check
