// What counts say of the cause of a wrong output: what was stored how often, and what was loaded. They know
// less of a mistake than its values do, and are asked where these name nothing.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "diagnose/diagnose.h"
#include "diagnose/launch_tile.h"

namespace check {

namespace {

uint64_t threads_of(const inspect::launch& launch) {
    return launch.blocks() * launch.block[0] * launch.block[1] * launch.block[2];
}

/// What the one launch of a call did, and what came of it.
struct launch_story {
    std::span<const float> out;
    const comparison& found;
    const problem_2d& problem;
    const shape& where;
    const inspect::report& seen;

    const inspect::launch& launch() const { return seen.launches.front(); }
    /// Of results: kernels that store for one another name their array.
    uint64_t stores() const {
        return seen.launches.size() > 1 ? seen.of("out").stores.lanes : launch().total.global.stores.lanes;
    }
    uint64_t threads() const { return threads_of(launch()); }
    size_t written() const {
        return size_t(std::count_if(out.begin(), out.end(), [](float value) { return !std::isnan(value); }));
    }
    bool has(const std::string& kind) const { return seen.has_error(kind); }
    /// True if more was stored than the outputs that the host found stored.
    bool stores_twice() const {
        uint64_t missing = 0;
        for (const inspect::finding& one : seen.findings)
            if (one.kind == "never-written") missing += one.times;
        return missing > 0 && missing < out.size() && stores() > out.size() - missing;
    }
    /// True if there are errors of this kind, and of no other but `beside`.
    bool only(const std::string& kind, const std::string& beside) const {
        return has(kind) && std::all_of(seen.findings.begin(), seen.findings.end(), [&](const auto& one) {
                   return !one.is_error || one.kind == kind || one.kind == beside;
               });
    }
    /// True if a sum is not one over the rows and columns of a filter: but over those whose products the filter is, or
    /// over the slices of a volume as well.
    bool of_another_form() const {
        return !problem.filter.column.empty() || problem.left_out > 0 || problem.is_volume();
    }
    uint64_t loads_of(const char* array) const { return seen.of(array).loads.lanes; }
    uint64_t taps_loaded() const { return loads_of("filter") + seen.total().constant.lanes; }
    /// Of pixels outside of the image, or of nothing.
    uint64_t stray_loads() const {
        uint64_t times = 0;
        for (const inspect::finding& one : seen.findings)
            if (one.space == "global" && one.direction == "load" && one.variable != "filter" &&
                (one.kind == "out-of-bounds" || one.kind == "row-overrun"))
                times += one.times;
        return times;
    }
};

/// True if the grid is smaller than the image and all that it covers is stored, by pixels or by values.
bool stored_by_all_of_grid(const launch_story& story) {
    const inspect::launch& launch = story.launch();
    const uint64_t across = uint64_t(launch.grid[0]) * launch.block[0];
    const uint64_t down = story.where.one_dimensional ? 1 : uint64_t(launch.grid[1]) * launch.block[1];
    const uint64_t deep = uint64_t(launch.grid[2]) * launch.block[2];
    const uint64_t rows = std::min(uint64_t(story.where.slice_height()), down) *
                          std::min(uint64_t(story.where.depth), deep),
                   channels = uint64_t(story.where.channels);
    for (const uint64_t values : {channels, uint64_t(1)}) {  // of a thread
        const uint64_t columns = uint64_t(story.where.width) * channels / values;
        const bool all = across >= columns && rows == uint64_t(story.where.height);
        if (!all && std::min(columns, across) * values * rows == story.written()) return true;
    }
    return false;
}

diagnosis missing_stores(const launch_story& story) {
    const bool stray = story.has("out-of-bounds") || story.has("row-overrun");
    const bool tangled = story.has("race");
    if (!story.has("never-written") || story.seen.origin.of_host > 0) return {};
    const bool unset_read = story.has("uninitialised-read");
    const uint64_t written = story.written(), all = story.out.size();
    // Who mixes up his threads leaves cells of a tile unset as well, and results that are no numbers.
    if (unset_read && !stray && story.seen.total().shared.loads.lanes > 0 && story.stores_twice())
        return {"thread-index-wrong",
                "some outputs are stored by several threads, others by none, and so are cells of the tile: "
                "does a "
                "thread know its own place?",
                false};
    if (unset_read || written == all || written == 0 || story.stores() == 0) return {};
    if (!stray && story.stores() > written) {
        return {
            "thread-index-wrong",
            "some outputs are stored by several threads, others by none: do threads find their own place?",
            false};
    }
    if (tangled || stray || !all_wrong_are_nan(story.out, story.found)) return {};
    const uint64_t channels = uint64_t(story.where.channels);
    const output_tile tile = tile_of(story.launch(), story.problem);
    const bool one_each = uint64_t(tile.width) * uint64_t(tile.height) * channels <=
                          uint64_t(story.launch().block[0]) * story.launch().block[1];
    // One layer of threads may be meant to march through a volume: then it is a loop that leaves slices out.
    const bool marches = story.where.depth > 1 && story.launch().grid[2] * story.launch().block[2] == 1;
    const bool by_all = story.seen.launches.size() == 1 && !marches &&
                        (stored_by_all_of_grid(story) || (one_each && story.threads() == written));
    if (by_all && story.stores() == written && story.threads() >= all) return {};  // but in other places
    const uint64_t across = uint64_t(story.launch().grid[0]) * story.launch().block[0];
    const uint64_t columns = uint64_t(story.where.width);
    if (by_all && story.stores() == written && across >= columns && across < columns * channels)
        return {"grid-too-small",
                fmt::format(
                    "the grid has {} threads for a row, enough for its {} pixels: with {} channels it has {} "
                    "values",
                    across, columns, channels, columns * channels),
                false};
    if (by_all && story.stores() == written)
        return {"grid-too-small",
                fmt::format("every thread stores a result, but {} of them are too few for {} outputs",
                            story.threads(), all),
                false};
    if (story.stores() == written)
        return {"outputs-left-out",
                fmt::format("{} of {} outputs are stored once, the others never: does a guard, a loop or the "
                            "grid leave them out, or do threads miss their place?",
                            written, all),
                false};
    return {};
}

/// Where no tap is skipped, loads tell how many a sum has.
diagnosis number_of_taps(const launch_story& story) {
    if (!story.seen.inspected || story.seen.launches.empty() || story.of_another_form()) return {};
    const uint64_t outputs = story.out.size(), taps = story.problem.filter.taps.size();
    const uint64_t loaded = story.taps_loaded();
    if (story.seen.launches.size() != 1 || loaded % outputs != 0 || story.stores() != outputs) return {};
    const uint64_t width = uint64_t(story.problem.filter.width),
                   height = uint64_t(story.problem.filter.height);
    const uint64_t each = loaded / outputs;
    const bool square = width == height || story.where.one_dimensional;
    const uint64_t side =
        story.where.one_dimensional ? each : uint64_t(std::llround(std::sqrt(double(each))));
    const bool more_columns = each == (width + 1) * height;
    const bool more_rows = each == width * (height + 1) && !story.where.one_dimensional;
    if (each <= taps) return {};
    const std::string sizes = fmt::format("every sum has {} taps, the filter {}: ", each, taps);
    if (more_columns || more_rows) return {"taps-too-many", sizes + "does a loop end one too late?", false};
    if (story.where.one_dimensional && each == 2 * width + 1)
        return {"radius-is-size", sizes + "the radius is taken to be the number of taps, not half of it",
                false};
    // From -r to r for another r: the other numbers have other reasons.
    const bool of_radius = side % 2 == 1 && (story.where.one_dimensional || side * side == each);
    if (square && of_radius) return {"filter-size-ignored", sizes + "is the radius half its size?", false};
    return {};
}

/// Positions in [0, size) that outputs reach with offsets from `first` to `last`.
uint64_t reached(int size, int first, int last) {
    uint64_t count = 0;
    for (int offset = first; offset <= last; offset++)
        count += uint64_t(std::max(0, size - std::abs(offset)));
    return count;
}

/// Where ghost cells are skipped, loads of taps tell the radius, if no other mistake has as many.
diagnosis another_radius(const launch_story& story) {
    if (story.seen.launches.size() != 1 || story.of_another_form()) return {};
    const int width = story.where.width, height = story.where.height;
    const int size_x = story.problem.filter.width, size_y = story.problem.filter.height;
    const auto taps_of = [&](int radius_x, int radius_y) {
        return reached(width, -radius_x, radius_x) * reached(height, -radius_y, radius_y) *
               uint64_t(story.where.channels);
    };
    const int rx = size_x / 2, ry = size_y / 2;
    const uint64_t of_size = taps_of(size_x, story.where.one_dimensional ? 0 : size_y),
                   one_more = taps_of(rx + 1, story.where.one_dimensional ? 0 : ry + 1);
    const uint64_t read = story.taps_loaded();
    if (of_size == one_more || read <= taps_of(rx, ry)) return {};
    if (read == of_size)
        return {"radius-is-size", "the radius is taken to be the number of taps, not half of it", false};
    if (read == one_more)
        return {"filter-size-ignored", "the radius is one too large: is it half the filter?", false};
    return {};
}

/// True unless a finding says that the array, "which is 'float [4]'", is too small to hold the taps: then it holds the
/// sums of a thread, say.
bool has_room_for_taps(const std::string& finding, const launch_story& story) {
    const size_t open = finding.rfind('[');
    return open == std::string::npos ||
           std::atoll(finding.c_str() + open + 1) >= int64_t(story.problem.filter.taps.size());
}

/// Where ghost cells are skipped, loads of taps tell whether loops go too far; and taps that lie beside the filter
/// tell that their index does, if there are as many as should be.
diagnosis strange_taps(const launch_story& story) {
    const auto of_taps = [&](const inspect::finding& one) {
        return (one.kind == "out-of-bounds" && one.variable == "filter") ||
               (one.kind == "index-out-of-array" && has_room_for_taps(one.text, story));
    };
    const auto& findings = story.seen.findings;
    const bool all = std::all_of(findings.begin(), findings.end(),
                                 [&](const auto& one) { return !one.is_error || of_taps(one); });
    const size_t bytes = story.problem.filter.taps.size() * sizeof(float);
    const auto too_small = [&](const auto& one) {
        return one.variable_bytes > 0 && one.variable_bytes < bytes;
    };
    if (!all || story.of_another_form() || !story.seen.finds(of_taps) || story.seen.finds(too_small))
        return {};
    const int width = story.where.width, height = story.where.height;
    const int rx = story.problem.filter.width / 2, ry = story.problem.filter.height / 2;
    const uint64_t read = story.taps_loaded(), channels = uint64_t(story.where.channels);
    const auto taps_of = [&](int more_rows, int more_columns, bool all_cells) {
        const uint64_t rows =
            all_cells ? uint64_t(height) * (2 * ry + 1 + more_rows) : reached(height, -ry, ry + more_rows);
        const uint64_t columns = all_cells ? uint64_t(width) * (2 * rx + 1 + more_columns)
                                           : reached(width, -rx, rx + more_columns);
        return rows * columns * channels;
    };
    if (read == taps_of(0, 0, false) || read == taps_of(0, 0, true))
        return {"tap-index-wrong", "taps are read from beside the filter: is their index right?", false};
    for (const bool all_cells : {false, true}) {
        if (read == taps_of(0, 1, all_cells) || read == taps_of(1, 0, all_cells))
            return {"taps-too-many", "the sum goes on past the last tap: does a loop end one too late?",
                    false};
    }
    return {};
}

bool strays_in_shared_memory(const launch_story& story, const std::string& direction) {
    return story.seen.finds([&](const auto& one) {
        return one.is_error && one.kind == "out-of-bounds" && one.space == "shared" &&
               one.direction == direction;
    });
}

/// Cells beside shared memory are used: that is too small, or the index of a cell is wrong. Nothing where the size of
/// the tile or the number of taps cannot be told.
diagnosis beside_the_tile(const launch_story& story) {
    const bool stores = strays_in_shared_memory(story, "store"),
               loads = strays_in_shared_memory(story, "load");
    if ((!stores && !loads) || story.seen.launches.size() != 1) return {};
    const inspect::launch& launch = story.launch();
    const int rx = story.problem.filter.width / 2, ry = story.problem.filter.height / 2;
    const int block_x = int(launch.block[0]), block_y = int(launch.block[1]);
    const uint64_t cell = sizeof(float), of_block = cell * block_x * block_y,
                   of_tile = cell * (block_x + 2 * rx) * (block_y + 2 * ry);
    const uint64_t whole_tiles = clipped_tiles(story.where.width, block_x, rx) *
                                 clipped_tiles(story.where.height, block_y, ry) *
                                 uint64_t(story.where.channels);
    // Where halos are loaded twice, as many loads are those of no other tile.
    if (story.loads_of("in") == whole_tiles && whole_tiles > story.out.size() &&
        launch.dynamic_shared < of_tile && launch.dynamic_shared > of_block)
        return {"shared-too-small",
                fmt::format("the launch asks for {} bytes of shared memory, a tile with its halo takes {}",
                            launch.dynamic_shared, of_tile),
                false};
    const output_tile tile = tile_of(launch, story.problem);
    if (!tile.has_halo && launch.dynamic_shared != of_block) return {};
    // Who loads far more than a tile has another one in mind, and too little memory.
    const uint64_t larger_tiles = clipped_tiles(story.where.width, tile.width, rx + 1) *
                                  clipped_tiles(story.where.height, tile.height, ry + 1) *
                                  uint64_t(story.where.channels);
    if (tile.has_halo && story.loads_of("in") > larger_tiles) return {};
    // With another number of taps, or in another tile, it may be the filter's size that is wrong.
    const uint64_t taps = story.problem.filter.taps.size(), outputs = story.out.size();
    const uint64_t valid = uint64_t(inside_taps(story.problem));
    if (story.taps_loaded() != taps * outputs && story.taps_loaded() != valid) return {};
    if (stores)
        return {"tile-index-wrong",
                "cells are stored beside the tile: do its loops go too far, or is the index of a cell wrong?",
                false};
    return {"tile-index-wrong",
            "cells are read beside the tile: are the index of a cell and the loops over the taps right?",
            false};
}

/// What is on the device and was never brought there.
diagnosis missing_copy(const launch_story& story) {
    if (!story.only("uninitialised-read", "never-written")) return {};
    if (!story.seen.transforms.empty()) return {};  // they are between the kernels, and have other sizes
    const bool plain =
        std::all_of(story.seen.findings.begin(), story.seen.findings.end(), [](const inspect::finding& one) {
            return !one.is_error || one.kind != "uninitialised-read" ||
                   (one.space == "global" && one.direction == "load" && one.variable != "out");
        });
    if (!plain) return {};
    const int columns = story.where.width * story.where.channels, rows = story.where.height;
    for (const inspect::launch& one : story.seen.launches) {
        const uint64_t across = uint64_t(one.grid[0]) * one.block[0],
                       down = uint64_t(one.grid[1]) * one.block[1];
        if (story.seen.launches.size() > 1 && (across < uint64_t(columns) || down < uint64_t(rows)))
            return {
                "grid-too-small",
                fmt::format(
                    "a kernel before the last stores too little: it has {} x {} threads for {} x {} values",
                    across, down, columns, rows),
                false};
    }
    // Of one kernel alone: it reads what another one should have made of the input.
    const bool one_of_several =
        story.loads_of("in") == 0 && !(story.problem.filter.column.empty() && story.problem.gradient.empty());
    const bool has_passages = std::any_of(
        story.seen.launches.begin(), story.seen.launches.end(),
        [&](const inspect::launch& one) { return one.kernel != story.seen.launches.front().kernel; });
    if (has_passages || one_of_several)
        return {
            "passage-left-out",
            "a kernel reads what no kernel before it has stored: is there one, and does it store all of it?",
            false};
    // Where one kernel is launched for every part, a part alone may lack its copy.
    if (story.seen.launches.size() == 1 && story.found.wrong_count < story.out.size()) return {};
    return {
        "array-not-copied",
        "the kernel reads device memory that nothing was copied to: do in and filter arrive there, or is a "
        "kernel missing that fills it?",
        false};
}

diagnosis nothing_loaded(const launch_story& story) {
    const bool zeros =
        std::all_of(story.out.begin(), story.out.end(), [](float value) { return value == 0.0f; });
    const inspect::counts total = story.seen.total();
    if (!zeros || story.stores() == 0 || total.texture.lanes > 0) return {};
    const uint64_t of_filter = story.loads_of("filter");
    // Of kernels that work for each other the first one has the pixels.
    const uint64_t loaded = story.launch().total.global.loads.lanes;
    if (loaded == of_filter + story.stray_loads() && (of_filter == 0 || story.stray_loads() > 0))
        return {
            "nothing-added",
            total.shared.stores.lanes > 0
                ? "no pixel comes into the tile: is every cell taken for a ghost cell, or loaded from beside "
                  "the image?"
                : "no thread loads a pixel: is every neighbour taken for a ghost cell, or does no loop run?",
            false};
    if (story.taps_loaded() == 0 && total.shared.loads.lanes > 0)
        return {"nothing-added",
                "no tap is read: does the loop over the taps run, and over the outputs of a thread?", false};
    if (total.shared.stores.lanes == 0 && story.loads_of("in") == 0 && story.taps_loaded() > 0)
        return {"nothing-added",
                "no thread reads anything that holds the input: does that come into what the kernel gets?",
                false};
    if (total.shared.stores.lanes > 0 && total.shared.loads.lanes == 0)
        return {"nothing-added",
                "no cell of the tile is read: does the loop over the taps run, and are all taken for ghost "
                "cells?",
                false};
    return {};
}

diagnosis missing_filter(const launch_story& story) {
    // Where the first tap is 0, a part of the filter may have come.
    if (story.seen.zero_constants.empty() || story.problem.filter.taps.front() == 0.0f) return {};
    return {
        "filter-not-copied",
        fmt::format("the taps are all 0: was anything copied to {} (cudaMemcpyToSymbol) before the launch?",
                    story.seen.zero_constants.front()),
        false};
}

diagnosis wrong_array(const launch_story& story) {
    const inspect::counts total = story.seen.total();
    if (story.loads_of("out") == 0 || story.loads_of("in") > 0 || total.texture.lanes > 0 ||
        story.has("out-of-bounds"))
        return {};
    return {"wrong-array", "the kernel reads out and never in", false};
}

}  // namespace

diagnosis diagnose_number_of_taps(std::span<const float> out, const comparison& found,
                                  const problem_2d& problem, const shape& where,
                                  const inspect::report& seen) {
    return number_of_taps({out, found, problem, where, seen});
}

diagnosis diagnose_counts(std::span<const float> out, const comparison& found, const problem_2d& problem,
                          const shape& where, const inspect::report& seen) {
    if (!seen.inspected || seen.launches.empty()) return {};
    const launch_story story{out, found, problem, where, seen};
    for (const auto& settle : {wrong_array, nothing_loaded, missing_filter, missing_copy, another_radius,
                               number_of_taps, strange_taps, missing_stores, beside_the_tile}) {
        const diagnosis cause = settle(story);
        if (!cause.id.empty()) return cause;
    }
    return diagnose_stray_stores(where, seen);
}

diagnosis diagnose_ends(std::span<const float> out, const comparison& found, const shape& where) {
    constexpr int END = 1 << 15;                // of a short
    constexpr int NEAR = 1024;                  // a block and its halo
    constexpr double FEW = 0.01, ENOUGH = 0.1;  // of the outputs on either side, that are right
    const auto ends_at = [&](int end, int size, const auto& place_of) {
        if (end < 1 || size < end + 2 * NEAR) return false;
        size_t before = 0, right_before = 0, beyond = 0, right_beyond = 0;
        for (size_t k = 0; k < out.size(); k++) {
            const int place = place_of(int(k / size_t(where.channels)));
            const bool right = !found.wrong[k];
            if (place < end) before++, right_before += right;
            if (place >= end + NEAR) beyond++, right_beyond += right;
        }
        return double(right_beyond) <= FEW * double(beyond) &&
               double(right_before) >= ENOUGH * double(before) && right_before > 0;
    };
    const auto column = [&](int pixel) { return pixel % where.width; };
    const auto row = [&](int pixel) { return pixel / where.width % where.slice_height(); };
    const auto slice = [&](int pixel) { return pixel / where.width / where.slice_height(); };
    const auto told_of = [&](const std::string& direction, int size, const auto& place_of) -> diagnosis {
        // An index that ends there, or the size itself as what is left of it in such a type.
        for (const int end : {END, int(int16_t(size))}) {
            if (!ends_at(end, size, place_of)) continue;
            return {
                "index-too-narrow",
                fmt::format(
                    "everything is wrong from {} {} on: is an index or a size of a type that is too small "
                    "(short)?",
                    direction, end),
                false};
        }
        return {};
    };
    for (const diagnosis& cause :
         {told_of(where.one_dimensional ? "element" : "column", where.width, column),
          told_of("row", where.slice_height(), row), told_of("slice", where.depth, slice)})
        if (!cause.id.empty()) return cause;
    return {};
}

diagnosis diagnose_stray_stores(const shape& where, const inspect::report& seen) {
    const bool stray = seen.finds([](const inspect::finding& one) {
        return one.is_error && one.kind == "out-of-bounds" && one.space == "global" &&
               one.direction == "store";
    });
    // Where outputs are missing, threads have missed their places.
    const bool missing = seen.finds([](const inspect::finding& one) { return one.kind == "never-written"; });
    // Nor do threads that are too many store before the first output.
    const bool before_first = seen.finds([](const inspect::finding& one) {
        return one.direction == "store" && one.text.find("before its first element") != std::string::npos;
    });
    if (!stray || missing || before_first || seen.launches.size() != 1) return {};
    const inspect::launch& launch = seen.launches.front();
    const uint64_t outputs = where.values(), threads = threads_of(launch);
    const uint64_t columns = uint64_t(where.width) * uint64_t(where.channels), rows = uint64_t(where.height);
    const uint64_t across = uint64_t(launch.grid[0]) * launch.block[0],
                   down = uint64_t(launch.grid[1]) * launch.block[1],
                   stored = seen.total().global.stores.lanes;
    const bool one_for_each =
        launch.blocks() > 1 && across - columns < launch.block[0] && down - rows < launch.block[1];
    if (one_for_each && across > columns && down > rows &&
        stored == threads - (across - columns) * (down - rows))
        return {"no-guard", "threads leave only where both x and y are outside: is it && instead of ||?",
                false};
    if (threads <= outputs || stored != threads) return {};
    return {"no-guard",
            fmt::format("all {} threads store, out has {} value{}: is a bounds test missing or wrong?",
                        threads, outputs, outputs == 1 ? "" : "s"),
            false};
}

diagnosis exchanged_launch(const inspect::launch& one) {
    constexpr uint64_t WARP = 32, FEWEST = 64, MOST = 1024;  // threads of a usual block
    const uint64_t blocks = one.blocks(), threads = threads_of(one) / std::max<uint64_t>(blocks, 1);
    if (blocks < FEWEST || blocks > MOST || blocks % WARP != 0 || threads % WARP == 0) return {};
    return {"launch-swapped",
            fmt::format("{} blocks of {} threads are launched: it is <<<blocks, threads>>>, in this order",
                        blocks, threads),
            false};
}

diagnosis diagnose_launch(const inspect::report& seen, const past_calls& past) {
    const auto threads_each = [](const inspect::launch& one) { return threads_of(one) / one.blocks(); };
    for (const inspect::launch& one : seen.launches) {
        const diagnosis exchanged = exchanged_launch(one);
        if (exchanged.id.empty()) continue;
        // A number of blocks that stays while that of threads follows the size of the problem.
        const auto has_as_many = [&](const past_case& before) {
            return std::ranges::any_of(before.seen.launches, [&](const inspect::launch& other) {
                return other.blocks() == one.blocks() && threads_each(other) != threads_each(one);
            });
        };
        if (std::any_of(past.cases().begin(), past.cases().end(), has_as_many)) return exchanged;
    }
    return {};
}

}  // namespace check
