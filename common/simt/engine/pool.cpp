// Runners wait here for launches; stacks for signal handlers, where a fiber's own may have overflowed.
#include "simt/engine/pool.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include "simt/engine/kernel_list.h"
#include "simt/engine/report.h"
#include "simt/engine/symbols.h"

namespace simt {

static bool host_always_waits = false;

void keep_host_waiting() {
    host_always_waits = true;
}

bool host_may_go_on() {
    return !host_always_waits && has_waiting_loops() && !the_observer;
}

namespace {

constexpr unsigned MOST_RUNNERS = 256;
constexpr int USUAL_BLOCK = 256;
constexpr size_t SIGNAL_STACK_BYTES = 1 << 20;  // the host's last words need symbol lookup

/// Stacks that a runner makes before it is asked to.
int made_early() {
    return host_always_waits ? 0 : USUAL_BLOCK;
}

/// Never destroyed: its threads wait in it when the process ends.
struct pool {
    unsigned threads = 0;  // that have a runner each
    grid_run* run = nullptr;
    std::atomic<unsigned> launch{0};  // counts launches; a change wakes the threads
    std::atomic<unsigned> busy{0};    // threads that have not finished yet
    std::atomic<unsigned> news{0};    // for a host that may go on: counts what could let it
};

pool& the_pool() {
    static pool& instance = *new pool;
    return instance;
}

/// One runner for each block of a cooperative launch.
pool& pool_of_many() {
    static pool& instance = *new pool;
    return instance;
}

// A guard page takes two of the 65530 pieces that a process may have its addresses in.
constexpr unsigned MOST_GUARDED = 16;

unsigned runners_wanted() {
    const char* text = getenv("SIMT_THREADS");
    const int wanted = text ? atoi(text) : int(std::thread::hardware_concurrency());
    return wanted < 1 ? 1 : std::min(unsigned(wanted), MOST_RUNNERS);
}

struct runner_of_pool {
    pool& where;
    unsigned index;
    char* stacks;
    bool guarded;
    unsigned seen;  // launches of the pool before
};

void* serve(void* argument) {
    const std::unique_ptr<runner_of_pool> given(static_cast<runner_of_pool*>(argument));
    pool& pool = given->where;
    const auto self = std::make_unique<runner>(given->index, given->stacks, given->guarded);
    if (&pool == &the_pool()) self->make_fibers(made_early());
    give_thread_a_signal_stack();
    for (unsigned seen = given->seen;;) {
        pool.launch.wait(seen);
        seen = pool.launch;
        self->execute(*pool.run);
        const unsigned left = --pool.busy;
        if (left == 0) pool.busy.notify_all();
        pool.news++;
        pool.news.notify_all();
    }
}

/// One more, if there is memory for it.
bool start_thread(pool& where, unsigned index, bool guarded) {
    char* stacks = runner::reserve_stacks();
    if (!stacks) return false;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    // A thread's variables, __shared__ ones among them, come out of its stack.
    const static_image statics = thread_statics();
    pthread_attr_setstacksize(&attributes, (1 << 20) + (statics.end - statics.begin));
    pthread_t thread;
    auto given =
        std::make_unique<runner_of_pool>(runner_of_pool{where, index, stacks, guarded, where.launch});
    const bool started = pthread_create(&thread, &attributes, serve, given.get()) == 0;
    if (started) {
        (void)given.release();
        pthread_detach(thread);
        where.threads++;
    }
    pthread_attr_destroy(&attributes);
    return started;
}

/// That of the thread that launches, and the other threads with theirs. With little memory (ulimit -v) these are fewer than
/// wanted; null if there is not enough for one.
runner* start_runners(pool& others) {
    char* stacks = runner::reserve_stacks();
    // A launch that the host may go on without runs on the others alone.
    const unsigned wanted = runners_wanted() + (host_may_go_on() ? 1 : 0);
    for (unsigned i = 1; stacks && i < wanted && start_thread(others, i, true);)
        i++;
    if (!stacks) return nullptr;
    auto* const first = new runner(0, stacks, true);
    first->make_fibers(made_early());
    return first;
}

runner* first_runner() {
    static runner* first = nullptr;
    if (!first) first = start_runners(the_pool());
    return first;
}

pool& pool_of(const grid_run& run) {
    return run.cooperative ? pool_of_many() : the_pool();
}

void wake(pool& pool, grid_run& run) {
    pool.run = &run;
    pool.busy = pool.threads;
    pool.launch++;
    pool.launch.notify_all();
}

}  // namespace

void make_runners() {
    if (!host_always_waits) (void)first_runner();
}

bool run_grid(grid_run& run) {
    if (run.cooperative) {
        if (!begin_grid(run)) return false;
        finish_grid(run);
        return true;
    }
    runner* const first = first_runner();
    if (!first) {
        complain(
            "no address space for the stacks of a block's threads (65 MB); raise the limit of ulimit -v");
        return false;
    }
    pool& pool = the_pool();
    // Waking the others takes longer than running a few thousand empty threads; observed ones take many times as long.
    const uint64_t few_threads = the_observer ? 256 : 2048;
    const bool alone = run.info.blocks == 1 || run.info.blocks * run.info.threads < few_threads;
    if (alone || pool.threads == 0 || pool.busy != 0) {  // they may be at work for a launch without the host
        first->execute(run);
        return true;
    }
    wake(pool, run);
    first->execute(run);
    finish_grid(run);
    return true;
}

bool begin_grid(grid_run& run) {
    pool& pool = pool_of(run);
    if (!run.cooperative) (void)first_runner();
    const uint64_t wanted = run.cooperative ? run.info.blocks : 1;
    while (pool.threads < wanted) {
        if (!start_thread(pool, MOST_RUNNERS + pool.threads, pool.threads < MOST_GUARDED)) {
            complain("no address space for the stacks of " + std::to_string(wanted) +
                     " blocks at the same time (65 MB each); launch fewer");
            return false;
        }
    }
    if (run.cooperative) run.meeting.begin(run.info.blocks);
    wake(pool, run);
    return true;
}

bool has_ended(const grid_run& run) {
    return pool_of(run).busy == 0;
}

bool ends_without_host(const grid_run& run) {
    constexpr std::chrono::milliseconds A_WHILE{1};  // blocks may have met this moment, and go on
    pool& pool = pool_of(run);
    const auto all_wait = [&] { return run.patient_blocks >= pool.busy; };
    for (;;) {
        const unsigned known = pool.news;
        if (pool.busy == 0) return true;
        if (!all_wait()) {
            pool.news.wait(known);
            continue;
        }
        std::this_thread::sleep_for(A_WHILE);
        if (all_wait() && pool.news == known) return pool.busy == 0;
    }
}

void finish_grid(const grid_run& run) {
    pool& pool = pool_of(run);
    for (unsigned left = pool.busy; left != 0; left = pool.busy)
        pool.busy.wait(left);
}

void tell_of_patient_block(const grid_run& run) {
    pool& pool = pool_of(run);
    if (run.patient_blocks < pool.busy) return;
    pool.news++;
    pool.news.notify_all();
}

void give_thread_a_signal_stack() {
    static constinit thread_local bool done = false;
    if (done) return;
    done = true;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* memory = mmap(nullptr, SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) return;  // an overflowing stack then kills the process, as it does elsewhere
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = SIGNAL_STACK_BYTES;
    sigaltstack(&stack, nullptr);
}

}  // namespace simt
