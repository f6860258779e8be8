// The launcher's word, and who gave it (SCM_CREDENTIALS: numbered as the receiver sees processes).
#include "call/launcher.h"

#include <poll.h>
#include <sys/socket.h>

#include <cstring>

#include "call/channel.h"

namespace check {
namespace {

/// The kernel adds the sender's number to what arrives, or no longer does.
bool ask_for_senders(int socket, int wanted) {
    return setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &wanted, sizeof wanted) == 0;
}

/// The process that sent the next packet, if that is a launcher's.
pid_t receive_from(int socket) {
    channel::packet packet;
    iovec piece{&packet, sizeof packet};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))];
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const bool whole = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) == ssize_t(sizeof packet);
    if (!whole || packet.magic != channel::MAGIC || packet.kind != channel::packet_kind::boxed) return -1;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_CREDENTIALS) continue;
        ucred sender{};
        std::memcpy(&sender, CMSG_DATA(header), sizeof sender);
        return sender.pid > 0 ? sender.pid : -1;
    }
    return -1;
}

}  // namespace

void expect_launcher(int socket) {
    ask_for_senders(socket, 1);
}

pid_t wait_for_launcher(int socket, int milliseconds) {
    pollfd watched{socket, POLLIN, 0};
    if (poll(&watched, 1, milliseconds) <= 0) return -1;
    const pid_t launcher = receive_from(socket);
    // All other packets are received without room for a sender's number.
    return ask_for_senders(socket, 0) ? launcher : -1;
}

bool announce_launcher() {
    channel::packet message;
    message.kind = channel::packet_kind::boxed;
    return channel::send(channel::DESCRIPTOR, message, -1, true);
}

}  // namespace check
