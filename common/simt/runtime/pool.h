// What pools of memory know of an allocation.
#pragma once
#include <cstddef>

namespace simt {

/// Memory of a graph is live: it counts in a pool of its own until leave_pool().
void enter_graph_pool(void* begin, size_t bytes);
/// Whether it is live.
bool is_in_graph_pool(void* begin);

/// The memory is no longer of a pool, if it was.
void leave_pool(void* pointer);
/// All memory is freed.
void empty_pools();

}  // namespace simt
