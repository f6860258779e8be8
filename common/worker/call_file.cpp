// Maps the file, copies what it holds, writes the answer behind the arguments.
#include "worker/call_file.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cstring>
#include <stdexcept>

namespace worker {

call_file::call_file(int file) {
    struct stat status {};
    if (fstat(file, &status) != 0) throw std::runtime_error("the memory of the call is gone");
    size_ = size_t(status.st_size);
    void* begin = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (begin == MAP_FAILED) throw std::runtime_error("the memory of the call cannot be mapped");
    begin_ = static_cast<std::byte*>(begin);
    std::memcpy(&header_, begin_, sizeof header_);
    records_.resize(header_.arguments);
    if (records_.empty()) return;
    std::memcpy(records_.data(), begin_ + sizeof header_, records_.size() * sizeof(channel::argument_record));
}

call_file::~call_file() {
    munmap(begin_, size_);
}

void call_file::write(answer& given, const std::string& report) const {
    const uint64_t needed =
        sizeof given.header + given.kernel_ms.size() * sizeof(double) + given.trouble.size() + report.size();
    if (needed > header_.answer_capacity) throw std::runtime_error("the inspector's report is too long");

    given.header.sequence = header_.sequence;
    given.header.secret = header_.secret;
    given.header.launches = given.kernel_ms.size();
    given.header.trouble_bytes = given.trouble.size();
    given.header.report_bytes = report.size();

    std::byte* to = begin_ + header_.answer_offset;
    const auto append = [&to](const void* bytes, size_t size) {
        if (size > 0) std::memcpy(to, bytes, size);
        to += size;
    };
    append(&given.header, sizeof given.header);
    append(given.kernel_ms.data(), given.kernel_ms.size() * sizeof(double));
    append(given.trouble.data(), given.trouble.size());
    append(report.data(), report.size());
}

int next_call_file() {
    channel::packet request;
    int file = -1;
    if (channel::receive(channel::DESCRIPTOR, request, file, true) != channel::received::packet) return -1;
    return request.kind == channel::packet_kind::call ? file : -1;
}

bool send_answer(const channel::call_header& call) {
    channel::packet reply;
    reply.kind = channel::packet_kind::answer;
    reply.sequence = call.sequence;
    reply.secret = call.secret;
    return channel::send(channel::DESCRIPTOR, reply, -1, true);
}

}  // namespace worker
