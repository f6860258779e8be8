// Counts sectors, wavefronts and broadcasts of warp requests.
#include "inspect/watch/requests.h"

#include <algorithm>

#include "inspect/memory/lane_log.h"
#include "simt/engine/wide_vectors.h"

namespace inspect {

namespace {

constexpr uint32_t SECTOR_BYTES = 32;
constexpr uint32_t BANKS = 32;

/// offsets[l] == offsets[0] + l * step for all 32 lanes.
bool is_progression(const uint32_t* offsets, uint32_t step) {
    uint32_t difference = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        difference |= offsets[lane] ^ (offsets[0] + lane * step);
    }
    return difference == 0;
}

/// The lanes' values of one request, without repeats.
class distinct_values {
public:
    /// Whether it is new.
    bool add(uint32_t value) {
        for (uint32_t i = count; i > 0; i--) {  // neighbours repeat most often: newest first
            if (values[i - 1] == value) return false;
        }
        values[count++] = value;
        return true;
    }
    uint32_t count = 0;

private:
    uint32_t values[2 * LANES];  // an access of at most 16 bytes touches at most two sectors
};

/// Sectors of a full warp whose addresses never decrease,
/// which is how most kernels lie; 0 if they do decrease.
uint32_t sectors_in_order(const uint32_t* offsets) {
    uint32_t changes = 0, falls = 0;
    for (uint32_t lane = 1; lane < LANES; lane++) {
        const uint32_t before = offsets[lane - 1] / SECTOR_BYTES;
        const uint32_t now = offsets[lane] / SECTOR_BYTES;
        changes += before != now;
        falls += before > now;
    }
    return falls == 0 ? changes + 1 : 0;
}

WITH_WIDE_VECTORS uint32_t count_sectors(uint32_t bytes, uint32_t mask, const uint32_t* offsets) {
    if (mask == ALL_LANES) {
        if (is_progression(offsets, bytes)) {
            return (offsets[0] + LANES * bytes - 1) / SECTOR_BYTES - offsets[0] / SECTOR_BYTES + 1;
        }
        uint32_t misaligned = 0;
        for (uint32_t lane = 0; lane < LANES; lane++) {
            misaligned |= offsets[lane] & (bytes - 1);
        }
        const uint32_t sectors = sectors_in_order(offsets);
        if (sectors != 0 && misaligned == 0) return sectors;
    }
    distinct_values sectors;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const uint32_t offset = offsets[__builtin_ctz(rest)];
        for (uint32_t sector = offset / SECTOR_BYTES; sector <= (offset + bytes - 1) / SECTOR_BYTES;
             sector++) {
            sectors.add(sector);
        }
    }
    return sectors.count;
}

/// Lanes that change the same word go one after another: each of these passes has its own sectors.
uint32_t count_atomic_sectors(uint32_t bytes, uint32_t mask, const uint32_t* offsets) {
    uint32_t sectors = 0;
    while (mask != 0) {
        uint32_t pass = 0;
        distinct_values words;
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            const uint32_t lane = __builtin_ctz(rest);
            if (words.add(offsets[lane])) pass |= 1u << lane;
        }
        sectors += count_sectors(bytes, pass, offsets);
        mask &= ~pass;
    }
    return sectors;
}

/// Passes over the banks for the lanes of one part of a request:
/// the most different words any bank has to deliver.
uint32_t passes_of_part(uint32_t bytes, uint32_t mask, const uint32_t* offsets) {
    const uint32_t words = std::max(1u, bytes / 4);
    // The different words wanted from each bank; only the counted part is ever read.
    uint32_t wanted[BANKS][LANES];
    uint8_t count[BANKS] = {};
    uint32_t most = 1;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const uint32_t first = offsets[__builtin_ctz(rest)] / 4;
        for (uint32_t word = first; word < first + words; word++) {
            const uint32_t bank = word % BANKS;
            uint32_t i = 0;
            while (i < count[bank] && wanted[bank][i] != word)
                i++;
            if (i < count[bank]) continue;
            wanted[bank][count[bank]++] = word;
            most = std::max<uint32_t>(most, count[bank]);
        }
    }
    return most;
}

/// Passes over the banks if `lanes` neighbours are served at a time.
shared_cost serve_in_parts(uint32_t bytes, uint32_t lanes, uint32_t mask, const uint32_t* offsets) {
    const uint32_t part_mask = lanes == LANES ? ALL_LANES : (1u << lanes) - 1;
    shared_cost cost;
    for (uint32_t first = 0; first < LANES; first += lanes) {
        const uint32_t active = mask >> first & part_mask;
        if (active == 0) continue;
        cost.wavefronts += passes_of_part(bytes, active, offsets + first);
        cost.ideal++;
    }
    return cost;
}

/// Every active lane n wants the same as lane n ^ distance, if that is active.
bool pairs_share(uint32_t distance, uint32_t mask, const uint32_t* offsets) {
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const uint32_t lane = __builtin_ctz(rest), other = lane ^ distance;
        if ((mask >> other & 1) && offsets[lane] != offsets[other]) return false;
    }
    return true;
}

shared_cost look_at_banks(uint32_t key, uint32_t mask, const uint32_t* offsets) {
    const uint32_t bytes = bytes_of(key), parts = bytes <= 4 ? 1 : bytes / 4;
    // A wide load whose neighbours share is served for twice as many lanes
    // at a time, unless they then collide.
    const bool may_share = parts > 1 && kind_of(key) == access_kind::read;
    if (may_share && (pairs_share(1, mask, offsets) || pairs_share(2, mask, offsets))) {
        const shared_cost cost = serve_in_parts(bytes, 2 * LANES / parts, mask, offsets);
        if (cost.wavefronts == cost.ideal) return cost;
    }
    return serve_in_parts(bytes, LANES / parts, mask, offsets);
}

shared_cost count_wavefronts(uint32_t key, uint32_t mask, const uint32_t* offsets, known_costs& known) {
    return mask == ALL_LANES ? known[key % known.size()].of(key, offsets) : look_at_banks(key, mask, offsets);
}

WITH_WIDE_VECTORS uint32_t count_addresses(uint32_t mask, const uint32_t* offsets) {
    if (mask == ALL_LANES && is_progression(offsets, 0)) return 1;
    distinct_values words;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        words.add(offsets[__builtin_ctz(rest)] / 4);
    }
    return words.count;
}

uint32_t slot_of(uint32_t key, uint32_t variable, size_t slots) {
    const uint64_t mixed = (uint64_t{variable} << 32 | key) * 0x9E3779B97F4A7C15u;  // Fibonacci hashing
    return static_cast<uint32_t>(mixed >> 32) & (slots - 1);
}

}  // namespace

traffic& traffic_table::at(uint32_t key, uint32_t variable) {
    for (uint32_t slot = slot_of(key, variable, slots.size());; slot = (slot + 1) & (slots.size() - 1)) {
        if (slots[slot] == 0) {
            list.push_back({key, variable, {}});
            slots[slot] = static_cast<uint32_t>(list.size());
            if (list.size() * 2 > slots.size()) grow();
            return list.back().seen;
        }
        entry& found = list[slots[slot] - 1];
        if (found.key == key && found.variable == variable) return found.seen;
    }
}

void traffic_table::grow() {
    std::vector<uint32_t> larger(slots.size() * 2);
    for (uint32_t i = 0; i < list.size(); i++) {
        uint32_t slot = slot_of(list[i].key, list[i].variable, larger.size());
        while (larger[slot] != 0)
            slot = (slot + 1) & (larger.size() - 1);
        larger[slot] = i + 1;
    }
    slots = std::move(larger);
}

void traffic_table::clear() {
    list.clear();
    std::fill(slots.begin(), slots.end(), 0);
}

WITH_WIDE_VECTORS shared_cost known_cost::of(uint32_t key, const uint32_t* offsets) {
    key &= ~SITE_MASK;
    uint32_t difference = (key ^ key_) | (offsets[0] ^ first_) % 4;
    for (uint32_t lane = 0; lane < LANES; lane++)
        difference |= (offsets[lane] - offsets[0]) ^ distances_[lane];
    if (difference == 0) return cost_;
    key_ = key;
    first_ = offsets[0];
    for (uint32_t lane = 0; lane < LANES; lane++)
        distances_[lane] = offsets[lane] - offsets[0];
    return cost_ = look_at_banks(key, ALL_LANES, offsets);
}

void count_request(traffic& seen, uint32_t key, uint32_t mask, const uint32_t* offsets, known_costs& known) {
    const uint32_t bytes = bytes_of(key);
    const uint64_t lanes = __builtin_popcount(mask);
    seen.lanes += lanes;
    seen.bytes += lanes * bytes;
    seen.requests++;
    uint64_t cost = 1;
    switch (space_of(key)) {
        case space::global:
        case space::device_variable:
            cost = kind_of(key) == access_kind::atomic ? count_atomic_sectors(bytes, mask, offsets)
                                                       : count_sectors(bytes, mask, offsets);
            seen.sectors += cost;
            seen.ideal += std::min(cost, (lanes * bytes + SECTOR_BYTES - 1) / SECTOR_BYTES);
            break;
        case space::shared: {
            const shared_cost counted = count_wavefronts(key, mask, offsets, known);
            cost = counted.wavefronts;
            seen.wavefronts += cost;
            seen.ideal += counted.ideal;
            break;
        }
        case space::constant:
            cost = count_addresses(mask, offsets);
            seen.wavefronts += cost;
            seen.ideal++;
            break;
        default:  // texture: a fetch has no address of its own
            seen.ideal++;
            break;
    }
    seen.worst = std::max(seen.worst, cost);
}

}  // namespace inspect
