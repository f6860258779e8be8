// Runners wait here for launches; stacks for signal handlers, where a fiber's own may have overflowed.
#include "simt/engine/pool.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>

#include "simt/engine/report.h"
#include "simt/engine/symbols.h"

namespace simt {

namespace {

constexpr size_t SIGNAL_STACK_BYTES = 1 << 20;  // the host's last words need symbol lookup

/// Never destroyed: its threads wait in it when the process ends.
struct pool {
    std::vector<std::unique_ptr<runner>> runners;
    grid_run* run = nullptr;
    std::atomic<unsigned> launch{0};  // counts launches; a change wakes the runners
    std::atomic<unsigned> busy{0};    // runners, the calling one aside, that have not finished yet
};

pool& the_pool() {
    static pool& instance = *new pool;
    return instance;
}

unsigned runners_wanted() {
    const char* text = getenv("SIMT_THREADS");
    const int wanted = text ? atoi(text) : int(std::thread::hardware_concurrency());
    return wanted < 1 ? 1 : wanted > 256 ? 256 : wanted;
}

void* serve(void* argument) {
    runner& self = *static_cast<runner*>(argument);
    pool& pool = the_pool();
    give_thread_a_signal_stack();
    for (unsigned seen = 0;;) {
        pool.launch.wait(seen);
        seen = pool.launch;
        self.execute(*pool.run);
        if (--pool.busy == 0) pool.busy.notify_one();
    }
}

bool start_thread(runner& self) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    // A thread's variables, __shared__ ones among them, come out of its stack.
    const static_image statics = thread_statics();
    pthread_attr_setstacksize(&attributes, (1 << 20) + (statics.end - statics.begin));
    pthread_t thread;
    const bool started = pthread_create(&thread, &attributes, serve, &self) == 0;
    if (started) pthread_detach(thread);
    pthread_attr_destroy(&attributes);
    return started;
}

/// With little memory (ulimit -v) there are fewer runners than wanted, but one there must be.
bool start_runners(pool& pool) {
    const unsigned wanted = runners_wanted();
    for (unsigned i = 0; i < wanted; i++) {
        auto next = std::make_unique<runner>(i);
        if (!next->reserve_stacks() || (i > 0 && !start_thread(*next))) break;
        pool.runners.push_back(std::move(next));
    }
    return !pool.runners.empty();
}

}  // namespace

bool run_grid(grid_run& run) {
    pool& pool = the_pool();
    if (pool.runners.empty() && !start_runners(pool)) {
        complain(
            "no address space for the stacks of a block's threads (65 MB); raise the limit of ulimit -v");
        return false;
    }
    // Waking the others takes longer than running a few thousand empty threads.
    constexpr uint64_t FEW_THREADS = 2048;
    const bool alone = run.info.blocks == 1 || run.info.blocks * run.info.threads < FEW_THREADS;
    const unsigned others = alone ? 0 : unsigned(pool.runners.size()) - 1;
    if (others > 0) {
        pool.run = &run;
        pool.busy = others;
        pool.launch++;
        pool.launch.notify_all();
    }
    pool.runners[0]->execute(run);
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
