// The judge's side of a call: a process that runs the student's object file, and what came of a call to it.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "call/call_end.h"
#include "call/changed_words.h"
#include "call/leftovers.h"
#include "inspect/report/report.h"

namespace check {

struct call_options {
    int warmups = 0;              // launches inside timed_launch before the recorded ones
    int repeats = 1;              // recorded launches
    double timeout_seconds = 20;  // wall clock for the whole call
    double busy_seconds = 5;      // the same for a process that computes all the while: in a loop without end
    bool try_endless = false;     // call a function again that did not end in time before
    bool pinned = false;          // the arrays are page-locked on the host before the function is called
    bool draw = false;  // record what pictures are drawn from (launch::drawn); inspected workers only
    uint64_t one_of_blocks = 1;  // inspected workers: of a large grid only one of so many blocks runs
    uint64_t failing_call =
        0;  // CPU backend: which call of CUDA, counted from 1, says that it failed (simt::done); 0: none
    bool loses_device = false;  // and that call does not fail: it is the last that its device does
    uint64_t change_key =
        0;  // inspected workers: the device gets another input (call/changed_words.h); 0: no
    uint64_t changed_input = 0;  // which of them: 0 is the first, `in`
    int devices = 1;  // CPU backend: how many it has during the call; on a GPU there are as many as there are
    int current_device = 0;        // CPU backend: the current one when the function is called
    bool double_products = false;  // inspected workers: tensor cores give twice what they should
};

/// What came of one call.
struct call_result {
    call_end how = call_end::did_not_start;
    std::string trouble;  // one sentence with file:line where known; empty exactly if the call returned
    std::string place;    // "file.cu:41", the student's line that led to an exception, if known
    std::vector<double> kernel_ms;    // one for each recorded launch of each timed_launch, in order
    double copy_ms = 0;               // sum over timed_copy
    double call_ms = 0;               // the whole function
    leftovers left;                   // not given back when it returned or threw
    std::array<uint32_t, 3> block{};  // threads of the last launch, across, down and deep; 0 without one
    changes_seen changes;             // by call_options::change_key
    std::string printed;  // what the student's program wrote to stdout and stderr, first 4000 bytes
    inspect::report seen;

    bool returned() const { return how == call_end::returned; }
    double median_kernel_ms() const;  // 0 if nothing was timed
};

// Inline, because tests replace what worker_process.cpp defines.
inline double call_result::median_kernel_ms() const {
    if (kernel_ms.empty()) return 0;
    std::vector<double> sorted = kernel_ms;
    std::sort(sorted.begin(), sorted.end());
    const size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/// One argument of a call, as bytes: what goes in, and where to put what comes out.
struct argument {
    enum class kind { input, output, scalar };
    kind role;
    const void* bytes;  // input, scalar: to send
    void*
        destination;  // output: filled from the worker's bytes if the call returned or refused, else left alone
    size_t size;
};

/// Wall time that all calls of a run together may take: each in its own time, many slow ones would take hours.
struct time_budget {
    double seconds = 0, spent = 0;

    double left() const { return std::max(0.0, seconds - spent); }
};

/// A worker serves calls one after another and is started anew after a crash. Every call brings fresh copies
/// of its inputs and NaN-filled outputs; the judge's own memory is never shared with it.
class worker_process {
public:
    /// The executable is started at the first call, by the program `box` if one is named (call/launcher.h).
    /// Throws std::runtime_error if it does not exist.
    explicit worker_process(std::filesystem::path executable, std::filesystem::path box = {});
    ~worker_process();
    call_result call(const std::string& function, std::span<const argument> arguments,
                     const call_options& options);
    std::string
    device();  // "NVIDIA H200" or "CPU backend (2 threads)"; "no device: why" if it does not start
    /// By what the executable was made of; whether there is a GPU is another question.
    bool is_for_gpu() const;
    /// Throws std::runtime_error if it is for a GPU and cannot begin with one: that is no fault of the student's.
    void require_gpu();
    /// What this machine cannot keep the worker from, as a sentence (sandbox.h); empty if nothing.
    std::string missing_protection();
    /// From now on calls take their time from this as well, which other workers may share.
    void draw_on(std::shared_ptr<time_budget> budget);

private:
    struct state;
    std::unique_ptr<state> state_;
};

// ---- from a C++ signature to arguments
template <class T>
struct is_span : std::false_type {};
template <class T, size_t N>
struct is_span<std::span<T, N>> : std::true_type {};

template <class P>
argument make_argument(const P& value) {
    if constexpr (is_span<P>::value) {
        using element = typename P::element_type;
        static_assert(std::is_trivially_copyable_v<element>);
        if constexpr (std::is_const_v<element>)
            return {argument::kind::input, value.data(), nullptr, value.size_bytes()};
        else
            return {argument::kind::output, nullptr, value.data(), value.size_bytes()};
    } else {
        static_assert(std::is_trivially_copyable_v<P>);
        return {argument::kind::scalar, &value, nullptr, sizeof(P)};
    }
}

/// Calls `function`, declared `void(P...)`, in the worker. Use
/// the macro CALL, which takes the name from the declaration.
template <class... P>
call_result call(worker_process& worker, const call_options& options, const std::string& function,
                 void (*)(P...), std::type_identity_t<P>... values) {
    const argument arguments[] = {make_argument<P>(values)...};
    return worker.call(function, arguments, options);
}

/// CALL(worker, options, conv2d_naive, out, in, filter, 64,
/// 37, 1). The function itself is not linked into the judge.
#define CALL(worker, options, function, ...) \
    ::check::call(worker, options, #function, static_cast<decltype(&function)>(nullptr), __VA_ARGS__)

}  // namespace check
