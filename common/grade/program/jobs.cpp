// Threads that take the next job each.
#include "grade/program/jobs.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "grade/program/progress.h"

namespace grade {

namespace {

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

std::vector<job*> still_open(std::vector<job>& jobs, const store& results) {
    std::vector<job*> open;
    for (job& one : jobs) {
        if (auto known = results.known(one.hash))
            one.result = std::move(*known);
        else
            open.push_back(&one);
    }
    return open;
}

void run_jobs(std::vector<job>& jobs, const grading& how, const store& results, unsigned at_once) {
    const std::vector<job*> open = still_open(jobs, results);
    progress shown(open.size());
    first_exception trouble;
    std::atomic<size_t> next = 0;
    const auto work = [&] {
        try {
            for (size_t k = next++; k < open.size() && !trouble.seen(); k = next++) {
                judge(*open[k], how, results);
                shown.ended(open[k]->who, open[k]->result);
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
