// A worker in a box: between the judge and the worker stands a launcher, a program that makes the box (with
// namespaces of its own, say) and in it becomes the worker. It says so over the worker's socket just before;
// which process it is by then, the operating system tells the judge.
#pragma once
#include <sys/types.h>

namespace check {

/// For the judge, before the launcher is started: its packets will tell who sent them.
void expect_launcher(int socket);
/// Waits for the launcher's word. The launcher's process, as this side of the box numbers it,
/// or -1 if it ended or let so much time pass.
pid_t wait_for_launcher(int socket, int milliseconds);

/// For the launcher, in the box and before anything of a student runs. False if the judge is gone.
bool announce_launcher();

}  // namespace check
