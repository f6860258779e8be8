// The runner whose kernel is running on this OS thread.
#pragma once
#include <cstdint>

namespace inspect {

class runner_state;

/// The runner that is this OS thread while a thread of a kernel runs on it,
/// else null: events mean nothing then.
extern constinit thread_local runner_state* current_runner;

/// The basic block of the running thread, by an address in it, and IN_OBJECT: written where every one begins, which is why it
/// lies here and not with the rest of the runner's state.
extern constinit thread_local uintptr_t current_basic_block;
inline constexpr uintptr_t IN_OBJECT = uintptr_t{1} << 63;  // members of an object are used in it

/// Makes the inspector blind to its own doings. The linker keeps one copy of std::vector's functions and
/// their like, and that may be the instrumented one of the student's file.
class unseen {
public:
    unseen() : runner(current_runner), basic_block(current_basic_block) { current_runner = nullptr; }
    ~unseen() {
        current_runner = runner;
        current_basic_block = basic_block;
    }
    unseen(const unseen&) = delete;
    unseen& operator=(const unseen&) = delete;

private:
    runner_state* const runner;
    const uintptr_t basic_block;
};

}  // namespace inspect
