// Threads that take the next job each.
#include "grade/program/jobs.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>

#include "grade/formats/words.h"

namespace grade {

namespace {

using clock = std::chrono::steady_clock;

/// "40 s", "12 min"
std::string time_text(double seconds) {
    constexpr double MINUTE = 60;
    const bool minutes = seconds >= 2 * MINUTE;
    return std::to_string(int(minutes ? seconds / MINUTE + 0.5 : seconds + 0.5)) + (minutes ? " min" : " s");
}

/// What is seen while it runs.
class progress {
public:
    explicit progress(size_t all) : all_(all) {}
    ~progress() { clear(); }
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;

    void ended(const job& one) {
        const std::lock_guard<std::mutex> lock(mutex_);
        done_++;
        const double seconds = std::chrono::duration<double>(clock::now() - begin_).count();
        const double left = seconds / double(done_) * double(all_ - done_);
        if (terminal_)
            std::fprintf(stderr, "\r\033[K  %zu of %zu judged, about %s left", done_, all_,
                         time_text(left).c_str());
        else
            std::fprintf(stderr, "  %zu of %zu: %s, lab %s: %s\n", done_, all_, one.who.c_str(),
                         lab_number(one.lab).c_str(), sentence_of(one.result).c_str());
        std::fflush(stderr);
    }

private:
    void clear() {
        if (terminal_ && done_ > 0) std::fprintf(stderr, "\r\033[K");
    }

    const size_t all_;
    const bool terminal_ = isatty(STDERR_FILENO) != 0;
    const clock::time_point begin_ = clock::now();
    size_t done_ = 0;
    std::mutex mutex_;
};

/// The first exception of several threads.
class first_exception {
public:
    void take() {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!kept_) kept_ = std::current_exception();
        seen_ = true;
    }
    bool seen() const { return seen_; }
    void rethrow() const {
        if (kept_) std::rethrow_exception(kept_);
    }

private:
    std::atomic<bool> seen_ = false;
    std::exception_ptr kept_;
    std::mutex mutex_;
};

void judge(job& one, const grading& how, const store& results) {
    one.result = grade_one(one.lab, one.source, one.hash, how);
    if (!has_mark(one.result)) one.result = grade_one(one.lab, one.source, one.hash, how);
    results.keep(one.hash, one.result);
}

}  // namespace

void run_jobs(std::vector<job>& jobs, const grading& how, const store& results, unsigned at_once) {
    std::vector<job*> open;
    for (job& one : jobs) {
        if (auto known = results.known(one.hash))
            one.result = std::move(*known);
        else
            open.push_back(&one);
    }
    progress shown(open.size());
    first_exception trouble;
    std::atomic<size_t> next = 0;
    const auto work = [&] {
        try {
            for (size_t k = next++; k < open.size() && !trouble.seen(); k = next++) {
                judge(*open[k], how, results);
                shown.ended(*open[k]);
            }
        } catch (...) {
            trouble.take();  // a disk that takes no result: nothing more can be done
        }
    };
    std::vector<std::thread> threads;
    for (size_t k = 0; k < std::min<size_t>(at_once, open.size()); k++)
        threads.emplace_back(work);
    for (std::thread& one : threads)
        one.join();
    trouble.rethrow();
}

}  // namespace grade
