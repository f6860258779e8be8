// Asynchronous copies: remembered when they are asked for, carried out when the thread waits for them, or, if they are
// bound to a cuda::barrier, when its phase ends.
#include <cstring>
#include <vector>

#include "simt/engine/report.h"
#include "simt/engine/runner.h"
#include "simt/include/cuda_pipeline.h"
#include "simt/include/simt/phases.h"

namespace simt {

namespace {

struct pending_copy {
    char* to;
    const char* from;
    size_t bytes, zeros;
    uint64_t batch;
    const void* barrier;  // or null: the batch is waited for
    uintptr_t site;
    bool is_told = false;  // to the observer
};

/// The copies of one CUDA thread.
struct pipeline {
    uint32_t launch = 0;
    uint64_t block = 0;
    uint64_t committed = 0;  // batches closed so far
    std::vector<pending_copy> pending;

    bool is_current() const {
        return launch == current_block->launch->serial && block == current_block->block;
    }
};

pipeline& pipeline_of(unsigned thread) {
    static thread_local std::vector<pipeline> pipelines(MAX_THREADS_PER_BLOCK);
    return pipelines[thread];
}

/// Of the running thread; empty when the thread has just begun.
pipeline& current_pipeline() {
    pipeline& mine = pipeline_of(running_thread());
    if (!mine.is_current()) {
        mine.launch = current_block->launch->serial;
        mine.block = current_block->block;
        mine.committed = 0;
        mine.pending.clear();
    }
    return mine;
}

/// The running thread reads and writes, whenever that will be.
void tell(pending_copy& copy) {
    if (copy.is_told) return;
    copy.is_told = true;  // first: to tell may take a while, in which others run
    const pending_copy told = copy;
    tell_access(told.from, told.bytes - told.zeros, access_kind::read, told.site);
    tell_access(told.to, told.bytes, access_kind::write, told.site);
}

void carry_out(pending_copy copy) {
    tell(copy);
    memcpy(copy.to, copy.from, copy.bytes - copy.zeros);
    memset(copy.to + copy.bytes - copy.zeros, 0, copy.zeros);
}

/// Those that `is_due`, in their order.
template <class predicate>
void carry_out_due(pipeline& one, const predicate& is_due) {
    std::vector<pending_copy> due;  // a copy may let another thread run, which asks for more
    size_t kept = 0;
    for (const pending_copy& copy : one.pending) {
        if (is_due(copy))
            due.push_back(copy);
        else
            one.pending[kept++] = copy;
    }
    one.pending.resize(kept);
    for (const pending_copy& copy : due)
        carry_out(copy);
}

void check_copy(const pending_copy& copy) {
    const bool size_fits = copy.bytes == 4 || copy.bytes == 8 || copy.bytes == 16;
    const auto either = address_of(copy.to) | address_of(copy.from);
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

void ask_for_copy(void* to, const void* from, size_t bytes, size_t zeros, const void* barrier,
                  void* return_address) {
    pipeline& mine = current_pipeline();
    const pending_copy copy = {
        static_cast<char*>(to),    static_cast<const char*>(from), bytes, zeros, mine.committed, barrier,
        address_of(return_address)};
    check_copy(copy);
    mine.pending.push_back(copy);
}

}  // namespace

}  // namespace simt

extern "C" {

void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes, size_t zeros) {
    simt::ask_for_copy(shared, global, bytes, zeros, nullptr, __builtin_return_address(0));
}

void __pipeline_commit() {
    simt::current_pipeline().committed++;
}

void __pipeline_wait_prior(size_t batches) {
    simt::pipeline& mine = simt::current_pipeline();
    simt::carry_out_due(mine, [&](const simt::pending_copy& copy) {
        return !copy.barrier && copy.batch + batches < mine.committed;
    });
}

void simt_phase_memcpy_async(const simt_phase_word* barrier, void* to, const void* from, size_t bytes) {
    simt::ask_for_copy(to, from, bytes, 0, barrier, __builtin_return_address(0));
}

void simt_phase_copies(const simt_phase_word* barrier, long long threads) {
    for (simt::pending_copy& copy : simt::current_pipeline().pending) {
        if (copy.barrier == barrier) simt::tell(copy);
    }
    if (simt::missing_threads(*barrier) > threads) return;
    // The phase ends with this thread: who reads before that reads what was there.
    const auto is_due = [&](const simt::pending_copy& copy) { return copy.barrier == barrier; };
    for (unsigned t = 0; t < simt::current_block->launch->threads; t++) {
        simt::pipeline& one = simt::pipeline_of(t);
        if (!one.pending.empty() && one.is_current()) simt::carry_out_due(one, is_due);
    }
}

}  // extern "C"
