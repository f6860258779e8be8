// One call: arguments in, the student's function, answer out.
#pragma once
#include "call/channel.h"

namespace worker {

/// Does the call whose memory is `file` and sends the answer.
/// Returns false if this process can serve no other call.
bool serve_call(const channel::packet& request, int file);

}  // namespace worker
