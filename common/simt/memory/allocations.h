// The list of allocations in device memory: where new ones go, what an address belongs to.
// allocation_near(), which observers use, is declared in observer.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "simt/engine/observer.h"
#include "simt/memory/arena.h"

namespace simt {

/// New device memory, which holds what nobody wrote (engine/unwritten.h). row_bytes and pitch describe a pitched
/// allocation. Returns its address, or 0 if it does not fit.
uintptr_t allocate(size_t bytes, size_t row_bytes = 0, size_t pitch = 0);

/// The same where host code can use it, too.
uintptr_t allocate_for_host(size_t bytes, memory_use use);

/// The same for the heap of kernels, which is not filled and counts as no memory in use.
uintptr_t allocate_heap(size_t bytes);

/// Another process's memory, of so many bytes, as it is. Returns where it is now, or 0 if it does not fit or is gone.
uintptr_t take_in(const shared_piece& piece, size_t bytes);

/// Ends the allocation that begins here. Its addresses are not used again for as long as others are left.
/// False if no live allocation begins here.
bool release(uintptr_t begin);

/// Addresses of a graph's memory: freed memory that is live from come_back() to release(), again and again, until they
/// are given up. Returns their begin, or 0 if it does not fit.
uintptr_t reserve(size_t bytes);
/// Live again, and filled as new memory is. False if it is live, or no such memory.
bool come_back(uintptr_t begin);
/// The addresses are as any other's.
void give_up(uintptr_t begin);

/// Ends all allocations but the host's own.
void release_everything();

/// The live allocation that contains the address. False if there is none.
bool find_live(uintptr_t address, allocation& found);

/// In the order of their addresses.
void for_each_live(const std::function<void(const allocation&)>& visit);

/// The allocation takes the name, unless it has one. `brought`: of what the host put there; of several such
/// names it keeps none.
void label_allocation(uintptr_t address, const std::string& label, bool brought);

/// CUDA arrays take device memory too, elsewhere: so many bytes more (or less) are in use.
void count_array_bytes(ptrdiff_t change);

struct memory_info {
    size_t free = 0, total = 0;  // bytes
};
memory_info device_memory_info();

}  // namespace simt
