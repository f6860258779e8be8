// The worker: a program around a student's object file. The judge starts it and calls its functions.
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "call/channel.h"
#include "worker/confine.h"
#include "worker/device.h"
#include "worker/inspection.h"
#include "worker/ready.h"
#include "worker/serve.h"
#include "worker/two_processes.h"

#ifdef __CUCC__
#include "simt/engine/pool.h"
#endif

namespace worker {
namespace {

bool say(channel::packet_kind kind, const std::string& text) {
    channel::packet message;
    message.kind = kind;
    channel::set_text(message.text, sizeof message.text, text.c_str());
    return channel::send(channel::DESCRIPTOR, message, -1, true);
}

void serve() {
    const std::string device = start_device();
    if (is_inspected()) serve_in_two_processes(device);
    stay_alone();
    run_student_constructors();
    if (say_ready(device)) serve_calls();
}

}  // namespace

bool say_ready(const std::string& device) {
    if (say(channel::packet_kind::ready, device)) return true;
    std::fprintf(stderr, "This is the worker of a lab. Its check program starts it: make labNN\n");
    return false;
}

}  // namespace worker

int main() {
#ifdef __CUCC__  // a GPU's launches never wait
    simt::keep_host_waiting();
#endif
    worker::begin_inspection();
    try {
        worker::serve();
    } catch (const std::exception& error) {
        if (!worker::say(channel::packet_kind::failed, error.what())) _exit(channel::EXIT_CUT_OFF);
    }
    // Destructors of the student's statics have no say any more.
    std::fflush(nullptr);
    _exit(0);
}
