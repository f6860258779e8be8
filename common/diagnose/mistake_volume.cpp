// Convolutions of volumes with one mistake in them. Rows of the image and of the filter are those of all slices.
#include <algorithm>

#include "diagnose/mistake_workshop.h"

namespace check {

void mistake_list::workshop::volume_mistakes() {
    flipped_volumes();
    shifted_volumes();
    volumes_with_other_ghost_cells();
    shortened_volumes();
    odd_volume_taps();
    halos_of_volumes();
    misplaced_results([this, rule = right()](const pixel_index& out) { return std::vector{rule.at(out)}; });
    spoiled_results();
    odd_sums();
    odd_products();
    whole_numbers();
    stale_filters();
    const size_t usual = found_.size();
    wrong_volume_formulas();
    for (size_t k = usual; k < found_.size(); k++)
        found_[k].rank = mistake::rarity::any_token;
}

double mistake_list::workshop::voxel(const voxel_index& at) const {
    if (!is_voxel(at)) return 0.0;
    return in().pixels[size_t(place_of(at))];
}

bool mistake_list::workshop::is_voxel(const voxel_index& at) const {
    return at.x >= 0 && at.x < width() && at.y >= 0 && at.y < in().slice_height() && at.z >= 0 &&
           at.z < in().depth;
}

int64_t mistake_list::workshop::place_of(const voxel_index& at) const {
    return (int64_t(at.z) * in().slice_height() + at.y) * width() + at.x;
}

sum_rule mistake_list::workshop::with_voxels(
    std::function<double(const voxel_index& own, const voxel_index& under)> read) const {
    sum_rule rule = right();
    rule.read = [this, read = std::move(read)](const pixel_index& out, int i, int j) {
        const int rows = in().slice_height(), of_filter = taps().slice_height();
        const voxel_index own{out.x, out.y % rows, out.y / rows};
        return read(own, {own.x + j - radius_x(), own.y + i % of_filter - of_filter / 2,
                          own.z + i / of_filter - taps().depth / 2});
    };
    return rule;
}

sum_rule mistake_list::workshop::with_volume_taps(std::function<double(int k, int i, int j)> tap) const {
    sum_rule rule = right();
    rule.tap = [this, tap = std::move(tap)](int i, int j) {
        return tap(i / taps().slice_height(), i % taps().slice_height(), j);
    };
    return rule;
}

double mistake_list::workshop::tap_at(int64_t place) const {
    if (place >= 0 && place < int64_t(taps().taps.size())) return taps().taps[size_t(place)];
    // Behind a filter in constant memory lies what was there before.
    const bool constant = known_.seen && known_.seen->total().constant.lanes > 0;
    return constant && place > 0 ? ANYTHING : NOT_A_NUMBER;
}

void mistake_list::workshop::flipped_volumes() {
    const int depth = taps().depth, height = taps().slice_height(), columns = taps().width;
    const auto flipped = [=, this](bool in_x, bool in_y, bool in_z) {
        return with_volume_taps([=, this](int k, int i, int j) {
            const int slice = in_z ? depth - 1 - k : k, row = in_y ? height - 1 - i : i;
            return tap_at((int64_t(slice) * height + row) * columns + (in_x ? columns - 1 - j : j));
        });
    };
    add("filter-flipped", "the filter is flipped: its last tap is used first", flipped(true, true, true));
    if (depth > 1)
        add("filter-flipped", "the slices of the filter are used in the wrong order",
            flipped(false, false, true));
    if (height > 1)
        add("filter-flipped", "the slices of the filter are flipped upside down",
            flipped(false, true, false));
    if (columns > 1)
        add("filter-flipped", "the slices of the filter are flipped left to right",
            flipped(true, false, false));
}

void mistake_list::workshop::shifted_volumes() {
    const auto shifted = [this](const std::string& direction, const voxel_index& by) {
        add("shifted", "everything is shifted: a voxel holds what belongs to " + direction,
            with_voxels([this, by](const voxel_index&, const voxel_index& at) {
                return voxel({at.x + by.x, at.y + by.y, at.z + by.z});
            }));
    };
    const int radius_y = taps().slice_height() / 2, radius_z = taps().depth / 2;
    for (const int sign : {1, -1}) {
        const std::string by = sign > 0 ? " + " : " - ";
        shifted("x" + by + "1", {sign, 0, 0});
        shifted("y" + by + "1", {0, sign, 0});
        shifted("z" + by + "1", {0, 0, sign});
        if (radius_x() > 1) shifted("x" + by + "r", {sign * radius_x(), 0, 0});
        if (radius_y > 1) shifted("y" + by + "r", {0, sign * radius_y, 0});
        if (radius_z > 1) shifted("z" + by + "r", {0, 0, sign * radius_z});
        shifted("(x" + by + "r, y" + by + "r, z" + by + "r)",
                {sign * radius_x(), sign * radius_y, sign * radius_z});
    }
}

void mistake_list::workshop::volumes_with_other_ghost_cells() {
    const auto clamped = [this](const std::string& which, bool in_x, bool in_y, bool in_z) {
        add("ghost-clamped", "ghost cells " + which + "are the nearest voxel where they should be 0",
            with_voxels([=, this](const voxel_index&, voxel_index at) {
                if (in_x) at.x = std::clamp(at.x, 0, width() - 1);
                if (in_y) at.y = std::clamp(at.y, 0, in().slice_height() - 1);
                if (in_z) at.z = std::clamp(at.z, 0, in().depth - 1);
                return voxel(at);
            }));
    };
    clamped("", true, true, true);
    clamped("beside a row ", true, false, false);
    clamped("above and below a slice ", false, true, false);
    clamped("before the first and behind the last slice ", false, false, true);

    // Who tests the ends of the memory reads nothing beside it, and who does not has no number there.
    const auto untested = [this](const std::string& id, const std::string& cause, bool in_x, bool in_y,
                                 bool in_z) {
        for (const double beside : {NOT_A_NUMBER, 0.0})
            add(id, cause, with_voxels([=, this](const voxel_index&, const voxel_index& at) {
                    if (!is_voxel({in_x ? at.x : 0, in_y ? at.y : 0, in_z ? at.z : 0})) return 0.0;
                    const double there = memory(place_of(at));
                    return std::isnan(there) ? beside : there;
                }));
    };
    untested("ghost-row-wrap", "ghost cells beside a row are read from the rows before and behind it", false,
             true, true);
    untested("ghost-row-wrap",
             "ghost cells above and below a slice are read from the slices before and behind it", true, false,
             true);
    untested("ghost-untested", "slices before the first and behind the last are read, beside the volume",
             true, true, false);
    untested("ghost-untested", "no ghost cell is tested", false, false, false);
}

void mistake_list::workshop::shortened_volumes() {
    if (reads_all_taps() || reads_beside_filter()) return;
    const int last_k = taps().depth - 1, last_i = taps().slice_height() - 1, last_j = taps().width - 1;
    const auto without = [this](const std::string& cause, const auto& is_left_out) {
        add("taps-left-out", cause, with_volume_taps([=, this](int k, int i, int j) {
                const int64_t row = int64_t(k) * taps().slice_height() + i;
                return is_left_out(k, i, j) ? 0.0 : tap_at(row * taps().width + j);
            }));
    };
    const std::string early = ": a loop ends one too early", late = ": a loop starts one too late";
    if (last_k > 0) {
        without("the last slice of taps is left out" + early, [=](int k, int, int) { return k == last_k; });
        without("the first slice of taps is left out" + late, [=](int k, int, int) { return k == 0; });
        without("one slice of taps alone is used, the middle one",
                [=](int k, int, int) { return k != last_k / 2; });
        without("one slice of taps alone is used, the first", [=](int k, int, int) { return k != 0; });
        without("one slice of taps alone is used, the last", [=](int k, int, int) { return k != last_k; });
    }
    if (last_i > 0) {
        without("the last row of each slice of taps is left out" + early,
                [=](int, int i, int) { return i == last_i; });
        without("the first row of each slice of taps is left out" + late,
                [=](int, int i, int) { return i == 0; });
    }
    if (last_j > 0) {
        without("the last column of taps is left out" + early, [=](int, int, int j) { return j == last_j; });
        without("the first column of taps is left out" + late, [=](int, int, int j) { return j == 0; });
    }
}

void mistake_list::workshop::odd_volume_taps() {
    const int depth = taps().depth, height = taps().slice_height(), columns = taps().width;
    const auto indexed = [this](const std::string& cause, const auto& place) {
        add("filter-rows-misread", cause, with_volume_taps([=, this](int k, int i, int j) {
                return tap_at(place(int64_t(k), int64_t(i), int64_t(j)));
            }));
    };
    if (height > 1 && columns != height)
        indexed("rows of the filter are taken to be as long as its slices are high",
                [=](int64_t k, int64_t i, int64_t j) { return (k * height + i) * height + j; });
    if (depth > 1 && columns != height)
        indexed("slices of the filter are taken to be as high as its rows are long",
                [=](int64_t k, int64_t i, int64_t j) { return (k * columns + i) * columns + j; });
    if (depth > 1 && depth != height)
        indexed("slices of the filter are taken to be as high as the filter is deep",
                [=](int64_t k, int64_t i, int64_t j) { return (k * depth + i) * columns + j; });
    if (depth > 1 && height > 1)
        indexed("rows of the filter are used as its slices",
                [=](int64_t k, int64_t i, int64_t j) { return (i * depth + k) * columns + j; });
}

void mistake_list::workshop::halos_of_volumes() {
    if (!known_.seen || known_.seen->launches.empty()) return;
    const unsigned* const block = known_.seen->launches.front().block;
    const voxel_index tile{int(block[0]), int(block[1]), int(block[2])};
    const auto without_halo = [this, tile](const std::string& where, bool in_x, bool in_y, bool in_z) {
        add("halo-as-ghost", "voxels " + where + " the tile of a block count as 0",
            with_voxels([=, this](const voxel_index& own, const voxel_index& at) {
                const bool beside = (in_x && at.x >= 0 && at.x / tile.x != own.x / tile.x) ||
                                    (in_y && at.y >= 0 && at.y / tile.y != own.y / tile.y) ||
                                    (in_z && at.z >= 0 && at.z / tile.z != own.z / tile.z);
                return beside ? 0.0 : voxel(at);
            }));
    };
    without_halo("around", true, true, tile.z > 1);
    without_halo("to the left and the right of", true, false, false);
    without_halo("above and below", false, true, false);
    if (tile.z > 1) without_halo("before and behind", false, false, true);
}

}  // namespace check
