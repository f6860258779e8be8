// A runner: one OS thread that executes blocks, one at a time, every CUDA thread of a block as a fiber when
// it has to be.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "simt/engine/fiber.h"
#include "simt/engine/grid_meeting.h"
#include "simt/engine/limits.h"
#include "simt/engine/observer.h"
#include "simt/engine/turns.h"
#include "simt/include/simt/warp.h"

namespace simt {

/// A launch that a kernel asks for.
struct child_launch {
    uintptr_t site;
    const void* kernel;
    const char* name;
    launch_config config;
    kernel_caller call;
    std::vector<std::byte> closure;
};

/// One launch in progress, shared by all runners.
struct grid_run {
    launch_info info;
    kernel_caller call = nullptr;  // runs the kernel once, for the current thread
    const void* closure = nullptr;
    std::vector<variable> shared;  // static shared memory to poison before each block
    std::atomic<uint64_t> next_block{0};
    std::atomic<bool> stopped{false};         // hand out no more blocks
    bool cooperative = false;                 // all blocks are there at the same time
    std::atomic<bool> host_waits{true};       // the host does not go on before the end
    std::atomic<unsigned> patient_blocks{0};  // those that do nothing but wait for somebody outside
    std::atomic<bool> patience_told{false};
    grid_meeting meeting;  // then

    /// Notes that a block has failed. The lowest failed block decides the launch's error, whoever was first.
    void fail(uint64_t block, cudaError_t error);
    bool has_failed();
    cudaError_t error = cudaSuccess;
    /// Keeps what a block has printed until the launch ends.
    void keep_output(uint64_t block, std::string text);
    /// All of it in the order of the blocks.
    std::string output() const;
    /// Keeps a launch that a block asks for until the grid has ended.
    void keep_child(uint64_t block, child_launch child);
    /// In the order of the blocks; those for cudaStreamTailLaunch come last.
    std::vector<child_launch> take_children();

private:
    std::mutex mutex_;
    uint64_t failed_block_ = UINT64_MAX;
    std::map<uint64_t, std::string> output_;
    std::map<uint64_t, std::vector<child_launch>> children_;
};

/// Lanes of one warp that wait for each other.
struct warp_meeting {
    struct lane {
        warp_operation operation = warp_operation::barrier;
        uint32_t mask = 0;
        uint64_t value = 0;  // the lane's contribution, then its result
        int argument = 0, width = WARP_SIZE;
        uintptr_t site = 0;
    };
    uint32_t arrived = 0, waiting = 0;  // the last to come does not wait
    /// Lanes that have come to a meeting before, in this block: `lanes` tells of the last one.
    uint32_t met = 0;
    lane lanes[WARP_SIZE];
};

/// Threads of a tile of several warps that wait for each other.
struct tile_meeting {
    unsigned arrived = 0, threads = 0;
};

class runner {
public:
    static constexpr int MAX_THREADS = MAX_THREADS_PER_BLOCK;
    static constexpr int MAX_WARPS = MAX_THREADS / WARP_SIZE;

    /// Addresses for the stacks of a runner; null if the limits of the process leave no room.
    static char* reserve_stacks();

    /// To be made by the OS thread that it is for, which touches it. `guarded`: behind every fiber's stack lies a page that
    /// nobody may touch.
    runner(unsigned index, char* stacks, bool guarded);
    runner(const runner&) = delete;
    runner& operator=(const runner&) = delete;

    /// Stacks for so many threads, before a block asks for them.
    void make_fibers(int count) {
        while (fibers_made_ < count)
            make_next_fiber();
    }

    /// Executes blocks of the launch until none is left. Called on the runner's own OS thread.
    void execute(grid_run& run);

    // ---- called by the running CUDA thread, on its fiber
    /// Waits for the block; `site` is the return address of the barrier, `predicate` this thread's vote.
    void wait_at_barrier(uintptr_t site, bool predicate = false);
    /// The same for a thread that can wait in its kernel (simt_come_to_barrier).
    bool come_to_barrier(uintptr_t site);
    /// The same for all blocks of a cooperative launch.
    void wait_for_grid(uintptr_t site);
    bool is_cooperative() const { return run_->cooperative; }
    /// Votes of the barrier that this thread has just left.
    unsigned votes() const { return last_votes_; }
    unsigned voters() const { return last_voters_; }
    /// Waits for the lanes of the mask; returns this lane's result.
    uint64_t meet(warp_operation operation, uint32_t mask, uint64_t value, int argument, int width,
                  uintptr_t site);
    /// Waits until no lane of the warp can run; returns the lanes that go on together, from the same place of the text.
    /// `stack`: where the thread's ends.
    uint32_t converge(uintptr_t place, uintptr_t stack);
    /// The same for a thread that can wait in its kernel (simt_come_to_place).
    bool come_to_place(uintptr_t site, uintptr_t place, uintptr_t stack);
    /// Waits until another thread of the block says wake_waiting(what).
    void wait_for(const void* what, uintptr_t site);
    void wake_waiting(const void* what);
    /// Waits for the others of the thread's tile, which has so many `threads`; returns what the one of rank `source`
    /// brought.
    uint64_t meet_tile(unsigned threads, uint64_t value, unsigned source, uintptr_t site);
    void hold();
    /// The running thread does nothing but wait for another one: after a while that one gets its turn. Every thread has its
    /// own patience, for a warp's lanes may wait in turns.
    void spin(int times = 1) {
        uint8_t& spins = spins_[running_thread()];
        spins = uint8_t(spins + times);
        if (spins < MOST_SPINS) return;
        spins = 0;
        give_way();
    }
    /// The running thread may be waiting for a time, and for nobody: the others' time goes by meanwhile, too.
    void look_at_clock() {
        patient_last_ = {};
        spin(SPINS_OF_A_LOOK);
    }
    /// All others that can run do so before the running thread goes on.
    void give_way();
    /// Ends the block, and with it the launch.
    [[noreturn]] void abandon(cudaError_t error);
    void print(const char* text, size_t length);
    void launch_later(child_launch child);
    /// The thread has returned from its kernel (simt_finish_thread).
    bool finish_thread();
    /// The running thread ends here, wherever it is in its kernel.
    [[noreturn]] void exit_thread();

    void call_on_large_stack(const std::function<void()>& work);
    bool is_fiber_stack(uintptr_t address) const {
        return address >= context.stacks_begin && address < context.stacks_end;
    }
    /// Where the fault handler lets a faulting fiber go on.
    char* large_stack_top() const { return stacks_ + stack_bytes_ * MOST_FIBERS + LARGE_STACK_BYTES; }
    /// True for an address just below one of the stacks: the stack has overflowed.
    bool is_guard_page(uintptr_t address) const;
    size_t stack_bytes() const { return stack_bytes_; }

    /// Of a warp whose threads are not in step.
    uint32_t live_lanes(unsigned warp) const { return existing_[warp] & ~finished_lanes_[warp]; }

    block_context context;

private:
    enum class state : uint8_t {
        unstarted,
        ready,
        at_barrier,
        at_meeting,
        waiting,
        converging,
        held,
        finished
    };
    static constexpr int MOST_FIBERS = MAX_THREADS + 1;
    static constexpr size_t LARGE_STACK_BYTES = 1 << 20;  // symbol lookup needs more than a fiber has
    static constexpr int NONE = -1;
    static constexpr int MOST_SPINS = 32;  // a change of threads costs about as much as these
    static constexpr int SPINS_OF_A_LOOK = MOST_SPINS / 2;  // at the clock

    static size_t page_bytes();
    static void large_stack_main();

    void run_block(uint64_t block);
    void prepare_threads();
    void forget_meetings();
    void run_threads();
    void poison_shared_memory();
    void number_threads(uint3 shape);
    void suspend();
    void make_current(int thread, int fiber);
    int take_fiber();
    void make_next_fiber();
    int next_thread();
    void wake(unsigned warp, uint32_t lanes);
    bool wake_held(unsigned warp);
    bool wake_any_held();
    bool wake_patient();
    void tell_of_patience();
    void note_patience(bool is_patient);
    void wait_to_converge(unsigned thread, uintptr_t place, uintptr_t stack);
    bool wake_converging(unsigned warp);
    bool release_barrier();
    void wait_out_of_step(uintptr_t site);
    void begin_in_step();
    bool lead_in_step(state wait, uintptr_t site, bool in_kernel);
    void join_step();
    void leave_step();
    void begin_turn(turn& next);
    void pass_turn();
    bool finish_in_step();
    bool meet_grid();
    void compare_barriers(uintptr_t site);
    void finish_meetings(unsigned warp);
    void finish_meeting(unsigned warp, uint32_t lanes);
    void check_meeting(unsigned warp, uint32_t lanes);
    void check_absent_lanes(unsigned warp, uint32_t lanes);
    void report_deadlock();
    std::string this_thread() const;

    // What a change of threads touches comes first.
    grid_run* run_ = nullptr;
    // In step (step.cpp), where what the scheduler knows of threads below is not kept up.
    bool in_step_ = false;
    bool meetings_known_ = false;  // in this block warps have met
    unsigned warp_ = 0;            // whose lanes run at present
    uint32_t ready_warps_ = 0;
    uint32_t ready_[MAX_WARPS] = {};
    uint32_t existing_[MAX_WARPS] = {};
    uint32_t finished_lanes_[MAX_WARPS] = {};
    uint32_t patient_[MAX_WARPS] = {};  // ready lanes that have given way
    unsigned patient_warps_ = 0;
    // Nothing but waiting has happened since the first, up to the last.
    std::chrono::steady_clock::time_point patient_since_{}, patient_last_{};
    bool is_patient_ = false;  // as the launch knows it
    unsigned threads_ = 0, warps_ = 0, finished_ = 0, waiting_ = 0, converging_ = 0;
    state state_[MAX_THREADS] = {};
    uint3 numbered_shape_{};            // the block shape that threads are numbered for
    uintptr_t site_[MAX_THREADS] = {};  // where a suspended thread waits
    uint8_t spins_[MAX_THREADS] = {};   // how often each has, since it gave way or came to a barrier
    // Of the threads in step before the running one: what they wait for; where in the text they converge.
    state wait_in_step_ = state::at_barrier;
    uintptr_t place_in_step_ = 0;
    // Of those that converge: where in the text they are, and how much of their stacks is in use.
    uintptr_t place_[MAX_THREADS] = {};
    size_t depth_[MAX_THREADS] = {};

    fiber scheduler_ = nullptr, caller_ = nullptr;
    int current_fiber_ = 0, fibers_made_ = 0, fibers_taken_ = 0;
    turn turns_[MOST_FIBERS];  // by thread; stacks by fiber: a finished thread's starts the next one
    fiber first_stacks_[MOST_FIBERS] = {};  // of fibers that have not begun
    std::vector<int> free_fibers_;
    int fiber_of_[MAX_THREADS] = {};
    char* const stacks_;  // the fibers', then the large one
    const size_t stack_bytes_;
    const bool guarded_;
    const std::function<void()>* large_stack_work_ = nullptr;
    bool abandoned_ = false;

    uintptr_t barrier_site_ = 0;
    bool barrier_reported_ = false;
    bool waits_for_grid_ = false;
    unsigned votes_ = 0, last_votes_ = 0, last_voters_ = 0;
    std::vector<warp_meeting> meetings_;
    const void* awaited_[MAX_THREADS] = {};  // by threads that are `waiting`
    tile_meeting tiles_[MAX_WARPS];          // by a tile's first warp
    uint64_t tile_values_[MAX_THREADS] = {}, tile_results_[MAX_THREADS] = {};
    unsigned tile_sources_[MAX_THREADS] = {};
    std::string output_;
};

/// The runner of this OS thread while it executes a launch, else null.
extern constinit thread_local runner* current_runner;

/// Ends the launch for what a kernel asks for and must not.
[[noreturn]] void refuse_kernel(const std::string& why, uintptr_t site);

inline uintptr_t address_of(const void* pointer) {
    return reinterpret_cast<uintptr_t>(pointer);
}

/// Tells the observer, if there is one, what the running thread does to memory, if one runs.
inline void tell_access(const void* memory, size_t bytes, access_kind kind, uintptr_t site) {
    if (current_block && the_observer && bytes > 0)
        the_observer->accessed(*current_block, address_of(memory), bytes, kind, site);
}

/// "block (0,1,0), thread (5,0,0)".
std::string thread_name(const block_context& context, unsigned thread);

}  // namespace simt
