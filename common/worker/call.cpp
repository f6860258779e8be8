// The student's function is called here and nowhere else.
#include "worker/call.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <new>
#include <span>
#include <stdexcept>

#include "lab/recorder.h"
#include "worker/device.h"
#include "worker/offer.h"
#include "worker/thrown.h"

namespace worker {
namespace {

void label_arguments(const offered_function& function, const question& asked) {
    for (size_t i = 0; i < asked.kinds.size() && i < function.parameters.size(); i++) {
        if (asked.kinds[i] == channel::argument_kind::scalar) continue;
        label_host_memory({static_cast<const std::byte*>(asked.arrays[i].data()), asked.arrays[i].size()},
                          function.parameters[i], asked.kinds[i] == channel::argument_kind::output);
    }
}

void tell_exception(const std::exception& error, answer& given) {
    given.trouble = error.what();
    place_of_throw(dynamic_cast<const void*>(&error), given.header.place, sizeof given.header.place);
}

/// Runs the student's function; nothing that it throws gets past here.
void run_function(const offered_function& function, const std::vector<raw_argument>& arguments,
                  answer& given) {
    using check::call_end;
    try {
        function.invoke(arguments);
        given.header.how = call_end::returned;
    } catch (const std::bad_alloc&) {
        given.header.how = call_end::out_of_memory;
    } catch (const std::invalid_argument& error) {
        given.header.how = call_end::refused;
        tell_exception(error, given);
    } catch (const std::runtime_error& error) {
        given.header.how = call_end::threw;
        tell_exception(error, given);
    } catch (const std::exception& error) {
        given.header.how = call_end::threw_other;
        tell_exception(error, given);
    } catch (...) {
        given.header.how = call_end::threw_other;
        given.trouble = "something that is not a std::exception";
    }
}

/// True for an exception that tells of this error, "message (name)", by its message or by its name, as CUDA_CHECK's
/// does: whoever threw it has looked at the error.
bool tells_of(const std::string& exception, const std::string& error) {
    const size_t open = error.rfind(" (");
    const auto says = [&](const std::string& words) {
        return !words.empty() && exception.find(words) != std::string::npos;
    };
    return says(error.substr(0, open)) || says(error.substr(open + 2, error.size() - open - 3));
}

/// A call that came back all right may still have broken something. `current` is the device that was the current one.
void look_for_damage(int current, answer& given) {
    const device_state left = settle_device();
    given.header.retire = left.lost ? 1 : 0;
    if (!left.unchecked.empty() && !tells_of(given.trouble, left.unchecked))
        std::fprintf(stderr, "A CUDA error was never looked at: %s. CUDA_CHECK every call.\n",
                     left.unchecked.c_str());
    if (given.header.how != check::call_end::returned) return;

    const std::string& damage = lab::current_call().damage;
    given.trouble = !left.trouble.empty() ? left.trouble : damage;
    if (given.trouble.empty() && left.current != current)
        given.trouble = "device " + std::to_string(left.current) +
                        " is still the current one: cudaSetDevice what was current before";
    if (!given.trouble.empty()) given.header.how = check::call_end::damaged;
}

std::vector<locked_pages> pinned(const question& asked) {
    std::vector<locked_pages> locked;
    for (size_t i = 0; i < asked.kinds.size() && asked.header.pinned != 0; i++) {
        if (asked.kinds[i] == channel::argument_kind::scalar) continue;
        locked.emplace_back(
            std::span(static_cast<std::byte*>(asked.arrays[i].data()), asked.arrays[i].size()));
    }
    return locked;
}

answer run_call(const offered_function& function, const question& asked) {
    std::vector<raw_argument> arguments;
    for (size_t i = 0; i < asked.kinds.size(); i++)
        arguments.push_back({asked.kinds[i], asked.arrays[i].data(), asked.arrays[i].size()});

    answer given;
    lab::current_call() = {};
    lab::current_call().warmups = asked.header.warmups;
    lab::current_call().repeats = asked.header.repeats;
    const int current = lend_devices(asked.header.devices, asked.header.current_device);
    label_arguments(function, asked);
    std::vector<locked_pages> locked = pinned(asked);
    forget_block();
    const check::leftovers before = in_use();

    const auto start = std::chrono::steady_clock::now();
    fail_call(asked.header.failing_call, asked.header.loses_device != 0);
    run_function(function, arguments, given);
    fail_call(0);
    const auto stop = std::chrono::steady_clock::now();

    look_for_damage(current, given);
    given.header.left = check::left_over(before, in_use());
    locked.clear();  // before what the function left locked: that is not ours to unlock
    for (const raw_argument& one : arguments)
        unlock_host_memory({static_cast<const std::byte*>(one.data), one.size});
    given.header.call_ms = std::chrono::duration<double, std::milli>(stop - start).count();
    given.header.copy_ms = lab::current_call().copy_ms;
    const std::array<uint32_t, 3> block = last_block();
    std::copy(block.begin(), block.end(), given.header.block);
    given.kernel_ms = lab::current_call().kernel_ms;
    return given;
}

}  // namespace

answer answer_question(const question& asked) {
    const offered_function* function = find_offered(asked.header.function);
    if (function != nullptr) return run_call(*function, asked);
    answer given;
    given.header.how = check::call_end::not_callable;
    given.trouble = "the lab offers no function of this name";
    return given;
}

std::vector<std::string> parameters_of(const std::string& function) {
    const offered_function* found = find_offered(function);
    return found ? found->parameters : std::vector<std::string>();
}

void flush_output() {
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
}

}  // namespace worker
