// The runner whose kernel is running on this OS thread.
#pragma once
#include <cstdint>

namespace inspect {

class runner_state;

/// The runner that is this OS thread while a thread of a kernel runs on it,
/// else null: events mean nothing then.
extern constinit thread_local runner_state* current_runner;

/// Where it runs a thread of a kernel: the site of the thread's basic block, and IN_OBJECT where members of an
/// object are used in it. Beside the runner, for it is all that most blocks change.
extern constinit thread_local uint32_t basic_block;
inline constexpr uint32_t IN_OBJECT = 1u << 31;

/// Makes the inspector blind to its own doings. The linker keeps one copy of std::vector's functions and
/// their like, and that may be the instrumented one of the student's file.
class unseen {
public:
    unseen() : runner(current_runner), block(basic_block) { current_runner = nullptr; }
    ~unseen() {
        current_runner = runner;
        basic_block = block;
    }
    unseen(const unseen&) = delete;
    unseen& operator=(const unseen&) = delete;

private:
    runner_state* const runner;
    const uint32_t block;
};

}  // namespace inspect
