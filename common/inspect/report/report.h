// What the inspector reports: plain data, written by the worker, read by the judge.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "inspect/report/sketch.h"

namespace inspect {

/// Accesses of one kind to one memory. A request is one instruction of one warp;
/// its parts are served together.
struct traffic {
    uint64_t lanes = 0;  // accesses of single threads
    uint64_t bytes = 0;
    uint64_t requests = 0;
    uint64_t sectors = 0;     // global memory: 32-byte pieces touched, summed over requests
    uint64_t wavefronts = 0;  // shared: passes over the 32 banks; constant: different addresses of a request
    uint64_t ideal = 0;       // sectors or wavefronts if the same bytes lay well
    uint64_t worst = 0;       // most sectors or wavefronts of a single request

    traffic& operator+=(const traffic& other);
    double sectors_per_request() const;     // 0 if there were none
    double wavefronts_per_request() const;  // 0 if there were none
    uint64_t conflicts() const { return wavefronts > ideal ? wavefronts - ideal : 0; }
};

struct memory_traffic {
    traffic loads, stores, atomics;
    memory_traffic& operator+=(const memory_traffic& other);
};

struct counts {
    memory_traffic global, shared;
    traffic constant, texture;     // loads
    uint64_t matrix_products = 0;  // that tensor cores made for a warp: calls of mma_sync
    counts& operator+=(const counts& other);
};

/// One source line's accesses of one kind; `space` is global, shared, constant or texture,
/// `direction` load, store or atomic.
struct line_traffic {
    std::string file;
    int line = 0, column = 0;
    std::string space, direction, variable;  // variable: label of the memory, "" if it has none
    unsigned access_bytes = 0;
    traffic seen;
};

/// What one named piece of memory saw: "in", "filter", "out", a __shared__,
/// __device__ or __constant__ variable's name.
struct variable_traffic {
    std::string name, space;
    memory_traffic seen;
    uint64_t bytes = 0;  // as large as it is, of a __constant__ variable; 0 of others
};

/// kind: race, benign-race, out-of-bounds, row-overrun, uninitialised-read, misaligned, illegal-address,
/// use-after-free, host-pointer-in-kernel, device-pointer-on-host, constant-write, divergent-barrier,
/// deadlock, warp-mask, shared-limit, index-out-of-array, never-written, assert, stack-overflow,
/// launch-error, peer-access (memory of a device that the kernel's does not reach), and, as no errors,
/// refused-call (a CUDA call that the runtime refused), leak (device memory never freed)
/// stream-race: two operations of streams, or one and the host, without an order
struct finding {
    std::string kind;
    bool is_error = true;
    std::string text;  // a sentence: what, which variable and offset, which block and thread
    std::string file;
    int line = 0, column = 0;
    std::string other_file;  // the other side of a race or pair of barriers; line 0 if there is none
    int other_line = 0;
    uint64_t times = 0;
    // The access that it is about, in the words of line_traffic; empty where there is none, or no name.
    std::string space = {}, direction = {}, variable = {};
    uint64_t variable_bytes = 0;  // as large as that is; 0 if it has no name
};

struct launch {
    std::string kernel;
    unsigned grid[3] = {}, block[3] = {};
    uint64_t inspected_blocks = 0;  // if fewer than the grid has: counts are scaled to all of them
    uint64_t static_shared = 0, dynamic_shared = 0;  // bytes of a block
    counts total;
    std::vector<line_traffic> lines;
    std::vector<variable_traffic> variables;
    sketch drawn;  // empty unless pictures were asked for

    uint64_t blocks() const { return uint64_t{grid[0]} * grid[1] * grid[2]; }
    bool is_sampled() const { return inspected_blocks > 0 && inspected_blocks < blocks(); }
};

/// Where the values that a call returned come from, as words of four bytes.
struct value_origin {
    uint64_t values = 0;         // of all outputs
    uint64_t of_host = 0;        // that no copy from the device brought
    uint64_t first_of_host = 0;  // counted from 0; meaningless if there is none
    bool sent_by_host = false;   // copies brought them, but the host had sent all of them there
};

/// An array of the contract that was not recognised anywhere on the device, and the memory that is taken for
/// it: what is there came from the host and is none of the other arrays.
struct guessed_array {
    std::string name, memory;  // "in", "device memory of 4000 bytes"
};

/// Something that a call asked of the device, in the order in which it asked.
struct operation {
    /// to-device, to-host, on-device, peer (to another device), fill, kernel, transform, allocate (of the device or
    /// page-locked)
    std::string what;
    std::string name;         // of the kernel, or of the CUDA call
    int line = 0;             // of the student's file, once there are streams, and of a transform
    unsigned stream = 0;      // 0: the default stream; others in the order in which the call uses them
    uint64_t bytes = 0;       // moved, filled or allocated; of a transform read and written
    bool host_waits = false;  // the host comes back when it is over
    /// Copies over the bus or to a peer: how many kernels and transforms of the same device may run beside it, as far as
    /// streams and events say; kernels and transforms: how many of these copies.
    uint64_t overlaps = 0;
    /// When it begins if each takes one slot, on a device that copies either way and computes at the same time.
    uint64_t slot = 0;
    int device = 0;  // whose kernel it is, or from which a copy comes
};

/// A transform of cuFFT, in the order in which a call asked for them.
struct transform {
    std::string kind;             // R2C, C2R, C2C
    bool is_inverse = false;      // of C2R always
    bool in_place = false;        // input and output are the same array
    std::vector<uint64_t> sizes;  // of one, the last that of values side by side: {height, width}
    uint64_t batch = 1;           // so many of these
    int line = 0;                 // of the student's file
    unsigned stream = 0;          // of the plan, as in operation
    int device = 0;
};

struct report {
    bool inspected = false;  // false: a plain or GPU run, in which nothing was counted
    std::vector<launch> launches;
    std::vector<finding> findings;
    value_origin origin;  // of a call's outputs; zeros where nobody asked
    std::vector<guessed_array> guesses;
    std::vector<operation> operations;
    std::vector<transform> transforms;        // of which operations tell, too
    std::vector<std::string> zero_constants;  // __constant__ variables that kernels read and that are all 0

    /// True if it holds of one of the findings.
    template <class condition>
    bool finds(const condition& holds) const {
        return std::any_of(findings.begin(), findings.end(), holds);
    }
    bool has_error(const std::string& kind) const {
        return finds([&](const finding& one) { return one.is_error && one.kind == kind; });
    }
    counts total() const;                                  // over all launches
    memory_traffic of(const std::string& variable) const;  // over all launches; zeros if it was never touched
    traffic constant_of(uint64_t bytes) const;  // of __constant__ variables that are at least so large
    const guessed_array* guess_of(const std::string& variable) const;  // null if it was no guess
    bool clean() const;                                                // no finding that is an error
    std::vector<line_traffic> lines() const;  // merged over launches: the same file, line, column, kind once
    /// Launches of one kernel whose blocks are alike, in the order of the first of each.
    std::vector<std::vector<const launch*>> launches_alike() const;
};

/// The lines of these launches: the same file, line, column, kind once.
std::vector<line_traffic> merged_lines(const std::vector<const launch*>& launches);

/// JSON for programs; from_json throws std::runtime_error on text that is not a report.
std::string to_json(const report& what);
report from_json(const std::string& text);
/// "in was not recognised on the device (changed on its way?): device memory of 4000 bytes is taken for it".
std::string to_text(const guessed_array& what);
/// A line for all transforms that are alike: "cuFFT: R2C of 64 x 80 values, in place, 3 times".
std::string transforms_text(const report& what, const std::string& indent = "");
/// Text for people: totals, lines, findings.
std::string to_text(const report& what);

}  // namespace inspect
