// The reserved range of addresses that is device memory, mapped twice: once for kernels, once for the runtime.
#pragma once
#include <cstddef>
#include <cstdint>

namespace simt {

/// So many bytes, rounded up to chunks.
size_t whole_chunks(size_t bytes);

/// Reserves the range on first use: half of the machine's memory, as a power of two, but at least 4 GB and at most what
/// limit_device_memory() says; or the largest half, quarter, ... of that which the limits of the process leave. Below 64 MB
/// it fails: one line on stderr, and false from then on. Sets device_begin and device_end.
bool reserve_device_memory();

/// Makes device memory accessible at the addresses kernels use. For the time of a launch only:
/// while host code runs the range is closed, so that a host dereference of a device
/// pointer is caught. Calls may not nest.
void open_device_memory();
void close_device_memory();

/// From now on it is open to the host, too.
void keep_device_memory_open();

/// For memory that is about to be written whole: to open and close it for a launch then takes a hundredth of the time.
/// Linux has a way since 6.1; elsewhere nothing changes.
void use_large_pages(uintptr_t begin, size_t bytes);

/// Closes a piece of open memory, whole pages of it, until all is closed and opened the next time.
void close_to_kernels(uintptr_t begin, size_t bytes);

/// Managed memory, which host code uses, too: the upper part of the range, from the first call on. It stays
/// accessible at all times. Nothing that is allocated may lie in it before. Returns where it begins; device_end
/// while there is none.
uintptr_t open_managed_memory();
uintptr_t managed_begin();

/// True for an address in the reserved range, allocated or not.
bool is_device_address(uintptr_t address);

/// Where a piece of a process's device memory begins, as another process finds it.
struct shared_piece {
    int process = 0;
    int file = -1;  // its descriptor there
    uint64_t inode = 0;
    size_t offset = 0;
};
shared_piece piece_at(uintptr_t begin);
/// From now on these addresses, whole chunks of them, are another process's piece. False, and they may be nobody's until map_own(),
/// if the process or its memory is gone.
bool map_piece(uintptr_t begin, size_t bytes, const shared_piece& piece);
/// They are this process's own again, with what they had before.
void map_own(uintptr_t begin, size_t bytes);

/// The runtime's own view of a device address, always accessible, or of one in a host_window; any other address is
/// returned as it is.
char* host_view(uintptr_t address);
inline char* host_view(const void* pointer) {
    return host_view(reinterpret_cast<uintptr_t>(pointer));
}

/// While it exists, these host addresses of another process are seen by host_view() at `view`: the device is in a
/// process of its own (engine/far_device.h). Of several the latest counts.
class host_window {
public:
    host_window(const void* begin, size_t bytes, const void* view);
    ~host_window();
    host_window(const host_window&) = delete;
};

/// This process gives its views of device memory up. The addresses stay closed.
void leave_device_memory();

/// Unmaps the pages of [begin, begin + bytes) from the kernels' view until they are touched again; they keep
/// their contents. Every page that is mapped there costs time whenever a launch opens and closes the view.
void drop_kernel_mappings(uintptr_t begin, size_t bytes);

/// Gives the pages of [begin, begin + bytes) back to the system;
/// both multiples of CHUNK_BYTES. They read as zero.
void release_pages(uintptr_t begin, size_t bytes);

/// Bytes that this machine, or the container it runs in, can give without swapping or killing;
/// SIZE_MAX if the system does not say.
size_t available_memory();

/// Handles SIGSEGV and its kin from now on, once: faults of kernels and of host code become findings with a
/// line of source. A program that has device memory calls it early enough.
void catch_faults();

}  // namespace simt
