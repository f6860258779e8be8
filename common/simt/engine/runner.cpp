// A runner's stacks and blocks: what one OS thread needs, and how it executes one block after the other.
#include "simt/engine/runner.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "simt/engine/symbols.h"
#include "simt/engine/unwritten.h"

// The variables that kernels know as extern const: the same symbols, writable for the engine alone.
__thread simt::thread_words simt_thread __asm__("threadIdx");
__thread uint3 simt_block_index __asm__("blockIdx");
__thread uint3 simt_block_size __asm__("blockDim");
__thread uint3 simt_grid_size __asm__("gridDim");
__thread simt_memory_range simt_shared_range __asm__("simt_statics");
extern "C" {
__attribute__((aligned(1024))) __thread char simt_dynsmem[simt::SHARED_PER_BLOCK_OPTIN];
}

namespace simt {

constinit thread_local block_context* current_block = nullptr;
constinit thread_local runner* current_runner = nullptr;
observer* the_observer = nullptr;

/// 64 KB is also the fastest: with 256 KB, 16 % of the time went into TLB misses.
static size_t stack_bytes_from_environment() {
    const char* text = getenv("SIMT_STACK_KB");
    const long kilobytes = text ? atol(text) : 64;
    return size_t(kilobytes < 16 ? 16 : kilobytes > 65536 ? 65536 : kilobytes) * 1024 / 4096 * 4096;
}

char* runner::reserve_stacks() {
    const size_t bytes = stack_bytes_from_environment() * MOST_FIBERS + LARGE_STACK_BYTES;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

runner::runner(unsigned index, char* stacks, bool guarded)
    : stacks_(stacks), stack_bytes_(stack_bytes_from_environment()), guarded_(guarded), meetings_(MAX_WARPS) {
    context.runner = index;
    context.stacks_begin = address_of(stacks);
    context.stacks_end = context.stacks_begin + stack_bytes_ * MOST_FIBERS;
}

size_t runner::page_bytes() {
    static const size_t bytes = sysconf(_SC_PAGESIZE);
    return bytes;
}

bool runner::is_guard_page(uintptr_t address) const {
    return is_fiber_stack(address) && (address - context.stacks_begin) % stack_bytes_ < page_bytes();
}

// ---- blocks

void runner::number_threads(uint3 shape) {
    if (shape.x == numbered_shape_.x && shape.y == numbered_shape_.y && shape.z == numbered_shape_.z) return;
    numbered_shape_ = shape;
    for (unsigned t = 0; t < threads_; t++) {
        turns_[t].index = {t % shape.x, t / shape.x % shape.y, t / shape.x / shape.y};
        turns_[t].thread = t;
    }
    for (unsigned w = 0; w < warps_; w++) {
        const unsigned lanes = threads_ - w * WARP_SIZE;
        existing_[w] = lanes >= WARP_SIZE ? ~0u : (1u << lanes) - 1;
    }
}

void runner::prepare_threads() {
    memset(state_, int(state::unstarted), threads_);
    for (unsigned w = 0; w < warps_; w++) {
        ready_[w] = existing_[w];
        finished_lanes_[w] = 0;
        patient_[w] = 0;
    }
    ready_warps_ = warps_ == MAX_WARPS ? ~0u : (1u << warps_) - 1;
    patient_warps_ = 0;
    patient_last_ = {};
    warp_ = 0;
    finished_ = 0;
    waiting_ = 0;
    converging_ = 0;
    barrier_reported_ = false;
}

void runner::forget_meetings() {
    for (unsigned w = 0; w < warps_; w++) {
        meetings_[w].arrived = meetings_[w].waiting = 0;
        meetings_[w].met = 0;
        tiles_[w].arrived = 0;
    }
}

/// What a block leaves behind must not help the next: every block begins with unwritten shared memory.
void runner::poison_shared_memory() {
    char* statics = reinterpret_cast<char*>(context.statics_begin);
    for (const variable& v : run_->shared) {
        memset(statics + v.begin, unwritten_byte(), v.bytes);
    }
    memset(simt_dynsmem, unwritten_byte(), run_->info.dynamic_shared);
}

void runner::run_block(uint64_t block) {
    const uint3 grid = run_->info.grid;
    context.block = block;
    simt_block_index = {unsigned(block % grid.x), unsigned(block / grid.x % grid.y),
                        unsigned(block / grid.x / grid.y)};
    poison_shared_memory();
    if (the_observer) the_observer->block_begins(context);
    run_threads();
    if (the_observer) the_observer->block_ends(context);
    note_patience(false);
    if (run_->cooperative) run_->meeting.leave();
    if (!output_.empty()) {
        run_->keep_output(block, std::move(output_));
        output_.clear();
    }
    if (abandoned_) {  // fibers were left in the middle of their threads: make them anew
        abandoned_ = false;
        fibers_made_ = 0;
    }
}

void runner::run_threads() {
    votes_ = 0;
    memset(spins_, 0, threads_);
    fibers_taken_ = 0;
    free_fibers_.clear();
    // One thread has nobody to be in step with; an observer wants to know of every turn.
    if (threads_ > 1 && !the_observer && !run_->cooperative) return begin_in_step();
    prepare_threads();
    forget_meetings();
    make_current(next_thread(), take_fiber());
    switch_fiber(scheduler_, turns_[current_fiber_].stack);
}

void runner::execute(grid_run& run) {
    run_ = &run;
    threads_ = run.info.threads;
    warps_ = (threads_ + WARP_SIZE - 1) / WARP_SIZE;
    number_threads(run.info.block);
    simt_block_size = run.info.block;
    simt_grid_size = run.info.grid;
    const static_image statics = thread_statics();
    context.launch = &run.info;
    context.statics_begin = statics.begin;
    context.statics_end = statics.end;
    simt_shared_range = {statics.begin, the_observer ? 0 : statics.end - statics.begin};
    context.dynamic_begin = reinterpret_cast<uintptr_t>(simt_dynsmem);
    simt_kernel = {run.call, run.info.kernel, run.closure};
    current_runner = this;
    current_block = &context;

    // Few large pieces are cheaper to hand out, many small ones share the work better.
    const uint64_t piece = run.cooperative             ? 1
                           : run.info.blocks / 64 < 1  ? 1
                           : run.info.blocks / 64 > 16 ? 16
                                                       : run.info.blocks / 64;
    while (!run.stopped || run.cooperative) {  // every block is waited for
        const uint64_t begin = run.next_block.fetch_add(piece);
        if (begin >= run.info.blocks) break;
        const uint64_t end = begin + piece < run.info.blocks ? begin + piece : run.info.blocks;
        for (uint64_t block = begin; block < end && (!run.stopped || run.cooperative); block++) {
            if (run.cooperative || !the_observer || the_observer->wants_block(run.info, block))
                run_block(block);
        }
    }
    current_block = nullptr;
    current_runner = nullptr;
}

void runner::abandon(cudaError_t error) {
    run_->fail(context.block, error);
    if (the_observer) the_observer->thread_pauses(context, false);
    abandoned_ = true;
    fiber never_continued;
    switch_fiber(never_continued, scheduler_);
    abort();  // not reached
}

void runner::print(const char* text, size_t length) {
    output_.append(text, length);
}

void runner::launch_later(child_launch child) {
    run_->keep_child(context.block, std::move(child));
}

// ---- the large stack

void runner::large_stack_main() {
    (*current_runner->large_stack_work_)();
    fiber never_continued;
    switch_fiber(never_continued, current_runner->caller_);
}

void runner::call_on_large_stack(const std::function<void()>& work) {
    large_stack_work_ = &work;
    switch_fiber(caller_, make_fiber(large_stack_top(), LARGE_STACK_BYTES, large_stack_main));
}

// ---- for observers

void hold_thread() {
    current_runner->hold();
}

uint32_t live_lanes(const block_context&, unsigned warp) {
    return current_runner->live_lanes(warp);
}

void stop_launch(cudaError_t error) {
    current_runner->abandon(error);
}

void on_large_stack(const std::function<void()>& work) {
    const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    const auto own_work = [&] {
        if (the_observer)
            the_observer->own_work(work);
        else
            work();
    };
    if (current_runner && current_runner->is_fiber_stack(frame)) {
        current_runner->call_on_large_stack(own_work);
    } else {
        own_work();
    }
}

}  // namespace simt
