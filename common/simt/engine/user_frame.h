// Who called: the innermost frame that is neither the backend's, nor the inspector's, nor a library's.
#pragma once
#include <cstdint>

namespace simt {

/// The return address, as it were, of that frame, seen from the caller or, in a signal handler, from the
/// interrupted instruction. 0 if there is none. It walks the stack, which takes some microseconds.
uintptr_t user_frame(uintptr_t interrupted = 0);

}  // namespace simt
