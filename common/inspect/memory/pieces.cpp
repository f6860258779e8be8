// Cuts allocations into arrays and gives the pieces their names.
#include "inspect/memory/pieces.h"

#include <algorithm>
#include <cstring>

namespace inspect {

namespace {

using simt::named_range;
using simt::UNRECOGNISED;

/// Whatever among the arguments of a kernel looks like an address of device memory, in order.
std::vector<uintptr_t> addresses_in(const simt::launch_info& launch) {
    std::vector<uintptr_t> found;
    const auto* bytes = static_cast<const char*>(launch.arguments);
    for (size_t at = 0; at + sizeof(uintptr_t) <= launch.argument_bytes; at += sizeof(uintptr_t)) {
        uintptr_t word = 0;
        std::memcpy(&word, bytes + at, sizeof word);
        if (word >= simt::device_begin && word < simt::device_end) found.push_back(word);
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// The arrays in a list of ranges. What was not recognised counts only where nothing was: between rows that
/// were, it is a row of equal values.
std::set<std::string> arrays_in(const std::vector<named_range>& ranges) {
    std::set<std::string> names;
    for (const named_range& one : ranges)
        names.insert(one.name);
    if (names.size() > 1) names.erase(UNRECOGNISED);
    return names;
}

/// Appends a piece, or lengthens the last one if both have the same name.
void append(std::vector<piece>& pieces, const piece& next) {
    if (next.begin >= next.end) return;
    const bool goes_on = !pieces.empty() && !next.brought.empty() && pieces.back().brought == next.brought;
    if (goes_on)
        pieces.back().end = next.end;
    else
        pieces.push_back(next);
}

/// Pieces of [begin, end), which the kernel has one address for. Ghost cells have the name of what they
/// surround.
void cut_between(std::vector<piece>& pieces, uint32_t allocation, uintptr_t begin, uintptr_t end) {
    const std::vector<named_range> ranges = simt::brought_by_host(begin, end);
    const std::set<std::string> names = arrays_in(ranges);
    if (names.size() <= 1) {
        append(pieces, {allocation, begin, end, names.empty() ? "" : *names.begin()});
        return;
    }
    std::vector<named_range> arrays;
    for (const named_range& one : ranges) {
        if (names.count(one.name) == 0) continue;
        if (!arrays.empty() && arrays.back().name == one.name)
            arrays.back().end = one.end;
        else
            arrays.push_back(one);
    }
    for (const named_range& one : arrays) {
        append(pieces, {allocation, begin, one.begin, ""});
        append(pieces, {allocation, one.begin, one.end, one.name});
        begin = one.end;
    }
    append(pieces, {allocation, begin, end, ""});
}

/// Where the kernel has several addresses in an allocation, it is cut at all but the first, which may have
/// ghost cells before it; at that, too, if what the host has put there lies before it and nothing behind.
std::vector<piece> cut(const simt::allocation& what, const std::vector<uintptr_t>& addresses) {
    std::vector<piece> parts;
    uintptr_t begin = what.begin;
    const uintptr_t end = what.begin + what.bytes;
    auto next = std::lower_bound(addresses.begin(), addresses.end(), begin);
    const auto behind = std::lower_bound(next, addresses.end(), end);
    if (next != behind) {
        const auto second = std::upper_bound(next, behind, *next);
        const bool is_behind_data = !simt::brought_by_host(begin, *next).empty() &&
                                    simt::brought_by_host(*next, second == behind ? end : *second).empty();
        if (!is_behind_data) next = second;
    }
    for (; next != behind; ++next) {
        cut_between(parts, what.serial, begin, *next);
        begin = *next;
    }
    cut_between(parts, what.serial, begin, end);
    return parts;
}

/// The name that most bytes of the ranges have.
std::string main_name(const std::vector<named_range>& ranges) {
    std::map<std::string, size_t> bytes;
    for (const named_range& one : ranges)
        bytes[one.name] += one.end - one.begin;
    const auto most = std::max_element(bytes.begin(), bytes.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == bytes.end() ? "" : most->first;
}

}  // namespace

void memory_pieces::launch_begins(const simt::launch_info& launch) {
    const std::vector<uintptr_t> addresses = addresses_in(launch);
    if (!live.empty()) lists.resize(std::max<size_t>(lists.size(), live.rbegin()->first + 1));
    for (const auto& [serial, owner] : live) {
        const std::vector<piece> now = cut(owner, addresses);
        piece_list& list = lists[serial];
        const auto before = all.begin() + (list.count == 0 ? 0 : list.first - 1);
        if (list.count == now.size() && std::equal(now.begin(), now.end(), before)) continue;
        list = {static_cast<uint32_t>(all.size() + 1), static_cast<uint32_t>(now.size())};
        all.insert(all.end(), now.begin(), now.end());
    }
}

uint32_t memory_pieces::at_or_near(const piece_list& list, uintptr_t address) const {
    if (list.count == 0) return 0;
    const auto first = all.begin() + (list.first - 1);
    const auto behind = std::upper_bound(first + 1, first + list.count, address,
                                         [](uintptr_t a, const piece& b) { return a < b.begin; });
    return static_cast<uint32_t>(behind - all.begin());
}

const piece* memory_pieces::near(uint32_t allocation, uintptr_t address) const {
    const uint32_t identity = at_or_near(pieces_of(allocation), address);
    return identity == 0 ? nullptr : &all[identity - 1];
}

void memory_pieces::settle(piece& one, const std::string& only) const {
    const auto array = [&](const std::string& name, bool is_output) -> std::string {
        if (name != UNRECOGNISED) return name;
        for (const simt::guessed_array& guess : guesses) {
            if (guess.is_output != is_output || one.begin < guess.begin || one.end > guess.end) continue;
            one.is_guess = true;
            return guess.name;
        }
        return "";
    };
    const std::string brought = array(one.brought, false);
    const std::string taken = array(main_name(simt::taken_by_host(one.begin, one.end)), true);
    one.stores_as = taken.empty() ? brought : taken;
    one.loads_as = !brought.empty() ? brought : !taken.empty() ? taken : array(only, false);
}

piece memory_pieces::whole(uintptr_t begin, uintptr_t end) const {
    piece one{0, begin, end, main_name(simt::brought_by_host(begin, end))};
    settle(one, "");
    return one;
}

void memory_pieces::settle(const std::vector<simt::guessed_array>& when_ended) {
    guesses = when_ended;
    // The only array that the host has put into an allocation; empty where it put in several.
    std::map<uint32_t, std::string> only;
    for (const piece& one : all) {
        if (one.brought.empty()) continue;
        const auto [known, is_new] = only.try_emplace(one.allocation, one.brought);
        if (!is_new && known->second != one.brought) known->second.clear();
    }
    for (piece& one : all) {
        const auto meets = [&](const auto& other) { return other.begin < one.end && one.begin < other.end; };
        one.is_transformed = std::any_of(transformed.begin(), transformed.end(), meets);
        const bool is_stored = std::any_of(stored.begin(), stored.end(),
                                           [&](uint32_t identity) { return meets((*this)[identity]); });
        settle(one, is_stored || one.is_transformed ? "" : only[one.allocation]);
    }
}

void memory_pieces::forget() {
    guesses.clear();
    all.clear();
    stored.clear();
    transformed.clear();
    lists.clear();
}

}  // namespace inspect
