// Pieces of the heap follow each other, each on a page of the inspector's of its own and with a gap behind it.
// Freed ones are used again when all addresses have been used once.
#include "simt/memory/heap.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

#include "simt/engine/unwritten.h"
#include "simt/memory/allocations.h"

namespace simt {

namespace {

constexpr size_t ALIGNMENT = 256, GAP = 16;
// A piece of 16 bytes counts as such and takes 256 bytes of addresses.
constexpr size_t ADDRESSES_PER_BYTE = 16;
constexpr size_t GRANULE = 16;  // what a GPU's heap rounds up to

struct heap_memory {
    std::mutex mutex;
    size_t limit = 8388608;  // a GPU's, unless the program sets another
    uintptr_t begin = 0, end = 0, next = 0;
    size_t taken = 0;                        // bytes
    std::map<uintptr_t, heap_piece> pieces;  // live and freed
    std::deque<uintptr_t> freed;             // the longest freed first
};

// Never destroyed: kernels may end later than any destructor here.
heap_memory& heap() {
    static heap_memory* instance = new heap_memory;
    return *instance;
}

size_t piece_of(size_t bytes) {
    return (bytes + GAP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t counted(size_t bytes) {
    return (bytes + GRANULE - 1) / GRANULE * GRANULE;
}

/// Addresses never used before, or those of a freed piece that is large enough; 0 if there are none.
uintptr_t take_addresses(heap_memory& all, size_t bytes) {
    const size_t extent = piece_of(bytes);
    if (extent <= all.end - all.next) {
        const uintptr_t begin = all.next;
        all.next += extent;
        return begin;
    }
    const auto fits = [&](uintptr_t begin) { return piece_of(all.pieces.at(begin).bytes) >= extent; };
    const auto found = std::find_if(all.freed.begin(), all.freed.end(), fits);
    if (found == all.freed.end()) return 0;
    const uintptr_t begin = *found;
    all.freed.erase(found);
    return begin;
}

}  // namespace

size_t heap_limit() {
    const std::lock_guard lock(heap().mutex);
    return heap().limit;
}

void set_heap_limit(size_t bytes) {
    const std::lock_guard lock(heap().mutex);
    heap().limit = bytes;
}

void prepare_heap() {
    heap_memory& all = heap();
    const std::lock_guard lock(all.mutex);
    allocation found;
    if (all.begin != 0 && find_live(all.begin, found) && found.is_heap) return;
    all.pieces.clear();
    all.freed.clear();
    all.taken = 0;
    const size_t most = (device_end - device_begin) / 4;
    const size_t bytes = std::min(all.limit * ADDRESSES_PER_BYTE, most);
    all.begin = bytes == 0 ? 0 : allocate_heap(bytes);
    all.end = all.begin == 0 ? 0 : all.begin + bytes;
    all.next = all.begin == 0 ? 0 : all.begin + ALIGNMENT;
}

bool is_in_heap(uintptr_t address) {
    const std::lock_guard lock(heap().mutex);
    return address - heap().begin < heap().end - heap().begin;
}

void* take_from_heap(size_t bytes, uintptr_t site) {
    heap_memory& all = heap();
    const std::lock_guard lock(all.mutex);
    if (bytes == 0 || bytes > all.limit || counted(bytes) > all.limit - std::min(all.taken, all.limit))
        return nullptr;
    const uintptr_t begin = take_addresses(all, bytes);
    if (begin == 0) return nullptr;
    all.taken += counted(bytes);
    all.pieces[begin] = {begin, bytes, site, true};
    std::memset(reinterpret_cast<void*>(begin), unwritten_byte(), piece_of(bytes));
    return reinterpret_cast<void*>(begin);
}

given_back give_to_heap(void* memory) {
    heap_memory& all = heap();
    const std::lock_guard lock(all.mutex);
    const auto found = all.pieces.find(reinterpret_cast<uintptr_t>(memory));
    if (found == all.pieces.end()) return given_back::never_taken;
    heap_piece& piece = found->second;
    if (!piece.live) return given_back::twice;
    piece.live = false;
    all.taken -= counted(piece.bytes);
    all.freed.push_back(piece.begin);
    std::memset(memory, unwritten_byte(), piece.bytes);
    return given_back::done;
}

heap_piece heap_piece_near(uintptr_t address) {
    heap_memory& all = heap();
    const std::lock_guard lock(all.mutex);
    const auto above = all.pieces.upper_bound(address);
    if (above == all.pieces.begin()) return above == all.pieces.end() ? heap_piece{} : above->second;
    const heap_piece& before = std::prev(above)->second;
    if (above == all.pieces.end()) return before;
    const uintptr_t end = before.begin + before.bytes;
    const bool is_nearer = address >= end && above->second.begin - address < address - end;
    return is_nearer ? above->second : before;
}

std::vector<heap_piece> live_heap_pieces() {
    heap_memory& all = heap();
    const std::lock_guard lock(all.mutex);
    std::vector<heap_piece> live;
    for (const auto& [begin, piece] : all.pieces) {
        if (piece.live) live.push_back(piece);
    }
    return live;
}

}  // namespace simt
