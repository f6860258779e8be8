// Questions and answers over a stream: the host's site, the stream of its work, the number of a function, bytes;
// how it went, errors, bytes.
#include "simt/engine/far_device.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <new>
#include <stdexcept>

#include "simt/engine/error_state.h"
#include "simt/engine/host_news.h"
#include "simt/engine/observer.h"
#include "simt/engine/stream_order.h"

namespace simt {
namespace {

int far_stream = -1;
uintptr_t host_site = 0;
bool is_asked = false;

struct question_head {
    uint64_t number = 0, bytes = 0;
    uintptr_t site = 0;
    asked_work work;
};

struct answer_head {
    uint64_t bytes = 0;
    uint32_t out_of_memory = 0;
    error_news errors;
};

/// No question or answer is longer: so much is the largest device memory and something to spare.
constexpr uint64_t MOST_BYTES = uint64_t(5) << 30;

/// So many facts are kept: those of a few kernels and devices.
constexpr size_t MOST_KNOWN = 1000;

/// A head and its bytes, at once: who waits for them is woken once.
template <class head_type>
bool send_all(int stream, const head_type& head, const byte_list& bytes) {
    // sendmsg(2) only reads them.
    iovec pieces[] = {{const_cast<head_type*>(&head), sizeof head},
                      {const_cast<std::byte*>(bytes.data()), bytes.size()}};
    msghdr message = {};
    message.msg_iov = pieces;
    message.msg_iovlen = std::size(pieces);
    while (message.msg_iovlen > 0) {
        const ssize_t sent = sendmsg(stream, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        for (size_t left = size_t(sent); message.msg_iovlen > 0;) {
            iovec& next = *message.msg_iov;
            const size_t part = std::min(left, next.iov_len);
            next.iov_base = static_cast<std::byte*>(next.iov_base) + part;
            next.iov_len -= part;
            left -= part;
            if (next.iov_len > 0) break;
            message.msg_iov++;
            message.msg_iovlen--;
        }
    }
    return true;
}

bool receive_all(int stream, void* to, size_t bytes) {
    auto* next = static_cast<std::byte*>(to);
    while (bytes > 0) {
        const ssize_t got = recv(stream, next, bytes, MSG_WAITALL);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        next += got;
        bytes -= size_t(got);
    }
    return true;
}

/// Bytes that were announced; memory is taken as they arrive. False at the end of the stream.
bool receive_list(int stream, byte_list& list, uint64_t bytes) {
    constexpr uint64_t PIECE = 64 << 20;
    while (list.size() < bytes) {
        const size_t had = list.size();
        list.resize(had + std::min<uint64_t>(PIECE, bytes - had));
        if (!receive_all(stream, list.data() + had, list.size() - had)) return false;
    }
    return true;
}

std::vector<far::handler>& handlers() {
    static auto* list = new std::vector<far::handler>;
    return *list;
}

/// The device is gone: nothing is left that this process could do.
[[noreturn]] void end_without_device() {
    constexpr int CUT_OFF = 125;
    _exit(CUT_OFF);
}

byte_list answer_to(const question_head& asked, const byte_list& question, answer_head& head) {
    wire_writer to;
    host_site = asked.site;
    the_asked_work() = asked.work;
    is_asked = true;
    try {
        wire_reader from(question);
        handlers()[asked.number](from, to);
        host_asked(asked.number, question);
    } catch (const std::bad_alloc&) {
        head.out_of_memory = 1;
        to = {};
    }
    is_asked = false;
    head.errors = take_error_news();
    head.bytes = to.bytes().size();
    return to.take();
}

}  // namespace

bool device_is_far() {
    return far_stream >= 0;
}

void use_far_device(int stream) {
    far_stream = stream;
}

uintptr_t asked_from() {
    return is_asked ? host_site : 0;
}

bool serve_far_host(int stream) {
    for (;;) {
        question_head asked;
        if (!receive_all(stream, &asked, sizeof asked)) return true;
        const bool is_device = asked.work.device >= 0 && asked.work.device < MOST_DEVICES;
        if (asked.number >= handlers().size() || asked.bytes > MOST_BYTES || !is_device) return false;
        byte_list question;
        if (!receive_list(stream, question, asked.bytes)) return true;
        answer_head head;
        byte_list answer;
        try {
            answer = answer_to(asked, question, head);
        } catch (const std::out_of_range&) {
            return false;
        }
        if (!send_all(stream, head, answer)) return true;
    }
}

namespace far {

size_t add_handler(handler what) {
    handlers().push_back(what);
    return handlers().size() - 1;
}

byte_list ask(size_t number, question_kind kind, const byte_list& question) {
    static std::mutex& one_at_a_time = *new std::mutex;
    static auto& known =
        *new std::map<std::pair<size_t, byte_list>, byte_list>;  // answers to questions for facts
    const std::lock_guard lock(one_at_a_time);
    if (kind == question_kind::change || known.size() > MOST_KNOWN) known.clear();
    if (kind == question_kind::fact) {
        const auto found = known.find({number, question});
        if (found != known.end()) return found->second;
    }
    const question_head asked{number, question.size(), user_frame(), the_asked_work()};
    answer_head head;
    byte_list answer;
    if (!send_all(far_stream, asked, question) || !receive_all(far_stream, &head, sizeof head) ||
        !receive_list(far_stream, answer, head.bytes))
        end_without_device();
    adopt(head.errors);
    if (head.out_of_memory) throw std::bad_alloc();
    const bool is_refused =
        head.errors.last != cudaSuccess || head.errors.sticky != cudaSuccess;  // told each time
    if (kind == question_kind::fact && !is_refused) known[{number, question}] = answer;
    return answer;
}

}  // namespace far
}  // namespace simt
