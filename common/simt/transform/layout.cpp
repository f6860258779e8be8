// Layouts of transforms: where rows begin and how far everything reaches.
#include "simt/transform/layout.h"

#include <algorithm>
#include <cstdint>

namespace simt {
namespace {

constexpr size_t NO_NUMBER = SIZE_MAX;
constexpr int64_t MOST_VALUES = 1 << 28;  // of one transform: as complex numbers 2 GB

size_t times(size_t a, size_t b) {
    size_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? NO_NUMBER : product;
}

size_t plus(size_t a, size_t b) {
    size_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? NO_NUMBER : sum;
}

/// As in extent_of(), in elements that stand side by side.
size_t place_of_last(const transform_side& side) {
    size_t place = 0;
    for (int axis = 0; axis < side.rank; axis++)
        place = plus(times(place, size_t(side.layout.embed[axis])), size_t(side.counts[axis]) - 1);
    return place;
}

std::string sizes_of(const transform_plan& plan) {
    std::string text;
    for (int axis = 0; axis < plan.rank; axis++)
        text += (axis > 0 ? " x " : "") + std::to_string(plan.sizes[axis]);
    return text;
}

bool is_layout(const element_layout& layout, int rank) {
    return layout.stride >= 1 && layout.dist >= 1 &&
           std::all_of(layout.embed, layout.embed + rank, [](int count) { return count >= 1; });
}

void pack(transform_side& side, bool in_place) {
    std::copy_n(side.counts, side.rank, side.layout.embed);
    int& row = side.layout.embed[side.rank - 1];
    // A row of half a spectrum lies where its real values lie.
    if (!side.is_complex && in_place) row = 2 * (row / 2 + 1);
    side.layout.stride = 1;
    side.layout.dist = 1;
    for (int axis = 0; axis < side.rank; axis++)
        side.layout.dist *= side.layout.embed[axis];
}

void add_run(std::vector<address_range>& to, uintptr_t begin, size_t bytes) {
    if (!to.empty() && to.back().end == begin)
        to.back().end += bytes;
    else
        to.push_back({begin, begin + bytes});
}

std::vector<address_range> joined(std::vector<address_range> runs) {
    std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::vector<address_range> apart;
    for (const address_range& one : runs) {
        if (!apart.empty() && one.begin <= apart.back().end)
            apart.back().end = std::max(apart.back().end, one.end);
        else
            apart.push_back(one);
    }
    return apart;
}

}  // namespace

plan_fault fault_of(const transform_plan& plan) {
    if (plan.type == CUFFT_D2Z || plan.type == CUFFT_Z2D || plan.type == CUFFT_Z2Z)
        return {CUFFT_NOT_SUPPORTED, "double precision: the CPU backend has transforms of single precision"};
    if (plan.type != CUFFT_R2C && plan.type != CUFFT_C2R && plan.type != CUFFT_C2C)
        return {CUFFT_INVALID_TYPE, std::to_string(int(plan.type)) + " is no cufftType"};
    if (plan.rank < 1 || plan.rank > MOST_RANK)
        return {CUFFT_INVALID_VALUE, std::to_string(plan.rank) + " dimensions: 1 to 3 are possible"};
    int64_t values = 1;
    for (int axis = 0; axis < plan.rank; axis++) {
        if (plan.sizes[axis] >= 1) values *= plan.sizes[axis];
        if (plan.sizes[axis] < 1 || values > MOST_VALUES)
            return {CUFFT_INVALID_SIZE, sizes_of(plan) +
                                            " values: each size must be 1 or more, and all of them " +
                                            std::to_string(MOST_VALUES) + " values at most"};
    }
    if (plan.batch < 1)
        return {CUFFT_INVALID_SIZE, "a batch of " + std::to_string(plan.batch) + ": must be 1 or more"};
    if (!plan.is_packed && !(is_layout(plan.in, plan.rank) && is_layout(plan.out, plan.rank)))
        return {CUFFT_INVALID_VALUE, "a layout with a number below 1"};
    return {};
}

transform_side side_of(const transform_plan& plan, bool is_input, bool in_place) {
    transform_side side;
    side.is_input = is_input;
    side.is_complex = plan.type != (is_input ? CUFFT_R2C : CUFFT_C2R);
    side.rank = plan.rank;
    side.batch = plan.batch;
    std::copy_n(plan.sizes, plan.rank, side.counts);
    int& row = side.counts[plan.rank - 1];
    if (side.is_complex && plan.type != CUFFT_C2C) row = row / 2 + 1;
    side.layout = is_input ? plan.in : plan.out;
    if (plan.is_packed) pack(side, in_place);
    return side;
}

size_t extent_of(const transform_side& side) {
    const size_t last_batch = times(size_t(side.batch) - 1, size_t(side.layout.dist));
    const size_t last = plus(last_batch, times(place_of_last(side), size_t(side.layout.stride)));
    return times(plus(last, 1), side.element_bytes());
}

bool fit_in_place(const transform_side& from, const transform_side& to) {
    size_t from_pitch = from.layout.stride * from.element_bytes();
    size_t to_pitch = to.layout.stride * to.element_bytes();
    for (int axis = from.rank - 1; axis > 0; axis--) {
        from_pitch *= size_t(from.layout.embed[axis]);
        to_pitch *= size_t(to.layout.embed[axis]);
        if (from.counts[axis - 1] > 1 && from_pitch != to_pitch) return false;
    }
    return from.batch == 1 || from.layout.dist * from.element_bytes() == to.layout.dist * to.element_bytes();
}

std::vector<address_range> ranges_of(const transform_side& side, uintptr_t begin) {
    std::vector<address_range> runs;
    const element_layout& layout = side.layout;
    const size_t bytes = side.element_bytes();
    const int rows = side.rank > 1 ? side.counts[side.rank - 2] : 1;
    const int slices = side.rank > 2 ? side.counts[0] : 1;
    const int elements = side.counts[side.rank - 1];
    const size_t pitch = layout.embed[side.rank - 1];
    const size_t slice_rows = side.rank > 1 ? layout.embed[side.rank - 2] : 1;
    for (int b = 0; b < side.batch; b++) {
        for (int z = 0; z < slices; z++) {
            for (int y = 0; y < rows; y++) {
                const size_t first = (z * slice_rows + y) * pitch * layout.stride + size_t(b) * layout.dist;
                if (layout.stride == 1) add_run(runs, begin + first * bytes, elements * bytes);
                for (int x = 0; layout.stride != 1 && x < elements; x++)
                    add_run(runs, begin + (first + size_t(x) * layout.stride) * bytes, bytes);
            }
        }
    }
    return joined(std::move(runs));
}

}  // namespace simt
