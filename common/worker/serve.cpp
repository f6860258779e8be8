// Serves one call. The judge's memory is mapped before and after the student's function, never while it runs.
#include "worker/serve.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>

#include "lab/recorder.h"
#include "worker/device.h"
#include "worker/host_array.h"
#include "worker/inspection.h"
#include "worker/offer.h"

namespace worker {
namespace {

/// The memory file of a call, mapped as long as this lives.
class mapped_file {
public:
    explicit mapped_file(int file) {
        struct stat status {};
        if (fstat(file, &status) != 0) throw std::runtime_error("the memory of the call is gone");
        size_ = size_t(status.st_size);
        void* begin = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (begin == MAP_FAILED) throw std::runtime_error("the memory of the call cannot be mapped");
        begin_ = static_cast<std::byte*>(begin);
    }
    ~mapped_file() { munmap(begin_, size_); }
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;

    std::byte* at(uint64_t offset) const { return begin_ + offset; }

private:
    std::byte* begin_ = nullptr;
    size_t size_ = 0;
};

/// The judge's question, copied into memory of our own.
struct question {
    channel::call_header header;
    std::vector<channel::argument_record> records;
    std::vector<host_array> arrays;  // one for each record
};

question read_question(int file) {
    const mapped_file memory(file);
    question asked;
    std::memcpy(&asked.header, memory.at(0), sizeof asked.header);
    asked.records.resize(asked.header.arguments);
    std::memcpy(asked.records.data(), memory.at(sizeof asked.header),
                asked.records.size() * sizeof(channel::argument_record));
    for (const channel::argument_record& record : asked.records) {
        if (record.kind == channel::argument_kind::output)
            asked.arrays.emplace_back(record.size);
        else
            asked.arrays.emplace_back(memory.at(record.offset), record.size);
    }
    return asked;
}

/// What will be sent back.
struct answer {
    channel::answer_header header;
    std::vector<double> kernel_ms;
    std::string trouble, report;
};

void write_answer(int file, const question& asked, answer& given) {
    const mapped_file memory(file);
    for (size_t i = 0; i < asked.records.size(); i++) {
        const channel::argument_record& record = asked.records[i];
        if (record.kind == channel::argument_kind::output)
            std::memcpy(memory.at(record.offset), asked.arrays[i].data(), record.size);
    }
    const uint64_t needed = sizeof given.header + given.kernel_ms.size() * sizeof(double) +
                            given.trouble.size() + given.report.size();
    if (needed > asked.header.answer_capacity) throw std::runtime_error("the inspector's report is too long");

    given.header.sequence = asked.header.sequence;
    given.header.secret = asked.header.secret;
    given.header.launches = given.kernel_ms.size();
    given.header.trouble_bytes = given.trouble.size();
    given.header.report_bytes = given.report.size();

    std::byte* to = memory.at(asked.header.answer_offset);
    const auto append = [&to](const void* bytes, size_t size) {
        if (size > 0) std::memcpy(to, bytes, size);
        to += size;
    };
    append(&given.header, sizeof given.header);
    append(given.kernel_ms.data(), given.kernel_ms.size() * sizeof(double));
    append(given.trouble.data(), given.trouble.size());
    append(given.report.data(), given.report.size());
}

void label_arguments(const offered_function& function, const question& asked) {
    for (size_t i = 0; i < asked.records.size() && i < function.parameters.size(); i++) {
        if (asked.records[i].kind == channel::argument_kind::scalar) continue;
        label_host_memory({static_cast<const std::byte*>(asked.arrays[i].data()), asked.arrays[i].size()},
                          function.parameters[i], asked.records[i].kind == channel::argument_kind::output);
    }
}

host_arrays arrays_of(const question& asked, channel::argument_kind kind) {
    host_arrays arrays;
    for (size_t i = 0; i < asked.records.size(); i++) {
        if (asked.records[i].kind == kind)
            arrays.push_back({static_cast<const std::byte*>(asked.arrays[i].data()), asked.arrays[i].size()});
    }
    return arrays;
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
        given.trouble = error.what();
    } catch (const std::exception& error) {
        given.header.how = call_end::threw;
        given.trouble = error.what();
    } catch (...) {
        given.header.how = call_end::threw;
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

/// A call that came back all right may still have broken something.
void look_for_damage(answer& given) {
    const device_state left = settle_device();
    given.header.retire = left.lost ? 1 : 0;
    if (!left.unchecked.empty() && !tells_of(given.trouble, left.unchecked))
        std::fprintf(stderr, "A CUDA error was never looked at: %s. CUDA_CHECK every call.\n",
                     left.unchecked.c_str());
    if (given.header.how != check::call_end::returned) return;

    const std::string& damage = lab::current_call().damage;
    given.trouble = !left.trouble.empty() ? left.trouble : damage;
    if (!given.trouble.empty()) given.header.how = check::call_end::damaged;
}

answer run_call(const offered_function& function, const question& asked) {
    std::vector<raw_argument> arguments;
    for (size_t i = 0; i < asked.records.size(); i++)
        arguments.push_back({asked.records[i].kind, asked.arrays[i].data(), size_t(asked.records[i].size)});

    answer given;
    lab::current_call() = {};
    lab::current_call().warmups = asked.header.warmups;
    lab::current_call().repeats = asked.header.repeats;
    draw_inspection(asked.header.draw != 0);
    sample_blocks(asked.header.one_of_blocks);
    label_arguments(function, asked);
    const check::leftovers before = in_use();

    const auto start = std::chrono::steady_clock::now();
    fail_call(asked.header.failing_call);
    run_function(function, arguments, given);
    fail_call(0);
    const auto stop = std::chrono::steady_clock::now();

    look_for_damage(given);
    given.header.left = check::left_over(before, in_use());
    given.header.call_ms = std::chrono::duration<double, std::milli>(stop - start).count();
    given.header.copy_ms = lab::current_call().copy_ms;
    given.kernel_ms = lab::current_call().kernel_ms;
    given.report = take_inspection(arrays_of(asked, channel::argument_kind::output),
                                   arrays_of(asked, channel::argument_kind::input));
    forget_host_memory();
    return given;
}

/// The text a student's program has printed so far must reach the judge before the answer does.
void flush_output() {
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
}

answer answer_question(const question& asked) {
    const offered_function* function = find_offered(asked.header.function);
    if (function != nullptr) return run_call(*function, asked);
    answer given;
    given.header.how = check::call_end::not_callable;
    given.trouble = "the lab offers no function of this name";
    return given;
}

}  // namespace

bool serve_call(const channel::packet& request, int file) {
    const pid_t self = getpid();
    const question asked = read_question(file);
    answer given = answer_question(asked);
    if (getpid() != self) _exit(0);  // a child that the student's code forked has nothing to say
    flush_output();
    write_answer(file, asked, given);

    channel::packet reply;
    reply.kind = channel::packet_kind::answer;
    reply.sequence = request.sequence;
    reply.secret = asked.header.secret;
    if (!channel::send(channel::DESCRIPTOR, reply, -1, true)) _exit(channel::EXIT_CUT_OFF);
    return given.header.retire == 0;
}

}  // namespace worker
