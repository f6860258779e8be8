// One call: arguments in, the student's function, answer out.
#pragma once

namespace worker {

/// Serves the judge's calls, in this process, until it hangs up or a call leaves a device that can serve no other.
void serve_calls();

}  // namespace worker
