// Parts of allocations that are one array each: a student's allocation may hold several.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "simt/engine/observer.h"

namespace inspect {

/// A part of an allocation as a launch found it.
struct piece {
    uint32_t allocation = 0;  // serial
    uintptr_t begin = 0, end = 0;
    std::string brought;  // the array of the call that the host has put there, UNRECOGNISED, or empty
    // What loads and stores of it count for, known when the call has ended; empty for no array of the call. A
    // buffer may be input to one kernel and output of the next.
    std::string loads_as = {}, stores_as = {};
    bool is_guess = false;
    bool is_transformed =
        false;  // without `brought`: what a transform made of it has none of its allocation's names

    const std::string& name() const { return loads_as.empty() ? stores_as : loads_as; }
    bool operator==(const piece&) const = default;
};

/// The pieces of all launches since the last forget().
class memory_pieces {
public:
    void allocated(const simt::allocation& what) { live[what.serial] = what; }
    void freed(const simt::allocation& what) { live.erase(what.serial); }
    /// Cuts what is allocated where the names of its data change, and where parts without a name begin at
    /// addresses that the kernel is given.
    void launch_begins(const simt::launch_info& launch);

    /// Identity of the piece of an allocation at this address; 0 for none.
    uint32_t at(uint32_t allocation, uintptr_t address) const {
        const piece_list list = pieces_of(allocation);
        return list.count == 1 ? list.first : at_or_near(list, address);
    }
    const piece& operator[](uint32_t identity) const { return all[identity - 1]; }
    /// The piece at the address or next to it, as the latest launch found it; null if there was none.
    const piece* near(uint32_t allocation, uintptr_t address) const;
    bool is_whole(uint32_t identity) const { return pieces_of((*this)[identity].allocation).count == 1; }

    /// The same for memory that is no allocation, as the end of the call finds it: a __device__ variable.
    piece whole(uintptr_t begin, uintptr_t end) const;
    /// Kernels have stored there: it is no input, whatever lies beside it.
    void stored_to(uint32_t identity) { stored.insert(identity); }
    /// So has a transform, to all of it.
    void stored_to(const simt::address_range& range) { transformed.push_back(range); }
    /// The call has ended: says what loads and stores count for.
    void settle(const std::vector<simt::guessed_array>& guesses);
    void forget();

private:
    struct piece_list {
        uint32_t first = 0, count = 0;  // identities
    };
    piece_list pieces_of(uint32_t allocation) const {
        return allocation < lists.size() ? lists[allocation] : piece_list{};
    }
    uint32_t at_or_near(const piece_list& list, uintptr_t address) const;
    void settle(piece& one, const std::string& only) const;

    std::map<uint32_t, simt::allocation> live;  // by serial
    std::vector<piece_list> lists;              // by serial, as the latest launch found them
    std::vector<simt::guessed_array> guesses;
    std::vector<piece> all;
    std::set<uint32_t> stored;  // identities
    std::vector<simt::address_range> transformed;
};

}  // namespace inspect
