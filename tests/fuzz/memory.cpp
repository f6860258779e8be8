#include "memory.h"

#include <algorithm>
#include <cstring>

#include "contents.h"

namespace fuzz {

namespace {

constexpr int WARP = 32, SECTOR = 32, BANKS = 32, WORD = 4;

bool are_ordered(const use& a, const use& b) {
    if (a.block != b.block) return false;
    return a.epoch != b.epoch || (a.thread / WARP == b.thread / WARP && a.warp_epoch != b.warp_epoch);
}

/// How the list is merged: the most different words that one bank must give.
uint64_t passes(const std::vector<int>& offsets, int width) {
    std::set<int> words[BANKS];
    size_t most = 0;
    for (const int offset : offsets) {
        for (int word = offset / WORD; word <= (offset + width - 1) / WORD; word++) {
            words[word % BANKS].insert(word);
            most = std::max(most, words[word % BANKS].size());
        }
    }
    return most;
}

uint64_t passes_in_groups(const std::vector<int>& offsets, int width, int lanes, bool& is_single) {
    uint64_t sum = 0;
    is_single = true;
    for (int first = 0; first < WARP; first += lanes) {
        std::vector<int> group;
        for (int lane = first; lane < first + lanes; lane++)
            if (offsets[lane] >= 0) group.push_back(offsets[lane]);
        const uint64_t needed = passes(group, width);
        sum += needed;
        is_single &= needed <= 1;
    }
    return sum;
}

bool partners_agree(const std::vector<int>& offsets, int distance) {
    for (int lane = 0; lane < WARP; lane++) {
        const int mine = offsets[lane], other = offsets[lane ^ distance];
        if (mine >= 0 && other >= 0 && mine != other) return false;
    }
    return true;
}

}  // namespace

memory::memory(const array& what, bool is_open) : owner(what), margin(is_open ? MARGIN : 0) {
    const int size = is_open ? OPEN : std::max(what.bytes(), 0);
    bytes.resize(margin + size);
    written.resize(margin + size);
    uses.resize(margin + size);
    const bool is_shared = what.where == space::shared || what.where == space::dynamic;
    if (what.is_fresh || is_shared) return;
    std::fill(written.begin(), written.end(), 1);
    const int elements = size / what.element->bytes;
    for (int element = 0; element < elements; element++) {
        for (size_t m = 0; m < what.element->members.size(); m++) {
            const member& one = what.element->members[m];
            put(element * what.element->bytes + one.offset, one.type, content(what.id, element, int(m)));
        }
    }
}

bool memory::holds(int offset, int width) const {
    return at(offset) >= 0 && at(offset) + width <= int(bytes.size());
}

int64_t memory::get(int offset, scalar as) const {
    const auto read = [&](auto value) {
        std::memcpy(&value, &bytes[at(offset)], sizeof value);
        return static_cast<int64_t>(value);
    };
    switch (as) {
        case scalar::i8:
            return read(int8_t{});
        case scalar::u8:
            return read(uint8_t{});
        case scalar::i16:
            return read(int16_t{});
        case scalar::u16:
            return read(uint16_t{});
        case scalar::i32:
            return read(int32_t{});
        case scalar::u32:
            return read(uint32_t{});
        case scalar::f32:
            return read(float{});
        default:
            return read(double{});
    }
}

void memory::put(int offset, scalar as, int64_t value) {
    const auto write = [&](auto converted) { std::memcpy(&bytes[at(offset)], &converted, sizeof converted); };
    if (as == scalar::f32) return write(static_cast<float>(value));
    if (as == scalar::f64) return write(static_cast<double>(value));
    std::memcpy(&bytes[at(offset)], &value, bytes_of(as));  // little-endian, as a GPU
}

void memory::forget() {
    std::fill(written.begin(), written.end(), 0);
}

void memory::note(int offset, int width, use seen) {
    lowest = std::min(lowest, offset);
    highest = std::max(highest, offset + width - 1);
    for (int i = 0; i < width; i++) {
        seen.value = bytes[at(offset + i)];
        uses[at(offset + i)].push_back(seen);
        if (seen.how != direction::load) written[at(offset + i)] = 1;
    }
}

void memory::find_races(std::set<fault>& found) {
    std::map<std::pair<int, int>, bool> differs;  // by lines: whether anything but equal stores
    for (std::vector<use>& list : uses) {
        for (const use& one : list) {
            if (one.how == direction::load) continue;
            for (const use& other : list) {
                if (one.thread == other.thread && one.block == other.block) continue;
                if (one.how == direction::atomic && other.how == direction::atomic) continue;
                if (are_ordered(one, other)) continue;
                const auto lines = std::minmax(one.line, other.line);
                const bool are_stores = one.how == direction::store && other.how == direction::store;
                differs[lines] |= !are_stores || one.value != other.value;
            }
        }
        list.clear();
    }
    for (const auto& [lines, is_error] : differs)
        found.insert({is_error ? "race" : "benign-race", owner.name, lines.first, lines.second});
}

bool memory::was_written(int offset, int width) const {
    return std::all_of(&written[at(offset)], &written[at(offset)] + width,
                       [](uint8_t one) { return one != 0; });
}

uint64_t sectors(const std::vector<int>& offsets, int width) {
    std::set<int> touched;
    for (const int offset : offsets) {
        if (offset < 0) continue;
        for (int sector = offset / SECTOR; sector <= (offset + width - 1) / SECTOR; sector++)
            touched.insert(sector);
    }
    return touched.size();
}

uint64_t atomic_sectors(std::vector<int> offsets, int width) {
    uint64_t sum = 0;
    for (bool is_left = true; is_left;) {
        is_left = false;
        std::set<int> pass;
        std::vector<int> now;
        for (int& offset : offsets) {
            if (offset < 0) continue;
            if (pass.insert(offset).second) {
                now.push_back(offset);
                offset = -1;
            } else {
                is_left = true;
            }
        }
        sum += sectors(now, width);
    }
    return sum;
}

// A wavefront is one pass over the 32 banks. Wider accesses are served for halves and quarters of the warp; loads
// whose partners at distance 1 or 2 agree for twice as many lanes at a time, unless that makes conflicts.
uint64_t wavefronts(const std::vector<int>& offsets, int width, direction how) {
    const int words = std::max(1, width / WORD), lanes = WARP / words;
    bool is_single = false;
    const uint64_t plain = passes_in_groups(offsets, width, lanes, is_single);
    if (words == 1 || how != direction::load) return plain;
    if (!partners_agree(offsets, 1) && !partners_agree(offsets, 2)) return plain;
    const uint64_t shared = passes_in_groups(offsets, width, 2 * lanes, is_single);
    return is_single ? shared : plain;
}

uint64_t addresses(const std::vector<int>& offsets) {
    std::set<int> words;
    for (const int offset : offsets)
        if (offset >= 0) words.insert(offset / WORD);
    return words.size();
}

}  // namespace fuzz
