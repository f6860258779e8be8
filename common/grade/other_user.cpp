// other_user WORKER - starts a worker as a user who owns nothing, for its judge (call/launcher.h): where no
// box can be made but the grader is root, files that only root may read are then closed to the student's code.
#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include "call/launcher.h"
#include "call/sandbox.h"
#include "grade/other_user.h"

namespace {

void require(int error, const char* step) {
    if (error != 0) throw std::runtime_error(std::string(step) + ": " + std::strerror(error));
}

int error_of(int result) {
    return result == 0 ? 0 : errno;
}

void enter(const char* worker) {
    const check::confinement confined(worker);
    const pid_t judge = getppid();
    require(error_of(setgroups(0, nullptr)), "groups");
    require(error_of(setresgid(grade::OTHER_USER, grade::OTHER_USER, grade::OTHER_USER)), "group");
    require(error_of(setresuid(grade::OTHER_USER, grade::OTHER_USER, grade::OTHER_USER)), "user");
    // The kernel forgets this when the user changes.
    require(error_of(prctl(PR_SET_PDEATHSIG, SIGKILL)), "its end with the judge");
    if (getppid() != judge || !check::announce_launcher()) throw std::runtime_error("its judge is gone");
    require(confined.limit_resources(), "resource limits");
    require(confined.limit_files(), "Landlock");
    require(confined.limit_calls(), "the system call filter");
    execl(worker, worker, nullptr);
    require(errno, worker);
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 2) throw std::invalid_argument("usage: other_user WORKER");
    enter(argv[1]);
} catch (const std::exception& error) {
    std::fprintf(stderr, "other_user: %s\n", error.what());
    return 127;
}
