// The worker: a program around a student's object file. The judge starts it and calls its functions.
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

#include "call/channel.h"
#include "worker/device.h"
#include "worker/inspection.h"
#include "worker/serve.h"

namespace {

bool say(channel::packet_kind kind, const std::string& text) {
    channel::packet message;
    message.kind = kind;
    message.value = worker::has_gpu() ? 1 : 0;
    channel::set_text(message.text, sizeof message.text, text.c_str());
    return channel::send(channel::DESCRIPTOR, message, -1, true);
}

/// Serves calls until the judge hangs up.
void serve_calls() {
    for (;;) {
        channel::packet request;
        int file = -1;
        if (channel::receive(channel::DESCRIPTOR, request, file, true) != channel::received::packet) return;
        if (request.kind != channel::packet_kind::call || file < 0) return;
        const bool can_go_on = worker::serve_call(request, file);
        close(file);
        if (!can_go_on) return;
    }
}

}  // namespace

int main() {
    worker::begin_inspection();
    try {
        if (!say(channel::packet_kind::ready, worker::start_device())) {
            std::fprintf(stderr, "This is the worker of a lab. Its check program starts it: make labNN\n");
            return 2;
        }
        serve_calls();
    } catch (const std::exception& error) {
        if (!say(channel::packet_kind::failed, error.what())) _exit(channel::EXIT_CUT_OFF);
    }
    // Destructors of the student's statics have no say any more.
    std::fflush(nullptr);
    _exit(0);
}
