// Asynchronous copies: remembered when they are asked for, carried out when the thread waits for them.
#include <cstring>
#include <vector>

#include "simt/engine/report.h"
#include "simt/engine/runner.h"
#include "simt/include/cuda_pipeline.h"

namespace simt {

namespace {

struct pending_copy {
    char* to;
    const char* from;
    size_t bytes, zeros;
    uint64_t batch;
    uintptr_t site;
};

/// The copies of one CUDA thread.
struct pipeline {
    uint32_t launch = 0;
    uint64_t block = 0;
    uint64_t committed = 0;  // batches closed so far
    std::vector<pending_copy> pending;
};

/// Of the running thread; empty when the thread has just begun.
pipeline& current_pipeline() {
    static thread_local std::vector<pipeline> pipelines(MAX_THREADS_PER_BLOCK);
    const block_context& context = *current_block;
    pipeline& mine = pipelines[context.thread];
    if (mine.launch != context.launch->serial || mine.block != context.block) {
        mine.launch = context.launch->serial;
        mine.block = context.block;
        mine.committed = 0;
        mine.pending.clear();
    }
    return mine;
}

void tell_observer(const void* memory, size_t bytes, access_kind kind, uintptr_t site) {
    if (!the_observer || bytes == 0) return;
    the_observer->accessed(*current_block, reinterpret_cast<uintptr_t>(memory), bytes, kind, site);
}

void carry_out(const pending_copy& copy) {
    tell_observer(copy.from, copy.bytes - copy.zeros, access_kind::read, copy.site);
    tell_observer(copy.to, copy.bytes, access_kind::write, copy.site);
    memcpy(copy.to, copy.from, copy.bytes - copy.zeros);
    memset(copy.to + copy.bytes - copy.zeros, 0, copy.zeros);
}

void check_copy(const pending_copy& copy) {
    const bool size_fits = copy.bytes == 4 || copy.bytes == 8 || copy.bytes == 16;
    const auto either = reinterpret_cast<uintptr_t>(copy.to) | reinterpret_cast<uintptr_t>(copy.from);
    if (size_fits && either % copy.bytes == 0 && copy.zeros <= copy.bytes) return;
    const trouble what{"misaligned",
                       true,
                       "an asynchronous copy of " + std::to_string(copy.bytes) +
                           " bytes: it must be 4, 8 or 16, and both addresses multiples of that",
                       copy.site,
                       0,
                       true};
    report(what);
    stop_launch(cudaErrorMisalignedAddress);
}

}  // namespace

}  // namespace simt

extern "C" {

void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes, size_t zeros) {
    simt::pipeline& mine = simt::current_pipeline();
    const simt::pending_copy copy = {static_cast<char*>(shared),
                                     static_cast<const char*>(global),
                                     bytes,
                                     zeros,
                                     mine.committed,
                                     reinterpret_cast<uintptr_t>(__builtin_return_address(0))};
    simt::check_copy(copy);
    mine.pending.push_back(copy);
}

void __pipeline_commit() {
    simt::current_pipeline().committed++;
}

void __pipeline_wait_prior(size_t batches) {
    simt::pipeline& mine = simt::current_pipeline();
    size_t done = 0;
    while (done < mine.pending.size() && mine.pending[done].batch + batches < mine.committed) {
        simt::carry_out(mine.pending[done++]);
    }
    mine.pending.erase(mine.pending.begin(), mine.pending.begin() + done);
}

}  // extern "C"
