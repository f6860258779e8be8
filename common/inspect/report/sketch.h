// What pictures of a launch are drawn from: only recorded where they are asked for,
// ordinary checks go without.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace inspect {

/// Accesses to every 4-byte element of a piece of global memory that the contract names.
struct element_map {
    std::string variable;               // "in"
    uint64_t row_bytes = 0, pitch = 0;  // of a pitched allocation; 0 for a linear one
    std::vector<uint32_t> loads, stores;
    std::vector<int32_t> loader;  // thread of the sampled block that loads the element, -1 if none does
};

/// The most expensive request of a source line, lane by lane.
struct request_sample {
    std::string file;
    int line = 0, column = 0;
    std::string space, direction, variable;
    unsigned access_bytes = 0;
    uint64_t block = 0;  // linear, x fastest
    unsigned warp = 0;
    uint32_t mask = 0;              // lanes that take part
    std::vector<uint32_t> offsets;  // bytes, 32 of them; of global memory from the start of the variable
    uint32_t cost = 0;              // sectors, wavefronts or addresses
};

struct sketch {
    uint64_t block = 0;  // the sampled one, in the middle of the grid
    std::vector<element_map> elements;
    std::vector<request_sample> samples;
    bool empty() const { return elements.empty() && samples.empty(); }
};

}  // namespace inspect
