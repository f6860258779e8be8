// What numbers of a report can be.
#include "inspect/report/possible.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace inspect {

namespace {

constexpr std::ptrdiff_t MOST_LISTS = 1 << 20, MOST_VALUES = 1 << 24;  // of a report's text
constexpr uint64_t MOST_COUNTED = uint64_t(1) << 48;  // a day of accesses; sums of thousands still fit
constexpr uint64_t MOST_SHARED = 1 << 20;             // bytes of a block
constexpr unsigned MOST_THREADS = 1024, MOST_BLOCKS_X = 2147483647, MOST_BLOCKS_YZ = 65535;
constexpr size_t LANES = 32;

void require(bool holds, const char* otherwise) {
    if (!holds) throw std::runtime_error(std::string("not an inspector's report: ") + otherwise);
}

void require_possible(const traffic& seen) {
    for (const uint64_t count :
         {seen.lanes, seen.bytes, seen.requests, seen.sectors, seen.wavefronts, seen.ideal, seen.worst})
        require(count <= MOST_COUNTED, "nobody can have counted so far");
}

void require_possible(const memory_traffic& seen) {
    for (const traffic& one : {seen.loads, seen.stores, seen.atomics})
        require_possible(one);
}

bool between_1_and(unsigned most, unsigned number) {
    return number >= 1 && number <= most;
}

void require_possible(const element_map& map) {
    const size_t elements = map.loads.size();
    require(map.stores.size() == elements && map.loader.size() == elements,
            "an element is loaded, stored and has a loader");
    require(map.row_bytes <= map.pitch && map.pitch <= MOST_COUNTED, "a row is no longer than its pitch");
}

void require_possible(const launch& one) {
    const auto& [grid, block] = std::tie(one.grid, one.block);
    require(between_1_and(MOST_BLOCKS_X, grid[0]) && between_1_and(MOST_BLOCKS_YZ, grid[1]) &&
                between_1_and(MOST_BLOCKS_YZ, grid[2]),
            "no device has such a grid");
    require(between_1_and(MOST_THREADS, block[0]) && between_1_and(MOST_THREADS / block[0], block[1]) &&
                between_1_and(MOST_THREADS / block[0] / block[1], block[2]),
            "no device has such a block");
    require(one.inspected_blocks <= one.blocks(), "more blocks were inspected than there are");
    require(one.static_shared <= MOST_SHARED && one.dynamic_shared <= MOST_SHARED,
            "no block has so much shared memory");
    require_possible(one.total.global);
    require_possible(one.total.shared);
    require_possible(one.total.constant);
    require_possible(one.total.texture);
    require(one.total.matrix_products <= MOST_COUNTED, "nobody can have counted so far");
    for (const line_traffic& line : one.lines)
        require_possible(line.seen);
    for (const variable_traffic& variable : one.variables)
        require_possible(variable.seen);
    require(one.drawn.empty() || one.drawn.block < one.blocks(), "the sampled block is none of the grid's");
    for (const element_map& map : one.drawn.elements)
        require_possible(map);
    for (const request_sample& sample : one.drawn.samples)
        require(sample.offsets.size() == LANES, "a warp has 32 lanes");
}

}  // namespace

void require_possible_size(const std::string& text) {
    std::ptrdiff_t lists = 0, values = 0;
    for (const char c : text) {
        lists += c == '[' || c == '{';
        values += c == ',';
    }
    require(lists <= MOST_LISTS && values <= MOST_VALUES, "it is too long");
}

void require_possible(const report& what) {
    for (const launch& one : what.launches)
        require_possible(one);
    for (const operation& one : what.operations)
        require(one.bytes <= MOST_COUNTED && one.slot <= MOST_COUNTED && one.overlaps <= MOST_COUNTED,
                "nobody can have counted so far");
    for (const transform& one : what.transforms) {
        require(between_1_and(3, unsigned(std::min<size_t>(one.sizes.size(), 4))),
                "transforms have 1 to 3 dimensions");
        for (const uint64_t size : one.sizes)
            require(size >= 1 && size <= MOST_COUNTED, "nobody can have transformed so much");
        require(one.batch >= 1 && one.batch <= MOST_COUNTED, "nobody can have transformed so much");
    }
    require(what.origin.values <= MOST_COUNTED && what.origin.of_host <= what.origin.values &&
                what.origin.first_of_host <= what.origin.values,
            "more values than there are came from the host");
}

}  // namespace inspect
