// What is seen while it runs.
#include "grade/program/progress.h"

#include <unistd.h>

#include <cstdio>

#include "report/words.h"

namespace grade {

namespace {

/// "40 s", "12 min"
std::string time_text(double seconds) {
    constexpr double MINUTE = 60;
    const bool minutes = seconds >= 2 * MINUTE;
    return std::to_string(int(minutes ? seconds / MINUTE + 0.5 : seconds + 0.5)) + (minutes ? " min" : " s");
}

bool on_terminal() {
    return isatty(STDERR_FILENO) != 0;
}

}  // namespace

progress::~progress() {
    if (on_terminal() && !shown_.empty()) std::fprintf(stderr, "\r\033[K");
}

/// ", about 40 s left"; nothing while nobody can know.
std::string progress::time_left() const {
    if (done_ == 0) return "";
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
    return ", about " + time_text(passed.count() / double(done_) * double(all_ - done_)) + " left";
}

void progress::show(const std::string& text) {
    shown_ = text;
    std::fprintf(stderr, on_terminal() ? "\r\033[K  %s" : "  %s\n", text.c_str());
    std::fflush(stderr);
}

void progress::ended(const std::string& who, const report::graded_lab& result) {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_++;
    const std::string count = std::to_string(done_) + " of " + std::to_string(all_);
    show(on_terminal() ? count + " judged" + time_left()
                       : count + ": " + who + ", lab " + report::lab_number(result.lab) + ": " +
                             report::sentence_of(result));
}

void progress::reached(size_t done, const std::string& beside) {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = done;
    const std::string text = std::to_string(done_) + " of " + std::to_string(all_) + " judged; " + beside;
    if (on_terminal())
        show(text + time_left());
    else if (text != shown_)
        show(text);
}

}  // namespace grade
