// What the inspector's findings and counts say of the cause of a wrong output.
#include <algorithm>
#include <cmath>
#include <set>

#include "diagnose/diagnose.h"
#include "diagnose/launch_tile.h"

namespace check {

namespace {

/// The findings of a call that are errors.
class error_list {
public:
    explicit error_list(const inspect::report& seen) {
        for (const inspect::finding& one : seen.findings) {
            if (one.is_error) errors_.push_back(&one);
        }
    }

    bool has(const std::string& kind) const {
        return std::any_of(errors_.begin(), errors_.end(),
                           [&](const auto* one) { return one->kind == kind; });
    }
    bool only(const std::set<std::string>& kinds) const {
        return !errors_.empty() && std::all_of(errors_.begin(), errors_.end(),
                                               [&](const auto* one) { return kinds.count(one->kind) > 0; });
    }
    /// True if there are findings of this kind and all are loads of this variable.
    bool all_load(const std::string& kind, const std::string& variable) const {
        return has(kind) && std::all_of(errors_.begin(), errors_.end(), [&](const auto* one) {
                   return one->kind != kind || (one->direction == "load" && one->variable == variable);
               });
    }
    /// True if there are stray loads of this variable, past rows or past its ends, and no others.
    bool stray_loads_of(const std::string& variable) const {
        return (!has("out-of-bounds") || all_load("out-of-bounds", variable)) &&
               (!has("row-overrun") || all_load("row-overrun", variable)) &&
               only({"out-of-bounds", "row-overrun"});
    }
    /// True if `in` has ghost cells around it: it is larger than the image, and not because of its pitch.
    bool has_padded_input(const image& in) const {
        constexpr size_t PITCH_STEP = 256;  // bytes: rows of cudaMallocPitch are a multiple of that
        return std::any_of(errors_.begin(), errors_.end(), [&](const auto* one) {
            return one->variable == "in" && one->variable_bytes > in.pixels.size() * sizeof(float) &&
                   one->variable_bytes % (PITCH_STEP * in.height) != 0;
        });
    }
    /// True if two threads store one cell of shared memory: both sides of a race are stores.
    bool cells_stored_twice(const inspect::report& seen) const {
        const std::vector<inspect::line_traffic> lines = seen.lines();
        const auto is_at = [&](const inspect::finding& one, const char* direction) {
            return std::any_of(lines.begin(), lines.end(), [&](const inspect::line_traffic& line) {
                return line.line == one.other_line && line.file == one.other_file && line.space == "shared" &&
                       line.direction == direction;
            });
        };
        return std::any_of(errors_.begin(), errors_.end(), [&](const auto* one) {
            return one->kind == "race" && one->space == "shared" && one->direction == "store" &&
                   is_at(*one, "store") && !is_at(*one, "load");
        });
    }
    /// True if the loads of all races stand behind their stores, as where a barrier lacks between them. Who loads
    /// before he stores may have a wrong index as well.
    bool loads_follow_stores() const {
        return std::all_of(errors_.begin(), errors_.end(), [](const auto* one) {
            const int behind =
                one->direction == "load" ? one->line - one->other_line : one->other_line - one->line;
            return one->kind != "race" || one->file != one->other_file || behind > 0;
        });
    }
    /// True if a line reads cells that were never stored, and stores cells itself.
    bool adds_to_unset_cells(const inspect::report& seen) const {
        const std::vector<inspect::line_traffic> lines = seen.lines();
        return std::any_of(errors_.begin(), errors_.end(), [&](const auto* one) {
            return one->kind == "uninitialised-read" && one->space == "shared" &&
                   std::any_of(lines.begin(), lines.end(), [&](const inspect::line_traffic& line) {
                       return line.line == one->line && line.file == one->file && line.space == "shared" &&
                              line.direction == "store";
                   });
        });
    }
    /// True if there are races and all are in shared memory.
    bool races_in_shared_memory() const {
        return has("race") && std::all_of(errors_.begin(), errors_.end(), [](const auto* one) {
                   return one->kind != "race" || one->space == "shared";
               });
    }

private:
    std::vector<const inspect::finding*> errors_;
};

bool all_wrong_overhang(const comparison& found, const shape& where, const problem_2d& problem) {
    const auto is_within = [](int place, int radius, int size) {
        return place >= radius && place < size - radius;
    };
    for (size_t k = 0; k < found.wrong.size(); k++) {
        const int x = int(k / where.channels % where.width), row = int(k / where.channels / where.width);
        const int height = where.slice_height();
        const bool inside = is_within(x, problem.filter.width / 2, where.width) &&
                            is_within(row % height, problem.filter.slice_height() / 2, height) &&
                            is_within(row / height, problem.filter.depth / 2, where.depth);
        if (found.wrong[k] && inside) return false;
    }
    return true;
}

/// True if blocks loaded fewer pixels than the tile takes that their shared memory has room for: some cells
/// have nobody to load them. False too where the size of the tile cannot be told.
bool loaded_too_little(const problem_2d& problem, const shape& where, const inspect::report& seen) {
    if (seen.launches.size() != 1) return false;
    const inspect::launch& launch = seen.launches[0];
    const output_tile tile = tile_of(launch, problem);
    if (!tile.has_halo) return false;
    // Nobody has to load the gaps between rows.
    if (launch.dynamic_shared > 0 && !where.one_dimensional && tile_row_cells(seen, problem) == 0)
        return false;
    // As large as a block: its halo may come from elsewhere.
    const uint64_t of_block = sizeof(float) * launch.block[0] * launch.block[1];
    if (launch.dynamic_shared == of_block && seen.of("in").loads.lanes >= where.values()) return false;
    const uint64_t loaded = seen.of("in").loads.lanes, fetched = launch.total.texture.lanes;
    // Textures answer for ghost cells as well.
    if (fetched > 0) return fetched < launch.dynamic_shared / sizeof(float) * launch.grid[0] * launch.grid[1];
    return loaded < clipped_tiles(where.width, tile.width, problem.filter.width / 2) *
                        clipped_tiles(where.height, tile.height, problem.filter.height / 2) *
                        uint64_t(where.channels);
}

/// True if the kernel's loads are those of a filter of 2 size + 1 taps.
bool radius_is_size(const problem_2d& problem, const shape& where, const inspect::report& seen) {
    if (!where.one_dimensional) return false;
    const int size = problem.filter.width;
    const uint64_t loads = seen.of("filter").loads.lanes;
    return loads == valid_taps(where.width, size) && loads != valid_taps(where.width, size - 1) &&
           loads != valid_taps(where.width, size + 1);
}

}  // namespace

std::vector<diagnosis> diagnose_findings(std::span<const float> out, const comparison& found,
                                         const problem_2d& problem, const shape& where,
                                         const inspect::report& seen) {
    if (!seen.inspected) return {};
    std::vector<diagnosis> causes;
    const error_list errors(seen);
    const auto add = [&](const std::string& id, const std::string& text) {
        causes.push_back({id, text, false});
    };
    const bool unset_tile = errors.has("uninitialised-read") &&
                            !errors.all_load("uninitialised-read", "out") &&
                            !errors.all_load("uninitialised-read", "in");
    const bool stored_twice = errors.cells_stored_twice(seen);
    if (errors.races_in_shared_memory() && stored_twice && !errors.has("divergent-barrier")) {
        add("tile-index-wrong",
            "two threads store one cell of the tile: are its index, the length of its rows and the ends of "
            "loops right?");
    }
    if (errors.races_in_shared_memory() && !stored_twice && errors.loads_follow_stores() &&
        errors.only({"race", "uninitialised-read"})) {
        add("barrier-missing",
            "threads read the tile before others have stored their part: a barrier is missing");
    }
    if (errors.races_in_shared_memory() && errors.has("divergent-barrier"))
        add("barrier-in-branch", "some threads never come to the barrier: does it stand in a branch?");
    if (errors.has("divergent-barrier") && unset_tile && !errors.has("race")) {
        add("early-return",
            "threads return before they have loaded their share of the tile and before the barrier: first "
            "load, "
            "wait, then return");
    }
    if (errors.all_load("uninitialised-read", "out") && errors.only({"uninitialised-read"}) &&
        seen.of("in").loads.lanes > 0 && loads_as_many_as_right(problem, seen))
        add("sum-starts-wrong", "the sum grows in out, which nobody has set to 0");
    if (errors.adds_to_unset_cells(seen))
        add("added-to-unset",
            "values are added to cells of the tile that nobody has set: is += used where = is meant?");
    const bool nan = all_wrong_are_nan(out, found);
    if (nan && errors.stray_loads_of("in") && all_wrong_overhang(found, where, problem) &&
        !loads_as_many_as_right(problem, seen) && !errors.has_padded_input(problem.in)) {
        add("ghost-untested", "reads at the border go outside the input: not every ghost cell is tested");
    }
    if (nan && errors.all_load("out-of-bounds", "filter") && radius_is_size(problem, where, seen))
        add("radius-is-size", "the radius is taken to be the number of taps, not half of it");
    if (seen.of("in").stores.lanes > 0 && seen.of("out").stores.lanes == 0)
        add("writes-the-input", "the results are stored in the input, and out stays unwritten");
    const bool never_filled = seen.total().shared.stores.lanes == 0 && seen.total().shared.loads.lanes > 0;
    if (nan && unset_tile && errors.only({"uninitialised-read"}) &&
        (never_filled || loaded_too_little(problem, where, seen))) {
        add("tile-partly-loaded",
            "cells of the tile are read that no thread has loaded: do the loops over the tile reach its end, "
            "the halo "
            "too?");
    }
    return causes;
}

}  // namespace check
