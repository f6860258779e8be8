// Times launches and copies with CUDA events; the CPU backend's events read its own clock.
#include "lab/timing.h"

#include <chrono>

#include "lab/backend.h"
#include "lab/errors.h"
#include "lab/recorder.h"

namespace lab {

call_record& current_call() {
    static call_record record;
    return record;
}

namespace {

class event {
public:
    event() { CUDA_CHECK(cudaEventCreate(&handle_)); }
    ~event() { cudaEventDestroy(handle_); }
    event(const event&) = delete;
    event& operator=(const event&) = delete;

    void record() { CUDA_CHECK(cudaEventRecord(handle_)); }
    cudaError_t wait() { return cudaEventSynchronize(handle_); }
    double milliseconds_since(const event& start) const {
        float elapsed = 0;
        CUDA_CHECK(cudaEventElapsedTime(&elapsed, start.handle_, handle_));
        return elapsed;
    }

private:
    cudaEvent_t handle_ = nullptr;
};

/// Something the device is asked to do, and where the student's file asks for it.
struct timed_work {
    function_ref run;
    const char* expression;
    const char* file;
    int line;

    void check(cudaError_t status) const { throw_on_error(status, expression, file, line); }
};

/// Milliseconds until the device has nothing left to do.
double drain_device(const timed_work& work) {
    const auto start = std::chrono::steady_clock::now();
    work.check(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Runs the work between two events and returns what it took.
double milliseconds_of(const timed_work& work) {
    event start, stop;
    start.record();
    work.run();
    work.check(cudaGetLastError());  // of the launch: a bad configuration, too much shared memory
    stop.record();
    work.check(stop.wait());  // of its completion: an illegal address, a failed assert
    const double measured = stop.milliseconds_since(start);

    // Events see one stream. Work that still runs on another one now belongs to this launch as well; an idle
    // device answers within microseconds, which are not the launch's.
    constexpr double IDLE_ANSWER_MS = 0.05;
    const double left_over = drain_device(work);
    return left_over > IDLE_ANSWER_MS ? measured + left_over : measured;
}

/// Writes twice the L2 cache, so that the next launch finds none of its data there. The host does not wait
/// for that: it takes the device longer than the host needs to queue two events and a launch, which then
/// follow each other without a gap and are not charged the host's few microseconds. (A launch on a
/// cudaStreamNonBlocking stream would not wait either.)
class cache_eraser {
public:
    cache_eraser() {
        int device = 0, cache_bytes = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, device));
        bytes_ = 2 * size_t(cache_bytes);
        CUDA_CHECK(cudaMalloc(&memory_, bytes_));
    }
    ~cache_eraser() { cudaFree(memory_); }
    cache_eraser(const cache_eraser&) = delete;
    cache_eraser& operator=(const cache_eraser&) = delete;

    void erase() { CUDA_CHECK(cudaMemsetAsync(memory_, 0, bytes_)); }

private:
    void* memory_ = nullptr;
    size_t bytes_ = 0;
};

void run_once(const timed_work& work) {
    work.run();
    work.check(cudaGetLastError());
    work.check(cudaDeviceSynchronize());
}

/// A benchmark: every recorded launch starts with a cold cache.
void run_repeatedly(const timed_work& work, call_record& record) {
    if constexpr (ON_GPU) {
        cache_eraser cache;
        for (int i = 0; i < record.repeats; i++) {
            cache.erase();
            record.kernel_ms.push_back(milliseconds_of(work));
        }
    } else {
        // The caches here are the CPU's own; times of emulated kernels do not hang on them.
        for (int i = 0; i < record.repeats; i++)
            record.kernel_ms.push_back(milliseconds_of(work));
    }
}

}  // namespace

void timed_launch(function_ref launch, const char* file, int line) {
    // An error that an earlier call left behind is not this launch's;
    // one that the device keeps will show again.
    (void)cudaGetLastError();

    const timed_work work{launch, "the launch", file, line};
    call_record& record = current_call();
    for (int i = 0; i < record.warmups; i++)
        run_once(work);
    if (record.repeats == 1 && record.warmups == 0) {
        record.kernel_ms.push_back(milliseconds_of(work));
    } else {
        run_repeatedly(work, record);
    }
}

void timed_copy(function_ref copy, const char* file, int line) {
    current_call().copy_ms += milliseconds_of({copy, "the copy", file, line});
}

}  // namespace lab
