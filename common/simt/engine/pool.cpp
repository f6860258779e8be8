// Runners wait here for launches; stacks for signal handlers, where a fiber's own may have overflowed.
#include "simt/engine/pool.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>

#include "simt/engine/report.h"
#include "simt/engine/symbols.h"

namespace simt {

namespace {

constexpr unsigned MOST_RUNNERS = 256;
constexpr size_t SIGNAL_STACK_BYTES = 1 << 20;  // the host's last words need symbol lookup

/// Never destroyed: its threads wait in it when the process ends.
struct pool {
    unsigned threads = 0;  // that have a runner each
    grid_run* run = nullptr;
    std::atomic<unsigned> launch{0};  // counts launches; a change wakes the threads
    std::atomic<unsigned> busy{0};    // threads that have not finished yet
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
    give_thread_a_signal_stack();
    for (unsigned seen = given->seen;;) {
        pool.launch.wait(seen);
        seen = pool.launch;
        self->execute(*pool.run);
        if (--pool.busy == 0) pool.busy.notify_one();
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
    const unsigned wanted = runners_wanted();
    for (unsigned i = 1; stacks && i < wanted && start_thread(others, i, true);)
        i++;
    return stacks ? new runner(0, stacks, true) : nullptr;
}

}  // namespace

bool run_grid(grid_run& run) {
    pool& pool = the_pool();
    static runner* first = nullptr;
    if (!first) first = start_runners(pool);
    if (!first) {
        complain(
            "no address space for the stacks of a block's threads (65 MB); raise the limit of ulimit -v");
        return false;
    }
    // Waking the others takes longer than running a few thousand empty threads; observed ones take many times as long.
    const uint64_t few_threads = the_observer ? 256 : 2048;
    const bool alone = run.info.blocks == 1 || run.info.blocks * run.info.threads < few_threads;
    const unsigned others = alone ? 0 : pool.threads;
    if (others > 0) {
        pool.run = &run;
        pool.busy = others;
        pool.launch++;
        pool.launch.notify_all();
    }
    first->execute(run);
    for (unsigned left = pool.busy; left != 0; left = pool.busy) {
        pool.busy.wait(left);
    }
    return true;
}

bool run_cooperative_grid(grid_run& run) {
    pool& pool = pool_of_many();
    while (pool.threads < run.info.blocks) {
        if (!start_thread(pool, MOST_RUNNERS + pool.threads, pool.threads < MOST_GUARDED)) {
            complain("no address space for the stacks of " + std::to_string(run.info.blocks) +
                     " blocks at the same time (65 MB each); launch fewer");
            return false;
        }
    }
    run.meeting.begin(run.info.blocks);
    pool.run = &run;
    pool.busy = pool.threads;
    pool.launch++;
    pool.launch.notify_all();
    for (unsigned left = pool.busy; left != 0; left = pool.busy) {
        pool.busy.wait(left);
    }
    return true;
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
