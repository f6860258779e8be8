// What the lines of a kernel say of the objects whose members they use.
#pragma once
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simt/engine/observer.h"

namespace inspect {

struct object_use {
    const simt::object_type* type = nullptr;
    bool is_restricted = false;  // reached by a __restrict__ pointer
};

/// By instruction: one says the same of every object.
class object_uses {
public:
    void learn(uint32_t site, const object_use& use) {
        uint32_t& likely = recent[site % recent.size()];
        if (likely == site) return;
        likely = site;
        by_site[site] = use;
    }
    const object_use& at(uint32_t site) const { return by_site.at(site); }

    /// Offsets of the bytes between the members of a type.
    const std::vector<uint32_t>& padding_of(const simt::object_type& type);

private:
    std::array<uint32_t, 256> recent{};
    std::unordered_map<uint32_t, object_use> by_site;
    std::unordered_map<const simt::object_type*, std::vector<uint32_t>> paddings;
};

}  // namespace inspect
