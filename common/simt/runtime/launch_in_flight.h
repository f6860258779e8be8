// A launch that waits for the host: its kernel does nothing but look for what the host, or a kernel of another stream, is
// still to write. The host goes on before it has ended; what its streams' order puts behind it is kept until then. One
// launch at most is in flight.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "simt/engine/runner.h"
#include "simt/engine/stream_order.h"

namespace simt {

/// A launch from its first block to what is done after its last one.
struct open_launch {
    std::vector<std::byte> closure;  // if the host may go on
    grid_run run;
    int depth = 0;  // so many kernels lie between the host and this one
};

/// The host goes on. What it asks for now may come after this launch, which the asked work's stream is for.
void keep_in_flight(std::shared_ptr<open_launch> launch);
/// The launch has ended: its output is printed, its error known, what its kernel has launched runs (launch.cpp).
void conclude(open_launch& launch);

/// True while a launch is in flight.
bool is_any_in_flight();

/// True if work of this stream, asked for now, comes after the launch.
bool is_behind_flight(cudaStream_t stream);
/// Does it now or, behind the launch, later; if the host does not go on without it, it waits.
cudaError_t in_order(cudaStream_t stream, bool host_goes_on, const std::function<cudaError_t()>& work);
/// Does it later, for a stream of which is_behind_flight(). False if the launch has ended meanwhile.
bool put_behind_flight(cudaStream_t stream, const std::function<cudaError_t()>& work);
/// Waits, if it must, until work of this stream may be done.
void wait_behind_flight(cudaStream_t stream);
/// The same for a copy from or to this memory, if the host does not go on before that is made.
void wait_if_pageable(cudaStream_t stream, const void* memory);

/// What the program says of streams and events.
void note_step(const stream_step& step);
/// Of a wait: true if the launch must have ended before.
bool must_end_before(const stream_step& step);
/// Waits until it has ended, and what was behind it alone is done.
void wait_for_landing();

}  // namespace simt
