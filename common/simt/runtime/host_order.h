// What the host has asked for and not waited for. Under an observer page-locked memory is what it may be on a GPU until
// then: a copy's result is not there yet, and a copy's source must not change.
#pragma once
#include "simt/engine/stream_order.h"
#include "simt/include/simt/types.h"
#include "simt/memory/copy.h"

namespace simt {

/// While it exists, what this thread asks for is asked in this stream.
class asking {
public:
    asking(cudaStream_t stream, bool host_goes_on);
    ~asking() { the_asked_work() = before_; }
    asking(const asking&) = delete;
    asking& operator=(const asking&) = delete;

private:
    asked_work before_;
};

/// copy_rows() for a call of the program: the host goes on only if its side of the copy is page-locked.
cudaError_t copy_as_asked(const row_copy& copy);

/// A stream is made, an event recorded, somebody waits. The observer is told, once there is more than one stream:
/// before, everything is in order.
void take_step(const stream_step& step);
/// The host waits: take_step(), and for the launch in flight if that comes before.
void wait_as_told(const stream_step& step);
uintptr_t number_of_stream(cudaStream_t stream);

/// Somebody else than copies may look at host memory, in the order of a stream: a kernel, a function of the host.
void deliver_copies();
/// A function of the host comes next in the order of a stream: it may look at that memory, and prints after the kernels.
void make_way_for_host_function();

/// True if all of it, a byte at least, is page-locked.
bool is_page_locked(const void* begin, size_t bytes);

}  // namespace simt
