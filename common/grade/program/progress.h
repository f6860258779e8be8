// How far a run is, for a person.
#pragma once
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

#include "report/graded.h"

namespace grade {

/// One line on a terminal, which is gone at the end; elsewhere a line for each news. Of `all` files.
class progress {
public:
    explicit progress(size_t all) : all_(all) {}
    ~progress();
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;

    /// One more is judged, by any thread: of this student or what else it is known by.
    void ended(const std::string& who, const report::graded_lab& result);
    /// So many are judged by now, elsewhere; `beside` says what else there is to know.
    void reached(size_t done, const std::string& beside);

private:
    std::string time_left() const;
    void show(const std::string& text);

    const size_t all_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    size_t done_ = 0;
    std::string shown_;
    std::mutex mutex_;
};

}  // namespace grade
