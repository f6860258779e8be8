// Lays out a call in memory, and reads what became of it with sizes and offsets of the judge's own.
#include "call/call_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace check {
namespace {

channel::argument_kind kind_of(const argument& one) {
    switch (one.role) {
        case argument::kind::input:
            return channel::argument_kind::input;
        case argument::kind::output:
            return channel::argument_kind::output;
        default:
            return channel::argument_kind::scalar;
    }
}

/// A time that can have been measured.
bool is_duration(double milliseconds) {
    return std::isfinite(milliseconds) && milliseconds >= 0;
}

}  // namespace

call_memory::call_memory(const std::string& function, std::span<const argument> arguments,
                         const call_options& options, uint64_t sequence, const channel::token& secret) {
    if (function.size() >= sizeof header_.function || arguments.size() > channel::MAX_ARGUMENTS)
        throw std::invalid_argument(function + ": a call has at most 127 letters and 64 arguments");
    uint64_t end = channel::aligned(sizeof header_ + arguments.size() * sizeof(channel::argument_record));
    for (const argument& one : arguments) {
        records_.push_back({kind_of(one), end, one.size});
        argument_bytes_ += one.size;
        end = channel::aligned(end + one.size);
    }
    answer_offset_ = end;
    size_ = end + channel::ANSWER_BYTES;

    header_.sequence = sequence;
    header_.secret = secret;
    channel::set_text(header_.function, sizeof header_.function, function.c_str());
    header_.warmups = options.warmups;
    header_.repeats = options.repeats;
    header_.draw = options.draw ? 1 : 0;
    header_.pinned = options.pinned ? 1 : 0;
    header_.devices = options.devices;
    header_.current_device = options.current_device;
    header_.one_of_blocks = options.one_of_blocks;
    header_.failing_call = options.failing_call;
    header_.loses_device = options.loses_device ? 1 : 0;
    header_.change_key = options.change_key;
    header_.changed_input = options.changed_input;
    header_.double_products = options.double_products ? 1 : 0;
    header_.arguments = arguments.size();
    header_.answer_offset = answer_offset_;
    header_.answer_capacity = channel::ANSWER_BYTES;

    file_ = memfd_create("call", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const bool made = file_ >= 0 && ftruncate(file_, off_t(size_)) == 0 &&
                      fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
    void* mapped = made ? mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0) : MAP_FAILED;
    if (mapped == MAP_FAILED) {
        const std::string reason = std::strerror(errno);
        if (file_ >= 0) close(file_);
        throw std::runtime_error(fmt::format("no memory for a call of {}: {}", memory_text(size_), reason));
    }
    begin_ = static_cast<std::byte*>(mapped);

    std::memcpy(begin_, &header_, sizeof header_);
    if (!records_.empty())
        std::memcpy(begin_ + sizeof header_, records_.data(),
                    records_.size() * sizeof(channel::argument_record));
    for (size_t i = 0; i < arguments.size(); i++) {
        if (arguments[i].role != argument::kind::output && arguments[i].size > 0)
            std::memcpy(begin_ + records_[i].offset, arguments[i].bytes, arguments[i].size);
    }
}

call_memory::~call_memory() {
    munmap(begin_, size_);
    close(file_);
}

channel::answer_header call_memory::read_header() const {
    // A copy: the worker may still be writing.
    channel::answer_header header;
    std::memcpy(&header, begin_ + answer_offset_, sizeof header);
    return header;
}

bool call_memory::must_retire() const {
    return read_header().retire != 0;
}

std::optional<call_memory::answer> call_memory::read_answer() const {
    const channel::answer_header header = read_header();
    if (header.sequence != header_.sequence || header.secret != header_.secret) return std::nullopt;
    if (header.how < call_end::returned || header.how > call_end::not_callable) return std::nullopt;
    if (!is_duration(header.call_ms) || !is_duration(header.copy_ms)) return std::nullopt;

    // Each size is compared with what is left, so that no sum can overflow.
    uint64_t left = channel::ANSWER_BYTES - sizeof header;
    if (header.launches > left / sizeof(double)) return std::nullopt;
    left -= header.launches * sizeof(double);
    if (header.trouble_bytes > left) return std::nullopt;
    left -= header.trouble_bytes;
    if (header.report_bytes > left) return std::nullopt;

    answer given;
    given.how = header.how;
    given.call_ms = header.call_ms;
    given.copy_ms = header.copy_ms;
    std::copy_n(header.block, given.block.size(), given.block.begin());
    given.left = header.left;
    given.changes = header.changes;
    given.place.assign(header.place, strnlen(header.place, sizeof header.place));
    const std::byte* from = begin_ + answer_offset_ + sizeof header;
    given.kernel_ms.resize(header.launches);
    if (header.launches > 0) std::memcpy(given.kernel_ms.data(), from, header.launches * sizeof(double));
    from += header.launches * sizeof(double);
    for (const double milliseconds : given.kernel_ms) {
        if (!is_duration(milliseconds)) return std::nullopt;
    }
    constexpr uint64_t LONGEST_SENTENCE = 1000;
    given.trouble.assign(reinterpret_cast<const char*>(from),
                         std::min(header.trouble_bytes, LONGEST_SENTENCE));
    from += header.trouble_bytes;
    if (header.report_bytes == 0) return given;
    try {
        given.seen =
            inspect::from_json(std::string(reinterpret_cast<const char*>(from), header.report_bytes));
    } catch (const std::exception&) {
        return std::nullopt;
    }
    return given;
}

void call_memory::copy_outputs(std::span<const argument> arguments) const {
    for (size_t i = 0; i < arguments.size(); i++) {
        if (arguments[i].role == argument::kind::output && arguments[i].size > 0)
            std::memcpy(arguments[i].destination, begin_ + records_[i].offset, arguments[i].size);
    }
}

std::string memory_text(uint64_t bytes) {
    constexpr double GIB = double(1 << 30), MIB = double(1 << 20);
    if (double(bytes) >= GIB) return fmt::format("{:.3g} GB", double(bytes) / GIB);
    return fmt::format("{:.3g} MB", double(bytes) / MIB);
}

}  // namespace check
