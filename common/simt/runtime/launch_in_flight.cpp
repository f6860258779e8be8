// The launch in flight, the order of streams since it was asked for, and the work behind it.
#include "simt/runtime/launch_in_flight.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

#include "simt/engine/error_state.h"
#include "simt/engine/pool.h"
#include "simt/memory/address_space.h"
#include "simt/runtime/host_order.h"

namespace simt {
namespace {

/// Work that comes later, and what comes before it.
struct late_work {
    cudaStream_t stream;
    std::function<cudaError_t()> work;
    stream_stamp stamp;
    stream_clock clock;
};

/// Of the late work that this thread does now.
thread_local const stream_stamp* stamp_of_work = nullptr;

struct flight {
    std::mutex mutex;
    std::condition_variable caught_up;
    std::shared_ptr<open_launch> launch;
    stream_stamp stamp;
    stream_order order;
    std::deque<late_work> behind;
    bool is_catching_up = false;  // somebody does what was behind a launch that has ended
    std::atomic<bool> any = false;

    bool is_over() const { return !launch && !is_catching_up; }
    /// The first that is not behind the launch.
    auto next() {
        return std::find_if(behind.begin(), behind.end(), [&](const late_work& late) {
            return !launch || !stamp.comes_before(late.clock);
        });
    }
};

flight& the_flight() {
    static auto* const one = new flight;  // never destroyed, see allocations.cpp
    return *one;
}

/// If the launch has ended, does what was behind it; there may be a launch among that which waits in its turn.
void catch_up() {
    flight& all = the_flight();
    std::unique_lock lock(all.mutex);
    if (!all.launch || all.is_catching_up || !has_ended(all.launch->run)) return;
    all.is_catching_up = true;
    const std::shared_ptr<open_launch> ended = std::exchange(all.launch, nullptr);
    lock.unlock();
    conclude(*ended);
    lock.lock();
    for (auto next = all.next(); next != all.behind.end(); next = all.next()) {
        const late_work late = std::move(*next);
        all.behind.erase(next);
        lock.unlock();
        const asking asked(late.stream, true);
        stamp_of_work = &late.stamp;
        (void)late.work();  // its error is the last one of this thread
        stamp_of_work = nullptr;
        lock.lock();
    }
    all.is_catching_up = false;
    all.any = all.launch != nullptr;
    all.caught_up.notify_all();
}

/// True if `is_after` says so of the launch in flight, or while it is not known which one will be; false if none is. (What
/// comes after something behind the launch comes after the launch.)
template <class function_type>
bool comes_after(const function_type& is_after) {
    flight& all = the_flight();
    if (!all.any) return false;
    catch_up();
    const std::lock_guard lock(all.mutex);
    return !all.is_over() && (is_after(all) || all.is_catching_up);
}

}  // namespace

void keep_in_flight(std::shared_ptr<open_launch> launch) {
    flight& all = the_flight();
    const std::lock_guard lock(all.mutex);
    if (all.is_over()) all.order.forget();
    launch->run.host_waits = false;
    all.launch = std::move(launch);
    all.stamp = stamp_of_work ? *stamp_of_work : all.order.ask(the_asked_work().stream);
    all.any = true;
}

bool is_any_in_flight() {
    if (!the_flight().any) return false;
    const std::lock_guard lock(the_flight().mutex);
    return the_flight().launch != nullptr;
}

bool is_behind_flight(cudaStream_t stream) {
    return comes_after([&](flight& all) {
        const uintptr_t number = number_of_stream(stream);
        all.order.ask(number);
        return all.stamp.comes_before(all.order.clock_of(number));
    });
}

cudaError_t in_order(cudaStream_t stream, bool host_goes_on, const std::function<cudaError_t()>& work) {
    if (!host_goes_on) wait_behind_flight(stream);
    return is_behind_flight(stream) && put_behind_flight(stream, work) ? remember(cudaSuccess) : work();
}

bool put_behind_flight(cudaStream_t stream, const std::function<cudaError_t()>& work) {
    flight& all = the_flight();
    const std::lock_guard lock(all.mutex);
    if (all.is_over()) return false;
    const uintptr_t number = number_of_stream(stream);
    const stream_stamp stamp = all.order.ask(number);
    all.behind.push_back({stream, work, stamp, all.order.clock_of(number)});
    return true;
}

void wait_behind_flight(cudaStream_t stream) {
    while (is_behind_flight(stream))
        wait_for_landing();
}

void wait_if_pageable(cudaStream_t stream, const void* memory) {
    if (!is_on_device(memory) && !is_page_locked(memory, 1)) wait_behind_flight(stream);
}

void note_step(const stream_step& step) {
    if (step.what != stream_step::kind::made && !the_flight().any) return;
    const std::lock_guard lock(the_flight().mutex);
    the_flight().order.take(step);
}

bool must_end_before(const stream_step& step) {
    return comes_after([&](const flight& all) {
        stream_order then = all.order;
        then.take(step);
        return then.is_over(all.stamp);
    });
}

void wait_for_landing() {
    flight& all = the_flight();
    std::unique_lock lock(all.mutex);
    if (const std::shared_ptr<open_launch> launch = all.launch) {
        lock.unlock();
        launch->run.host_waits = true;
        finish_grid(launch->run);
        catch_up();
    } else {
        all.caught_up.wait(lock, [&] { return !all.is_catching_up; });
    }
}

}  // namespace simt
