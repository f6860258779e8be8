// Threads that wait for some of their block, by what they wait for: a phase of a cuda::barrier, the others of a tile.
#include "simt/engine/report.h"
#include "simt/engine/runner.h"

namespace simt {

void runner::wait_for(const void* what, uintptr_t site) {
    leave_step();
    awaited_[context.thread] = what;
    site_[context.thread] = site;
    state_[context.thread] = state::waiting;
    suspend();
}

void runner::wake_waiting(const void* what) {
    if (in_step_) return;  // then nobody waits
    for (unsigned w = 0; w < warps_; w++) {
        uint32_t lanes = 0;
        for (unsigned lane = 0; lane < WARP_SIZE && w * WARP_SIZE + lane < threads_; lane++) {
            const unsigned thread = w * WARP_SIZE + lane;
            if (state_[thread] == state::waiting && awaited_[thread] == what) lanes |= 1u << lane;
        }
        wake(w, lanes);
    }
}

uint64_t runner::meet_tile(unsigned threads, uint64_t value, unsigned source, uintptr_t site) {
    leave_step();
    const unsigned thread = context.thread, first = thread / threads * threads;
    if (first + threads > threads_)
        refuse_kernel("a tile of " + std::to_string(threads) + " threads in a block of " +
                          std::to_string(threads_) + ": the block must be a multiple of its tiles",
                      site);
    tile_meeting& meeting = tiles_[first / WARP_SIZE];
    if (meeting.arrived != 0 && meeting.threads != threads)
        refuse_kernel("threads of one tile meet as one of " + std::to_string(meeting.threads) +
                          " and as one of " + std::to_string(threads),
                      site);
    meeting.threads = threads;
    meeting.arrived++;
    tile_values_[thread] = value;
    tile_sources_[thread] = source % threads;
    if (meeting.arrived < threads) {
        wait_for(&meeting, site);
    } else {
        meeting.arrived = 0;
        for (unsigned t = first; t < first + threads; t++)
            tile_results_[t] = tile_values_[first + tile_sources_[t]];
        if (the_observer) the_observer->threads_synchronised(context, first, threads);
        wake_waiting(&meeting);
    }
    return tile_results_[thread];
}

void refuse_kernel(const std::string& why, uintptr_t site) {
    report({"launch-error", true, why, site, 0, true});
    stop_launch(cudaErrorLaunchFailure);
}

}  // namespace simt

extern "C" {

uint64_t simt_tile(unsigned int threads, uint64_t value, unsigned int source) {
    return simt::current_runner->meet_tile(threads, value, source,
                                           simt::address_of(__builtin_return_address(0)));
}

void simt_refuse(const char* why) {
    simt::refuse_kernel(why, simt::address_of(__builtin_return_address(0)));
}

}  // extern "C"
