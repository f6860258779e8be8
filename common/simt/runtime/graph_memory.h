// Memory that a node of a graph allocates: at the same address in every launch, and live from there until it is freed, by
// another node or by a call.
#pragma once
#include <cstddef>
#include <memory>

#include "simt/include/simt/errors.h"

namespace simt {

class graph_memory {
public:
    /// Addresses for so many bytes; nothing is live yet. Refused, with one line on stderr, if they do not fit.
    static cudaError_t reserve(const char* call, size_t bytes, std::shared_ptr<graph_memory>& made);
    ~graph_memory();
    graph_memory(const graph_memory&) = delete;

    void* begin() const { return begin_; }
    size_t bytes() const { return bytes_; }
    /// What the two kinds of nodes do.
    cudaError_t allocate() const;
    cudaError_t free() const;

private:
    graph_memory(void* begin, size_t bytes) : begin_(begin), bytes_(bytes) {}

    void* begin_;
    size_t bytes_;
};

/// The graph's memory that begins there; null if there is none.
std::shared_ptr<graph_memory> find_graph_memory(void* begin);

}  // namespace simt
