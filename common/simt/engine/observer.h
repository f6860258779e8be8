// What an inspector sees of a running kernel. The CPU backend calls it and knows nothing else about it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "simt/engine/stream_order.h"
#include "simt/include/cuda_runtime.h"

namespace simt {

/// One kernel launch, constant while it runs.
struct launch_info {
    const void* kernel = nullptr;  // address of the __global__ function, null for one that cannot be named
    std::string name;              // demangled, without its parameters
    uint3 grid{}, block{};
    size_t dynamic_shared = 0;        // bytes asked for in the third launch argument
    const void* arguments = nullptr;  // the packed arguments on the host stack; kernels may read these bytes
    size_t argument_bytes = 0;
    uint32_t serial = 0;   // 1 for the first launch of the process
    unsigned threads = 0;  // in a block
    uint64_t blocks = 0;   // in the grid
};

/// The block that one runner (an OS thread that executes blocks, one at a time) has in flight.
struct block_context {
    const launch_info* launch = nullptr;
    unsigned runner = 0;  // 0 .. runners-1
    uint64_t block = 0;   // linear block index, x fastest
    unsigned thread = 0;  // linear index of the running CUDA thread in its block, x fastest
    uintptr_t stacks_begin = 0, stacks_end = 0;  // stacks of this runner's fibers
    uintptr_t stack_begin = 0, stack_end = 0;    // of the running thread's: CUDA local memory
    /// Thread-local image in which every __shared__ variable lives.
    uintptr_t statics_begin = 0, statics_end = 0;
    uintptr_t dynamic_begin = 0;  // start of the dynamic shared memory, inside the statics
    bool is_shared(uintptr_t address) const { return address - statics_begin < statics_end - statics_begin; }
    void* inspection = nullptr;  // the observer's own state of this runner
};

/// The block this OS thread is executing; null in host code.
// constinit: read without an initialisation check.
extern constinit thread_local block_context* current_block;

/// Who uses a piece of device memory: kernels alone, host code as well (managed), or it is the host's and page-locked,
/// and kernels may use it.
enum class memory_use : uint8_t { device, managed, host };

/// A piece of device memory. Neighbours are at least GUARD_BYTES apart, and each starts on a CHUNK_BYTES
/// boundary, so that one chunk of addresses belongs to one allocation and a small stray offset meets
/// no neighbour.
struct allocation {
    uintptr_t begin = 0;
    size_t bytes = 0;
    uint32_t serial = 0;   // 1 for the first cudaMalloc of the process
    size_t row_bytes = 0;  // of a pitched allocation: what one row may use ...
    size_t pitch = 0;      // ... of this many bytes; 0 for a linear one
    std::string label;     // the contract's name for the data that was copied in ("in", "filter"), or empty
    bool has_several = false;  // arrays, and therefore no name of its own
    uintptr_t site = 0;        // where an observed program asked for it: a return address
    bool live = true;
    bool is_heap = false;     // of kernels: consists of heap_pieces
    bool comes_back = false;  // of a graph: freed, its addresses stay its own
    bool is_foreign = false;  // of another process
    memory_use use = memory_use::device;
    int device = 0;  // whose memory it is
};
inline constexpr size_t CHUNK_BYTES = 64 * 1024;
inline constexpr size_t GUARD_BYTES = 64 * 1024;

/// Device memory is one reserved range of addresses.
extern uintptr_t device_begin, device_end;
/// Device memory may not have more bytes than `most`, a power of two; before it is reserved. Otherwise 64 GB.
void limit_device_memory(size_t most);
/// True if host code may write to memory of this use, which nobody follows.
bool host_may_write(memory_use use);

/// The allocation, live or freed, that contains the address or, failing that,
/// lies nearest; null if there is none.
const allocation* allocation_near(uintptr_t address);

/// What a kernel got by malloc or new.
struct heap_piece {
    uintptr_t begin = 0;
    size_t bytes = 0;
    uintptr_t site = 0;  // where it asked: a return address
    bool live = false;
};
/// The piece, live or freed, that contains the address or lies nearest; of 0 bytes if there is none.
heap_piece heap_piece_near(uintptr_t address);
std::vector<heap_piece> live_heap_pieces();

/// A live CUDA array: device memory without an address.
struct array_allocation {
    uint64_t serial = 0;  // 1 for the first array of the process
    size_t bytes = 0;
    uintptr_t site = 0;  // as above
};
std::vector<array_allocation> live_arrays();

/// What else exists that a program has to give back: texture objects, plans of transforms, streams, events, and pieces
/// of page-locked host memory.
size_t live_textures();
size_t live_plans();
size_t live_streams();
size_t live_events();
size_t live_host_pieces();
/// Of these, what cudaHostRegister locked of a range that is about to go.
void unlock_host_range(const void* begin, size_t bytes);

/// Threads of the last launch that the host asked for; zeros if there was none since it was forgotten.
uint3 last_block();
void forget_block();

/// A variable of the program text: __shared__ (offset from statics_begin),
/// __device__ or __constant__ (address).
struct variable {
    std::string name;  // as the source calls it, without its function
    uintptr_t begin = 0;
    size_t bytes = 0;
    std::vector<size_t> steps = {};  // of an array of arrays t: bytes of t[0], of t[0][0], ...
};
const std::vector<variable>& shared_variables();
const variable* device_variable_at(uintptr_t address);    // __device__
const variable* constant_variable_at(uintptr_t address);  // __constant__
/// The same, or the one that lies nearest if the address is between two of them; null where there are none.
const variable* device_variable_near(uintptr_t address);
const variable* constant_variable_near(uintptr_t address);

enum class access_kind : uint8_t { read, write, atomic };

/// Something wrong that a kernel, or the host code around it, did.
struct trouble {
    const char* kind = "";     // one of the words listed in inspect/report.h
    bool is_error = true;      // false: suspicious, but every thread gets the same answer
    std::string text;          // one sentence without the location
    uintptr_t site = 0;        // return address of the access or barrier; 0 if unknown
    uintptr_t other_site = 0;  // the second half of a race or of a pair of barriers
    bool by_thread = false;    // " (block (0,0,0), thread (5,0,0))" is to follow: the thread that runs
};

/// Its sentence, with the thread that runs if that is to follow.
std::string text_of(const trouble& what);

/// Hands it to the observer, which makes a finding of it; without one, prints it to stderr, once for each
/// site.
void report(const trouble& what);

/// A copy or a fill that has been done: rows at addresses of the program. A fill comes from nowhere.
struct moved_rows {
    const char* call = "";
    uintptr_t to = 0, from = 0;
    size_t to_pitch = 0, from_pitch = 0, width = 0, height = 0;
    bool to_device = false, from_device = false;
    int to_memory_of = 0, from_memory_of = 0;  // devices; of what is no device memory the current one
};

struct address_range {
    uintptr_t begin = 0, end = 0;
};

/// Bytes that work uses.
struct used_range {
    uintptr_t begin = 0, end = 0;
    bool is_changed = false;
};

/// A transform that has been done (cufft.h).
struct done_transform {
    const char* call = "";
    std::string kind;  // "R2C", "C2R", "C2C"
    bool is_inverse = false, in_place = false;
    std::vector<uint64_t> sizes;  // of one, the last that of values side by side
    uint64_t batch = 1;
    std::vector<address_range> reads, writes;  // each in order and apart
    bool unsets_input = false;
};

/// True once there has been managed memory.
bool has_managed_memory();

class observer {
public:
    virtual ~observer() = default;
    virtual void launch_begins(const launch_info&) {}
    virtual void launch_ends(const launch_info&, double /*seconds*/) {}
    /// False for a block that is not to run: an observer may be content with a sample of a grid.
    virtual bool wants_block(const launch_info&, uint64_t /*block*/) { return true; }
    virtual void block_begins(block_context&) {}
    virtual void block_ends(block_context&) {}
    virtual void thread_resumes(block_context&) {
    }  // context.thread is about to run, for the first time or again
    virtual void thread_pauses(block_context&, bool /*finished*/) {}
    /// No lane of this warp can run. Returns the held lanes (hold_thread) that may go on.
    virtual uint32_t warp_drained(block_context&, unsigned /*warp*/) { return 0; }
    virtual void block_synchronised(block_context&) {}  // every thread of the block has arrived
    // In a cooperative launch: the block comes to wait for all others; all have come; the block goes on.
    virtual void block_meets_grid(block_context&) {}
    virtual void grid_synchronised(const launch_info&) {}
    virtual void block_leaves_grid(block_context&) {}
    virtual void warp_synchronised(block_context&, unsigned /*warp*/, uint32_t /*lanes*/) {}
    /// So many threads have waited for each other: a tile of several warps.
    virtual void threads_synchronised(block_context&, unsigned /*first*/, unsigned /*threads*/) {}
    /// An access made on the kernel's behalf by the backend: atomics, memcpy, memset, vector intrinsics.
    virtual void accessed(block_context&, uintptr_t, size_t, access_kind, uintptr_t /*site*/) {}
    /// The running thread got a piece of the heap, gave one back.
    virtual void heap_taken(block_context&, uintptr_t, size_t) {}
    virtual void heap_given_back(block_context&, uintptr_t, size_t) {}
    /// Before accessed(): the thread is about to compare this word and swap it.
    virtual void compares_and_swaps(block_context&, uintptr_t) {}
    /// Before accessed(): the thread is about to store this word for others that look at it meanwhile (PTX's st.relaxed).
    virtual void stores_for_others(block_context&, uintptr_t) {}
    /// The tensor cores multiply two matrices for the warp of the running thread.
    virtual void matrices_multiplied(block_context&) {}
    virtual void texture_fetched(block_context&, size_t /*texel bytes*/, uintptr_t /*site*/) {}
    /// A texel of linear or pitched device memory; a filtered fetch has up to four.
    virtual void texel_read(block_context&, uintptr_t, size_t, uintptr_t /*site*/) {}
    virtual void found(const trouble&) {}
    /// Work of the backend for itself in the middle of a kernel, as looking up a line: what it accesses is
    /// not the kernel's, even where the linker gave it a function of the C++ library that a kernel's file
    /// contained.
    virtual void own_work(const std::function<void()>& work) { work(); }

    // Host side.
    virtual void allocated(const allocation&) {}
    virtual void freed(const allocation&) {}
    virtual void host_wrote(uintptr_t, size_t) {}  // cudaMemcpy to the device, cudaMemset
    virtual void host_read(uintptr_t, size_t) {}   // cudaMemcpy from the device
    virtual void copied(uintptr_t /*to*/, uintptr_t /*from*/, size_t) {}  // device to device
    // Bytes that a copy took to the device or brought back, as they lie on the host: into device memory and out
    // of it, variables and arrays.
    virtual void sent(const void* /*host*/, size_t) {}
    virtual void fetched(const void* /*host*/, size_t) {}
    // Order. What is moved or launched belongs to the_asked_work(); steps are told once there are streams.
    virtual void moved(const moved_rows&) {}
    virtual void transformed(const done_transform&) {}
    virtual void stepped(const stream_step&) {}
    /// What kernels that the host has not waited for have read and changed, once there is managed memory.
    virtual std::vector<used_range> unfinished_uses() { return {}; }
    /// The host reads or writes a byte of managed memory. True if that is wrong, and noted.
    virtual bool host_touched(uintptr_t, bool /*writes*/, uintptr_t /*site*/) { return false; }
};

/// Set once before the first launch; null in a plain build.
extern observer* the_observer;

// ---- for an observer's use, inside a kernel
/// Stops the current CUDA thread until warp_drained() lets it go on.
void hold_thread();
/// Lanes of the warp that have not returned.
uint32_t live_lanes(const block_context& context, unsigned warp);
/// Ends the launch with a sticky error, as the real runtime does; does not return.
[[noreturn]] void stop_launch(cudaError_t error);
/// Runs the backend's own work on the scheduler's large stack:
/// fibers have 64 KB and symbol lookup needs more.
void on_large_stack(const std::function<void()>& work);

struct source_location {
    std::string file;      // as the compiler was given it
    std::string function;  // demangled
    int line = 0, column = 0;
};
/// Where the call that returns to this address stands in the source; frames of our own headers are skipped.
source_location locate(uintptr_t return_address);

/// The struct that the call which returns to this address copies, if the compiler made that copy.
struct copied_type {
    size_t alignment = 0;      // 0: no copy of a struct
    bool is_declared = false;  // alignas() says so, as of a float4: no object of it lies anywhere else
    size_t bytes = 0;
    size_t used = 0;  // up to the end of its last member; of a declared one all
};
copied_type type_of_copy(uintptr_t return_address);

/// Who called: the return address, as it were, of the innermost frame that is neither the backend's, nor the
/// inspector's, nor a library's, seen from the caller or, in a signal handler, from the interrupted
/// instruction. 0 if there is none. It walks the stack, which takes some microseconds.
uintptr_t user_frame(uintptr_t interrupted = 0);

/// A range of device memory and the call's array that was copied into or out of it.
struct named_range {
    uintptr_t begin = 0, end = 0;
    std::string name;  // or UNRECOGNISED
};
/// Data of the host in which none of the call's arrays can be seen.
inline constexpr char UNRECOGNISED[] = "?";
/// What the host has put into the parts of [begin, end) and what it took from there, in order.
std::vector<named_range> brought_by_host(uintptr_t begin, uintptr_t end);
std::vector<named_range> taken_by_host(uintptr_t begin, uintptr_t end);

/// An array of the call that was recognised nowhere, and the unrecognised memory that may be it.
struct guessed_array {
    std::string name;
    bool is_output = false;
    uintptr_t begin = 0, end = 0;  // of the allocation or variable
};
/// When a call has ended and its arrays are still there: looks for its outputs in what was copied to the host.
/// What taken_by_host() tells before is incomplete.
std::vector<guessed_array> settle_names();
/// The call is over.
void forget_names();

// ---- for the worker's use
/// An array of the call in progress, by its name in the contract.
void label_host_range(const void* begin, size_t bytes, std::string name, bool is_output = false);
void forget_host_ranges();
/// What such an array holds at the end of a call, where the host is another process (engine/far_device.h).
void show_host_range(const std::string& name, std::span<const std::byte> content);

}  // namespace simt
