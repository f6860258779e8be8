// The memory of one call, made and owned by the judge: the question goes in, the answer comes out.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "call/channel.h"
#include "call/worker_process.h"

namespace check {

/// A sealed memory file: the worker can write into it but not shrink it under the judge's hands.
class call_memory {
public:
    /// Throws std::runtime_error if there is no memory,
    /// std::invalid_argument if the call does not fit the format.
    call_memory(const std::string& function, std::span<const argument> arguments, const call_options& options,
                uint64_t sequence, const channel::token& secret);
    ~call_memory();
    call_memory(const call_memory&) = delete;
    call_memory& operator=(const call_memory&) = delete;

    int file() const { return file_; }
    uint64_t argument_bytes() const { return argument_bytes_; }

    struct answer {
        call_end how{};
        std::vector<double> kernel_ms;
        double call_ms = 0, copy_ms = 0;
        std::array<uint32_t, 3> block{};
        leftovers left;
        changes_seen changes;
        std::string trouble, place;
        inspect::report seen;
    };
    /// What the worker wrote; nothing if it cannot be an answer to this call.
    std::optional<answer> read_answer() const;
    void copy_outputs(std::span<const argument> arguments) const;
    /// Whether the worker says that it can serve no other call.
    bool must_retire() const;

private:
    channel::answer_header read_header() const;

    int file_ = -1;
    std::byte* begin_ = nullptr;
    uint64_t size_ = 0, answer_offset_ = 0, argument_bytes_ = 0;
    channel::call_header header_;
    std::vector<channel::argument_record>
        records_;  // the judge's own: what the file says may have been changed
};

/// "2 GB", "2.5 GB", "256 MB" (powers of 1024).
std::string memory_text(uint64_t bytes);

}  // namespace check
