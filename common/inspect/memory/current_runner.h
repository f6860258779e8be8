// The runner whose kernel is running on this OS thread.
#pragma once

namespace inspect {

class runner_state;

/// The runner that is this OS thread while a thread of a kernel runs on it,
/// else null: events mean nothing then.
extern constinit thread_local runner_state* current_runner;

/// Makes the inspector blind to its own doings. The linker keeps one copy of std::vector's functions and
/// their like, and that may be the instrumented one of the student's file.
class unseen {
public:
    unseen() : runner(current_runner) { current_runner = nullptr; }
    ~unseen() { current_runner = runner; }
    unseen(const unseen&) = delete;
    unseen& operator=(const unseen&) = delete;

private:
    runner_state* const runner;
};

}  // namespace inspect
