// Values that kernels set and conditional nodes of graphs look at.
#pragma once
#include <atomic>
#include <memory>

#include "simt/include/simt/graph.h"

namespace simt {

struct condition {
    std::atomic<unsigned> value = 0;
    unsigned first = 0;
    bool begins_with_first = false;  // in every launch
};

/// A new one and its handle, which is good for as long as somebody has it.
std::shared_ptr<condition> make_condition(cudaGraphConditionalHandle* handle, unsigned first,
                                          bool begins_with_first);
/// Null if there is none.
std::shared_ptr<condition> find_condition(cudaGraphConditionalHandle handle);

struct graph;
struct conditional;

/// Every condition of the graph, and of those inside it, that begins with a value does.
void begin_conditions(const graph& launched);
/// The graph as it is now, with the graphs that its conditional nodes hold.
graph with_bodies(const graph& of);

}  // namespace simt
