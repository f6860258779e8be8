// Packets over a socket pair, for both sides. Nothing here throws or allocates.
#include "call/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace channel {
namespace {

/// Room for the one descriptor that may come along with a packet.
union control_buffer {
    cmsghdr aligned;
    char bytes[CMSG_SPACE(sizeof(int))];
};

/// The descriptor that came along, or -1.
int descriptor_of(msghdr& message) {
    int file = -1;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        if (header->cmsg_len < CMSG_LEN(sizeof(int))) continue;
        std::memcpy(&file, CMSG_DATA(header), sizeof(int));
    }
    return file;
}

}  // namespace

bool send(int socket, const packet& what, int file, bool wait) {
    packet copy = what;
    iovec piece{&copy, sizeof copy};
    control_buffer control{};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    if (file >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(header), &file, sizeof(int));
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT));
    } while (sent < 0 && errno == EINTR);
    return sent == ssize_t(sizeof copy);
}

received receive(int socket, packet& what, int& file, bool wait) {
    file = -1;
    iovec piece{&what, sizeof what};
    control_buffer control{};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    ssize_t got;
    do {
        got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
    } while (got < 0 && errno == EINTR);
    if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? received::nothing : received::closed;
    file = descriptor_of(message);

    // A sender may also send packets of no bytes; an end of
    // the stream looks the same and is the likelier one.
    if (got == 0) return received::closed;
    const bool whole = got == ssize_t(sizeof what) && !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC));
    if (whole && what.magic == MAGIC) {
        what.text[sizeof what.text - 1] = '\0';
        return received::packet;
    }
    if (file >= 0) close(file);
    file = -1;
    return received::garbage;
}

void set_text(char* field, size_t field_bytes, const char* text) {
    size_t i = 0;
    for (; i + 1 < field_bytes && text[i] != '\0'; i++)
        field[i] = text[i];
    field[i] = '\0';
}

}  // namespace channel
