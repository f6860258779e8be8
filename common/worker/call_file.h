// The memory file of a call, as the worker reads and writes it.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "call/channel.h"
#include "worker/call.h"

namespace worker {

/// Mapped for as long as this lives: never while the student's function runs.
class call_file {
public:
    /// Throws std::runtime_error if it cannot be mapped.
    explicit call_file(int file);
    ~call_file();
    call_file(const call_file&) = delete;
    call_file& operator=(const call_file&) = delete;

    const channel::call_header& header() const { return header_; }
    const std::vector<channel::argument_record>& records() const { return records_; }
    /// The bytes of an argument, in the judge's memory.
    std::span<std::byte> argument(size_t i) const {
        return {begin_ + records_[i].offset, size_t(records_[i].size)};
    }

    /// Writes all but the outputs. Throws std::runtime_error if it does not fit.
    void write(answer& given, const std::string& report) const;

private:
    std::byte* begin_ = nullptr;
    size_t size_ = 0;
    channel::call_header header_;
    std::vector<channel::argument_record> records_;
};

/// Waits for the judge's next call and returns its file; -1 if there will be none.
int next_call_file();
/// Sends the judge's packet: the file of this call holds the answer. False if the judge is gone.
bool send_answer(const channel::call_header& call);

}  // namespace worker
