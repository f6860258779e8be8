// A stack for signal handlers.
#include "simt/engine/signal_stack.h"

#include <signal.h>
#include <sys/mman.h>

#include <cstddef>

namespace simt {
namespace {

constexpr size_t SIGNAL_STACK_BYTES = 1 << 20;  // the host's last words need symbol lookup

}  // namespace

void give_thread_a_signal_stack() {
    static constinit thread_local bool done = false;
    if (done) return;
    done = true;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* memory = mmap(nullptr, SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) return;  // an overflowing stack then kills the process, as it does elsewhere
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = SIGNAL_STACK_BYTES;
    sigaltstack(&stack, nullptr);
}

}  // namespace simt
