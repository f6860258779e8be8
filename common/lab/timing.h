// Times of launches and copies: CUDA events on a GPU, the CPU backend's own clock without one.
#pragma once

namespace lab {

/// Something to run, for as long as a call lasts: `[&] { ... }` or a function. std::function would do, but
/// its header takes a fifth of the time in which a lab's file is compiled.
class function_ref {
public:
    template <class callable>
    function_ref(const callable& work) : work_(const_cast<callable*>(&work)), run_(run<callable>) {}
    function_ref(void (&function)()) : work_(reinterpret_cast<void*>(function)), run_(run_function) {}

    void operator()() const { run_(work_); }

private:
    // Not lambdas of the constructors: in those libdw does not find the line that an inlined call stands in.
    template <class callable>
    static void run(void* work) {
        (*static_cast<callable*>(work))();
    }
    static void run_function(void* work) { reinterpret_cast<void (*)()>(work)(); }

    void* work_;
    void (*run_)(void*);
};

/// Runs `launch` (a kernel launch) and records its milliseconds. In a check it runs once; in a benchmark it
/// runs warm-up times and then as often as the benchmark asks, the L2 cache cleared in between, each run
/// recorded. Throws std::runtime_error "file:line: the launch: message" if it fails, now or when the kernel
/// has ended; file and line are the caller's.
void timed_launch(function_ref launch, const char* file = __builtin_FILE(), int line = __builtin_LINE());

/// Runs `copy` (one or more cudaMemcpy) once and adds its milliseconds to the transfer time of the call.
void timed_copy(function_ref copy, const char* file = __builtin_FILE(), int line = __builtin_LINE());

}  // namespace lab
